"""A tree as decision rules.

One rule for each leaf, with merged conditions; Markdown, LaTeX and data frames too.
"""

from treewright import GreedyTreeClassifier, datasets

model = GreedyTreeClassifier(max_depth=2).fit(datasets.load("iris"))
print(model.tree_.rules())

picture = model.tree_.to_svg(row={"petal length (cm)": 4.9, "petal width (cm)": 1.9})
