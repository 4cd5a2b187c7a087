"""Feature selection: drop what the tree is better without.

Backward elimination judges whole trees on validation rows, and stops by itself.
"""

from treewright import BackwardEliminationSelector, GreedyTreeClassifier, datasets

wine = datasets.load("wine")
selector = BackwardEliminationSelector(estimator=GreedyTreeClassifier(), random_state=0)
selector.fit(wine)
print("validation errors, step by step:", selector.history_["errors"].tolist())
print("the tree tests:", ", ".join(selector.used_feature_names_out()))

picture = selector.tree_.to_svg()
