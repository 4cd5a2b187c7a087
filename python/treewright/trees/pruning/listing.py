"""The text of an explanation: the tree that was judged, and beside it estimates and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treewright.data.derived import derived_in, undone
from treewright.data.types import IntArray
from treewright.results import ResultTable
from treewright.trees.pruning.rule import PruningRule
from treewright.trees.tree import Tree

WIDEST = 60
"""Characters of the tree; longer conditions are cut."""
LARGE = 1e12
"""From here on a number is written with an exponent."""
BRANCH = "branch_estimate"
ESTIMATES = ("leaf_estimate", "subtree_estimate", BRANCH)
COUNTS = ("weight", "errors")
OF_NODES = ("leaf_estimate", "subtree_estimate")
HEADS = {
    "weight": "weight",
    "errors": "errors",
    "leaf_estimate": "as leaf",
    "subtree_estimate": "as tree",
    BRANCH: "as branch",
}
LEGEND = "as leaf, as tree: estimated errors of a node as a leaf, and of its pruned subtree"
OF_THE_WHOLE = "estimated error rate of the pruned tree, by the rule: {}"
OF_BRANCHES = "as branch: of its largest branch, with all its samples, in its place"


def listing(rule: PruningRule, before: Tree, tree: Tree, nodes: ResultTable) -> str:
    """Return the text: what was done in all, then one line for each node that was judged."""
    head = f"{rule}: {_summary(before, tree, nodes)}"
    if not rule._estimates_nodes:
        legend = [OF_THE_WHOLE.format(_rate(tree))]
        return "\n".join([head, *legend, "", *_table(before, nodes, COUNTS)])
    legend = [LEGEND, *([OF_BRANCHES] if _tries_branches(nodes) else [])]
    columns = [*COUNTS, *OF_NODES, *([BRANCH] if _tries_branches(nodes) else [])]
    return "\n".join([head, *legend, "", *_table(before, nodes, columns)])


def _rate(tree: Tree) -> str:
    """Return the estimate of the whole tree, with four decimals."""
    rates = tree.estimates
    rate = np.nan if rates is None else float(rates[0])
    return "unknown" if np.isnan(rate) else f"{rate:.4g}"


def _summary(before: Tree, tree: Tree, nodes: ResultTable) -> str:
    counts = {action: int(np.sum(nodes["action"] == action)) for action in ("cut", "grafted")}
    done = f"{counts['cut']} cut"
    if counts["grafted"]:
        done += (
            f", {counts['grafted']} replaced by {'its' if counts['grafted'] == 1 else 'their'} largest branch"
        )
    if not any(counts.values()):
        stay = f"all {before.n_nodes} nodes stay" if before.n_nodes > 1 else "the only node stays"
        return f"nothing to prune, {stay}"
    stay = "stays" if tree.n_nodes == 1 else "stay"
    return f"{tree.n_nodes} of {before.n_nodes} nodes {stay}, {done}"


def _table(before: Tree, nodes: ResultTable, columns: Sequence[str]) -> Iterator[str]:
    """Yield the lines; estimates are told as errors, which are the same for a node and its parts."""
    rows = [
        (text, *(_cell(nodes, node, name) for name in columns), verdict)
        for node, text, verdict in _judged(before, nodes)
    ]
    head = ("", *(HEADS[name] for name in columns), "")
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
        yield "  ".join([*cells, row[-1]]).rstrip()


def _tries_branches(nodes: ResultTable) -> bool:
    """Whether grafting tried the largest branch of a node."""
    return not bool(np.isnan(nodes[BRANCH]).all())


def _judged(before: Tree, nodes: ResultTable) -> Iterator[tuple[int, str, str]]:
    """Yield node, condition and verdict in the order of reading, those below a cut left out."""
    texts, n_below = branch_texts(before), _sizes_below(before)
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if nodes["action"][node] == "below":
            continue
        indent = "|   " * max(int(nodes["depth"][node]) - 1, 0)
        yield node, _cut_short(indent + texts[node]), _verdict(before, nodes, node, int(n_below[node]))
        first, n_children = int(before.first_child[node]), int(before.n_children[node])
        waiting.extend(reversed(range(first, first + n_children)))


def _verdict(before: Tree, nodes: ResultTable, node: int, n_below: int) -> str:
    """Say what became of a node; a leaf tells its class."""
    action = str(nodes["action"][node])
    label = before.classes_[before.node_class[node]]
    told = {
        "leaf": f"{label}",
        "cut": f"{label}: cut, {n_below} node{'' if n_below == 1 else 's'} below",
        "kept": "stays",
        "grafted": "gives way to its largest branch",
    }
    return told[action]


def _sizes_below(tree: Tree) -> IntArray:
    """Count the nodes below every node."""
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):
        below[tree.parent[node]] += below[node] + 1
    return below


def _cell(nodes: ResultTable, node: int, name: str) -> str:
    """Write a weight, or an estimate as errors; nothing where there is none."""
    value, weight = float(nodes[name][node]), float(nodes["weight"][node])
    if name not in ESTIMATES:
        return _number(value)
    if np.isnan(value):
        is_compared = name == "subtree_estimate" and nodes["action"][node] != "leaf"
        is_asked = weight > 0 and (name == "leaf_estimate" or is_compared)
        return "unknown" if is_asked else ""
    return _number(value * weight) if weight > 0 or np.isfinite(value) else ""


def _number(value: float) -> str:
    """Write weights whole where they are, estimates with two decimals, and large ones with an exponent."""
    if abs(value) >= LARGE:
        return f"{value:.6g}"
    return f"{value:.0f}" if value.is_integer() else f"{value:.2f}"


def _cut_short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def branch_texts(tree: Tree) -> list[str]:
    """Return for every node the condition on its branch; the root has a name of its own."""
    derived, names = derived_in(tree.reading), tree.feature_names
    return ["all samples", *(undone(text, names, derived) for text in tree._core.branch_texts()[1:])]
