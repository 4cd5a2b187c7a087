"""Check what is claimed of planes, from the data and the certificates alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.planes.chain import ClassRows
from treewright.planes.fit import Plane
from treewright.planes.options import PlaneOptions
from treewright.planes.verify_plane import Finding, PlaneChecker
from treewright.results import ResultTable

Claim = tuple[int, str, float, float, float, bool]

CLAIMS = [
    ("plane", "int64"),
    ("claim", "U20"),
    ("value", "float64"),
    ("checked", "float64"),
    ("violation", "float64"),
    ("holds", "bool"),
]


@dataclass(frozen=True)
class Verification:
    """What was checked.

    Attributes
    ----------
    claims : ResultTable
        One row a claim: the plane it is about, what is claimed (``"scaling"``, ``"error"``, ``"bound"``,
        ``"shift"``, ``"support"``, ``"most_features"``, ``"cost"`` of the plane; ``"least_error"``,
        ``"chosen"``, ``"path"``, ``"outside"`` of LPs; ``"cut"``, ``"lower_bound"`` and ``"status"`` of the
        proof), the value claimed, the value found, by how much a dual vector breaks its conditions, and
        whether the claim holds. Claims named like an attribute, such as ``"coef_"``, are about whether it
        agrees with the planes; their plane is -1.
    """

    claims: ResultTable

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return bool(self.claims["holds"].all())

    def __repr__(self) -> str:
        n_wrong = int((~self.claims["holds"]).sum())
        return f"<Verification: {len(self.claims)} claims, {n_wrong or 'none'} wrong>"


def verify_chain(
    rows: ClassRows,
    chain: list[tuple[int, Plane]],
    options: PlaneOptions,
    attributes: dict[str, tuple[Any, Any]],
) -> Verification:
    """Check the planes of a chain one after the other on the rows they were learned from.

    `attributes` has what the user sees beside what the planes say it is, by name.
    """
    labels = sorted({int(label) for label in rows.target})
    claims: list[Claim] = []
    for number, (label, plane) in enumerate(chain):
        checker = PlaneChecker(rows.of(labels).against_rest(label), plane, options)
        claims += [(number, *claim) for claim in checker.claims()]
        labels = [other for other in labels if other != label]
    claims += [(-1, *_of_attribute(name, *pair)) for name, pair in attributes.items()]
    return Verification(ResultTable.from_rows(claims, CLAIMS))


def _of_attribute(name: str, shown: Any, known: Any) -> Finding:
    """Check that an attribute is what the planes say."""
    one, other = np.asarray(shown), np.asarray(known)
    is_number = one.dtype.kind in "iuf" and other.dtype.kind in "iuf"
    same = one.shape == other.shape and np.array_equal(one, other, equal_nan=is_number)
    values = (float(one.sum()), float(other.sum())) if is_number else (np.nan, np.nan)
    return name, *values, 0.0, bool(same)
