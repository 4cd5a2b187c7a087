"""Decision tables: exact and greedy trees with a branch for every value.

`DecisionTable` holds different rows, each with its decision. `DecisionTable.subtable_graph` finds all
subtables that questions can leave, and with them the least depth, path length and number of nodes of any
tree, how many trees attain it, and what one cost is worth in terms of another. `shortest_rules` finds for
every row the shortest rule that is true for the table.
"""

from __future__ import annotations

from treewright.search.tables.cost import Cost
from treewright.search.tables.graph import ParetoPoint, SubtableGraph
from treewright.search.tables.monotone import MonotoneCost
from treewright.search.tables.shortest_rules import TableRule, TableRules, shortest_rules
from treewright.search.tables.table import DecisionTable
from treewright.search.tables.tree_cost import tree_cost

__all__ = [
    "Cost",
    "DecisionTable",
    "MonotoneCost",
    "ParetoPoint",
    "SubtableGraph",
    "TableRule",
    "TableRules",
    "shortest_rules",
    "tree_cost",
]
