"""At most two tests a row: a fixed-depth tree.

Optimal if features are independent within each class, and found at once.
"""

from treewright import FixedDepthTreeClassifier, datasets

model = FixedDepthTreeClassifier(max_depth=2).fit(datasets.load("tic-tac-toe"))
print(model.tree_.export_text())

picture = model.tree_.to_svg()
