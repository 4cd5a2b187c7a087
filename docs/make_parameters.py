"""Write docs/parameters.md: every public parameter, its meaning, and the objects that have it.

Run it as ``python docs/make_parameters.py``; ``--check`` says whether the page is up to date. Names come
from signatures, meanings from the first sentence of the docstrings.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import treewright

PAGE = Path(__file__).with_name("parameters.md")

OPENING = """# Parameters

One name, one meaning. Every parameter of a public object, with its meaning and the objects that have it:
classes and functions, then methods behind their classes. Made by `python docs/make_parameters.py` from
signatures and docstrings; a test holds this page against them.

| parameter | meaning | objects |
| --- | --- | --- |
"""


def public_objects() -> Iterator[tuple[str, object]]:
    """Yield every public class and function once, with the shortest name that a user writes."""
    top = {name: getattr(treewright, name) for name in treewright.__all__}
    seen = [thing for thing in top.values() if callable(thing)]
    yield from ((name, thing) for name, thing in top.items() if callable(thing))
    for name, room in top.items():
        if inspect.ismodule(room):
            for inner in room.__all__:
                thing = getattr(room, inner)
                if not any(thing is known for known in seen):
                    yield f"{name}.{inner}", thing


def callables_of(name: str, thing: object) -> Iterator[tuple[str, object]]:
    """Yield a function, or the constructor and the public methods of a class."""
    yield name, thing
    if inspect.isclass(thing):
        for method, value in inspect.getmembers(thing, callable):
            is_ours = (getattr(value, "__module__", None) or "").startswith("treewright")
            if is_ours and not method.startswith("_"):
                yield f"{name}.{method}", value


def first_sentence(text: str) -> str:
    """Return a text up to the first ``.``, ``;`` or ``:`` that stands in no brackets and in no code."""
    for end in re.finditer(r"[.;:](?=\s|\Z)", text):
        told = text[: end.start()]
        is_in_code = told.count("``") % 2 or told.count("`") % 2
        if not is_in_code and told.count("(") == told.count(")"):
            return told
    return text


def meanings_in(docstring: str) -> dict[str, str]:
    """Return the first sentence that a numpydoc text says of each parameter."""
    found: dict[str, str] = {}
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\w[\w ]*\n-+\n|\Z)", docstring, re.M | re.S)
    entries = re.findall(
        r"^(\S.*?)(?: : .*)?\n((?:[ \t]+.*(?:\n|\Z)|\n)+)", section[1] if section else "", re.M
    )
    for names, text in entries:
        sentence = first_sentence(" ".join(text.split()))
        found |= {name.strip().lstrip("*"): sentence for name in names.split(",")}
    return found


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
                rows[parameter.name][said.get(parameter.name, "")].append(name)
    return {name: followed(meanings) for name, meanings in rows.items()}


def followed(meanings: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the meanings of a parameter, where "As in `other`" has become what the other one says."""
    said_by = {name: said for said, names in meanings.items() for name in names}
    found: dict[str, list[str]] = defaultdict(list)
    for name, said in said_by.items():
        while reference := re.fullmatch(r"As (?:in|for) `([\w.]+)`.*", said):
            of_class = f"{name.rpartition('.')[0]}.{reference[1]}"
            ends = (other for other in said_by if f".{other}".endswith(f".{reference[1]}"))
            other = of_class if of_class in said_by else next(ends, None)
            if other is None or said_by[other] == said:
                break
            said = said_by[other]
        found[said].append(name)
    return found


def page() -> str:
    """Return the page as text."""
    lines = []
    for parameter, meanings in sorted(table().items()):
        told = sorted(meanings.items(), key=lambda item: (-len(item[1]), item[0]))
        for said, names in told:
            lines.append(f"| `{parameter}` | {said.replace('|', '/') or '–'} | {objects(names)} |")
    return OPENING + "\n".join(lines) + "\n"


def objects(names: Iterable[str]) -> str:
    """Return constructors and functions, then methods behind the classes that have the same ones."""
    methods: dict[str, list[str]] = defaultdict(list)
    alone: list[str] = []
    for name in sorted(set(names)):
        owner, _, method = name.rpartition(".")
        is_method = owner.rpartition(".")[2][:1].isupper()
        (methods[owner] if is_method else alone).append(method if is_method else name)
    classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for owner, own in methods.items():
        classes[tuple(own)].append(owner)
    told = [f"{quoted(owners)}: {quoted(own)}" for own, owners in classes.items()]
    return "; ".join([*([quoted(alone)] if alone else []), *told])


def quoted(names: Iterable[str]) -> str:
    """Return names as code."""
    return ", ".join(f"`{name}`" for name in names)


def main() -> int:
    """Write the page, or hold it against the code."""
    text = page()
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
