"""Write docs/parameters.md: every public parameter, its meaning, and the objects that have it.

Run it as ``python docs/make_parameters.py``; ``--check`` says whether the page is up to date. Names come
from signatures, meanings from the first sentence of the docstrings.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import treewright

PAGE = Path(__file__).with_name("parameters.md")

OPENING = """# Parameters

One name, one meaning. Every parameter of a public object, with its meaning and the objects that have it. Made
by `python docs/make_parameters.py` from signatures and docstrings; a test holds this page against them.

| parameter | meaning | objects |
| --- | --- | --- |
"""


def public_objects() -> Iterator[tuple[str, object]]:
    """Yield every public class and function with the name that a user writes."""
    for name in treewright.__all__:
        thing = getattr(treewright, name)
        if inspect.ismodule(thing):
            room = thing.__name__.removeprefix("treewright.")
            yield from ((f"{room}.{inner}", getattr(thing, inner)) for inner in thing.__all__)
        elif callable(thing):
            yield name, thing


def callables_of(name: str, thing: object) -> Iterator[tuple[str, object]]:
    """Yield a function, or the constructor and the public methods of a class."""
    yield name, thing
    if inspect.isclass(thing):
        for method, value in inspect.getmembers(thing, callable):
            is_ours = (getattr(value, "__module__", None) or "").startswith("treewright")
            if is_ours and not method.startswith("_"):
                yield f"{name}.{method}", value


def meanings_in(docstring: str) -> dict[str, str]:
    """Return the first sentence that a numpydoc text says of each parameter."""
    found: dict[str, str] = {}
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\w[\w ]*\n-+\n|\Z)", docstring, re.M | re.S)
    entries = re.findall(
        r"^(\S.*?)(?: : .*)?\n((?:[ \t]+.*(?:\n|\Z)|\n)+)", section[1] if section else "", re.M
    )
    for names, text in entries:
        sentence = re.split(r"(?<=[.;:])\s", " ".join(text.split()))[0].rstrip(".;:")
        found |= {name.strip().lstrip("*"): sentence for name in names.split(",")}
    return found


def meaning(name: str, said: dict[str, str]) -> str:
    """Return what is said of a parameter; of one that is as another object's, what is said there."""
    reference = re.fullmatch(r"As (?:in|for) `(\w+)`", said.get(name, ""))
    home = getattr(treewright, reference[1], None) if reference else None
    return meanings_in(inspect.getdoc(home) or "")[name] if inspect.isclass(home) else said.get(name, "")


def table() -> dict[str, dict[str, list[str]]]:
    """Return, for each parameter, each meaning with the objects whose docstring says it."""
    rows: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for public, thing in public_objects():
        for name, value in callables_of(public, thing):
            try:
                parameters = inspect.signature(value).parameters  # type: ignore[arg-type]
            except (TypeError, ValueError):
                continue
            said = meanings_in(inspect.getdoc(value) or "")
            if not said and inspect.isclass(value):
                continue  # a result or an error: users do not make one
            for parameter in parameters.values():
                if parameter.name in {"self", "cls", "args", "kwargs"} or parameter.name.startswith("_"):
                    continue
                rows[parameter.name][meaning(parameter.name, said)].append(name)
    return rows


def page() -> str:
    """Return the page as text."""
    lines = []
    for parameter, meanings in sorted(table().items()):
        told = sorted(meanings.items(), key=lambda item: (-len(item[1]), item[0]))
        for said, names in told:
            objects = ", ".join(f"`{name}`" for name in sorted(set(names)))
            lines.append(f"| `{parameter}` | {said.replace('|', '/') or '–'} | {objects} |")
    return OPENING + "\n".join(lines) + "\n"


def main() -> int:
    """Write the page, or hold it against the code."""
    text = page()
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
