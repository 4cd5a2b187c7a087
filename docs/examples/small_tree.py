"""A small tree, with the path of one row.

`keep_counts` keeps how the training rows are spread, so each test has a histogram.
"""

from treewright import GreedyTreeClassifier, datasets

wine = datasets.load("wine")
model = GreedyTreeClassifier(max_depth=2).fit(wine, keep_counts=True)
print(model.tree_.export_text(show_errors=True))

row = {"flavanoids": 2.1, "proline": 900, "color_intensity": 5}
picture = model.tree_.to_svg(row=row)
