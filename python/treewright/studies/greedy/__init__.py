"""Study: sixteen greedy heuristics beside the least cost."""
