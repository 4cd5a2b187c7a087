"""A tree in figures: its size, its features by importance, its errors, how it was found, what is proven."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from treewright import _core
from treewright._base.html import element, escaped, fragment, sentence, table
from treewright._base.shown import shown_text
from treewright.data.types import AnyArray, FloatArray
from treewright.trees.answering import Prices
from treewright.trees.rules.figures import ended_at

__all__ = ["FeatureWorth", "Proof", "TreeDescription", "TreeErrors"]

SELECTORS = ("BackwardEliminationSelector", "ForwardSelectionSelector", "CompleteSearchSelector")
"""Searches whose proofs are about sets of features, on validation rows."""


@dataclass(frozen=True)
class FeatureWorth:
    """How much a feature does for the tree.

    Attributes
    ----------
    name : str
        The feature.
    gain : float
        Share of the gain of all splits by the criterion of training rows.
    permutation : float or None
        How much the error of the given rows rises, on the mean, if the values of the feature are shuffled
        among them; with a cost matrix the mean cost. None without rows.
    spread : float or None
        Standard deviation of that over the shuffles.
    """

    name: str
    gain: float
    permutation: float | None = None
    spread: float | None = None


@dataclass(frozen=True)
class TreeErrors:
    """Wrong answers to rows.

    Attributes
    ----------
    n : float
        Number of rows.
    errors : float
        Number of those with another class; a row of which shares are at several leaves counts with them.
    rate : float
        Their share: of training rows in numbers, of given rows in weight.
    cost : float or None
        What the answers cost on the mean of the same, where the tree has a cost matrix.
    """

    n: float
    errors: float
    rate: float
    cost: float | None


@dataclass(frozen=True)
class Proof:
    """What is proven of the search that found a tree.

    Attributes
    ----------
    level : {"exact", "bound", "nothing"}
        Whether no better answer exists; whether none is better than a bound; or neither is known.
    text : str
        The same in a sentence, with what it is about.
    """

    level: str
    text: str


@dataclass(frozen=True)
class TreeDescription:
    """A tree in figures, as `Tree.describe` returns it.

    Attributes
    ----------
    n_nodes, n_leaves, max_depth, n_features : int
        Its size, and the number of features of the data.
    features : tuple of FeatureWorth
        Those that are tested, the most important first.
    training : TreeErrors or None
        Of the training rows; None where the tree does not keep them.
    given : TreeErrors or None
        Of the rows that were given to `Tree.describe`: held-out ones if they did not grow the tree.
    found : str
        How the tree was found.
    proof : Proof
        What is proven.
    """

    n_nodes: int
    n_leaves: int
    max_depth: int
    n_features: int
    features: tuple[FeatureWorth, ...]
    training: TreeErrors | None
    given: TreeErrors | None
    found: str
    proof: Proof

    def to_dict(self) -> dict[str, object]:
        """Return all as plain values."""
        return asdict(self)

    def to_text(self) -> str:
        """Return all for a screen."""
        lines = [*self._lines(), ""]
        heads = ["gain", *(["by permutation"] if self.given else []), "feature"]
        rows = [heads, *map(self._cells, self.features)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows if self.features else []:
            cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
            lines.append("  ".join([*cells, row[-1]]))
        return "\n".join(lines).rstrip("\n") + "\n"

    def __str__(self) -> str:
        """Return the description as text."""
        return self.to_text()

    def to_html(self) -> str:
        """Return all as HTML, to stand within another page."""
        told = [element("p", sentence(line)) for line in self._lines()]
        heads = ["feature", "gain", *(["by permutation"] if self.given else [])]
        rows = [[escaped(one.name), *map(sentence, self._cells(one)[:-1])] for one in self.features]
        return fragment(*told, table(heads, rows, numbers=range(1, len(heads))) if rows else "")

    def _repr_html_(self) -> str:
        return self.to_html()

    def _cells(self, one: FeatureWorth) -> list[str]:
        spread = "" if not one.spread else f" ± {one.spread:.1%}"
        shuffled = [] if one.permutation is None else [f"{one.permutation:+.1%}{spread}"]
        return [f"{one.gain:.1%}", *shuffled, shown_text(one.name)]

    def _lines(self) -> Sequence[str]:
        leaves = "leaf" if self.n_leaves == 1 else "leaves"
        size = f"{self.n_nodes:,} nodes, {self.n_leaves:,} {leaves}, depth {self.max_depth:,}"
        return [
            f"{size}; {len(self.features):,} of {self.n_features:,} features tested",
            f"training error: {_told(self.training)}",
            f"error on the given rows: {_told(self.given)}" if self.given else "held-out error: not known",
            f"found by: {self.found}",
            f"proven: {self.proof.text}",
        ]


def _told(errors: TreeErrors | None) -> str:
    if errors is None:
        return "not known"
    cost = "" if errors.cost is None else f", mean cost {errors.cost:.4g}"
    return f"{errors.errors:,.6g} of {errors.n:,.6g} ({errors.rate:.1%}{cost})"


def description_of(
    core: _core.Tree, rows: _core.Dataset | None, n_repeats: int, seed: int | None
) -> TreeDescription:
    """Describe a tree, and what it says of rows in its domain."""
    facts = json.loads(core.provenance or "{}")
    return TreeDescription(
        n_nodes=core.n_nodes,
        n_leaves=core.n_leaves,
        max_depth=core.max_depth,
        n_features=core.n_features,
        features=tuple(_worth(core, rows, n_repeats, seed)),
        training=_training(core),
        given=None if rows is None else _of_rows(core, rows),
        found=_found(facts),
        proof=_proof(core, facts),
    )


def _training(core: _core.Tree) -> TreeErrors | None:
    """Return the errors of the rows that the tree keeps; of rows that may be others, or none, nothing."""
    weights, counts = core.class_weights, core.class_counts
    if core.decision.classes == "given" or not weights[0].any():
        return None
    ended = ended_at(core, weights if counts is None else counts)
    answers, prices, n = core.node_class, _prices(core), float(ended.sum())
    wrong = max(n - float(ended[range(len(answers)), answers].sum()), 0.0)
    cost = float((ended * prices.units[:, answers].T).sum()) * prices.unit / n
    return TreeErrors(n, wrong, wrong / n, cost if prices.has_costs else None)


def _prices(core: _core.Tree) -> Prices:
    return Prices.of(core.decision.cost_matrix, len(core.classes))


def _of_rows(core: _core.Tree, rows: _core.Dataset) -> TreeErrors:
    columns, target, weights = _parts(rows)
    answers, prices = core.predict(columns), _prices(core)
    is_wrong = answers != target
    mean = float(np.average(prices.losses(target, answers), weights=weights))
    rate = float(np.average(is_wrong, weights=weights))
    return TreeErrors(len(target), int(is_wrong.sum()), rate, mean if prices.has_costs else None)


def _parts(rows: _core.Dataset) -> tuple[list[AnyArray], AnyArray, FloatArray]:
    target = rows.target
    assert target is not None, "rows are read with their classes"
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    return [rows.column(i) for i in range(rows.n_features)], target, weights


def _worth(
    core: _core.Tree, rows: _core.Dataset | None, n_repeats: int, seed: int | None
) -> list[FeatureWorth]:
    """Return the tested features, the most important first; equal ones in their order."""
    gains, names = core.feature_importances(), core.names
    shuffled = {} if rows is None else _shuffled(core, rows, n_repeats, seed)
    found = [
        FeatureWorth(names[feature], float(gains[feature]), *shuffled.get(feature, (None, None)))
        for feature in core.used_features
    ]
    return sorted(found, key=lambda one: -one.gain)


def _shuffled(
    core: _core.Tree, rows: _core.Dataset, n_repeats: int, seed: int | None
) -> dict[int, tuple[float, float]]:
    """Return for every tested feature what shuffling it costs, and the spread of that."""
    columns, target, weights = _parts(rows)
    rng, prices = np.random.default_rng(seed), _prices(core)

    def loss(changed: list[AnyArray]) -> float:
        return float(np.average(prices.losses(target, core.predict(changed)), weights=weights))

    plain, found = loss(columns), {}
    for feature in core.used_features:
        told = []
        for _ in range(n_repeats):
            mixed = rng.permutation(columns[feature])
            told.append(loss([*columns[:feature], mixed, *columns[feature + 1 :]]) - plain)
        found[feature] = (float(np.mean(told)), float(np.std(told)))
    return found


def _found(facts: Mapping[str, object]) -> str:
    if not facts.get("class"):
        return "not known"
    data = facts.get("data")
    name = data.get("name") if isinstance(data, dict) else None
    where = f" in {shown_text(name)}" if name else ""
    command = facts.get("command")
    return f"{shown_text(facts['class'])}{where}{f' ({shown_text(command)})' if command else ''}"


def _proof(core: _core.Tree, facts: Mapping[str, object]) -> Proof:
    """Say what is proven; a tree that was changed after its search has no proof any more."""
    proven, parameters = facts.get("proven"), facts.get("parameters")
    if not isinstance(proven, dict):
        return Proof("nothing", "nothing; no search with a bound found it, or none is known")
    is_pruned = isinstance(parameters, dict) and isinstance(parameters.get("pruning"), dict)
    if is_pruned or core.decision.threshold is not None:
        return Proof("nothing", "nothing; the tree was changed after the search that found it")
    cost, bound, name = proven.get("cost"), proven.get("bound"), str(facts.get("class"))
    if not isinstance(cost, int | float) or not isinstance(bound, int | float):
        return Proof("nothing", f"nothing; the search ended with {proven.get('status')!r} and has no bound")
    about = (
        "no set of features has less on the validation rows" if name in SELECTORS else "no answer has less"
    )
    if proven.get("status") == "optimal" and cost <= bound:
        return Proof("exact", f"cost {cost:.6g} of {name}; {about}")
    return Proof("bound", f"cost {cost:.6g} of {name}, and {about} than {bound:.6g}")
