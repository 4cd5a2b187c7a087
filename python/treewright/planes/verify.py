"""The check of all claims about planes, from the data and the certificates alone.

For one plane: what it is, the LPs that it rests on, and the proof that fewer features are not enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import LinearConstraint, milp

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray
from treewright.planes.chain import Chain
from treewright.planes.fit import Plane, ScaledProblem
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import SLACK
from treewright.planes.proof import CLOSE, Certificate
from treewright.planes.rows import ClassRows, Rows
from treewright.planes.scaling import shift_off_rows
from treewright.results import ResultTable, floats, ints

UNFINISHED = ("time_limit", "stopped", "solver_error")

CLAIMS = [*ints("plane"), ("claim", "U20"), *floats("value", "checked", "violation"), ("holds", "bool")]


class Finding(NamedTuple):
    """A claim: its name, the value claimed, the value found, a violation, and whether it holds."""

    claim: str
    value: float
    checked: float
    violation: float
    holds: bool


@dataclass(frozen=True)
class Verification:
    """Result of a check: the claims, and whether they hold.

    Attributes
    ----------
    claims : ResultTable
        One row for each claim: the plane it is about, its name (``"scaling"``, ``"error"``, ``"bound"``,
        ``"shift"``, ``"support"``, ``"most_features"``, ``"cost"`` of the plane; ``"least_error"``,
        ``"chosen"``, ``"path"``, ``"outside"`` of LPs; ``"cut"``, ``"lower_bound"`` and ``"status"`` of the
        proof), the value claimed, the value found, by how much a dual vector breaks its conditions, and
        whether the claim holds. A claim with the name of an attribute, such as ``"coef_"``, says that it
        agrees with the planes; its plane is -1.
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
    chain: Chain,
    options: PlaneOptions,
    attributes: Mapping[str, tuple[object, object]],
) -> Verification:
    """Check the planes of a chain one after the other on the rows of ``fit``.

    `attributes` has, by name, the value that the user sees and the value that follows from the planes.
    """
    labels = sorted({int(label) for label in rows.target})
    claims: list[tuple[int, str, float, float, float, bool]] = []
    for number, (label, plane) in enumerate(chain):
        checker = PlaneChecker(rows.with_labels(labels).against_rest(label), plane, options)
        claims += [(number, *claim) for claim in checker.claims()]
        labels = [other for other in labels if other != label]
    claims += [(-1, *_of_attribute(name, *pair)) for name, pair in attributes.items()]
    return Verification(ResultTable.from_rows(claims, CLAIMS))


def _of_attribute(name: str, shown: object, known: object) -> Finding:
    """Check that an attribute agrees with the planes."""
    one, other = np.asarray(shown), np.asarray(known)
    is_number = one.dtype.kind in "iuf" and other.dtype.kind in "iuf"
    same = one.shape == other.shape and np.array_equal(one, other, equal_nan=is_number)
    values = (float(one.sum()), float(other.sum())) if is_number else (np.nan, np.nan)
    return Finding(name, *values, 0.0, bool(same))


