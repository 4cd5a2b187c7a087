"""Evolution of pruning rules, and of programs."""
