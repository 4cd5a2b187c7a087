"""C4.5's rule sets, made row by row and subset by subset.

It follows the steps that `simplify_rules` documents; rows are tuples, and nothing is kept from one question
to the next. Trees test numbers and levels; values are known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

Test = tuple[str, int, Any]
"""``("<=", feature, cut)``, ``(">", feature, cut)`` or ``("in", feature, levels)``."""


class Ruled(NamedTuple):
    tests: tuple[Test, ...]
    answer: int
    node: int
    rate: float


def holds(tests: Sequence[Test], row: Sequence[Any]) -> bool:
    return all(
        row[feature] <= what if kind == "<=" else row[feature] > what if kind == ">" else row[feature] in what
        for kind, feature, what in tests
    )


def leaf_tests(tree: Any) -> Iterator[tuple[int, list[Test]]]:
    """Yield every leaf with its tests, those on a feature merged, in the order in which features are met."""
    for leaf in range(tree.n_nodes):
        if tree.kind[leaf] != 0:
            continue
        path = []
        node = leaf
        while node:
            path.append((int(tree.parent[node]), node))
            node = int(tree.parent[node])
        merged: dict[int, list[Any]] = {}
        for parent, child in reversed(path):
            feature, branch = int(tree.feature[parent]), child - int(tree.first_child[parent])
            if tree.kind[parent] == 2:
                own = merged.setdefault(feature, [-math.inf, math.inf])
                cut = float(tree.threshold[parent])
                own[1 - branch] = max(own[0], cut) if branch else min(own[1], cut)
            else:
                everything = set(range(len(tree.levels[feature])))
                group = set(tree.branch_levels[parent] or ())
                mine = {branch} if tree.kind[parent] == 1 else everything - group if branch else group
                merged[feature] = [merged.get(feature, [everything])[0] & mine]
        yield leaf, list(_tests(merged))


def _tests(merged: dict[int, list[Any]]) -> Iterator[Test]:
    for feature, ends in merged.items():
        if len(ends) == 1:
            yield "in", feature, frozenset(ends[0])
            continue
        if ends[0] > -math.inf:
            yield ">", feature, ends[0]
        if ends[1] < math.inf:
            yield "<=", feature, ends[1]


def list_of_rules(
    tree: Any,
    rows: Sequence[Sequence[Any]],
    target: Sequence[int],
    weights: Sequence[float],
    estimate: Callable[[float, float], float],
) -> tuple[list[Ruled], int]:
    """Return the rules in their order, and the default; without costs."""
    n_classes = len(tree.classes_)
    everything = list(zip(rows, target, weights, strict=True))

    def rate(tests: Sequence[Test], answer: int) -> float:
        of = [(label, weight) for row, label, weight in everything if holds(tests, row)]
        n = sum(weight for _, weight in of)
        return estimate(sum(weight for label, weight in of if label == answer), n) if n else math.inf

    found: list[Ruled] = []
    for node, tests in leaf_tests(tree):
        answer = int(tree.node_class[node])
        if not any(holds(tests, row) for row in rows):
            continue
        least = rate(tests, answer)
        while tests:
            rates = [rate(tests[:i] + tests[i + 1 :], answer) for i in range(len(tests))]
            if min(rates) > least:
                break
            least = min(rates)
            place = rates.index(least)
            tests = tests[:place] + tests[place + 1 :]
        same = any(set(rule.tests) == set(tests) and rule.answer == answer for rule in found)
        if tests and not same:
            found.append(Ruled(tuple(tests), answer, node, least))

    kept = {
        answer: _shortest([rule for rule in found if rule.answer == answer], answer, everything, tree)
        for answer in range(n_classes)
    }
    ordered: list[Ruled] = []
    left, waiting = everything, [answer for answer in range(n_classes) if kept[answer]]
    while waiting:
        wrong = [
            sum(
                weight
                for row, label, weight in left
                if label != answer and any(holds(rule.tests, row) for rule in kept[answer])
            )
            for answer in waiting
        ]
        answer = waiting.pop(wrong.index(min(wrong)))
        left = [one for one in left if not any(holds(rule.tests, one[0]) for rule in kept[answer])]
        ordered += sorted(kept[answer], key=lambda rule: (rule.rate, rule.node))
    while True:
        place = _to_leave_out(ordered, everything, n_classes)
        if place is None:
            return ordered, _default(ordered, everything, n_classes)
        ordered = ordered[:place] + ordered[place + 1 :]


def _cut_bits(rows: Sequence[Any], feature: int) -> float:
    return 1 + math.log2(max(len({row[feature] for row, _, _ in rows}) - 1, 1))


def _bits(rule: Ruled, rows: Sequence[Any], tree: Any) -> float:
    parts = [
        math.log2(tree.n_features) + (len(tree.levels[feature]) if kind == "in" else _cut_bits(rows, feature))
        for kind, feature, _ in rule.tests
    ]
    # two ends of an interval are one condition of a rule
    merged: dict[int, float] = {}
    for (_, feature, _), bits in zip(rule.tests, parts, strict=True):
        merged[feature] = bits
    return math.fsum([*merged.values(), -math.lgamma(len(merged) + 1) / math.log(2)])


def _length(chosen: Sequence[Ruled], answer: int, rows: Sequence[Any], tree: Any) -> float:
    marked = [one for one in rows if any(holds(rule.tests, one[0]) for rule in chosen)]
    n_marked = sum(weight for _, _, weight in marked)
    own = sum(weight for _, label, weight in marked if label == answer)
    total = sum(weight for _, _, weight in rows)
    total_own = sum(weight for _, label, weight in rows if label == answer)
    exceptions = _choices(n_marked, n_marked - own) + _choices(total - n_marked, total_own - own)
    bits = [_bits(rule, rows, tree) for rule in chosen]
    return exceptions + 0.5 * max(math.fsum([*bits, -math.lgamma(len(chosen) + 1) / math.log(2)]), 0.0)


def _choices(n: float, k: float) -> float:
    parts = [math.lgamma(one + 1) / math.log(2) for one in (n, k, n - k)]
    return max(parts[0] - parts[1] - parts[2], 0.0)


def _shortest(rules: list[Ruled], answer: int, rows: Sequence[Any], tree: Any) -> list[Ruled]:
    """Compare all subsets; the answer is a set of least length (equal lengths are left to the caller)."""
    subsets = [set(chosen) for n in range(len(rules) + 1) for chosen in combinations(range(len(rules)), n)]
    order = {frozenset(chosen): _gray_place(chosen) for chosen in subsets}
    best = min(
        subsets,
        key=lambda chosen: (
            _length([rules[i] for i in sorted(chosen)], answer, rows, tree),
            order[frozenset(chosen)],
        ),
    )
    return [rules[i] for i in sorted(best)]


def _gray_place(chosen: set[int]) -> int:
    """Return when a walk through all subsets that changes one rule at a time meets this one."""
    gray, place = sum(1 << i for i in chosen), 0
    while gray:
        place ^= gray
        gray >>= 1
    return place


def _firsts(rules: Sequence[Ruled], rows: Sequence[Any]) -> list[int]:
    return [
        next((i for i, rule in enumerate(rules) if holds(rule.tests, row)), len(rules)) for row, _, _ in rows
    ]


def _default(rules: Sequence[Ruled], rows: Sequence[Any], n_classes: int) -> int:
    firsts = _firsts(rules, rows)
    others = [one for one, first in zip(rows, firsts, strict=True) if first == len(rules)] or rows
    return _largest(others, n_classes)


def _largest(rows: Sequence[Any], n_classes: int) -> int:
    by_class = [sum(weight for _, label, weight in rows if label == of) for of in range(n_classes)]
    return by_class.index(max(by_class))


def _wrong(rules: Sequence[Ruled], default: int, rows: Sequence[Any]) -> float:
    answers = [*(rule.answer for rule in rules), default]
    firsts = _firsts(rules, rows)
    return sum(weight for (_, label, weight), at in zip(rows, firsts, strict=True) if answers[at] != label)


def _to_leave_out(rules: Sequence[Ruled], rows: Sequence[Any], n_classes: int) -> int | None:
    """Return the rule that is to go next, if one is."""
    firsts = _firsts(rules, rows)
    for place in range(len(rules) - 1, -1, -1):
        own = [one for one, first in zip(rows, firsts, strict=True) if first == place]
        if not own or _largest(own, n_classes) != rules[place].answer:
            return place
    default = _default(rules, rows, n_classes)
    now = _wrong(rules, default, rows)
    gains = [
        now - _wrong([*rules[:place], *rules[place + 1 :]], default, rows) for place in range(len(rules))
    ]
    best = max(gains, default=0)
    return gains.index(best) if best > 0 else None
