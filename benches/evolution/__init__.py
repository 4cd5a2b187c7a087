"""Evolution of pruning rules against gplearn and DEAP: `python -m benches.evolution`."""
