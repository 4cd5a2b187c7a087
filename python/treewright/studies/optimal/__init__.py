"""Study: optimal trees beside greedy ones, on samples that they have not seen."""
