"""A decision table: the least depth, and the fewest nodes, of all trees.

All rows and their decisions are known; dynamic programming looks at every tree.
"""

from itertools import product

from treewright.tables import DecisionTable

states, decisions = [], []
for flame, pump, pressure in product(("on", "off"), ("runs", "stands"), ("low", "normal", "high")):
    states.append((flame, pump, pressure))
    if pressure == "high":
        decisions.append("shut down")
    elif flame == "on" and pressure == "low":
        decisions.append("refill")
    elif pump == "stands":
        decisions.append("call for help")
    else:
        decisions.append("go on" if flame == "on" else "light it")

boiler = DecisionTable(states, decisions, feature_names=["flame", "pump", "pressure"])
for cost in ("depth", "n_nodes"):
    found = boiler.minimum_tree(cost)
    print(f"{cost}: {found.cost:.0f} ({found.status})")

picture = found.tree.to_svg()
