"""A missed case is worse than a false alarm: costs of wrong answers.

The splits stay; leaves answer with the class of least expected cost.
"""

from treewright import GreedyTreeClassifier, datasets

cancer = datasets.load("breast-cancer")
truth = cancer.classes[cancer.target]
sick = truth == "malignant"
for cost in (1, 10):
    costs = {("malignant", "benign"): cost}
    model = GreedyTreeClassifier(max_depth=3, cost_matrix=costs).fit(cancer)
    answers = model.predict(cancer) == "malignant"
    missed, false_alarms = (sick & ~answers).sum(), (answers & ~sick).sum()
    print(f"cost {cost}: {missed} missed, {false_alarms} false alarms")

picture = model.tree_.to_svg()
