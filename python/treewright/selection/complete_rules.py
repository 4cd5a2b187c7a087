"""What a complete search is after: checked, and in the form of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._base.errors import ParameterError
from treewright._base.memory import bytes_or_none
from treewright._base.params import (
    flag,
    one_of,
    whole_number,
    whole_number_or_none,
)
from treewright.search.distinct.problem import BEYOND_COUNT, ORDERS
from treewright.selection.tolerance import check_tolerance, in_samples


@dataclass(frozen=True)
class CompleteRules:
    """Options of a complete search, as the user gave them."""

    tolerance: Any
    max_features: Any
    top_k: Any
    count_ties: Any
    order: Any
    memory_limit: Any

    def __post_init__(self) -> None:
        """Refuse a value that no data would make legal."""
        check_tolerance(self.tolerance)
        whole_number_or_none("max_features", self.max_features, least=0, remedy="None means no limit")
        whole_number("top_k", self.top_k, least=1, remedy="it counts the best trees that are kept")
        flag("count_ties", self.count_ties)
        one_of("order", self.order, ORDERS)
        bytes_or_none("memory_limit", self.memory_limit)
        self._check_exactness()

    def _check_exactness(self) -> None:
        if not self.tolerance:
            return
        remedy = "a search that may pass over trees within the tolerance {}; choose tolerance=0 or {}"
        if self.top_k > 1:
            raise ParameterError(
                f"tolerance={self.tolerance!r} does not go with top_k={self.top_k!r}: "
                + remedy.format("cannot say which ones are the best", "top_k=1")
            )
        if self.count_ties:
            raise ParameterError(
                f"tolerance={self.tolerance!r} does not go with count_ties=True: "
                + remedy.format("cannot count the best ones", "count_ties=False")
            )

    def for_engine(self, n_features: int, validation_weight: float) -> dict[str, Any]:
        """Return the options as the engine takes them.

        Parameters
        ----------
        n_features : int
            Number of features of the data.
        validation_weight : float
            Summed weight of the search rows, of which a tolerance may be a share.
        """
        return {
            "tolerance": in_samples(self.tolerance, validation_weight),
            "max_features": None if self.max_features is None else min(int(self.max_features), n_features),
            "n_best": min(int(self.top_k), BEYOND_COUNT),
            "counts_ties": bool(self.count_ties),
            "order": self.order,
            "memory_limit": bytes_or_none("memory_limit", self.memory_limit),
        }
