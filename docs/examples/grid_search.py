"""A grid search over the confidence of pruning.

Estimators and rules follow scikit-learn's conventions, one inside of the other.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV

from treewright import GreedyTreeClassifier
from treewright.pruning import ErrorBasedPruning

X, y = load_wine(return_X_y=True, as_frame=True)
search = GridSearchCV(
    GreedyTreeClassifier(pruning=ErrorBasedPruning()),
    {"pruning__confidence": [0.01, 0.25], "max_depth": [2, 4]},
)
print(search.fit(X, y).best_params_)

picture = search.best_estimator_.tree_.to_svg()
