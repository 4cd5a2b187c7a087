"""Reading a formula of c and n, and saying in its own terms what is wrong with one."""

from __future__ import annotations

import re

from treewright import _core
from treewright._base.errors import ParameterError

DECLARATION = "fun estimate(c: float, n: float): float = "
EXAMPLE = "((n - c) + 0.5) / n"
MOST_SHOWN = 60
"""Characters of a formula that a message repeats."""

COMMAND_LINE = "learned:"
"""What stands on the command line before the name of a rule that came with the package."""

PLACE = re.compile(r"line (\d+), column (\d+): ")
ERRORS = {"e", "E", "err", "error", "errors"}
"""What others call n - c."""


def parsed(program: object, name: str = "program") -> _core.Program:
    """Read a formula or a function; messages call it by the name of the parameter."""
    if not isinstance(program, str):
        raise ParameterError(f"{name}={program!r} is no text; give a formula such as '{EXAMPLE}'")
    if program.startswith(COMMAND_LINE):
        raise ParameterError(
            f"{name}={shortened(program)!r} is a name for the command line; "
            f"give LearnedPruning.preset({program.removeprefix(COMMAND_LINE)!r})"
        )
    if not program.strip():
        raise ParameterError(f"{name}={program!r} is empty; give a formula such as '{EXAMPLE}'")
    is_function = program.lstrip().startswith("fun ")
    try:
        return _core.Program.formula(program if is_function else f"{DECLARATION}{program}\n")
    except ParameterError as error:
        said = str(error)
        told = said if is_function else f"{_opening(program)}{_moved(said, program)}{_names(said)}"
        raise ParameterError(f"{told}{_advice(program, said)}") from None


def shortened(text: str) -> str:
    """Return a text, or its beginning if it is long."""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _opening(program: str) -> str:
    return f"the formula {shortened(program)!r} cannot be read: "


def _moved(message: str, program: str) -> str:
    """Let a message count from the start of the formula, and speak of nothing that is not in it."""
    place = PLACE.match(message)
    if place is None:
        return message
    line, column, said = int(place[1]), int(place[2]), message[place.end() :]
    if line == 1:
        column -= len(DECLARATION)
    if column <= 0:
        return said.replace("the body of 'estimate'", "its value")
    said = said.replace("expected 'fun', found", "expected an operator or the end, found")
    if said.endswith(", found the end of the text"):
        return f"at its end: {said.removesuffix(', found the end of the text')}"
    is_one_line = "\n" not in program.strip("\n") and line == 1
    return f"column {column}: {said}" if is_one_line else f"line {line}, column {column}: {said}"


def _advice(program: str, message: str) -> str:
    """Say what to write in place of what the language does not have."""
    if "of type int" in message and "of type float" in message:
        number = program.strip()
        example = f"{number}.0" if number.isdecimal() else "1.0 in place of 1"
        return f"; numbers have a point: write {example}"
    if re.search(r"found '[*^]'|no function 'pow'", message) and re.search(r"\*\*|\^|\bpow\b", program):
        return "; there is no power; write c * c"
    return ""


def _names(message: str) -> str:
    """Say what names there are, if another one was met."""
    if found := re.search(r"no variable '(\w+)'", message):
        return f"; the formula knows c and n{'; write n - c for the errors' if found[1] in ERRORS else ''}"
    if "no function '" in message and "'pow'" not in message:
        return "; there are min, max, abs, sqrt, log, exp and tanh"
    return ""
