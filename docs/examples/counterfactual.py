"""Why this class, and what would change it: a counterfactual explanation.

The change is the least of all, proven; `fixed=` names what cannot change.
"""

from treewright import GreedyTreeClassifier, datasets
from treewright.explain import explain

wine = datasets.load("wine")
tree = GreedyTreeClassifier(max_depth=3).fit(wine).tree_
told = explain(tree, {"flavanoids": 3.06, "proline": 1065, "color_intensity": 5.64})
print(told, end="")

picture = told.to_svg()
