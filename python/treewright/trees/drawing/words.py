"""What the nodes of a picture say, in the words of the printed tree."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from treewright import _core
from treewright._base.shown import shown_text, shown_values
from treewright.data.derived import Derived, derived_in, undone
from treewright.trees.drawing.shares import MOST_TOLD, Told, largest_shares, per_cent
from treewright.trees.weighing import note_of, told_weights

LEAF, LINEAR, GROUP = 0, 3, 5
"""Kinds of nodes."""
SIGNS = ((" <= ", " >= "), (" > ", " < "))
"""What stands between a sum and the number of a plane, on its two branches."""
BARS = 30
"""Levels that the printed tree shows by bars; deeper ones it counts."""
LARGE = 1e15
"""Estimates that the printed tree writes with an exponent."""
LEAST_ROUNDED = 0.05
"""A smaller number would be written as none."""
ROUTES = {
    "distribute": "missing: every branch, by share",
    "stop": "missing: ends here",
    "node_majority": "missing: the largest branch",
    "mean": "missing: the column's mean",
}
"""Where a node sends a missing value."""


class Words:
    """The words of some nodes; `nodes` are the positions of those that are shown."""

    def __init__(self, core: _core.Tree, decimals: int | None, nodes: Sequence[int]) -> None:
        self.core, self.decimals = core, decimals
        self.names = list(core.names)
        self.classes: list[str] = shown_values(core.classes)
        self._branches: list[str] = (
            core.branch_texts() if decimals is None else _printed(core, decimals, self.classes)
        )
        self._derived = derived_in(None if core.reading is None else json.loads(core.reading))
        self._kind, self._feature = core.kind.tolist(), core.feature.tolist()
        self._parent, self._first = core.parent.tolist(), core.first_child.tolist()
        weights, counts = told_weights(core), core.class_counts
        self.note = note_of(core)
        wanted = sorted(set(nodes))
        self._weights: dict[int, list[float]] = dict(zip(wanted, weights[wanted].tolist(), strict=True))
        self._sums = {node: sum(rows) for node, rows in self._weights.items()}
        self._rows, self._n_rows = self._weights, self._sums
        self.has_counts = counts is not None
        if counts is not None:
            self._rows = dict(zip(wanted, counts[wanted].tolist(), strict=True))
            self._n_rows = {node: sum(rows) for node, rows in self._rows.items()}
        shares = largest_shares(weights[wanted], list(self._sums.values()))
        self._shares: dict[int, Told] = dict(zip(wanted, shares, strict=True))
        self._answer, self._reached = core.node_class.tolist(), core.is_reached.tolist()
        self._routes, self.routing = core.missing_routes, core.routing
        self._estimates = None if core.estimates is None else core.estimates.tolist()
        self._levels: list[list[int] | None] | None = None
        self._parted: dict[int, tuple[str, str]] = {}
        self._shown_names: dict[int, str] = {}

    def is_leaf(self, node: int) -> bool:
        """Whether a node has no children."""
        return bool(self._kind[node] == LEAF)

    def is_plane(self, node: int) -> bool:
        """Whether a node compares a sum."""
        return bool(self._kind[node] == LINEAR)

    def is_of_plane(self, node: int) -> bool:
        """Whether the branch to a node is a side of a plane."""
        return node > 0 and self.is_plane(self._parent[node])

    def is_reached(self, node: int) -> bool:
        """Whether a training sample reaches a node."""
        return bool(self._reached[node])

    def answer(self, node: int) -> int:
        """Return the class of a node."""
        return int(self._answer[node])

    def label(self, node: int) -> str:
        """Return the class of a node in words."""
        return self.classes[self.answer(node)]

    def branch(self, node: int) -> str:
        """Return the condition on the branch to a node, as the printed tree has it."""
        text = self._branches[node]
        feature = self._feature[self._parent[node]] if node else -1
        made = self._derived.get(feature)
        return text if made is None else undone(text, self.names, {feature: made})

    def test(self, node: int) -> str:
        """Return what a node asks about; with the `condition` of a branch it is that branch in words."""
        return self._test_and_rest(self._first[node])[0]

    def condition(self, node: int) -> str:
        """Return what a branch asks for beside the test."""
        return self._test_and_rest(node)[1]

    def is_complement(self, node: int) -> bool:
        """Whether a branch takes all values that are not in the group of the other branch."""
        above = self._parent[node]
        return bool(self._kind[above] == GROUP) and node == self._first[above] + 1

    def n_listed(self, node: int) -> int:
        """Return the number of values in the group that the words of a branch list; 0 where it is none."""
        if self._kind[self._parent[node]] != GROUP:
            return 0
        if self._levels is None:
            self._levels = self.core.branch_levels
        return len(self._levels[self._parent[node]] or ())

    def _test_and_rest(self, child: int) -> tuple[str, str]:
        """Part the words of a branch into what is asked about and what must hold."""
        if child not in self._parted:
            self._parted[child] = self._part(child)
        return self._parted[child]

    def _part(self, child: int) -> tuple[str, str]:
        text, above = self.branch(child), self._parent[child]
        if self._kind[above] == LINEAR:
            sign = max(SIGNS[child - self._first[above]], key=text.rfind)
            total, _, offset = text.rpartition(sign)
            return total, f"{sign[1:]}{offset}"
        feature = self._feature[above]
        for name in self._names_of(feature):
            if text.startswith(f"{name} "):
                return name, text[len(name) + 1 :]
        return text, ""

    def _names_of(self, feature: int) -> list[str]:
        """Return what a feature is called in the printed tree: its name, and the column it was made of."""
        if feature not in self._shown_names:
            self._shown_names[feature] = shown_text(self.names[feature])
        made: Derived | None = self._derived.get(feature)
        own = self._shown_names[feature]
        return [own] if made is None else [own, made.source]

    # Numbers.

    def weights(self, node: int) -> list[float]:
        """Return the weights of the classes."""
        return self._weights[node]

    def weight(self, node: int) -> float:
        """Return the weight of a node."""
        return self._sums[node]

    def rows(self, node: int) -> list[float]:
        """Return the numbers of rows by class; their weights where numbers are not known."""
        return self._rows[node]

    def n_rows(self, node: int) -> float:
        """Return the number of rows; their weight where it is not known."""
        return self._n_rows[node]

    def total(self, node: int) -> str:
        """Return ``n = 12``; weight where numbers are not known."""
        what = "n" if self.has_counts else "weight"
        return f"{what} = {self.rounded(self._n_rows[node])}"

    def errors(self, node: int) -> str:
        """Return C4.5's ``(n/e)`` as the printed tree has it."""
        return self._pair(node, self.short)

    def rounded_errors(self, node: int) -> str:
        """Return C4.5's ``(n/e)`` as far as a picture has room."""
        return self._pair(node, self.rounded)

    def _pair(self, node: int, written: Callable[[float], str]) -> str:
        rows, own = self.rows(node), self._answer[node]
        n, errors = self._n_rows[node], sum(rows[:own]) + sum(rows[own + 1 :])
        return f"({written(n)}/{written(errors)})" if errors > 0 else f"({written(n)})"

    def counts(self, node: int) -> str:
        """Return the rows of each class, and their weights where these differ."""
        weights = self._listed(self._weights[node])
        counts = self._listed(self.rows(node))
        return f"[{counts}]" if counts == weights else f"[{counts}; weights {weights}]"

    def _listed(self, numbers: Sequence[float]) -> str:
        return ", ".join(map(self.rounded, numbers))

    def estimate(self, node: int) -> str:
        """Return the estimated error rate in braces; nothing where there is none."""
        if self._estimates is None:
            return ""
        rate, decimals = self._estimates[node], 4 if self.decimals is None else self.decimals
        if rate != rate:
            return "{unknown}"
        form = "e" if LARGE <= abs(rate) < float("inf") else "f"
        return f"{{{rate:.{decimals}{form}}}}"

    def route(self, node: int) -> str:
        """Return where a node sends a missing value."""
        own = self._routes[node]
        route = self.routing if own is None else own
        return f"missing: branch {route + 1}" if isinstance(route, int) else ROUTES[route]

    def share(self, node: int) -> str:
        """Return the share of a node's class in per cent; nothing where nothing weighs."""
        weights, total = self._weights[node], self._sums[node]
        return f"{per_cent(weights[self._answer[node]] / total)} %" if total > 0 else ""

    def told(self, node: int) -> str:
        """Return how many rows there are, and the largest classes with their shares."""
        if not self._sums[node] > 0:
            return "no samples"
        n_there, places, shares = self._shares[node]
        classes, note = self.classes, self.note
        if note:
            named = [f"{share} %{self._number(node, i)}" for i, share in zip(places, shares, strict=True)]
            parts = [f"{classes[i]} {share}" for i, share in zip(places, named, strict=True)]
        else:
            parts = [f"{classes[i]} {share} %" for i, share in zip(places, shares, strict=True)]
        if n_there > MOST_TOLD:
            parts.append(f"{n_there - MOST_TOLD} more classes")
        return f"{self.total(node)}: {', '.join(parts)}"

    def _number(self, node: int, label: int) -> str:
        """Return the number of rows of a class in brackets."""
        return f" ({self.rounded(self.rows(node)[label])})"

    def rounded(self, value: float) -> str:
        """Write a number of rows or a weight with at most one decimal; with those asked for if any are."""
        if self.decimals is not None:
            return self.short(value)
        if 0 < value < LEAST_ROUNDED:
            return "< 0.1"
        return f"{value:.1f}".removesuffix(".0")

    def short(self, value: float) -> str:
        """Write a number of rows or a weight as the printed tree does."""
        if value == int(value) and not self.decimals:
            return f"{value:.0f}"
        text = f"{value:.{2 if self.decimals is None else self.decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text


def _printed(core: _core.Tree, decimals: int, classes: Sequence[str]) -> list[str]:
    """Return the conditions of branches with so many decimals: lines of the printed tree, in its order."""
    texts = [""] * core.n_nodes
    lines = iter(core.export_text(decimals=decimals).split("\n"))
    first, count, depth = core.first_child.tolist(), core.n_children.tolist(), core.depth.tolist()
    answer, reached = core.node_class.tolist(), core.is_reached.tolist()
    waiting = list(reversed(range(first[0], first[0] + count[0]))) if count[0] else []
    while waiting:
        node = waiting.pop()
        level = depth[node] - 1
        indent = 4 * level if level <= BARS else 4 * BARS + len(f"({level}) ")
        tail = "" if count[node] else f": {classes[answer[node]]}{'' if reached[node] else ' (no samples)'}"
        texts[node] = next(lines)[indent:].removesuffix(tail)
        waiting += reversed(range(first[node], first[node] + count[node]))
    return texts
