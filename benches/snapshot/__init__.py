"""Results of some hundred calls, stored so that a refactor can be held against what was there before."""
