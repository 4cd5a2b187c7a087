"""Categorical features: groups of values instead of a branch for each.

The set of values that splits best is found for two classes, however many values there are.
"""

from treewright import GreedyTreeClassifier, datasets

board = datasets.load("tic-tac-toe")
model = GreedyTreeClassifier(nominal_splits="groups", max_depth=3).fit(board)
print(model.tree_)

picture = model.tree_.to_svg()
