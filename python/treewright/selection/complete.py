"""The best subset of features there is, by a search of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from treewright import _core
from treewright._base.params import callable_or_none, seconds_or_none
from treewright.results import Callback
from treewright.search.distinct.tree import DistinctTree, Grown
from treewright.selection.complete_rules import CompleteRules
from treewright.selection.selector import (
    Found,
    Judged,
    TreeSelector,
)
from treewright.trees.growing import Growing
from treewright.trees.tree import Tree

__all__ = ["CompleteSearchSelector"]


class CompleteSearchSelector(TreeSelector):
    """Find the features whose greedy tree errs least of all subsets, and prove it.

    The samples are parted into a building set, which grows trees, and a search set, which
    judges them. Of all subsets of the features the one is selected whose tree makes the fewest
    search errors; of several, the one whose tree tests the fewest features; of these, the one
    whose list of features comes first. The distinct trees over all subsets are walked as in
    `enumerate_distinct_trees`, and whatever can hold no better tree is left out, by a bound on
    the errors of all trees in it.

    As a transformer it keeps the selected columns; as a classifier it predicts from the
    tree of the selected features grown on all samples.

    Parameters
    ----------
    tolerance : int or float, default=0
        Errors above the fewest that are accepted for a shorter search: an int counts search
        errors (in weight), a float in (0, 1) is a share of the weight of the search set.
    max_features : int, default=None
        Only trees that test at most so many features count; None is no limit.
    top_k : int, default=1
        How many of the best distinct trees are kept. Above 1 it needs `tolerance` 0.
    count_ties : bool, default=False
        Whether all distinct trees with the fewest errors are counted, which takes longer. It
        needs `tolerance` 0.
    order : {"frontier", "frontier_descending", "index", "index_descending"}, default="frontier"
        Which features are taken away first, as in `enumerate_distinct_trees`. Without a limit
        the answer does not depend on it.
    memory_limit : int or str, default=None
        Bytes, or text such as ``"64MB"``, that may be kept to save work; None is 128 MiB. Less is
        slower, with the same answer.
    criterion : {"info_gain", "gain_ratio", "gini"}, default="info_gain"
        Quality of a split; this and the next parameters as in `GreedyTreeClassifier`.
    growth : {"standard", "id3"}, default="standard"
        How trees grow.
    min_samples_split : float, default=2
        A node whose weight is below this is a leaf. The larger, the shorter the search.
    min_samples_leaf : float, default=1
        Two branches of a split must have this weight of known values; up to 1, a sample that
        comes in shares counts whole.
    min_gain : float, default=0.0
        A split must gain this much, in bits (in Gini decrease for ``"gini"``).
    mdl_correction : bool, default=False
        Whether a numeric feature pays for the choice of its threshold, as in C4.5 release 8.
    max_depth : int, default=None
        Number of edges from the root at which nodes are leaves; None is no limit.
    missing : {"distribution", "most_frequent", "value", "raise"}, default="distribution"
        What a missing value is.
    class_weight : dict or "balanced", default=None
        Factor of the sample weights by class label.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal.
    validation_set : float or array-like, default=0.3
        Which samples judge the trees: a share in (0, 1), drawn class by class (largest
        remainders first; every class keeps a sample on the building side, so a class with
        a single one stays there); or their positions in `X`; or a boolean mask. Use a
        share in cross-validation.
    random_state : int, RandomState instance or None, default=None
        Draws the share; None draws anew in every ``fit``.
    time_limit : float, default=None
        Seconds after which the search ends with the best found so far; growing the
        first tree is not cut short, and the last tree on all samples comes on top.
    callback : callable, default=None
        Called now and then with a `Progress`; returning True ends the search.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The answer does not depend on it. Growing
        the last tree and predicting use them; the search itself runs on one.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        The selected features: those that `tree_` tests.
    used_features_ : ndarray of int
        Their positions, ascending.
    tree_ : Tree
        Tree of the selected features, grown on the building set.
    refit_tree_ : Tree
        Tree of the selected features, grown on all samples; it predicts.
    n_validation_errors_ : int or float
        Summed weight of the search samples that `tree_` predicts wrongly; an int
        when all weights are whole.
    validation_error_ : float
        The same as a share of the weight of the search set.
    best_trees_ : list of DistinctTree
        The best trees, the best first, at most `top_k`: what they test, their errors, and the
        subsets that give them.
    n_ties_ : int or None
        Distinct trees with as few errors as the best, that one included: all there are, or
        those found before the search was ended; None unless `count_ties`.
    n_trees_built_ : int
        Trees built by the search, and by the eliminations that it begins with.
    search_ : SearchResult
        Cost, bound, gap and status: ``"optimal"`` if the answer is proven to be the best,
        with a tolerance ``"complete"`` if it is proven to be within that, else what ended the
        search. No subset makes fewer errors than the bound, whatever the status.
    validation_rows_ : ndarray of int
        Positions in `X` of the search samples, ascending.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.

    See Also
    --------
    BackwardEliminationSelector : Looks for a good subset, in much less time.
    enumerate_distinct_trees : All the trees, not the best ones only.

    Notes
    -----
    In the worst case the time doubles with every feature. It falls steeply with
    `min_samples_split`, with a `tolerance`, and where few trees come near the best. A
    `time_limit` gives the best so far; the bound proven by then is 0 as a rule, for until its
    end the search has trees before it of which everything may change.

    Ctrl-C raises ``KeyboardInterrupt``, and so does `callback` what it raises; the selector has been
    fitted with the best so far by then. A second Ctrl-C leaves it as it was.

    Searching more makes the search errors flatter and the held-out errors often no better:
    compare by cross-validation (`treewright.studies.compare_selection`).

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, sections 4 and 5.

    S. Ruggieri, "Complete Search for Feature Selection in Decision Trees", JMLR 20, 2019.

    Examples
    --------
    >>> from treewright import CompleteSearchSelector, datasets
    >>> selector = CompleteSearchSelector(min_samples_split=16, count_ties=True, random_state=0)
    >>> selector.fit(datasets.load("wine")).used_feature_names_out().tolist()
    ['alcohol', 'magnesium', 'flavanoids', 'color_intensity']
    >>> selector.search_.cost, selector.search_.status, selector.n_ties_
    (1, 'optimal', 3)

    The best trees, and how many subsets give each:

    >>> selector.set_params(top_k=3).fit(datasets.load("wine"))
    CompleteSearchSelector(count_ties=True, min_samples_split=16, random_state=0,
                           top_k=3)
    >>> [(tree.used_features, tree.n_subsets) for tree in selector.best_trees_]
    [((0, 4, 6, 9), 256), ((0, 2, 4, 6, 10), 64), ((0, 3, 4, 6, 10), 32)]
    """

    best_trees_: list[DistinctTree]
    n_ties_: int | None

    def __init__(
        self,
        *,
        tolerance: float = 0,
        max_features: int | None = None,
        top_k: int = 1,
        count_ties: bool = False,
        order: str = "frontier",
        memory_limit: int | str | None = None,
        criterion: str = "info_gain",
        growth: str = "standard",
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        mdl_correction: bool = False,
        max_depth: int | None = None,
        missing: str = "distribution",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        validation_set: Any = 0.3,
        random_state: Any = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.tolerance = tolerance
        self.max_features = max_features
        self.top_k = top_k
        self.count_ties = count_ties
        self.order = order
        self.memory_limit = memory_limit
        self.criterion = criterion
        self.growth = growth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.mdl_correction = mdl_correction
        self.max_depth = max_depth
        self.missing = missing
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.validation_set = validation_set
        self.random_state = random_state
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

    def _engine(self, growing: Growing) -> Callable[[Judged], Found]:
        rules = CompleteRules(
            tolerance=self.tolerance,
            max_features=self.max_features,
            top_k=self.top_k,
            count_ties=self.count_ties,
            order=self.order,
            memory_limit=self.memory_limit,
        )
        time_limit = seconds_or_none("time_limit", self.time_limit)
        callback = callable_or_none("callback", self.callback)

        def search(judged: Judged) -> Found:
            training = judged.training
            found = _core.complete_search(
                training.core,
                *judged.parts,
                growth=growing.parameters(training),
                rules=rules.for_engine(training.dataset.n_features, judged.validation_weight),
                n_threads=growing.n_threads,
                time_limit=time_limit,
                callback=callback,
            )
            used, _, errors, tree = found["best"][0]
            return {**found, "selected": used, "n_validation_errors": errors, "tree": tree}

        return search

    def _learn_found(self, found: Found, judged: Judged) -> None:
        super()._learn_found(found, judged)
        self.best_trees_ = [
            DistinctTree(tuple(used), judged.as_errors(errors), tuple(blocked), Grown(Tree(tree)))
            for used, blocked, errors, tree in found["best"]
        ]
        self.n_ties_ = found["n_ties"]

    def _proof(self, found: Found, judged: Judged) -> dict[str, Any]:
        is_whole = judged.as_errors is int
        proof: dict[str, Any] = {"bound": math.ceil(found["bound"]) if is_whole else found["bound"]}
        if found["status"] == "complete":
            proof["message"] = "The answer is proven to be within the tolerance of the best."
        return proof
