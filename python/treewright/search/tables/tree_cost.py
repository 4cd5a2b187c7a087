"""`tree_cost`: what any tree costs for a table."""

from __future__ import annotations

from typing import overload

from treewright import _core
from treewright._base.errors import DataTypeError
from treewright._base.wording import Param
from treewright.search.tables.cost import AnyCost, CostLike, engine_cost, in_unit
from treewright.search.tables.monotone import MonotoneCost, Number, Operator, cost_of
from treewright.search.tables.table import DecisionTable
from treewright.trees.tree import Tree


@overload
def tree_cost(tree: Tree, table: DecisionTable, cost: CostLike) -> int | float: ...


@overload
def tree_cost(tree: Tree, table: DecisionTable, cost: MonotoneCost) -> Number: ...


def tree_cost(tree: Tree, table: DecisionTable, cost: AnyCost) -> Number:
    """Compute the cost of a tree for a table.

    Parameters
    ----------
    tree : Tree
        Any tree on the features of the table.
    table : DecisionTable
        The table whose rows go through the tree.
    cost : str, Cost or MonotoneCost
        ``"depth"``, ``"total_path_length"``, ``"average_depth"``, ``"n_nodes"``, ``"n_internal"``,
        ``"n_leaves"``, a `Cost`, or a `MonotoneCost`.

    Returns
    -------
    cost : int, float or Fraction
        A float for ``"average_depth"``, what its function returns for a `MonotoneCost`, else an int.

    Raises
    ------
    DataError
        If the tree tests features that the table does not have.

    Examples
    --------
    >>> from treewright.tables import DecisionTable, tree_cost
    >>> table = DecisionTable([["a", 0], ["a", 1], ["b", 0]], ["no", "yes", "yes"])
    >>> tree = table.greedy_tree()
    >>> tree_cost(tree, table, "n_nodes"), tree_cost(tree, table, "total_path_length")
    (5, 5)
    """
    if not isinstance(tree, Tree):
        raise DataTypeError(
            Param("tree"), f" is of type {type(tree).__name__}; give a Tree, such as estimator.tree_"
        )
    if isinstance(cost, MonotoneCost):
        return cost_of(Operator(cost, table.feature_names), tree._core, table.core)
    asked = engine_cost("cost", cost)
    return in_unit(cost, _core.tree_costs(tree._core, table.core, [asked])[0], table.n_rows)
