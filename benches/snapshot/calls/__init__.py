"""The calls, a file for each engine: ``NAME``, and ``CASES`` by what follows the name in an id."""
