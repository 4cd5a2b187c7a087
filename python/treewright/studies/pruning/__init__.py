"""Study: pruning rules side by side."""
