"""A sparse linear classifier: three features, one plane.

`selection="limited"` looks for the plane of the least error over so many features.
"""

from treewright import RobustLinearClassifier, datasets

cancer = datasets.load("breast-cancer")
truth = cancer.classes[cancer.target]
model = RobustLinearClassifier(n_features=3, selection="limited").fit(cancer)
print(", ".join(cancer.feature_names[i] for i in model.support_))
print(f"training accuracy {float((model.predict(cancer) == truth).mean()):.3f}")

picture = model.plot_weights()
