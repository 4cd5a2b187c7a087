"""An oblique decision tree: weighted sums at the tests.

Each split keeps few features; the tree is pruned by cost complexity.
"""

from treewright import MultivariateTreeClassifier, datasets, export_text

iris = datasets.load("iris")
model = MultivariateTreeClassifier(max_depth=2, perturbation=0.02).fit(iris)
print(export_text(model, show_errors=True))

picture = model.rounded_tree_.to_svg()
