"""Trees of a fixed depth, optimal under naive Bayes.

A fixed-depth tree asks at most so many questions of a sample and then answers. `FixedDepthTreeClassifier`
finds the best there is, `fit_many` one for each of many weightings of the samples, `depth_path` one for every
depth. With two classes an `OptFeatureList` tells which question is the best last one, whatever the answers
before it made of the probability of a class.
"""
