"""The distinct trees that greedy growing gives over all subsets of the features.

`enumerate_distinct_trees` yields them one by one, `count_distinct_trees` counts them at full speed,
`search_space` shows the calls of the search, and `feature_subsets` walks the subsets themselves.
"""

from treewright.search.distinct.count import DistinctTreeCount, count_distinct_trees
from treewright.search.distinct.enumeration import DistinctTrees, enumerate_distinct_trees
from treewright.search.distinct.space import SearchCall, SearchSpace, search_space
from treewright.trees.distinct_tree import DistinctTree, SubsetInterval, feature_subsets

__all__ = [
    "DistinctTree",
    "DistinctTreeCount",
    "DistinctTrees",
    "SearchCall",
    "SearchSpace",
    "SubsetInterval",
    "count_distinct_trees",
    "enumerate_distinct_trees",
    "feature_subsets",
    "search_space",
]
