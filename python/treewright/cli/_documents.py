"""Results in files, side by side: what they hold, and where they differ."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from treewright.cli._model import of_page

Document = dict[str, Any]

TIMES = frozenset({"seconds", "seconds_grown", "elapsed", "scaling"})
UNTOLD = TIMES | {"command", "treewright", "version", "provenance"}
"""What another run has otherwise: times, and what is told of it besides."""


@dataclass(frozen=True)
class Change:
    """A place in a document, and what stands there; None where nothing does."""

    place: str
    old: object
    new: object

    def __str__(self) -> str:
        return f"{self.place}: {_short(self.old)} -> {_short(self.new)}"


def _short(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def read_document(path: Path) -> Document:
    """Read a result of any command; of a page of `treewright explore` its tree."""
    try:
        text = of_page(path.read_text(encoding="utf-8"))
        if not text:
            raise click.ClickException(f"{path} is empty, or a page without a tree: it holds no result.")
        found = json.loads(text)
    except (UnicodeDecodeError, ValueError) as error:
        raise click.ClickException(f"{path} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise click.ClickException(f"{path} holds no result of a command: it is no JSON object.")
    return found


def command_of(document: Document) -> str | None:
    """Return the command line that made a result."""
    told = document.get("command") or _origin(document).get("command")
    return told if isinstance(told, str) else None


def version_of(document: Document) -> str | None:
    """Return the release that made a result."""
    told = document.get("treewright") or _origin(document).get("version")
    return told if isinstance(told, str) else None


def data_of(document: Document) -> list[Document]:
    """Return name and hash of the data of a result, as far as it tells them."""
    for told in (document.get("data"), _origin(document).get("data")):
        sets = told if isinstance(told, list) else [told]
        found = [one for one in sets if isinstance(one, dict) and isinstance(one.get("hash"), str)]
        if found:
            return [{name: one.get(name) for name in ("name", "hash")} for one in found]
    return []


def hash_of(document: Document) -> str | None:
    """Return the hash of the data of a result; of several data sets all hashes."""
    return ", ".join(str(one["hash"]) for one in data_of(document)) or None


def _origin(document: Document) -> Document:
    for holder in (document, document.get("refit_tree"), document.get("tree")):
        if isinstance(holder, dict) and isinstance(holder.get("provenance"), dict):
            return dict(holder["provenance"])
    return {}


def changes(old: object, new: object, place: str = "") -> Iterator[Change]:
    """Yield every place where two documents differ, but for times and origins."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*old, *(name for name in new if name not in old)]:
            if not _is_untold(name, old) or (name == "version" and place):
                inner = f"{place}.{name}" if place else str(name)
                yield from changes(old.get(name), new.get(name), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from changes(one, other, f"{place}[{at}]")
    elif not _is_same(old, new):
        yield Change(place, _told(old), _told(new))


def _is_untold(name: str, of: Mapping[str, object]) -> bool:
    return name in UNTOLD or (name == "std_error" and "seconds" in of)


def _is_same(old: object, new: object) -> bool:
    both_nan = isinstance(old, float) and isinstance(new, float) and math.isnan(old) and math.isnan(new)
    return both_nan or ((type(old) is type(new) or _are_numbers(old, new)) and old == new)


def _are_numbers(old: object, new: object) -> bool:
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in (old, new))


def _told(value: object) -> object:
    """Return a value, of a long one its size."""
    return f"{len(value)} entries" if isinstance(value, list | Mapping) else value
