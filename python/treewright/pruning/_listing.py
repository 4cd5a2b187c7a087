"""The text of an explanation: the tree that was judged, and beside it estimates and verdicts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright.pruning._conditions import branch_texts
from treewright.pruning._rule import PruningRule
from treewright.results import ResultTable
from treewright.tree import Tree

WIDEST = 60
"""Characters of the tree; longer conditions are cut."""
LEGEND = "as leaf, as tree: errors estimated of a node as a leaf, and of what is left below it"


def listing(rule: PruningRule, before: Tree, tree: Tree, nodes: ResultTable) -> str:
    """Return the text: what was done in all, then one line a node that was judged."""
    head = f"{rule}: {_summary(before, tree, nodes)}"
    return "\n".join([head, LEGEND, "", *_table(before, nodes)])


def _summary(before: Tree, tree: Tree, nodes: ResultTable) -> str:
    counts = {action: int(np.sum(nodes["action"] == action)) for action in ("cut", "grafted")}
    done = [
        f"{counts['cut']} cut",
        *([f"{counts['grafted']} replaced by their largest branch"] if counts["grafted"] else []),
    ]
    if not any(counts.values()):
        return f"nothing to prune, all {before.n_nodes} nodes stay"
    return f"{tree.n_nodes} of {before.n_nodes} nodes stay, {', '.join(done)}"


def _table(before: Tree, nodes: ResultTable) -> Iterator[str]:
    """Yield the lines; estimates are told as errors, which are the same for a node and its parts."""
    rows = [
        (text, _number(weight), _number(errors), _number(leaf * weight), _number(sub * weight), verdict)
        for text, weight, errors, leaf, sub, verdict in _judged(before, nodes)
    ]
    head = ("", "weight", "errors", "as leaf", "as tree", "")
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:5], widths[1:5], strict=True)]
        yield "  ".join([*cells, row[5]]).rstrip()


def _judged(before: Tree, nodes: ResultTable) -> Iterator[tuple[str, float, float, float, float, str]]:
    """Yield the nodes in the order of reading, those below a cut left out."""
    texts, n_below = branch_texts(before), _sizes_below(before)
    waiting = [0]
    while waiting:
        node = waiting.pop()
        record = nodes[node]
        action = str(record["action"])
        if action == "below":
            continue
        indent = "|   " * max(int(record["depth"]) - 1, 0)
        weight, errors, leaf, subtree = (
            float(record[name]) for name in ("weight", "errors", "leaf_estimate", "subtree_estimate")
        )
        yield (
            _cut_short(indent + texts[node]),
            weight,
            errors,
            leaf,
            subtree,
            _verdict(before, nodes, node, int(n_below[node])),
        )
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


def _sizes_below(tree: Tree) -> NDArray[np.int64]:
    """Count the nodes below every node."""
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):
        below[tree.parent[node]] += below[node] + 1
    return below


def _number(value: float) -> str:
    """Write weights whole where they are, estimates with two decimals, and nothing where there is none."""
    if np.isnan(value):
        return ""
    return f"{value:.0f}" if value.is_integer() else f"{value:.2f}"


def _cut_short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"
