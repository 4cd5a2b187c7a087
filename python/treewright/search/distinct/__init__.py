"""The distinct trees that greedy growing gives over all subsets of the features.

`enumerate_distinct_trees` yields them one by one, `count_distinct_trees` counts them at full speed,
and `feature_subsets` walks the subsets themselves.
"""
