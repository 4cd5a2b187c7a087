"""What the boxes of a picture ask of a row, for the script of a page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from treewright import _core
from treewright._base.shown import shown_values
from treewright.data.derived import MICROSECONDS, derived_in
from treewright.trees.drawing.picture import Picture
from treewright.trees.exports.program import Column, Plane, Step, some_steps

HIDDEN = -3
"""Target of a branch that is not drawn; that of others is a box, or less than 0 as in a program."""

MOST_CODES = 300_000
"""Positions of values in a page; with more the path of a row is left out."""


def questions_of(picture: Picture, core: _core.Tree) -> dict[str, object]:
    """Return columns, planes and what each box asks; nothing of a tree with too many values."""
    real = [box.node if box.kind != "more" else None for box in picture.boxes]
    place = {node: i for i, node in enumerate(real) if node is not None}
    columns, planes, steps = some_steps(core, list(place))
    if sum(len(step.branches) for step in steps.values()) > MOST_CODES:
        return {"steps": None}
    used: dict[int, int] = {}

    def position(column: int) -> int:
        return used.setdefault(column, len(used))

    made = [None if node is None else _step(steps[node], place, position) for node in real]
    wanted = sorted({step.plane for step in steps.values() if step.ask == "plane"})
    order = {number: i for i, number in enumerate(wanted)}
    for step in made:
        if step is not None and "p" in step:
            step["p"] = order[step["p"]]  # type: ignore[index]
    told = [_plane(planes[number], position) for number in wanted]
    by_place = sorted(used, key=used.__getitem__)
    return {"steps": made, "planes": told, "columns": _columns(core, [columns[i] for i in by_place])}


def _step(step: Step, place: dict[int, int], position: object) -> dict[str, object] | None:
    assert callable(position)

    def target(node: int) -> int:
        return node if node < 0 else place.get(node, HIDDEN)

    if step.ask == "leaf":
        return None
    branches = [target(node) for node in step.branches]
    unknown = {"m": target(step.missing)}
    if step.ask == "plane":
        return {"p": step.plane, "b": branches, **unknown}
    asked = {"c": position(step.column), **unknown}
    if step.ask == "number":
        return {**asked, "t": step.threshold, "b": branches}
    groups: dict[int, list[int]] = {}
    for code, branch in enumerate(branches):
        groups.setdefault(branch, []).append(code)
    usual = max(groups, key=lambda branch: len(groups[branch]), default=HIDDEN)
    others = [[codes, branch] for branch, codes in groups.items() if branch != usual]
    return {**asked, "g": others, "d": usual, "u": target(step.unseen)}


def _plane(plane: Plane, position: object) -> dict[str, object]:
    assert callable(position)
    terms = [
        [position(term.column), term.level, term.weight, term.missing, term.unseen] for term in plane.terms
    ]
    return {"terms": terms, "offset": plane.offset}


def _columns(core: _core.Tree, columns: Sequence[Column]) -> list[dict[str, object]]:
    """Return names and values; of a date also the day from which its units are counted."""
    derived = derived_in(None if core.reading is None else json.loads(core.reading))
    found = []
    for column in columns:
        levels = None if column.levels is None else shown_values(column.levels)
        told: dict[str, object] = {"name": column.name, "levels": levels}
        made = derived.get(column.position)
        if made is not None and made.since is not None:
            told |= {"name": made.source, "since": f"{made.since[:19]}Z" if ":" in made.since else made.since}
            told["unit"] = MICROSECONDS[made.part]
        found.append(told)
    return found
