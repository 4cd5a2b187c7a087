"""Decision tables: exact and greedy trees with a branch for every value.

`DecisionTable` holds different rows, each with its decision. `DecisionTable.subtable_graph` finds all
subtables that questions can leave, and with them the least depth, path length and number of nodes of any
tree, how many trees attain it, and what one cost is worth in terms of another.
"""
