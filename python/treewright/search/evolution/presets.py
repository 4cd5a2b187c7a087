"""Rules that this project's own runs found, kept as files of the package."""

from __future__ import annotations

from importlib.resources import files

from treewright._base.errors import ParameterError

FOLDER = files("treewright.search.evolution") / "presets"
ENDING = ".json"


def names() -> tuple[str, ...]:
    """Return the names of the rules, in alphabetical order."""
    found = (place.name for place in FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(ENDING) for name in found if name.endswith(ENDING)))


def text_of(name: object) -> str:
    """Return the file of a rule."""
    if name not in names():
        raise ParameterError(f"name={name!r} is no rule that comes with the package; use one of {known()}")
    return (FOLDER / f"{name}{ENDING}").read_text(encoding="utf-8")


def known() -> str:
    """Return the names in quotes, for a message."""
    return ", ".join(repr(name) for name in names())
