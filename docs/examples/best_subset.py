"""The best feature subset of all, with a proof.

Branch and bound visits each distinct tree at most once: far fewer than there are subsets.
"""

from treewright import CompleteSearchSelector, datasets

best = CompleteSearchSelector(random_state=0).fit(datasets.load("wine"))
print(", ".join(best.get_feature_names_out()))
print(f"{best.n_validation_errors_} validation errors; {best.search_.status}")

picture = best.refit_tree_.to_svg()
