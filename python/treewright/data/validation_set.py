"""Rows parted into a training part, which grows trees, and a validation part, which judges them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_random_state

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import NONE_OR, UNSET, Param, Row
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, BoolArray, CodeArray, IntArray

Rows = IntArray
Mask = BoolArray

REMEDY = (
    "give a share between 0 and 1, the positions of the validation rows as ints, "
    "a boolean mask with one entry a row, or for cross-validation 'cv' or a scikit-learn splitter"
)


@dataclass(frozen=True, eq=False)
class Split:
    """Rows parted into those that grow trees and those that judge them: positions, ascending.

    `users_rows` are those of the validation rows in the user's table.
    """

    training_rows: Rows
    validation_rows: Rows
    users_rows: Rows

    @classmethod
    def of(cls, training: TrainingSet, validation_set: object, random_state: object) -> Split:
        """Part the rows of a data set as `validation_mask` does."""
        mask = validation_mask(validation_set, training.target, training.kept, random_state)
        return cls(np.flatnonzero(~mask), np.flatnonzero(mask), training.origin[mask])

    @classmethod
    def joining(cls, training: TrainingSet, folds: Sequence[Split]) -> Split:
        """Join folds: every row grows trees, and those of all validation parts judge."""
        judging = np.unique(np.concatenate([fold.validation_rows for fold in folds]))
        return cls(np.arange(training.n_samples), judging, training.origin[judging])

    @classmethod
    def without_validation(cls, training: TrainingSet) -> Split:
        """Let all rows grow trees."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(np.arange(training.n_samples), nothing, nothing)


def validation_mask(validation_set: object, target: CodeArray, kept: Mask, random_state: object) -> Mask:
    """Tell which of the kept rows are validation rows; the others grow the trees.

    A share is drawn class by class (`draw_share`); positions and a mask speak of the rows of the table,
    of which `kept` are left once those of weight 0 are gone. At least one row is on either side.
    """
    if target.size < 2:
        raise DataError(
            Param("n_samples", target.size),
            ": a validation set needs at least 2 samples of positive weight, "
            "one to grow the tree and one to judge it; give more data",
        )
    if isinstance(validation_set, float | np.floating):
        return draw_share(_share(float(validation_set)), target, random_state)
    mask = _named_rows(validation_set, kept.size)[kept]
    _refuse_empty_side(mask)
    return mask


def draw_share(share: float, target: CodeArray, random_state: object) -> Mask:
    """Draw a stratified share of the rows.

    Every class gives its part of the share, largest remainders first (ties: lowest class), and keeps at
    least one row in the training part, so a class with a single row stays there whole. The rows of a
    class are taken in the order of one permutation of all rows. At least one row is drawn: where every
    class has a single row, the first of the permutation.
    """
    order = generator(random_state).permutation(target.size)
    counts = np.bincount(target)
    by_class = order[np.argsort(target[order], kind="stable")]
    pieces = np.split(by_class, np.cumsum(counts)[:-1])
    taken = [rows[:n] for rows, n in zip(pieces, _rows_a_class(share, counts), strict=True)]
    drawn = np.concatenate(taken)
    mask = np.zeros(target.size, dtype=bool)
    mask[drawn if drawn.size else order[:1]] = True
    return mask


def generator(random_state: object) -> np.random.RandomState:
    """Return what draws, as scikit-learn makes it of a seed."""
    try:
        drawing: np.random.RandomState = check_random_state(random_state)
    except ValueError as error:
        allowed = ("must be ", NONE_OR, "an int from 0 to 2**32 - 1 or a RandomState")
        raise ParameterError("random_state", random_state, allowed) from error
    return drawing


def _rows_a_class(share: float, counts: IntArray) -> IntArray:
    """How many validation rows each class gives, by largest remainder."""
    room = np.maximum(counts - 1, 0)
    divisible = np.where(room > 0, counts, 0)
    quota = share * divisible
    taken = np.minimum(np.floor(quota).astype(np.int64), room)
    total = min(max(round(share * int(divisible.sum())), 1), int(room.sum()))
    by_remainder = np.argsort(taken - quota, kind="stable")
    open_classes = by_remainder[(taken < room)[by_remainder]]
    taken[open_classes[: max(total - int(taken.sum()), 0)]] += 1
    return taken


def _share(value: float) -> float:
    if math.isfinite(value) and 0 < value < 1:
        return value
    raise ParameterError("validation_set", value, "is no share", REMEDY)


def _named_rows(validation_set: object, n_rows: int) -> Mask:
    """Turn positions or a mask over the user's table into a mask."""
    named = np.asarray(validation_set)
    if named.ndim == 1 and named.dtype.kind == "b":
        return _checked_mask(named, n_rows)
    if named.ndim == 1 and named.dtype.kind in "iu":
        return _mask_of_positions(named, n_rows)
    if named.ndim == 1 and not named.size:
        raise ParameterError("validation_set", validation_set, "names no row", REMEDY)
    if named.ndim:
        shape = f"is {named.ndim}-D with dtype {named.dtype}"
        raise ParameterError("validation_set", UNSET, shape, REMEDY)
    raise ParameterError("validation_set", validation_set, "is no share", REMEDY)


def _checked_mask(mask: AnyArray, n_rows: int) -> Mask:
    if mask.size != n_rows:
        sizes = (f"is a mask of {mask.size} entries, but ", Param("X"), f" has {n_rows} rows")
        raise ParameterError("validation_set", UNSET, sizes, "give one entry a row")
    return mask


def _mask_of_positions(positions: AnyArray, n_rows: int) -> Mask:
    outside = np.flatnonzero((positions < 0) | (positions >= n_rows))
    if outside.size:
        where = int(outside[0])
        raise ParameterError(
            "validation_set",
            int(positions[where]),
            ("is no row of ", Param("X"), f", which has {n_rows}"),
            f"positions run from 0 to {n_rows - 1}",
            at=(where,),
        )
    _refuse_repeats(positions)
    mask = np.zeros(n_rows, dtype=bool)
    mask[positions] = True
    return mask


def _refuse_repeats(positions: AnyArray) -> None:
    _, first = np.unique(positions, return_index=True)
    repeats = np.setdiff1d(np.arange(positions.size), first)
    if repeats.size:
        where = int(repeats[0])
        raise ParameterError(
            "validation_set",
            UNSET,
            ("repeats ", Row(int(positions[where]))),
            ("name every row once (a row that should count more gets a ", Param("sample_weight"), ")"),
            at=(where,),
        )


def _refuse_empty_side(is_validation: Mask) -> None:
    if not is_validation.any():
        raise DataError(Param("validation_set"), " names no row of positive weight; name at least one")
    if is_validation.all():
        raise DataError(
            Param("validation_set"),
            " names every row of positive weight, so none is left to grow the tree; leave at least one out",
        )
