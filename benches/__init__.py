"""Benchmarks: `python -m benches compare` from the root of the repository."""
