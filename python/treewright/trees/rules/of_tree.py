"""The rules of a tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright import _core
from treewright.data.derived import derived_in
from treewright.data.types import AnyArray, FloatArray
from treewright.trees.exports.program import STOP, Program
from treewright.trees.predictions import Columns
from treewright.trees.rules.figures import Tally, ended_at
from treewright.trees.rules.paths import Paths
from treewright.trees.rules.rules import Rule, Rules
from treewright.trees.rules.words import Words
from treewright.trees.weighing import note_of, told_weights, weighing_of

SHARED = "A row without a value that is asked for counts in several rules, in each with its share."
STOPPED = "A row without a value that a node asks for has the class of that node, and counts in no rule."


def rules_of(core: _core.Tree, words: Words, tally: Tally, *, merges: bool) -> Rules:
    """Return the rules of a tree, with figures out of a tally of its nodes."""
    program = Program.of(core)
    labels, answers = list(core.classes), core.node_class.tolist()
    rules = [
        Rule(conditions, labels[answers[node]], node, tally.of(node, answers[node]), words)
        for node, conditions in Paths(program).ends(merges=merges)
    ]
    rules.sort(key=lambda rule: (-rule.figures.weight, rule.node))
    weighing = note_of(core) if tally.is_own else weighing_of(tally.weights, tally.counts)
    return Rules(tuple(rules), words, _notes(program, rules, weighing))


def _notes(program: Program, rules: Sequence[Rule], weighing: str) -> tuple[str, ...]:
    """Say what shares are of where rows have weights, and what becomes of rows with gaps that may be."""
    if program.shares:
        is_shared = any(not rule.figures.n.is_integer() for rule in rules)
        gaps = SHARED if is_shared else ""
    else:
        gaps = STOPPED if any(STOP in step.targets for step in program.steps) else ""
    told = weighing.replace("shares are", "coverage, share and lift are", 1)
    said = f"{told[:1].upper()}{told[1:]}." if told else ""
    return tuple(note for note in (said, gaps) if note)


def texts_of(core: _core.Tree, words: Words, nodes: Sequence[int]) -> list[str]:
    """Write the conditions on the path to each node."""
    paths = Paths(Program.of(core))
    known = {node: words.of(paths.to(node)) for node in set(nodes)}
    return [known[node] for node in nodes]


def words_of(core: _core.Tree, reading: dict[str, object] | None) -> Words:
    """Return the names and values of a tree."""
    return Words(core.names, core.levels, core.classes, derived_in(reading))


def own_tally(core: _core.Tree) -> Tally:
    """Return what a tree keeps of its training rows."""
    weights, counts = told_weights(core), core.class_counts
    ended = ended_at(core, weights)
    counted = None if counts is None else ended_at(core, counts)
    return Tally(ended, counted, weights[0], _costs(core), is_own=True)


def tally_of_rows(
    core: _core.Tree, columns: Columns, target: AnyArray | None, weights: FloatArray | None
) -> Tally:
    """Count rows at the nodes where they end; of a row in several places each has its share."""
    n_rows, n_classes = len(columns[0]) if columns else 0, len(core.classes)
    found = core.leaf_shares(columns)
    row = np.repeat(np.arange(n_rows), np.diff(found.indptr))
    codes = np.zeros(n_rows, np.int64) if target is None else target.astype(np.int64)
    place = found.indices * n_classes + codes[row]
    own = np.ones(n_rows) if weights is None else weights

    def summed(values: FloatArray) -> FloatArray:
        flat = np.bincount(place, values, minlength=core.n_nodes * n_classes)
        return flat.reshape(core.n_nodes, n_classes).astype(np.float64)

    totals = np.bincount(codes, own, minlength=n_classes).astype(np.float64)
    counted = summed(found.data)
    weighed = counted if weights is None else summed(found.data * own[row])
    return Tally(weighed, counted, totals, _costs(core), has_classes=target is not None)


def _costs(core: _core.Tree) -> FloatArray | None:
    costs = core.decision.cost_matrix
    return None if costs is None else np.array(costs)
