"""Options of every command of the program that writes JSON."""

from __future__ import annotations

from collections.abc import Iterator

import click

DATA = ("weather.csv", "--target", "play")
COSTS = ("--cost-matrix", "no:yes=3")
MONKS = ("monks-1", "--cost-matrix", "0:1=3")
FOLDS = ("--folds", 2, "--repeats", 1)

FILES = {
    "tree.json": ("fit", *DATA, "--prune", "none"),
    "costs.json": ("fit", *DATA, *COSTS, "--prune", "none"),
    "selected.json": ("select", *DATA),
    "look.json": ("describe", "weather.csv"),
}
"""Results that other commands read."""

CASES: dict[str, tuple[tuple[object, ...], ...]] = {
    "describe": (("weather.csv",), DATA, ("wine",)),
    "fit": (DATA, (*DATA, *COSTS)),
    "explore": (("iris", "--cv", 2, "--inner-cv", 2, "--family", "cost_complexity", "--family", "groups"),),
    "select": (
        (*DATA, "--validation-set", "cv"),
        (*DATA, *COSTS, "--forward", "--floating"),
        (*DATA, "--complete", "--count-ties", "--top-k", 2),
        (*DATA, "--complete", *COSTS),
    ),
    "enumerate": ((*DATA, "--top", 2), (*DATA, *COSTS, "--top", 1), (*DATA, "--validation-set", 0)),
    "table": (
        ("monks-1", "--greedy", "all", "--pareto", "depth,n_nodes"),
        (*MONKS, "--cost", "average_depth", "--node-limit", 200),
        ("monks-1", "--rules"),
    ),
    "fixed-depth": (("monks-1", "--depth", 2), MONKS),
    "optimal": (
        (*DATA, "--depth", 2),
        (*MONKS, "--depth", 2, "--leaf-penalty", 1),
        (*DATA, "--path", "--depth", 1),
    ),
    "plane": (
        ("iris", "--perturbation", 0.02, "--prove", 1, "--verify"),
        ("iris", "--selection", "path", "--folds", 2),
        ("iris", "--error", "misclassified", "--prove", 5, "--verify"),
        ("iris", "--error", "misclassified", "--selection", "path", "--folds", 2),
        ("iris", "--depth", 1),
    ),
    "prune": (
        ("tree.json",),
        ("tree.json", "--explain"),
        ("tree.json", *DATA, "--explain", "--rule", "cost-complexity"),
    ),
    "evolve": (
        ("monks-1", "--budget", 100, "--trees", 5, "--validation-trees", 5, "--test-trees", 5),
        ("monks-1", "--program", "--budget", 1, "--trees", 2, "--validation-trees", 2, "--test-trees", 2),
    ),
    "predict": (
        ("tree.json", "weather.csv"),
        ("costs.json", *DATA, "--proba", "--path", "--keep", "outlook", "--keep", "humidity"),
    ),
    "rules": (("tree.json",), ("costs.json", *DATA), ("tree.json", *DATA, "--list")),
    "explain": (
        ("tree.json", "--row", "outlook=sunny,humidity=80,windy=no"),
        ("costs.json", "--row", "outlook=overcast", "--fixed", "outlook", "--node-limit", 1),
    ),
    "evaluate": (
        ("tree.json", "weather.csv", "--by", "windy"),
        ("costs.json", "weather.csv", "--cv", 2, "--row-group", "temperature"),
        ("tree.json", "weather.csv", "--cv", 2, "--sensitivity", 0.9),
    ),
    "datasets": ((),),
    "doctor": ((),),
    "rerun": (("selected.json",), ("look.json",)),
    "diff": (("tree.json", "costs.json"), ("look.json", "selected.json")),
    "study selection": ((*DATA, *FOLDS), (*DATA, *COSTS, *FOLDS, "--black-box")),
    "study fixed-depth": (("monks-1", "monks-2", *FOLDS, "--depth", 1, "--times"),),
    "study optimal": (("iris", "monks-1", *FOLDS, "--depth", 1, "--method", "c45"),),
    "study planes": (("iris", *FOLDS, "--method", "rlp", "--method", "l1_svm"),),
    "study distinct-trees": ((*DATA, *FOLDS), (*DATA, *COSTS, *FOLDS)),
    "study greedy": (("--n-tables", 3),),
    "reproduce": (("planes:table-2",), ("--list",)),
    "study pruning": (("monks-1", *FOLDS), (*MONKS, *FOLDS), ("--generator", "paper_table", "--sets", "2x4")),
}
"""Options of each command, so that every part of its documents occurs."""


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield all commands by the words that call them."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, f"{before}{name} ")
        else:
            yield f"{before}{name}", found
