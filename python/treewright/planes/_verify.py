"""Check what is claimed of planes, from the data and the certificates alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import LinearConstraint, milp

from treewright.planes._certificate import CLOSE, Certificate
from treewright.planes._chain import ClassRows
from treewright.planes._fit import Plane
from treewright.planes._options import PlaneOptions
from treewright.planes._problem import SLACK, FloatArray, Mask
from treewright.planes._rows import Rows
from treewright.results import ResultTable

Claim = tuple[int, str, float, float, float, bool]

CLAIMS = [
    ("plane", "int64"),
    ("claim", "U16"),
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
        One row a claim: the plane it is about, what is claimed (``"error"``, ``"bound"``, ``"support"`` of
        the plane, ``"most_features"`` where their number is limited; ``"least_error"``, ``"chosen"``,
        ``"path"``, ``"outside"`` of LPs; ``"cut"`` and ``"lower_bound"`` of the proof), the value claimed,
        the value found, by how much a dual vector breaks
        its conditions, and whether the claim holds.
    """

    claims: ResultTable

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return bool(self.claims["holds"].all())

    def __repr__(self) -> str:
        n_wrong = int((~self.claims["holds"]).sum())
        return f"<Verification: {len(self.claims)} claims, {n_wrong or 'none'} wrong>"


def verify_chain(rows: ClassRows, chain: list[tuple[int, Plane]], options: PlaneOptions) -> Verification:
    """Check the planes of a chain one after the other on the rows they were learned from."""
    labels = sorted({int(label) for label in rows.target})
    claims: list[Claim] = []
    for number, (label, plane) in enumerate(chain):
        checker = _Checker(rows.of(labels).against_rest(label).merged(), plane, options)
        claims += [(number, *claim) for claim in checker.claims()]
        labels = [other for other in labels if other != label]
    return Verification(ResultTable.from_rows(claims, CLAIMS))


class _Checker:
    """One plane and the rows it was learned from."""

    def __init__(self, rows: Rows, plane: Plane, options: PlaneOptions) -> None:
        self.plane, self.options, self.rows = plane, options, rows
        self.Z = plane.scaling.apply(rows.X)[:, plane.columns]
        self.feature_of = rows.feature_of[plane.columns]
        self.features = np.unique(self.feature_of)
        self.sign = np.where(rows.in_a, 1.0, -1.0)
        total = np.where(rows.in_a, rows.weight[rows.in_a].sum(), rows.weight[~rows.in_a].sum())
        self.cap = (1 - options.perturbation) * rows.weight / total

    def claims(self) -> Iterator[tuple[str, float, float, float, bool]]:
        """Yield every claim with what was found."""
        yield from self._of_plane()
        yield from self._of_cap()
        for name, certificate in self.plane.certificates:
            yield self._of_certificate(name, certificate)
        for mask, certificate in zip(self.plane.cuts.masks, self.plane.cuts.certificates, strict=True):
            yield self._of_cut(mask, certificate)
        if self.plane.cuts.masks:
            yield self._of_lower_bound()

    def _of_plane(self) -> Iterator[tuple[str, float, float, float, bool]]:
        weights = (self.plane.coef * self.plane.scaling.scale)[self.plane.columns]
        short = np.maximum(1 - self.sign * (self.Z @ weights + self.plane.raw.level), 0)
        error = float(self.cap @ short + self.options.perturbation * np.abs(weights).sum())
        yield "error", self.plane.error, error, 0.0, _close(error, self.plane.error)
        bound = self.plane.error_bound
        yield "bound", bound, error, 0.0, error <= bound + CLOSE * (1 + min(bound, 2.0))
        used = np.unique(self.feature_of[weights != 0])
        same = np.array_equal(used, self.plane.support)
        yield "support", float(len(self.plane.support)), float(len(used)), 0.0, same

    def _of_cap(self) -> Iterator[tuple[str, float, float, float, bool]]:
        """Check that no more features are used than were asked for."""
        if self.options.n_features is not None:
            used = len(np.unique(self.feature_of[self.plane.coef[self.plane.columns] != 0]))
            yield (
                "most_features",
                float(self.options.n_features),
                float(used),
                0.0,
                used <= self.options.n_features,
            )

    def _of_certificate(self, name: str, certificate: Certificate) -> tuple[str, float, float, float, bool]:
        violation = certificate.violation(self.Z, self.sign, self.cap)
        holds = certificate.holds(self.Z, self.sign, self.cap)
        return name, certificate.value, certificate.proven(), violation, holds

    def _of_cut(self, mask: Mask, certificate: Certificate) -> tuple[str, float, float, float, bool]:
        """Check that the features outside of a cut are beyond the bound."""
        bound = self.plane.cuts.bound
        outside = ~np.isin(self.feature_of, self.features[mask])
        about_them = np.array_equal(np.isfinite(certificate.penalty), outside) and bool(
            (certificate.penalty[outside] == self.options.perturbation).all()
        )
        _, value, proven, violation, holds = self._of_certificate("cut", certificate)
        beyond = proven > bound + 0.5 * SLACK * (1 + bound)
        return "cut", value, proven, violation, holds and beyond and about_them

    def _of_lower_bound(self) -> tuple[str, float, float, float, bool]:
        """Find the cheapest set with a feature of every cut anew."""
        cuts = np.array(self.plane.cuts.masks, dtype=np.float64)
        found = milp(
            self._costs(),
            constraints=LinearConstraint(cuts, lb=1),
            integrality=np.ones(cuts.shape[1]),
            bounds=(0, 1),
            options={"mip_rel_gap": 0.0},
        )
        value = float(found.fun)
        claimed = self.plane.cuts.lower
        return "lower_bound", claimed, value, 0.0, value >= claimed - CLOSE * (1 + claimed)

    def _costs(self) -> FloatArray:
        costs = self.options.feature_costs
        return np.ones(len(self.features)) if costs is None else costs[self.features]


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * (1 + abs(other))
