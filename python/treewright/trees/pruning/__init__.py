"""Pruning: every rule, on any tree.

A rule is a small estimator. Given to ``GreedyTreeClassifier(pruning=...)`` it prunes what `fit` grows, and
a grid search reaches its parameters as ``pruning__confidence``; `prune` applies it to a tree that is there,
of whatever origin, and `explain_pruning` says what it cut and why.
"""
