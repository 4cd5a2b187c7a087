"""What was measured while a rule was learned, in plain numbers that can be stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

N_SAMPLES = 400
"""Samples of data sets drawn for a standard error."""

CORPORA = ("train", "validation", "test")


@dataclass(frozen=True)
class Measured:
    """A number and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class RuleScore:
    """What a rule did on the three corpora.

    Attributes
    ----------
    name : str
        ``"none"``, ``"naive"``, ``"error-based"``, ``"two constants"``, ``"start"`` or ``"evolved"``.
    train, validation, test : Measured
        Share of all test rows that the pruned trees get wrong, with its standard error over trees.
    rank : Measured
        Mean rank of the test errors on a tree of the test corpus among all these rules, 1 the fewest.
    over_error_based : Measured
        By how much the share on the test corpus exceeds that of C4.5's rule.
    """

    name: str
    train: Measured
    validation: Measured
    test: Measured
    rank: Measured
    over_error_based: Measured


@dataclass(frozen=True)
class FrontRule:
    """A rule that no other one matches in training, in size and in run time all at once.

    Attributes
    ----------
    program : str
        Its text, without what it does not need.
    bits : float
        Its complexity.
    cost : int
        Its run time on a leaf, in additions.
    train, validation : Measured
        What the search made small, with its standard error over data sets.
    """

    program: str
    bits: float
    cost: int
    train: Measured
    validation: Measured


@dataclass(frozen=True)
class LearningRecord:
    """How a rule was learned.

    Attributes
    ----------
    data : str
        What it was learned from.
    is_independent : bool
        Whether the three corpora have no data in common.
    objective : str
        What the search made small.
    seed, n_programs, n_generations : int
        What the run can be repeated by, and what it did.
    status : str
        Why it ended.
    elapsed : float
        Seconds of wall clock.
    n_trees : tuple of int
        Trees for training (at the end), validation and test.
    constants : tuple of float
        a and b of the best rule (e + a + b·√e) / n.
    front : tuple of FrontRule
        The rules that no other one matches in training, in size and in run time all at once.
    best : int
        The one with the best validation.
    scores : tuple of RuleScore
        What the rules to compare with did, and the one that was learned.
    """

    data: str
    is_independent: bool
    objective: str
    seed: int
    n_programs: int
    n_generations: int
    status: str
    elapsed: float
    n_trees: tuple[int, ...]
    constants: tuple[float, ...]
    front: tuple[FrontRule, ...]
    best: int
    scores: tuple[RuleScore, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and text."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> LearningRecord:
        """Read what `to_dict` wrote."""
        values = dict(stored)
        values["front"] = tuple(_read(FrontRule, rule) for rule in stored["front"])
        values["scores"] = tuple(_read(RuleScore, score) for score in stored["scores"])
        for name in ("n_trees", "constants"):
            values[name] = tuple(stored[name])
        return cls(**values)


def _read(kind: type[Any], stored: Mapping[str, Any]) -> Any:
    """Read a record whose parts may be measured numbers."""
    parts = {name: Measured(**x) if isinstance(x, Mapping) else x for name, x in stored.items()}
    return kind(**parts)


def scores_of(
    rows: Mapping[str, Sequence[FloatArray]], n_tests: Sequence[FloatArray], seed: int
) -> tuple[RuleScore, ...]:
    """Sum up errors, one a tree, of every rule on the three corpora."""
    names = list(rows)
    ranks = dict(zip(names, _ranks(np.array([rows[name][2] for name in names])), strict=True))
    usual = rows["error-based"][2]

    def score(name: str) -> RuleScore:
        train, validation, test = (
            _measured(errors, n_test, seed) for errors, n_test in zip(rows[name], n_tests, strict=True)
        )
        rank = _measured(ranks[name], np.ones(len(n_tests[2])), seed)
        return RuleScore(
            name, train, validation, test, rank, _measured(rows[name][2] - usual, n_tests[2], seed)
        )

    return tuple(score(name) for name in names)


def _ranks(errors: FloatArray) -> FloatArray:
    """Rank the rules (rows) on every tree (columns), equal ones by their mean."""
    fewer = (errors[None] < errors[:, None]).sum(axis=1)
    equal = (errors[None] == errors[:, None]).sum(axis=1)
    ranks: FloatArray = fewer + (equal + 1) / 2
    return ranks


def _measured(values: FloatArray, weights: FloatArray, seed: int) -> Measured:
    """Return the sum of values by the sum of weights, with its standard error over trees."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=N_SAMPLES)
    samples = (counts @ values) / (counts @ weights)
    return Measured(float(values.sum() / weights.sum()), float(samples.std(ddof=1)))
