"""Searches: distinct trees, decision tables and evolution."""
