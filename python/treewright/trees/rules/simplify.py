"""C4.5's rule sets: the rules of a tree, shorter and fewer, in an order and with a default.

    for each leaf that a training row reaches
        drop conditions one by one, each time that of the least pessimistic estimate, while it does not rise
    leave out what is left without conditions, and all but the first of equal rules
    for each class
        keep the rules that have the shortest description together
    order the classes: next the one whose rules mark the least weight of other classes, of the rows left over
    of rules of a class the one with the least estimate comes first
    until nothing changes
        leave out a rule that is the first to hold of no row, or of rows of which another class is the answer
        leave out the rule without which the training rows cost the least, if that is less
    the default is the answer of least cost to the rows for which no rule holds

Quinlan chooses rules by simulated annealing; here all subsets of up to ten rules of a class are compared,
and single rules of more are added and left out (`description`). That a rule whose rows mostly have another
class by then is left out is ours, too: so the class of a rule is the one of largest share, or least cost,
among its rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treewright import _core
from treewright.data.types import BoolArray, FloatArray, IntArray, TableLike, VectorLike
from treewright.trees.answering import Prices
from treewright.trees.exports.program import Program
from treewright.trees.pruning.rows import rows_for
from treewright.trees.pruning.rule import checked_confidence
from treewright.trees.rules.conditions import Condition, Merged, joined
from treewright.trees.rules.description import Lengths, worth_keeping
from treewright.trees.rules.matching import Assignment, Candidate, Rows, first_of, single_conditions
from treewright.trees.rules.of_tree import words_of
from treewright.trees.rules.paths import Paths
from treewright.trees.rules.probabilities import Telling
from treewright.trees.rules.rule_file import listed_rules
from treewright.trees.rules.rule_list import RuleList
from treewright.trees.tree import Tree

__all__ = ["simplify_rules"]


def simplify_rules(
    tree: Tree,
    X: TableLike,
    y: VectorLike = None,
    sample_weight: VectorLike = None,
    *,
    confidence: float = 0.25,
) -> RuleList:
    """Make C4.5's rule set of a tree: fewer and shorter rules in an order, with a default.

    Parameters
    ----------
    tree : Tree
        The tree, best one that was not pruned.
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        Its training samples.
    y : array-like of shape (n_samples,), default=None
        Their classes; None if `X` is a Dataset that holds them.
    sample_weight : array-like of shape (n_samples,), default=None
        Their weights.
    confidence : float, default=0.25
        Confidence of the pessimistic estimate of a rule's errors, C4.5's ``-c``: less drops more conditions.

    Returns
    -------
    rules : RuleList
        The first rule that holds gives the class.

    Raises
    ------
    DataError
        If the samples cannot be read in the domain of the tree.
    ParameterError
        If the confidence is not between 0 and 1.

    Notes
    -----
    Rules of a class are chosen by description length: exactly among up to 10, by steps among more. A missing
    value meets a condition only where the tree sends it there, never where it goes down every branch. With a
    cost matrix estimates see every row weighed by the mean cost of its class, as in pruning.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 5.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.rules import simplify_rules
    >>> data = datasets.load("breast-cancer")
    >>> tree = GreedyTreeClassifier().fit(data).tree_
    >>> rules = simplify_rules(tree, data)
    >>> tree.n_leaves, len(rules)
    (20, 9)
    """
    core, read = tree._core, rows_for(tree, X, y, sample_weight)
    rows = rows_of(core, read)
    estimate = _core.ErrorEstimate("error_based", confidence=checked_confidence(confidence), limit="c45")
    found = list(_shortened(core, rows, estimate))
    lengths = Lengths(rows)
    classes = [
        worth_keeping([rule for rule in found if rule.answer == answer], rows, lengths)
        for answer in range(len(core.classes))
    ]
    rules, assigned = _settled(_ordered(classes, rows), rows)
    return _told(tree, rules, assigned)


def rows_of(core: _core.Tree, read: _core.Dataset) -> Rows:
    """Return training rows in the domain of a tree, with what they count in a fit of it."""
    costs, factors = core.decision.cost_matrix, core.decision.class_factors
    counted = _core.counted_weights(read, class_weight=factors)
    target = read.target
    assert target is not None, "rows are read with their classes"
    columns = [read.column(i) for i in range(read.n_features)]
    return Rows(columns, target, counted.values, Prices.of(costs, len(core.classes)))


def _shortened(core: _core.Tree, rows: Rows, estimate: _core.ErrorEstimate) -> Iterator[Candidate]:
    """Yield the rules of the leaves, without conditions that do not help, each once."""
    answers, seen = core.node_class.tolist(), set()
    for node, conditions in Paths(Program.of(core)).ends(merges=True):
        answer = answers[node]
        kept, rate = _generalized(single_conditions(conditions), answer, rows, estimate)
        key = (frozenset(kept), answer)
        if kept and key not in seen:
            seen.add(key)
            told = _merged(kept)
            yield Candidate(told, answer, node, rate, rows.holding(told))


def _merged(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    met: Merged = {}
    for condition in conditions:
        met = joined(met, condition)
    return tuple(met.values())


def _generalized(
    conditions: Sequence[Condition], answer: int, rows: Rows, estimate: _core.ErrorEstimate
) -> tuple[list[Condition], float]:
    """Drop conditions while the estimate of the error rate does not rise; an empty leaf has none."""
    fails = np.array([~condition.holds(rows.columns) for condition in conditions]).reshape(-1, rows.n_rows)
    right = np.where(rows.target == answer, rows.loss, 0.0)
    left = list(range(len(conditions)))
    n_fails = fails.sum(axis=0)
    c, n = float(right[n_fails == 0].sum()), float(rows.loss[n_fails == 0].sum())
    if n == 0:
        return [], np.inf
    rate = float(estimate.rates(np.array([c]), np.array([n]))[0])
    while left:
        more_c, more_n = _gained(fails, n_fails, right, rows.loss)
        rates = estimate.rates(c + more_c[left], n + more_n[left])
        best = int(np.argmin(rates))
        if rates[best] > rate:
            break
        dropped, rate = left.pop(best), float(rates[best])
        c, n = c + float(more_c[dropped]), n + float(more_n[dropped])
        n_fails -= fails[dropped]
        fails[dropped] = False
    return [conditions[place] for place in left], rate


def _gained(
    fails: BoolArray, n_fails: FloatArray, right: FloatArray, loss: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return for each condition what holds as well without it: the weight of the class, and all weight."""
    single = np.flatnonzero(n_fails == 1)
    which = fails[:, single].argmax(axis=0)
    n = len(fails)
    return _summed(which, right[single], n), _summed(which, loss[single], n)


