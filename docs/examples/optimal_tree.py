"""An optimal decision tree beside a greedy one.

Both have depth 2. The optimal tree has the fewest training errors of all such trees, and a proof.
"""

from treewright import GreedyTreeClassifier, OptimalTreeClassifier, datasets

cancer = datasets.load("breast-cancer")
truth = cancer.classes[cancer.target]
greedy = GreedyTreeClassifier(max_depth=2).fit(cancer)
optimal = OptimalTreeClassifier(max_depth=2).fit(cancer)
for name, model in (("greedy", greedy), ("optimal", optimal)):
    print(f"{name}: {int((model.predict(cancer) != truth).sum())} training errors")
print(optimal.search_.status)

picture = optimal.tree_.to_svg()
