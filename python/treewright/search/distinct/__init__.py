"""The distinct trees of all subsets of the features: enumerated, counted, distributed."""
