"""Costs: what a tree costs, by name or by a rule of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import is_whole, one_of
from treewright._base.wording import UNSET, Param
from treewright.search.tables.monotone import MonotoneCost

NAMES = ("depth", "total_path_length", "n_nodes", "n_internal", "n_leaves")
"""Costs that the engine knows by name; ``"average_depth"`` is the second over the rows."""

AVERAGE = "average_depth"
LARGEST = 2**31 - 1
"""Greatest number in a rule; sums of them over any tree stay exact."""


@dataclass(frozen=True)
class Cost:
    """A custom cost of a tree, computed from the leaves to the root.

    A leaf costs `leaf`. An internal node that n rows of the table reach costs ``per_node + per_row * n`` plus
    the sum of the costs of its branches (``combine="sum"``) or the largest of them (``"max"``).

    Parameters
    ----------
    leaf : int, default=0
        Cost of a leaf.
    per_row : int, default=0
        Cost of a test for every row that reaches it.
    per_node : int, default=0
        Cost of an internal node.
    combine : {"sum", "max"}, default="sum"
        How the costs of the branches of a node are combined.

    Raises
    ------
    ParameterError
        If a number is not an integer, is negative, or is above 2**31 - 1.

    Examples
    --------
    Number of nodes and total path length, as rules:

    >>> from treewright.tables import Cost, DecisionTable
    >>> n_nodes = Cost(leaf=1, per_node=1)
    >>> path_length = Cost(per_row=1)

    A cost of both, in which a node counts as much as ten tests:

    >>> table = DecisionTable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> table.subtable_graph().minimum(Cost(leaf=10, per_node=10, per_row=1))
    78
    """

    leaf: int = 0
    per_row: int = 0
    per_node: int = 0
    combine: Literal["sum", "max"] = "sum"

    def __post_init__(self) -> None:
        """Check the numbers and make them plain ints."""
        for name in ("leaf", "per_row", "per_node"):
            object.__setattr__(self, name, _amount(name, getattr(self, name)))
        one_of("combine", self.combine, ("sum", "max"))


CostLike = str | Cost
"""A cost by its name, or a rule."""

AnyCost = CostLike | MonotoneCost
"""A cost by its name, a rule, or a function."""

Then = CostLike | Sequence[CostLike] | None
"""Costs that decide between trees of equal cost, in this order."""


def _amount(name: str, value: object) -> int:
    if is_whole(value) and 0 <= value <= LARGEST:
        return int(value)
    if isinstance(value, float):
        remedy = "costs are exact: multiply all numbers of the cost until they are whole"
    else:
        remedy = "give a whole number"
    raise ParameterError(name, value, f"must be an int from 0 to {LARGEST}", remedy)


def _unknown_to_engine(name: str) -> ParameterError:
    """Return the error of a function where the engine needs a cost that it knows."""
    remedy = "give a name or a Cost; minimum_tree, minimum and tree take a MonotoneCost by itself"
    return ParameterError(name, UNSET, "is a MonotoneCost, of which only the least is found", remedy)


def engine_cost(name: str, cost: object) -> _core.TableCost:
    """Return a cost as the engine takes it; `name` is the parameter that has it."""
    if isinstance(cost, MonotoneCost):
        raise _unknown_to_engine(name)
    if isinstance(cost, Cost):
        return _core.TableCost(cost.leaf, cost.per_row, cost.per_node, cost.combine)
    known = one_of(name, cost, (*NAMES[:2], AVERAGE, *NAMES[2:]))
    return _core.TableCost.named("total_path_length" if known == AVERAGE else known)


def engine_costs(name: str, first: CostLike, then: Then) -> list[_core.TableCost]:
    """Return a cost and those that decide between trees of equal cost; None is no such cost."""
    if isinstance(then, MonotoneCost):
        raise _unknown_to_engine("then")
    further = [] if then is None else [then] if isinstance(then, str | Cost) else list(then)
    for at, cost in enumerate(further):
        if cost in [first, *further[:at]]:
            raise ParameterError("then", cost, "is asked for already, so it decides nothing", "leave it out")
    return [engine_cost(name, first), *(engine_cost("then", cost) for cost in further)]


def check_alone(then: Then) -> None:
    """Refuse costs that decide between trees of equal cost by a function."""
    if then is not None:
        clash = (
            "does not go with a MonotoneCost, of whose best trees the first by the order of features is found"
        )
        raise ParameterError("then", then, clash, ("leave out ", Param("then")))


def in_unit(cost: CostLike, value: float, n_rows: int) -> int | float:
    """Return what the engine found in the unit of the cost: an average is a float."""
    return value / n_rows if isinstance(cost, str) and cost == AVERAGE else value
