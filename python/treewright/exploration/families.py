"""The families in their order: of equally good candidates that of the first family is chosen."""

from __future__ import annotations

from inspect import signature

from treewright._base.errors import ParameterError
from treewright.exploration.ceiling import Boosting, Forest
from treewright.exploration.family import BlackBox, Candidates, Entry, Family, ModelFamily
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
KINDS: tuple[type[Entry], ...] = (Family, ModelFamily, BlackBox, Candidates, Entry)


def register(family: Entry) -> None:
    """Put a family among those that `explore` knows, behind the others.

    Parameters
    ----------
    family : Family, ModelFamily or BlackBox
        With a name of its own.

    Raises
    ------
    ParameterError
        If there is one of that name, or if it is no family: a class in place of one of it, without a name or
        a title, or with a method that takes something else than the family's.
    """
    _check(family)
    if family.name in FAMILIES:
        raise ParameterError("name", family.name, "is the name of another family", "choose another")
    FAMILIES[family.name] = family


def _check(family: object) -> None:
    """Refuse now what would fail in the midst of the work."""
    if isinstance(family, type):
        raise ParameterError("family", family.__name__, "is a class", f"register {family.__name__}()")
    if not isinstance(family, Entry):
        raise ParameterError("family", family, "is no family", "give an instance of a subclass of Family")
    for attribute in ("name", "title"):
        if not isinstance(getattr(family, attribute, None), str):
            own = type(family).__name__
            raise ParameterError("family", own, f"has no {attribute}", f"give {own}.{attribute} a text")
    for kind in (kind for kind in KINDS if isinstance(family, kind)):
        for name, method in vars(kind).items():
            if name[0] != "_" and callable(method):
                _check_method(family, name, list(signature(method).parameters)[1:])


def _check_method(family: Entry, name: str, parameters: list[str]) -> None:
    """Refuse a method that cannot be called with these."""
    try:
        signature(getattr(family, name)).bind(*parameters)
    except TypeError as error:
        wanted = f"{name}(self, {', '.join(parameters)})"
        raise ParameterError(
            "family", type(family).__name__, f"has another {name}", f"write {wanted}"
        ) from error


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
