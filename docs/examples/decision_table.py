"""A decision table: the least depth, and the fewest nodes, of all trees.

All rows and their decisions are known; dynamic programming looks at every tree.
"""

from treewright import datasets
from treewright.tables import DecisionTable

table = DecisionTable.from_data(datasets.load("monks-1"))
for cost in ("depth", "n_nodes"):
    found = table.minimum_tree(cost)
    print(f"{cost}: {found.cost:.0f} ({found.status})")

picture = found.tree.to_svg()
