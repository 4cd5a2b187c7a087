"""Pruning a tree, and why.

Ten rules prune any tree; `explain_pruning` tells what each cut, and by which estimates.
"""

from treewright import GreedyTreeClassifier, datasets
from treewright.pruning import CostComplexityPruning, PessimisticPruning, prune

data = datasets.load("breast-cancer")
tree = GreedyTreeClassifier().fit(data).tree_
print("grown:", tree)
for rule in (PessimisticPruning(), CostComplexityPruning(alpha=4)):
    print(f"{type(rule).__name__}:", prune(tree, rule))

picture = prune(tree, CostComplexityPruning(alpha=4)).to_svg()
