"""Check one plane: what it is, the LPs it rests on, and the proof that no fewer features do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import LinearConstraint, milp

from treewright._base.clock import Clock
from treewright.planes.certificate import CLOSE, Certificate
from treewright.planes.fit import Plane
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import (
    SLACK,
    FloatArray,
    Mask,
)
from treewright.planes.rows import Rows
from treewright.planes.scaled import ScaledProblem
from treewright.planes.threshold import shift_off_rows

Finding = tuple[str, float, float, float, bool]
"""What is claimed, the value claimed, the value found, a violation, and whether the claim holds."""

UNENDED = ("time_limit", "stopped", "solver_error")


class PlaneChecker:
    """One plane and the rows it was learned from.

    Scaled units, columns and costs are found anew from the rows; of the plane nothing is taken on trust.
    """

    def __init__(self, rows: Rows, plane: Plane, options: PlaneOptions) -> None:
        self.plane, self.options = plane, options
        self.scaled = ScaledProblem(rows, options, Clock(None))
        self.problem = self.scaled.problem
        self.weights: FloatArray = (plane.coef * self.scaled.scaling.scale)[self.scaled.columns]
        self.used = np.unique(self.problem.feature_of[self.weights != 0])
        named = plane.certificates
        self.least = next((c for name, c in named if name == "least_error"), None)
        self.path = [c for name, c in named if name == "path"]
        self.outside = [c for name, c in named if name == "outside"]

    def claims(self) -> Iterator[Finding]:
        """Yield every claim with what was found."""
        yield self._of_scaling()
        yield from self._of_plane()
        yield from self._of_counts()
        yield self._of_least()
        yield from self._of_certificates()
        cuts = self.plane.cuts
        if len(cuts.masks) != len(cuts.certificates):
            yield "cut", float(len(cuts.masks)), float(len(cuts.certificates)), 0.0, False
        for mask, certificate in zip(cuts.masks, cuts.certificates, strict=False):
            yield self._of_cut(mask, certificate)
        yield from self._of_proof()

    def _of_scaling(self) -> Finding:
        """Check centre, spread and columns against the rows."""
        own, known = self.plane, self.scaled
        pairs = [
            (own.raw.centre, known.scaling.centre),
            (own.scaling.centre, known.scaling.centre),
            (own.scaling.scale, known.scaling.scale),
            (own.columns, known.columns),
        ]
        same = all(
            one.shape == other.shape and np.allclose(one, other, rtol=CLOSE, atol=0) for one, other in pairs
        )
        return "scaling", float(len(own.columns)), float(len(known.columns)), 0.0, same

    def _of_plane(self) -> Iterator[Finding]:
        plane = self.plane
        error = self.problem.error(self.weights, -plane.raw.level)
        yield "error", plane.error, error, 0.0, _close(error, plane.error)
        yield self._of_bound(error)
        rows = self.scaled.rows
        shift = shift_off_rows(self.scaled.Z, rows.in_a, rows.weight, self.weights, -plane.raw.level)
        yield "shift", plane.raw.shift, shift, 0.0, _close(plane.raw.shift, shift)
        same = np.array_equal(self.scaled.features[self.used], plane.support)
        only = not np.delete(plane.coef, self.scaled.columns).any()
        yield "support", float(len(plane.support)), float(len(self.used)), 0.0, same and only

    def _of_bound(self, error: float) -> Finding:
        """Check the bound against the least error, and the error against the bound."""
        bound = self.plane.error_bound
        if self.least is None and len(self.scaled.columns):
            return "bound", bound, error, 0.0, self._is_unended()
        least = self.plane.least_error
        right = np.inf
        if self.options.selection == "bounded":
            right = self.options.bound(least)
        elif self.options.selection is None:
            right = least
        within = error <= bound + CLOSE * (1 + min(bound, 2.0))
        return "bound", bound, error, 0.0, bool(within and (bound == right or _close(bound, right)))

    def _of_counts(self) -> Iterator[Finding]:
        """Check the number of features against its limit, and the cost against both."""
        most = np.inf
        if self.options.selection == "limited":
            most = float(self.options.n_features or np.inf)
        elif self.options.selection == "path":
            most = float(self.options.path_length(max(self.problem.n_features, 1)))
        if np.isfinite(most):
            yield "most_features", most, float(len(self.used)), 0.0, len(self.used) <= most
        claimed, cost = float(self.plane.search.cost), self._cost()
        yield "cost", claimed, cost, 0.0, _close(claimed, cost)

    def _cost(self) -> float:
        counts = self.options.selection == "bounded"
        return float(self.problem.costs[self.used].sum()) if counts else self.plane.error

    def _of_least(self) -> Finding:
        """Check that the least error is the value of an LP over all features."""
        claimed = self.plane.least_error
        if self.least is None:
            nothing = not len(self.scaled.columns) and _close(claimed, self.problem.null_error)
            return "least_error", claimed, self.problem.null_error, 0.0, nothing or self._is_unended()
        _, value, proven, violation, holds = self._of_certificate("least_error", self.least)
        same = _close(value, claimed) and claimed <= self.plane.error + CLOSE * (1 + self.plane.error)
        about_all = self._is_error_on(np.ones(self.problem.n_features, np.bool_), self.least)
        return "least_error", claimed, proven, violation, holds and same and about_all

    def _of_certificates(self) -> Iterator[Finding]:
        """Check what is proven of the chosen features, of the path and of subproblems."""
        ended, plane = not self._is_unended(), self.plane
        yield from (self._of_chosen(c) for name, c in plane.certificates if name == "chosen")
        for name, certificates, table in (
            ("path", self.path, plane.path),
            ("outside", self.outside, plane.trace),
        ):
            if len(certificates) != len(table) and (ended or name == "path"):
                yield name, float(len(table)), float(len(certificates)), 0.0, False
        for certificate, row in zip(self.path, plane.path, strict=False):
            features = self._counted(certificate)
            right = int(features.sum()) <= row["n_features"] and _close(certificate.value, row["error"])
            finding = self._of_certificate("path", certificate)
            yield *finding[:4], bool(finding[4] and right and self._is_error_on(features, certificate))
        for certificate, row in zip(self.outside, plane.trace, strict=False):
            enough = certificate.value >= row["outside"] - CLOSE * (1 + abs(row["outside"]))
            finding = self._of_certificate("outside", certificate)
            yield *finding[:4], bool(finding[4] and enough and self._is_size(certificate, row["n_features"]))

    def _of_chosen(self, certificate: Certificate) -> Finding:
        """Check the least error on the chosen features against the error of the plane."""
        features = self._counted(certificate)
        refit = self.options.refit or self.options.selection != "bounded"
        error = self.plane.error
        right = (
            _close(certificate.value, error) if refit else certificate.value <= error + CLOSE * (1 + error)
        )
        about_them = self._is_error_on(features, certificate) and features[self.used].all()
        name, value, proven, violation, holds = self._of_certificate("chosen", certificate)
        return name, value, proven, violation, bool(holds and right and about_them)

    def _of_certificate(self, name: str, certificate: Certificate) -> Finding:
        rows = self.scaled.Z, self.problem.sign, self.problem.cap
        n_rows, n_columns = rows[0].shape
        if certificate.dual.shape != (n_rows,) or certificate.penalty.shape != (n_columns,):
            return name, certificate.value, np.nan, np.inf, False
        violation, holds = certificate.violation(*rows), certificate.holds(*rows)
        return name, certificate.value, certificate.proven(), violation, holds

    def _counted(self, certificate: Certificate) -> Mask:
        """Mark the features that an LP may use."""
        inside = np.zeros(self.problem.n_features, np.bool_)
        if certificate.penalty.shape == self.problem.feature_of.shape:
            inside[self.problem.feature_of[np.isfinite(certificate.penalty)]] = True
        return inside

    def _is_error_on(self, features: Mask, certificate: Certificate) -> bool:
        """Tell whether an LP is that of the least error on a set of features."""
        penalty = np.where(features[self.problem.feature_of], self.problem.perturbation, np.inf)
        return certificate.multiplier is None and np.array_equal(certificate.penalty, penalty)

    def _is_size(self, certificate: Certificate, most: int) -> bool:
        """Tell whether an LP is that of the weights outside of at most so many features."""
        if certificate.multiplier is None or not _close(certificate.bound, self.plane.error_bound):
            return False
        above = certificate.penalty - self.problem.perturbation
        if certificate.multiplier > 0:
            above = above * certificate.multiplier
            ones = np.abs(above - 1) <= CLOSE
        else:
            ones = np.isinf(above)
        inside = np.unique(self.problem.feature_of[~ones])
        return bool((ones | (np.abs(above) <= CLOSE)).all()) and len(inside) <= most

    def _of_cut(self, mask: Mask, certificate: Certificate) -> Finding:
        """Check that the features outside of a cut are beyond the bound."""
        bound = self.plane.cuts.bound
        finding = self._of_certificate("cut", certificate)
        if mask.shape != (self.problem.n_features,):
            return *finding[:4], False
        beyond = finding[2] > bound + 0.5 * SLACK * (1 + bound)
        return *finding[:4], bool(finding[4] and beyond and self._is_error_on(~mask, certificate))

    def _of_proof(self) -> Iterator[Finding]:
        """Check the bound of the proof, what was claimed to be necessary, and the status."""
        plane, found = self.plane, self._cheapest()
        claimed, proven = float(plane.lower_bound), self._necessary(found)
        within = claimed <= proven + CLOSE * (1 + proven)
        if plane.cuts.masks:
            within = within and plane.cuts.lower <= found + CLOSE * (1 + found)
        same = plane.search.bound is not None and _close(
            float(plane.search.bound), min(claimed, self._cost())
        )
        yield "lower_bound", claimed, proven, 0.0, bool(within and same)
        cost = self._cost()
        if plane.search.status == "optimal":
            yield "status", cost, claimed, 0.0, claimed >= cost - 1e-5 * (1 + cost)

    def _necessary(self, cheapest: float) -> float:
        """Return what is proven to be necessary of what was made small."""
        plane = self.plane
        if self.least is None and len(self.scaled.columns):
            return 0.0
        if self.options.selection != "bounded":
            most = self.options.n_features
            is_proof = self.options.selection == "limited" and most is not None and cheapest > most + 0.5
            # A set is only sought if it is better by more than rounding; see `_select.BETTER`.
            return max(plane.least_error, plane.cuts.bound) if is_proof else plane.least_error
        if self.problem.keeps(self.problem.null_error, plane.error_bound):
            return 0.0
        least = float(self.problem.costs.min(initial=np.inf))
        beyond = plane.cuts.bound >= plane.error_bound - CLOSE * (1 + plane.error_bound)
        return max(least, cheapest) if beyond else least

    def _cheapest(self) -> float:
        """Find the cheapest set with a feature of every cut anew; 0 if there is none."""
        masks = [mask for mask in self.plane.cuts.masks if mask.shape == (self.problem.n_features,)]
        if not masks:
            return 0.0
        found = milp(
            self.problem.costs,
            constraints=LinearConstraint(np.array(masks, dtype=np.float64), lb=1),
            integrality=np.ones(self.problem.n_features),
            bounds=(0, 1),
            options={"mip_rel_gap": 0.0},
        )
        return 0.0 if found.fun is None else float(found.fun)

    def _is_unended(self) -> bool:
        return self.plane.search.status in UNENDED


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * (1 + abs(other))
