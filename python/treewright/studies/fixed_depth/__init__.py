"""Study: fixed-depth trees beside ID3 and naive Bayes."""
