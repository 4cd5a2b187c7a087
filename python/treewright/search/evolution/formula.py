"""Reading a formula of c and n, and saying in its own terms what is wrong with one."""

from __future__ import annotations

from treewright import _core
from treewright._base.errors import ParameterError, ProgramError

DECLARATION = "fun estimate(c: float, n: float): float = "
EXAMPLE = "((n - c) + 0.5) / n"
MOST_SHOWN = 60
"""Characters of a formula that a message repeats."""

COMMAND_LINE = "learned:"
"""What stands on the command line before the name of a rule that came with the package."""

BODY, END = "the body of 'estimate'", "the end of the text"
"""What the language calls the formula, and the place after its last character."""

ERRORS = {"e", "E", "err", "error", "errors"}
"""What others call n - c."""


def parsed(program: object, name: str = "program") -> _core.Program:
    """Read a formula or a function; messages call it by the name of the parameter."""
    example = f"give a formula such as '{EXAMPLE}'"
    if not isinstance(program, str):
        raise ParameterError(name, program, "is no text", example)
    if program.startswith(COMMAND_LINE):
        preset = f"give LearnedPruning.preset({program.removeprefix(COMMAND_LINE)!r})"
        raise ParameterError(name, shortened(program), "is a name for the command line", preset)
    if not program.strip():
        raise ParameterError(name, program, "is empty", example)
    is_function = program.lstrip().startswith("fun ")
    try:
        return _core.Program.formula(program if is_function else f"{DECLARATION}{program}\n")
    except ProgramError as error:
        reason = str(error) if is_function else f"{_moved(error, program)}{_names(error)}"
        raise ParameterError(
            name, shortened(program), f"cannot be read: {reason}{_advice(program, error)}"
        ) from error


def shortened(text: str) -> str:
    """Return a text, or its beginning if it is long."""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _moved(error: ProgramError, program: str) -> str:
    """Let a message count from the start of the formula, and speak of nothing that is not in it."""
    line, column = error.line, error.column
    if line is None or column is None:
        return error.message
    if line == 1:
        column -= len(DECLARATION)
    if column <= 0:
        return error.message.replace(BODY, "its value")
    if error.kind == "syntax":
        expected = "an operator or the end" if error.expected == "'fun'" else error.expected
        if error.found == END:
            return f"at its end: expected {expected}"
        return f"{_place(line, column, program)}: expected {expected}, found {error.found}"
    return f"{_place(line, column, program)}: {error.message}"


def _place(line: int, column: int, program: str) -> str:
    is_one_line = "\n" not in program.strip("\n") and line == 1
    return f"column {column}" if is_one_line else f"line {line}, column {column}"


def _advice(program: str, error: ProgramError) -> str:
    """Say what to write in place of what the language does not have."""
    if error.kind == "mismatch" and {error.expected, error.found} == {"int", "float"}:
        number = program.strip()
        example = f"{number}.0" if number.isdecimal() else "1.0 in place of 1"
        return f"; numbers have a point: write {example}"
    is_power = error.found in ("'*'", "'^'") or (error.what, error.found) == ("function", "pow")
    if is_power and any(power in program for power in ("**", "^", "pow")):
        return "; there is no power; write c * c"
    return ""


def _names(error: ProgramError) -> str:
    """Say what names there are, if another one was met."""
    if error.kind != "unbound":
        return ""
    if error.what == "variable":
        return f"; the formula knows c and n{'; write n - c for the errors' if error.found in ERRORS else ''}"
    if error.what == "function" and error.found != "pow":
        return "; there are min, max, abs, sqrt, log, exp and tanh"
    return ""
