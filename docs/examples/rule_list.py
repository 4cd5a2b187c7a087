"""A rule list: the first rule that holds answers.

C4.5's rule sets: shorter and fewer than the leaves of the tree that they come from.
"""

from treewright import RuleListClassifier, datasets

model = RuleListClassifier().fit(datasets.load("breast-cancer"))
print(f"{len(model.rules_)} rules from a tree of {model.source_tree_.n_leaves} leaves")
print(model.rules_)

picture = model.source_tree_.to_svg()
