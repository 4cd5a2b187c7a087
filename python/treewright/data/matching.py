"""Where the columns that a model uses stand in new data: by name in frames, by position in arrays.

Only these columns are asked for. Others may be missing, of another type or anything else: they are not read.
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from treewright._base.warn import warn
from treewright._base.wording import Part
from treewright.data import table_errors
from treewright.data.intake.schema import are_positions, are_text, generated_names, shown_texts
from treewright.data.table_errors import X

Labels = Sequence[Hashable]
"""What columns are called: texts, years, tuples, whatever a frame allows."""


@dataclass(frozen=True)
class ModelColumns:
    """The columns that a model knows.

    Attributes
    ----------
    names : sequence of str
        What the columns are called in output.
    used : sequence of int
        Positions of the columns that the rules of the model use, ascending.
    labels : sequence or None
        What the columns were called in ``fit``; None if they had no names.
    owner : str or None
        Name of the estimator's class; None for a bare tree.
    selected : sequence of int or None
        Positions of the columns that `transform` leaves: arrays of their number are taken too.
    """

    names: Sequence[str]
    used: Sequence[int]
    labels: Labels | None = None
    owner: str | None = None
    selected: Sequence[int] | None = None

    def places(
        self, found: Labels | None, n_found: int, source: str | Part = X, *, by_name: bool = False
    ) -> list[int]:
        """Return the position of each used column in new data.

        `found` are the labels of its `n_found` columns, None if they have none. Where one side has only
        positions for names, columns are told apart by position, unless `by_name`; messages call the data
        `source`.
        """
        if found is not None and self.labels is not None:
            places = _Index(found, source).places([self.labels[i] for i in self.used])
            absent = [i for i, place in zip(self.used, places, strict=True) if place is None]
            if not absent:
                return [place for place in places if place is not None]
            if by_name or not self._is_by_position(found):
                raise self._missing(absent, found, source)
        return self._by_position(found, n_found)

    def _is_by_position(self, found: Labels) -> bool:
        """Whether one side has the positions 0, 1, ... for names, and the other has names of its own.

        A bare tree only knows that its features are called x0, x1, ..., which stands for no names too.
        """
        assert self.labels is not None, "without labels there is nothing to match"
        if are_positions(found) or (self.owner is None and generated_names(self.names)):
            return True
        return are_positions(self.labels) and not all(isinstance(label, int) for label in found)

    def _missing(self, absent: Sequence[int], found: Labels, source: str | Part) -> Exception:
        name = self.names[absent[0]]
        others = [label for label in found if isinstance(label, str) and label not in (self.labels or ())]
        plain = {label.casefold(): label for label in reversed(others)}
        close = [plain[text] for text in difflib.get_close_matches(name.casefold(), plain, n=1)]
        owner = "the tree" if self.owner is None else self.owner
        date = name.rpartition(".")[0]
        if date in others:
            raise table_errors.date_not_parted(name, absent[0], date, owner, source)
        more = [self.names[position] for position in absent[1:]]
        return table_errors.column_missing(name, absent[0], more, owner, source, close)

    def _by_position(self, found: Labels | None, n_found: int) -> list[int]:
        if self.owner is not None:
            _warn_if_one_has_names(found, self.labels, self.owner)
        if n_found == len(self.names):
            return list(self.used)
        if self.selected is not None and n_found == len(self.selected):
            place = {feature: i for i, feature in enumerate(self.selected)}
            return [place[feature] for feature in self.used]
        n_selected = None if self.selected is None else len(self.selected)
        raise table_errors.feature_count(n_found, self.owner or "Tree", len(self.names), n_selected)


class _Index:
    """Positions of labels: by the label itself, else by its text (a file makes texts of years)."""

    def __init__(self, labels: Labels, source: str | Part) -> None:
        self._labels, self._source = labels, source
        self._exact = _positions(labels)

    def places(self, wanted: Labels) -> list[int | None]:
        """Return the position of each wanted label, None where it is not there."""
        places = [self._of(label, self._exact, label) for label in wanted]
        if None in places:
            by_text = _positions(shown_texts(self._labels))
            places = [
                self._of(str(label), by_text, label) if place is None else place
                for label, place in zip(wanted, places, strict=True)
            ]
        return places

    def _of(self, key: Hashable, positions: dict[Hashable, list[int]], label: Hashable) -> int | None:
        found = positions.get(key, [])
        if len(found) > 1:
            raise table_errors.duplicate_names(label, found[0], found[1], self._source)
        return found[0] if found else None


def _positions(labels: Labels) -> dict[Hashable, list[int]]:
    positions: dict[Hashable, list[int]] = {}
    for position, label in enumerate(labels):
        positions.setdefault(label, []).append(position)
    return positions


def _warn_if_one_has_names(found: Labels | None, fitted: Labels | None, owner: str) -> None:
    """Warn as scikit-learn does, for which only texts are names."""
    has_names, had_names = (labels is not None and are_text(labels) for labels in (found, fitted))
    if has_names and not had_names:
        warn(f"X has feature names, but {owner} was fitted without feature names")
    elif had_names and not has_names:
        warn(f"X does not have valid feature names, but {owner} was fitted with feature names")
