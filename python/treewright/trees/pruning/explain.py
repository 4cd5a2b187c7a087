"""What a rule pruned, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright.results import ResultTable, floats, ints
from treewright.trees.pruning.listing import listing
from treewright.trees.pruning.prune import pruned
from treewright.trees.pruning.rule import PruningRule, counts_of
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    import pandas as pd

ACTIONS = ("kept", "cut", "below", "leaf", "grafted")
DTYPE = [
    *ints("node", "parent", "depth", "feature"),
    *floats("weight", "errors", "leaf_estimate", "subtree_estimate", "branch_estimate"),
    ("action", "U7"),
    *ints("new_node"),
]


@dataclass(frozen=True, eq=False, repr=False)
class PruningExplanation:
    """The decision of a pruning rule at every node of a tree; prints as a text.

    Attributes
    ----------
    rule : pruning rule
        The rule that was applied, with the parameter that it chose, if it chooses one.
    before : Tree
        The tree before pruning; its weights are those of the estimates.
    tree : Tree
        The pruned tree.
    nodes : ResultTable of shape (n_nodes of `before`,)
        ``node``, ``parent``, ``depth``, ``feature`` (-1 at a leaf); ``weight``, and ``errors``, the part of
        it that is not of the class of the node; the estimated error rates ``leaf_estimate``, as a leaf, and
        ``subtree_estimate``, with what is below it after pruning (NaN at leaves), and ``branch_estimate``,
        with its largest branch in its place (NaN where grafting did not try it; a `ProgramPruning` estimates
        the whole tree alone, so all but the root are NaN); ``action``: ``"kept"``,
        ``"cut"`` (became a leaf), ``"grafted"`` (gave way to its largest branch), ``"below"`` (went with a
        node above), ``"leaf"`` (was one already); ``new_node``, its number in `tree`, -1 if it is gone.
    """

    rule: PruningRule
    before: Tree
    tree: Tree
    nodes: ResultTable

    @property
    def errors_before(self) -> float:
        """Weight of the samples that the tree before pruning predicts wrongly."""
        return float(self.nodes["errors"][self.before.n_children == 0].sum())

    @property
    def errors_after(self) -> float:
        """Weight of the same samples that the pruned tree predicts wrongly."""
        if (self.nodes["action"] == "grafted").any():
            right, weight = counts_of(self.tree)
            return float((weight - right)[self.tree.n_children == 0].sum())
        stands = np.isin(self.nodes["action"], ("cut", "leaf"))
        return float(self.nodes["errors"][stands].sum())

    def to_frame(self) -> pd.DataFrame:
        """Copy `nodes` into a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            One row for each node of the tree before pruning.
        """
        return self.nodes.to_frame()

    def __str__(self) -> str:
        """Every node that was judged in one line: its estimates and what became of it."""
        return listing(self.rule, self.before, self.tree, self.nodes)

    def __repr__(self) -> str:
        return str(self)


def explain_pruning(
    tree: Tree,
    rule: PruningRule | str,
    X: object = None,
    y: object = None,
    sample_weight: object = None,
    *,
    estimator: object = None,
    n_jobs: int | None = None,
) -> PruningExplanation:
    """Explain the decision of a pruning rule at every node of a tree.

    Parameters
    ----------
    tree, rule, X, y, sample_weight, estimator, n_jobs
        As for `prune`.

    Returns
    -------
    explanation : PruningExplanation
        The pruned tree and, for every node of the tree before pruning, both estimates and the decision. It
        prints as text.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import ErrorBasedPruning, explain_pruning
    >>> tree = GreedyTreeClassifier(max_depth=3).fit(datasets.load("iris")).tree_
    >>> explained = explain_pruning(tree, ErrorBasedPruning(confidence=0.1, grafting=False))
    >>> print(explained)
    ErrorBasedPruning(confidence=0.1, grafting=False): 7 of 9 nodes stay, 1 cut
    as leaf, as tree: estimated errors of a node as a leaf, and of its pruned subtree
    <BLANKLINE>
                                      weight  errors  as leaf  as tree
    all samples                          150     100   107.56    14.09  stays
    petal length (cm) <= 1.9              50       0     2.25           setosa
    petal length (cm) > 1.9              100      50    56.84    11.84  stays
    |   petal width (cm) <= 1.7           54       5     9.01     7.91  stays
    |   |   petal length (cm) <= 4.9      48       1     3.93           versicolor
    |   |   petal length (cm) > 4.9        6       2     3.98           virginica
    |   petal width (cm) > 1.7            46       1     3.93     4.63  virginica: cut, 2 nodes below
    """
    outcome = pruned(tree, rule, X, y, sample_weight, estimator, n_jobs)
    before, found = outcome.before, outcome.found
    right, weight = counts_of(before)
    nodes = np.zeros(before.n_nodes, dtype=DTYPE)
    new_node = np.full(before.n_nodes, -1)
    new_node[found.origin] = np.arange(len(found.origin))
    columns = {
        "node": np.arange(before.n_nodes),
        "parent": before.parent,
        "depth": before.depth,
        "feature": before.feature,
        "weight": weight,
        "errors": weight - right,
        "leaf_estimate": found.leaf,
        "subtree_estimate": found.subtree,
        "branch_estimate": found.branch,
        "action": np.array(ACTIONS)[found.action],
        "new_node": new_node,
    }
    for name, values in columns.items():
        nodes[name] = values
    return PruningExplanation(outcome.rule, before, outcome.tree, nodes.view(ResultTable))
