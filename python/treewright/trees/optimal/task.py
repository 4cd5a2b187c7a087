"""What an optimal tree is asked for, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from sklearn.base import BaseEstimator

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.memory import bytes_or_none
from treewright._base.params import (
    BEYOND_DEPTH,
    Limits,
    is_whole,
    node_limit_or_none,
    number,
    one_of,
    whole_number_or_none,
)
from treewright._base.wording import NO_VALUE, Param, Sentence, Value
from treewright.data.training import TrainingSet, checked_class_weight, class_factors
from treewright.trees.answering import Answering
from treewright.trees.growing import NOMINAL_SPLITS, weight_limit

BEYOND_LEAVES = 2**32 - 2
"""More leaves than any tree can have."""
BEYOND_PENALTY = 2**50
"""A leaf that costs more is worth it never."""
FINEST_PENALTY = 2**-30
"""Penalties are multiples of this where they are no fractions of a small denominator."""
MISSING = ("branch",)
CROSS_VALIDATED = "cv"


@dataclass(frozen=True)
class OptimalTask:
    """Checked parameters; costs and factors of classes still need the data."""

    max_depth: int
    leaf_penalty: Fraction
    max_leaf_nodes: int | None
    min_samples_leaf: float
    nominal_splits: str
    class_weight: object
    answering: Answering
    node_limit: int | None
    memory_limit: int | None
    limits: Limits
    chooses_depth: bool = False
    """Whether the depth is still to be chosen by cross-validation."""
    chooses_penalty: bool = False
    """Whether the price of a leaf is."""
    fewest_leaves: bool = False
    """Whether of trees of equal cost one of fewest leaves is wanted."""

    @classmethod
    def of(cls, estimator: BaseEstimator) -> OptimalTask:
        """Check the parameters of an estimator."""
        given = estimator.get_params(deep=False)
        one_of("missing", given["missing"], MISSING)
        chooses_depth, chooses_penalty = (_is_chosen(given[name]) for name in ("max_depth", "leaf_penalty"))
        if chooses_depth and chooses_penalty:
            clash = (
                "does not go with ",
                Param("leaf_penalty", CROSS_VALIDATED),
                ": one of them can be chosen",
            )
            raise ParameterError("max_depth", CROSS_VALIDATED, clash, "choose the depth yourself")
        return cls(
            max_depth=0 if chooses_depth else _depth(given["max_depth"]),
            leaf_penalty=Fraction(0) if chooses_penalty else _penalty(given["leaf_penalty"]),
            max_leaf_nodes=_most_leaves(given["max_leaf_nodes"], given["nominal_splits"]),
            min_samples_leaf=weight_limit("min_samples_leaf", given["min_samples_leaf"]),
            nominal_splits=one_of("nominal_splits", given["nominal_splits"], NOMINAL_SPLITS),
            class_weight=checked_class_weight(given["class_weight"]),
            answering=Answering.of(estimator),
            node_limit=node_limit_or_none(given["node_limit"]),
            memory_limit=bytes_or_none("memory_limit", given["memory_limit"]),
            limits=Limits.of(given["n_jobs"], given["time_limit"], given["callback"]),
            chooses_depth=chooses_depth,
            chooses_penalty=chooses_penalty,
        )

    def at(self, max_depth: int, leaf_penalty: Fraction) -> OptimalTask:
        """Return the same for another depth and penalty."""
        return replace(self, max_depth=max_depth, leaf_penalty=leaf_penalty)

    def of_engine(self, training: TrainingSet) -> _core.OptimalTask:
        """Return the parameters as the engine takes them, for the features and classes of this data."""
        return _core.OptimalTask(
            max_depth=self.max_depth,
            leaf_penalty=self.leaf_penalty.as_integer_ratio(),
            fewest_leaves=self.fewest_leaves,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            nominal_splits=self.nominal_splits,
            ordered=training.dataset.ordered,
            class_weight=class_factors(self.class_weight, training),
            cost_matrix=self.answering.costs(training.classes),
            probability=self.answering.probability,
            smoothing=self.answering.smoothing,
            node_limit=self.node_limit,
            memory_limit=self.memory_limit,
        )


def _is_chosen(value: object) -> bool:
    return isinstance(value, str) and value == CROSS_VALIDATED


def _depth(value: object) -> int:
    if is_whole(value) and value >= 0:
        return min(int(value), BEYOND_DEPTH)
    allowed = (
        "must be an int of at least 0, the number of tests on a path, or ",
        Value(CROSS_VALIDATED),
        " to have it chosen by cross-validation",
    )
    raise ParameterError("max_depth", value, allowed)


def _penalty(value: object) -> Fraction:
    remedy: Sentence = (
        "it is the number of wrong samples that a leaf must save, 0 for no price, or ",
        Value(CROSS_VALIDATED),
        " to have it chosen by cross-validation",
    )
    return exact_penalty(number("leaf_penalty", value, least=0, remedy=remedy))


def exact_penalty(value: float) -> Fraction:
    """Return a penalty as the decimal that is written, where that is no longer than the engine takes.

    >>> exact_penalty(0.1), exact_penalty(2.0)
    (Fraction(1, 10), Fraction(2, 1))
    """
    written = Fraction(repr(float(value)))
    if written > BEYOND_PENALTY:
        return Fraction(BEYOND_PENALTY)
    if written.denominator <= 10**9 and written.numerator < 2**62:
        return written
    return Fraction(round(written / Fraction(FINEST_PENALTY))) * Fraction(FINEST_PENALTY)


def _most_leaves(value: object, nominal_splits: object) -> int | None:
    remedy = ("it counts leaves; ", NO_VALUE, " for no limit")
    most = whole_number_or_none("max_leaf_nodes", value, least=1, remedy=remedy)
    if most is not None and isinstance(nominal_splits, str) and nominal_splits == "multiway":
        multiway, others = (
            Param("nominal_splits", *names) for names in (["multiway"], ["one_value", "groups"])
        )
        clash = (
            "does not go with ",
            multiway,
            ": the search divides leaves between two branches, and its tests may have more",
        )
        raise ParameterError(
            "max_leaf_nodes", value, clash, ("choose ", others, " or set ", Param("leaf_penalty"))
        )
    return None if most is None else min(most, BEYOND_LEAVES)
