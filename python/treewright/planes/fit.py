"""One plane from rows: what an estimator, a node of a tree and a fold of a study all ask for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._base.clock import Clock, OutOfTimeError
from treewright.planes.certificate import Certificate, of_solved
from treewright.planes.hitting_set import Cuts
from treewright.planes.inner_cv import JudgedPath, judge_path
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import FloatArray
from treewright.planes.rows import Rows
from treewright.planes.scaled import RawPlane, ScaledProblem
from treewright.planes.scaling import Scaling
from treewright.planes.select import Selected
from treewright.results import ResultTable, SearchResult

TRACE = [
    ("n_features", "int64"),
    ("outside", "float64"),
    ("enough", "bool"),
    ("n_lps", "int64"),
    ("seconds", "float64"),
]
PATH = [
    ("n_features", "int64"),
    ("n_used", "int64"),
    ("error", "float64"),
    ("test_error", "float64"),
    ("standard_error", "float64"),
]


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane with few features, and everything known about it.

    Attributes
    ----------
    raw : RawPlane
        The plane in raw units: weights, centre, scores.
    support : ndarray of int
        Positions of the features it uses, ascending.
    error_bound : float
        The most error it was allowed; infinite where only the number of features counted.
    least_error : float
        The least error with all features; NaN if time was over before it was known.
    lower_bound : float
        So much is proven to be necessary, in what `search` made small: features, costs, or error.
    search : SearchResult
        Status, cost and bound.
    trace : ResultTable
        Subproblems of the paper's search.
    path : ResultTable
        The least error found by number of features; empty unless it was asked for.
    scaling : Scaling
        Centre and spread of every column.
    columns : ndarray of int
        Positions of the columns that LPs had: those that are neither constant nor copies of another.
    certificates : list of (str, Certificate)
        What is proven of values of LPs, by name.
    cuts : Cuts
        The proof of `lower_bound`.
    """

    raw: RawPlane
    support: NDArray[np.int64]
    error_bound: float
    least_error: float
    lower_bound: float
    search: SearchResult
    trace: ResultTable
    path: ResultTable
    scaling: Scaling
    columns: NDArray[np.int64]
    certificates: list[tuple[str, Certificate]]
    cuts: Cuts

    @property
    def coef(self) -> FloatArray:
        """Weights in raw units, shape (n_columns,); 0 for what is not used."""
        return self.raw.coef

    @property
    def intercept(self) -> float:
        """Class A is where ``X @ coef + intercept`` is above 0."""
        return self.raw.intercept

    @property
    def error(self) -> float:
        """Its error, penalty included, in scaled units."""
        return self.raw.error

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the signed scores of rows in raw units; NaN counts as the mean of the training rows."""
        return self.raw.scores(X)


def fit_plane(rows: Rows, options: PlaneOptions, clock: Clock | None = None) -> Plane:
    """Find a plane between two classes.

    Parameters
    ----------
    rows : Rows
        Rows in raw units, both classes among them.
    options : PlaneOptions
        What to look for.
    clock : Clock, default=None
        When to end with the best so far. Ctrl-C does so too, and stops the clock: see `Clock.stopped`.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.planes.fit import fit_plane
    >>> from treewright.planes.options import PlaneOptions
    >>> from treewright.planes.rows import Rows
    >>> X = np.array([[0.0, 5.0], [1.0, 2.0], [3.0, 4.0], [4.0, 1.0]])
    >>> rows = Rows(X, np.array([False, False, True, True]), np.ones(4), np.arange(2))
    >>> plane = fit_plane(rows, PlaneOptions())
    >>> plane.support, plane.error, plane.scores(X).round(6)
    (array([0]), 0.0, array([-2., -1.,  1.,  2.]))
    """
    clock = Clock(None) if clock is None else clock
    scaled = ScaledProblem(rows, options, clock)
    selected = scaled.select()
    judged = _judge(rows, scaled, selected, clock)
    if selected.sets is not None:
        scaled.at_size(selected, _size(selected, judged, options))
        selected.lower = selected.least
    return _plane(scaled, selected, judged, clock)


def _judge(rows: Rows, scaled: ScaledProblem, selected: Selected, clock: Clock) -> JudgedPath | None:
    if selected.sets is None or not selected.status_is_end:
        return None
    try:
        return judge_path(rows, scaled.options, clock)
    except OutOfTimeError:
        selected.status = "time_limit"
    except KeyboardInterrupt:
        clock.stop()
        selected.status = "stopped"
    return None


def _size(selected: Selected, judged: JudgedPath | None, options: PlaneOptions) -> int:
    """Return how many features: what the folds say, else the fewest within the usual bound."""
    assert selected.sets is not None, "asked for with a path only"
    if judged is not None:
        return judged.choose(options.one_standard_error)
    bound = options.bound(selected.least)
    sizes = range(selected.sets.most + 1)
    return next((size for size in sizes if selected.sets.error(size) <= bound), selected.sets.most)


def _plane(scaled: ScaledProblem, selected: Selected, judged: JudgedPath | None, clock: Clock) -> Plane:
    problem = scaled.problem
    raw = scaled.plane(selected)
    if selected.is_least:
        selected.certificates.append(("chosen", of_solved(problem, selected.features, selected.solved)))
    path = _path(scaled, selected, judged)
    used = np.unique(problem.feature_of[raw.coef[scaled.columns] != 0])
    counts = scaled.options.selection == "bounded"
    cost = problem.total(used) if counts else raw.error
    lower = min(problem.typed(selected.lower), cost) if counts else selected.lower
    return Plane(
        raw=raw,
        support=scaled.features[used],
        error_bound=selected.bound,
        least_error=selected.least,
        lower_bound=lower,
        search=SearchResult(
            cost=cost,
            bound=min(lower, cost),
            status=selected.status,
            message=selected.message,
            n_searched=problem.n_lps,
            elapsed=clock.elapsed(),
        ),
        trace=ResultTable.from_rows(selected.trace, TRACE),
        path=path,
        scaling=scaled.scaling,
        columns=scaled.columns,
        certificates=selected.certificates,
        cuts=selected.cuts,
    )


def _path(scaled: ScaledProblem, selected: Selected, judged: JudgedPath | None) -> ResultTable:
    if selected.sets is None:
        return ResultTable.from_rows([], PATH)
    rows = []
    for size in range(1, selected.sets.most + 1):
        features, solved = selected.sets.best(size)
        selected.certificates.append(("path", of_solved(scaled.problem, features, solved)))
        test = (np.nan, np.nan) if judged is None else judged.at(size)
        rows.append((size, int(features.sum()), solved.error, *test))
    return ResultTable.from_rows(rows, PATH)
