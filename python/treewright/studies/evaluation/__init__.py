"""How good a model's answers are: error with its interval, by class and subgroup, probabilities, costs."""
