"""Study: tests of ranks, for anyone's errors."""
