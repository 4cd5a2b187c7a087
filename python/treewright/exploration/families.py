"""The families in their order: of equally good candidates that of the first family is chosen."""

from __future__ import annotations

from treewright._base.errors import ParameterError
from treewright.exploration.ceiling import Boosting, Forest
from treewright.exploration.family import Entry
from treewright.exploration.greedy import (
    BestFirst,
    CostComplexity,
    DefaultC45,
    Groups,
    Learned,
    Majority,
    PrunedC45,
)
from treewright.exploration.rule_lists import RuleLists
from treewright.exploration.searched import BackwardElimination, CompleteSearch, FixedDepth, Optimal, Planes

__all__ = ["register"]

FAMILIES: dict[str, Entry] = {}


def register(family: Entry) -> None:
    """Put a family among those that `explore` knows, behind the others.

    Parameters
    ----------
    family : Family, ModelFamily or BlackBox
        With a name of its own.

    Raises
    ------
    ParameterError
        If there is one of that name.
    """
    if family.name in FAMILIES:
        raise ParameterError("name", family.name, "is the name of another family", "choose another")
    FAMILIES[family.name] = family


def chosen_families(families: object) -> list[Entry]:
    """Return the families that a user names, with those that are essential, in their order."""
    if isinstance(families, str):
        if families == "all":
            return list(FAMILIES.values())
        families = [families]
    names = list(families) if isinstance(families, list | tuple | set | frozenset) else [families]
    for name in names:
        if name not in FAMILIES:
            known = ", ".join(map(repr, FAMILIES))
            raise ParameterError("families", name, "is not known", f"choose 'all', or some of {known}")
    return [family for name, family in FAMILIES.items() if family.is_essential or name in names]


for entry in (
    *(Majority(), DefaultC45(), PrunedC45(), CostComplexity(), BestFirst(), Groups(), Learned()),
    *(BackwardElimination(), CompleteSearch(), FixedDepth(), Optimal(), Planes()),
    *(RuleLists(), Forest(), Boosting()),
):
    register(entry)
