"""A tree of scikit-learn, drawn, explained and exported here.

The converted tree predicts the same classes.
"""

from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from treewright import Tree

X, y = load_iris(return_X_y=True, as_frame=True)
theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
tree = Tree.from_sklearn(theirs)
print(tree.export_text(decimals=2))

picture = tree.to_svg()
