"""Study: planes with few features beside sparse linear models."""
