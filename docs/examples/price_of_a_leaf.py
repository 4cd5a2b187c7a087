"""How many leaves? Every price of a leaf, and the tree that it buys.

`optimal_path` finds the corners of the front of leaves and training errors, each with its proof.
"""

from treewright import datasets
from treewright.optimal import optimal_path

path = optimal_path(datasets.load("iris"), max_depth=3)
for row in path.table[path.table["depth"] == 3].records():
    print(f"{row['n_leaves']} leaves: {row['loss']:.0f} errors")

picture = path.plot()
