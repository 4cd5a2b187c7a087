"""Count the different trees that the features give.

A greedy tree for each of 512 subsets of nine features: fewer than 512 are different.
"""

from treewright import GreedyTreeClassifier, datasets
from treewright.distinct import count_distinct_trees

game = datasets.load("tic-tac-toe")
estimator = GreedyTreeClassifier(min_samples_split=200)
count = count_distinct_trees(game, estimator=estimator, validation_set=None)
print(f"{count.n_distinct} distinct trees, {count.n_built} built")
print("by number of features:", list(count.by_n_features))

picture = count.plot()