def _summed(places: IntArray, values: FloatArray, n_places: int) -> FloatArray:
    return np.bincount(places, values, minlength=n_places).astype(np.float64)


def _ordered(classes: Sequence[Sequence[Candidate]], rows: Rows) -> list[Candidate]:
    """Put the classes in order, each time the one with the least wrongly marked weight of what is left."""
    left = np.ones(rows.n_rows, np.bool_)
    waiting = [answer for answer, rules in enumerate(classes) if rules]
    marked = {answer: np.any([rule.held for rule in classes[answer]], axis=0) for answer in waiting}
    ordered: list[Candidate] = []
    while waiting:
        wrong = [
            float(rows.loss[left & marked[answer] & (rows.target != answer)].sum()) for answer in waiting
        ]
        answer = waiting.pop(int(np.argmin(wrong)))
        left &= ~marked[answer]
        ordered += sorted(classes[answer], key=lambda rule: (rule.estimate, rule.node))
    return ordered


def _settled(rules: list[Candidate], rows: Rows) -> tuple[list[Candidate], Assignment]:
    """Leave out rules that say nothing, or nothing right, any more."""
    while True:
        assigned = Assignment.of(rules, rows)
        if (idle := _idle(rules, assigned, rows)) is not None:
            rules = [rule for place, rule in enumerate(rules) if place != idle]
            continue
        gains = _gains(rules, assigned, rows)
        best = int(np.argmax(gains)) if rules else -1
        if best < 0 or gains[best] <= 0:
            return rules, assigned
        rules = [rule for place, rule in enumerate(rules) if place != best]


def _idle(rules: Sequence[Candidate], assigned: Assignment, rows: Rows) -> int | None:
    """Return the last rule that is the first of no row, or of rows to which another answer costs less."""
    for place in range(len(rules) - 1, -1, -1):
        weights = assigned.weights[place]
        if not weights.any() or int(rows.prices.cheapest(weights)) != rules[place].answer:
            return place
    return None


def _gains(rules: Sequence[Candidate], assigned: Assignment, rows: Rows) -> FloatArray:
    """Return how much less the rows cost without each rule."""
    answers = np.array([*(rule.answer for rule in rules), assigned.default])
    second = first_of([rule.held for rule in rules], rows.n_rows, besides=assigned.first)
    losses = [
        rows.weight * rows.prices.losses(rows.target, answers[places]) for places in (assigned.first, second)
    ]
    return _summed(assigned.first, losses[0] - losses[1], len(rules) + 1)[: len(rules)]


def _told(tree: Tree, rules: Sequence[Candidate], assigned: Assignment) -> RuleList:
    """Return the list for users."""
    core, words = tree._core, words_of(tree._core, tree.reading)
    telling = Telling(
        assigned.weights,
        assigned.counts,
        tree.probability,
        tree.class_factors,
        tree.smoothing,
        tree.cost_matrix,
    )
    told = [(rule.conditions, rule.answer, rule.node) for rule in rules]
    listed = listed_rules([*told, ((), assigned.default, -1)], words, telling)
    return RuleList(
        rules=listed[:-1],
        default=listed[-1],
        words=words,
        ranges=np.array(core.feature_ranges),
        marks_unseen=tree.lists_branches,
        telling=telling,
        provenance=tree.provenance,
        reading=tree.reading,
    )
