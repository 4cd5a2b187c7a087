"""Missing values, without imputing anything.

A row without a value goes down both branches, in proportion to the training rows.
"""

import numpy as np

from treewright import GreedyTreeClassifier

X = np.array([[1.0, 5], [2, np.nan], [3, 7], [4, 1], [np.nan, 2], [6, 1]])
y = ["no", "no", "no", "yes", "yes", "yes"]
model = GreedyTreeClassifier().fit(X, y)
print(model.tree_.export_text(show_errors=True))
print(model.predict_proba([[np.nan, np.nan]]).round(2).tolist())

picture = model.tree_.to_svg(row={"x0": 2, "x1": None})