class PlaneChecker:
    """The check of one plane on the rows of ``fit``.

    Scaled units, columns and costs are computed anew from the rows; nothing that the plane says is trusted.
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
        """Yield every claim with its check."""
        yield self._of_scaling()
        if self.options.counts_rows:
            yield from self._of_misclassified()
            return
        yield from self._of_plane()
        yield from self._of_counts()
        yield self._of_least()
        yield from self._of_certificates()
        cuts = self.plane.cuts
        if len(cuts.masks) != len(cuts.certificates):
            yield Finding("cut", float(len(cuts.masks)), float(len(cuts.certificates)), 0.0, False)
        for mask, certificate in zip(cuts.masks, cuts.certificates, strict=False):
            yield self._of_cut(mask, certificate)
        yield from self._of_proof()

    def _of_misclassified(self) -> Iterator[Finding]:
        """Check what a plane does to the rows; that no plane does better has no certificate."""
        plane = self.plane
        wrong = plane.raw.wrong(self.scaled.rows)
        yield Finding("error", plane.error, wrong, 0.0, _close(wrong, plane.error))
        holds = bool(wrong <= plane.error_bound + CLOSE * (1 + wrong)) or self._is_unfinished()
        yield Finding("bound", plane.error_bound, wrong, 0.0, holds)
        yield from self._of_place()
        yield from self._of_counts()
        if plane.search.status == "optimal":
            cost = self._cost()
            yield Finding(
                "status", cost, plane.lower_bound, 0.0, plane.lower_bound >= cost - CLOSE * (1 + cost)
            )

    def _of_scaling(self) -> Finding:
        """Check the scale and the columns against the rows."""
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
        return Finding("scaling", float(len(own.columns)), float(len(known.columns)), 0.0, same)

    def _of_plane(self) -> Iterator[Finding]:
        plane = self.plane
        error = self.problem.error(self.weights, -plane.raw.level)
        yield Finding("error", plane.error, error, 0.0, _close(error, plane.error))
        yield self._of_bound(error)
        yield from self._of_place()

    def _of_place(self) -> Iterator[Finding]:
        """Check how far the plane was moved, and which features it uses."""
        plane = self.plane
        rows = self.scaled.rows
        shift = shift_off_rows(self.scaled.Z, rows.in_a, rows.loss, self.weights, -plane.raw.level)
        yield Finding("shift", plane.raw.shift, shift, 0.0, _close(plane.raw.shift, shift))
        same = np.array_equal(self.scaled.features[self.used], plane.support)
        only = not np.delete(plane.coef, self.scaled.columns).any()
        yield Finding("support", float(len(plane.support)), float(len(self.used)), 0.0, same and only)

    def _of_bound(self, error: float) -> Finding:
        """Check the bound against the least error, and the error against the bound."""
        bound = self.plane.error_bound
        if self.least is None and len(self.scaled.columns):
            return Finding("bound", bound, error, 0.0, self._is_unfinished())
        right = self.options.error_bound(self.plane.least_error)
        within = error <= bound + CLOSE * (1 + min(bound, 2.0))
        return Finding("bound", bound, error, 0.0, bool(within and (bound == right or _close(bound, right))))

    def _of_counts(self) -> Iterator[Finding]:
        """Check the number of features against its limit, and the cost against both."""
        most = np.inf
        if self.options.selection == "limited":
            most = float(self.options.n_features or np.inf)
        elif self.options.selection == "path":
            most = float(self.options.path_length(max(self.problem.n_features, 1)))
        if np.isfinite(most):
            yield Finding("most_features", most, float(len(self.used)), 0.0, len(self.used) <= most)
        claimed, cost = float(self.plane.search.cost), self._cost()
        yield Finding("cost", claimed, cost, 0.0, _close(claimed, cost))

    def _cost(self) -> float:
        counts = self.options.selection == "bounded"
        return float(self.problem.costs[self.used].sum()) if counts else self.plane.error

    def _of_least(self) -> Finding:
        """Check that the least error is the value of an LP over all features."""
        claimed = self.plane.least_error
        if self.least is None:
            nothing = not len(self.scaled.columns) and _close(claimed, self.problem.null_error)
            holds = nothing or self._is_unfinished()
            return Finding("least_error", claimed, self.problem.null_error, 0.0, holds)
        finding = self._of_certificate("least_error", self.least)
        same = _close(finding.value, claimed) and claimed <= self.plane.error + CLOSE * (1 + self.plane.error)
        about_all = self._is_error_on(np.ones(self.problem.n_features, np.bool_), self.least)
        return finding._replace(value=claimed, holds=finding.holds and same and about_all)

    def _of_certificates(self) -> Iterator[Finding]:
        """Check the certificates of the chosen features, of the path and of the subproblems."""
        ended, plane = not self._is_unfinished(), self.plane
        yield from (self._of_chosen(c) for name, c in plane.certificates if name == "chosen")
        for name, certificates, table in (
            ("path", self.path, plane.path),
            ("outside", self.outside, plane.trace),
        ):
            if len(certificates) != len(table) and (ended or name == "path"):
                yield Finding(name, float(len(table)), float(len(certificates)), 0.0, False)
        for certificate, row in zip(self.path, plane.path, strict=False):
            features = self._counted(certificate)
            right = int(features.sum()) <= row["n_features"] and _close(certificate.value, row["error"])
            finding = self._of_certificate("path", certificate)
            about_them = self._is_error_on(features, certificate)
            yield finding._replace(holds=bool(finding.holds and right and about_them))
        for certificate, row in zip(self.outside, plane.trace, strict=False):
            enough = certificate.value >= row["outside"] - CLOSE * (1 + abs(row["outside"]))
            finding = self._of_certificate("outside", certificate)
            is_size = self._is_size(certificate, row["n_features"])
            yield finding._replace(holds=bool(finding.holds and enough and is_size))

    def _of_chosen(self, certificate: Certificate) -> Finding:
        """Check the least error on the chosen features against the error of the plane."""
        features = self._counted(certificate)
        refit = self.options.refit or self.options.selection != "bounded"
        error = self.plane.error
        right = (
            _close(certificate.value, error) if refit else certificate.value <= error + CLOSE * (1 + error)
        )
        about_them = self._is_error_on(features, certificate) and features[self.used].all()
        finding = self._of_certificate("chosen", certificate)
        return finding._replace(holds=bool(finding.holds and right and about_them))

    def _of_certificate(self, name: str, certificate: Certificate) -> Finding:
        rows = self.scaled.Z, self.problem.sign, self.problem.cap
        n_rows, n_columns = rows[0].shape
        if certificate.dual.shape != (n_rows,) or certificate.penalty.shape != (n_columns,):
            return Finding(name, certificate.value, np.nan, np.inf, False)
        violation, holds = certificate.violation(*rows), certificate.holds(*rows)
        return Finding(name, certificate.value, certificate.proven(), violation, holds)

    def _counted(self, certificate: Certificate) -> BoolArray:
        """Mark the features that the LP of a certificate may use."""
        inside = np.zeros(self.problem.n_features, np.bool_)
        if certificate.penalty.shape == self.problem.feature_of.shape:
            inside[self.problem.feature_of[np.isfinite(certificate.penalty)]] = True
        return inside

    def _is_error_on(self, features: BoolArray, certificate: Certificate) -> bool:
        """Tell whether a certificate is about the least error on a set of features."""
        penalty = np.where(features[self.problem.feature_of], self.problem.perturbation, np.inf)
        return certificate.multiplier is None and np.array_equal(certificate.penalty, penalty)

    def _is_size(self, certificate: Certificate, most: int) -> bool:
        """Tell whether a certificate is about the weights outside of at most `most` features."""
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

    def _of_cut(self, mask: BoolArray, certificate: Certificate) -> Finding:
        """Check that the features outside of a cut have an error beyond the bound."""
        bound = self.plane.cuts.bound
        finding = self._of_certificate("cut", certificate)
        if mask.shape != (self.problem.n_features,):
            return finding._replace(holds=False)
        beyond = finding.checked > bound + 0.5 * SLACK * (1 + bound)
        about_them = self._is_error_on(~mask, certificate)
        return finding._replace(holds=bool(finding.holds and beyond and about_them))

    def _of_proof(self) -> Iterator[Finding]:
        """Check the bound of the proof, the lower bound and the status."""
        plane, found = self.plane, self._cheapest()
        claimed, proven = float(plane.lower_bound), self._necessary(found)
        within = claimed <= proven + CLOSE * (1 + proven)
        if plane.cuts.masks:
            within = within and plane.cuts.lower <= found + CLOSE * (1 + found)
        same = plane.search.bound is not None and _close(
            float(plane.search.bound), min(claimed, self._cost())
        )
        yield Finding("lower_bound", claimed, proven, 0.0, bool(within and same))
        cost = self._cost()
        if plane.search.status == "optimal":
            yield Finding("status", cost, claimed, 0.0, claimed >= cost - 1e-5 * (1 + cost))

    def _necessary(self, cheapest: float) -> float:
        """Return the proven lower bound on what the search minimised."""
        plane = self.plane
        if self.least is None and len(self.scaled.columns):
            return 0.0
        if self.options.selection != "bounded":
            most = self.options.n_features
            is_proof = self.options.selection == "limited" and most is not None and cheapest > most + 0.5
            # A set is only sought if it is better by more than rounding; see `selection.BETTER`.
            return max(plane.least_error, plane.cuts.bound) if is_proof else plane.least_error
        if self.problem.keeps(self.problem.null_error, plane.error_bound):
            return 0.0
        least = float(self.problem.costs.min(initial=np.inf))
        beyond = plane.cuts.bound >= plane.error_bound - CLOSE * (1 + plane.error_bound)
        return max(least, cheapest) if beyond else least

    def _cheapest(self) -> float:
        """Compute the cost of the cheapest set with a feature of every cut anew; 0 if there is none."""
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

    def _is_unfinished(self) -> bool:
        return self.plane.search.status in UNFINISHED


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * (1 + abs(other))
