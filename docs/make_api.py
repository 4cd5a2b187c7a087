"""Write the pages of the API reference: docs/api/*.rst, one for each estimator, function and room.

`conf.py` runs it before every build; git ignores what it writes. The pages name objects, their text comes
from the docstrings. Public is what `treewright.__all__` and the `__all__` of its rooms name, and of their
classes the members that this package defines: what scikit-learn gives (`get_params`, `score`, `set_output`)
has its own documentation.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType

import treewright

FOLDER = Path(__file__).with_name("api")

KINDS = {
    "Estimators": "Classifier",
    "Feature selection": "Selector",
    "Errors and warnings": ("Error", "Warning"),
}
"""Groups of the top level by how a name ends, in the order of the table of contents."""

OTHERS = "Data, trees and the main job"

INDEX = """API
===

Everything public, from the docstrings. Estimators and selectors follow scikit-learn's conventions: they also
have its ``get_params``, ``set_params``, ``set_output``, ``score`` and ``get_metadata_routing``.
:doc:`/parameters` lists every parameter with the objects that have it.
"""


def top_level() -> dict[str, list[str]]:
    """Return the names of the top level by group."""
    groups: dict[str, list[str]] = {OTHERS: [], **{group: [] for group in KINDS}}
    for name in treewright.__all__:
        if name != "__version__" and not inspect.ismodule(getattr(treewright, name)):
            group = next((group for group, end in KINDS.items() if name.endswith(end)), OTHERS)
            groups[group].append(name)
    return groups


def rooms() -> dict[str, ModuleType]:
    """Return the public modules by name."""
    found = {name: getattr(treewright, name) for name in treewright.__all__ if name != "__version__"}
    return {name: thing for name, thing in found.items() if inspect.ismodule(thing)}


def is_ours(member: object) -> bool:
    """Return whether a member of a class is a method or property that this package describes."""
    if isinstance(member, property):
        member = member.fget
    elif isinstance(member, cached_property):
        member = member.func
    member = getattr(member, "__func__", member)
    module = getattr(member, "__module__", None) or ""
    is_code = inspect.isroutine(member)
    return is_code and module.startswith("treewright") and bool(getattr(member, "__doc__", None))


def members(thing: type) -> Iterator[str]:
    """Yield the public members of a class, in alphabetical order."""
    for name in sorted(dir(thing)):
        if not name.startswith("_") and is_ours(inspect.getattr_static(thing, name)):
            yield name


def directive(name: str, thing: object) -> str:
    """Return the lines that put an object on a page."""
    if inspect.isclass(thing):
        named = ", ".join(members(thing))
        return f".. autoclass:: {name}\n" + (f"   :members: {named}\n" if named else "")
    kind = "autofunction" if inspect.isroutine(thing) else "autodata"
    return f".. {kind}:: {name}\n"


def titled(title: str, *parts: str) -> str:
    """Return a page of a title and parts."""
    return "\n\n".join([f"{title}\n{'=' * len(title)}", *parts]) + "\n"


def room_page(name: str, room: ModuleType) -> str:
    """Return the page of a room: its objects, with links to those that have a page of their own."""
    own = {name for group in top_level().values() for name in group}
    opening = (inspect.getdoc(room) or "").partition("\n\n")[0].replace("\n", " ")
    elsewhere = sorted(own & set(room.__all__))
    parts = [opening]
    if elsewhere:
        parts.append("See also " + ", ".join(f":py:obj:`treewright.{other}`" for other in elsewhere) + ".")
    inner = sorted(set(room.__all__) - own)
    parts += [directive(f"treewright.{name}.{thing}", getattr(room, thing)) for thing in inner]
    return titled(f"treewright.{name}", *parts)


def toctree(caption: str, names: list[str]) -> str:
    """Return a table of contents with its heading."""
    lines = "\n".join(f"   {name}" for name in names)
    return f"{caption}\n{'-' * len(caption)}\n\n.. toctree::\n   :maxdepth: 1\n\n{lines}\n"


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    found, contents = {}, [INDEX]
    for group, names in top_level().items():
        if group == "Errors and warnings":
            things = (directive(f"treewright.{name}", getattr(treewright, name)) for name in names)
            found["errors.rst"] = titled(group, *things)
            continue
        contents.append(toctree(group, names))
        for name in names:
            found[f"{name}.rst"] = titled(name, directive(f"treewright.{name}", getattr(treewright, name)))
    found |= {f"treewright.{name}.rst": room_page(name, room) for name, room in rooms().items()}
    contents.append(toctree("Rooms", ["errors", *(f"treewright.{name}" for name in sorted(rooms()))]))
    return {"index.rst": "\n".join(contents), **found}


def write() -> None:
    """Write the pages that have changed, so that a build reads only those again."""
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for old in FOLDER.glob("*.rst"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
