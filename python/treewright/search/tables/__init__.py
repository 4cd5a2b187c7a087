"""Decision tables, their exact and greedy trees."""
