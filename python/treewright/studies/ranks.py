"""Are some methods better than others over many data sets? Average ranks, Friedman's test and Holm's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from treewright._base.errors import DataError, ParameterError
from treewright._base.numbers import counted_noun
from treewright._base.wording import Value
from treewright.data.types import FloatArray
from treewright.reporting.matplotlib_glue import axes
from treewright.reporting.table import Column, Table
from treewright.results import ResultTable, floats, texts
from treewright.studies.common.report import ABSENT, Report
from treewright.studies.common.statistics import friedman, holm_adjusted, iman_davenport

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["RankComparison", "compare_ranks"]

STEP = 0.42
"""Height of a line of text, in the units of the drawing."""

BAR = 0.16
"""Between two bars."""

INK = "#222222"
ACCENT = "#0072b2"


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(Report):
    """Result of `compare_ranks`.

    It prints as a table with one row for each method: its average rank, and its comparison with the
    reference. `to_frame` returns `tests`; `plot` draws the ranks.

    Attributes
    ----------
    methods : tuple of str
        Names of the methods.
    ranks : ndarray of shape (n_methods,)
        Average rank of every method; 1 is the best.
    rank_std : ndarray of shape (n_methods,)
        Standard deviation (n - 1) of the ranks of every method; 0 for one data set.
    n_sets : int
        Number of data sets.
    statistic, p_value : float
        Friedman's test that all methods are equal; NaN if it is not defined, as for one data set.
    reference : str
        The method that the others are compared with.
    level : float
        Level of all tests.

    Examples
    --------
    >>> from treewright.studies import compare_ranks
    >>> print(compare_ranks([[3, 2, 1], [3, 1, 2], [3, 2, 1]], ["a", "b", "c"]))
    Average ranks over 3 sets, 1 the best
    <BLANKLINE>
    method  rank     z      p  Holm's p
    a       3.00  2.04  0.041     0.082
    b       1.67  0.41  0.683     0.683
    c       1.33     -      -         -
    <BLANKLINE>
    Friedman's test: 4.67, p = 0.097; Iman and Davenport's: 7.00, p = 0.049. z and p compare with c.
    """

    methods: tuple[str, ...]
    ranks: FloatArray
    rank_std: FloatArray
    n_sets: int
    statistic: float
    p_value: float
    reference: str
    level: float

    @property
    def differ(self) -> bool:
        """Whether Friedman's test says that not all methods are equal."""
        return self.p_value < self.level

    @property
    def tests(self) -> ResultTable:
        """One row for each method: ``method``, ``rank``, ``z``, ``p_value``, ``p_holm``, ``mark``.

        z is the difference of its rank to that of the reference in standard errors,
        √(k(k + 1) / 6N) for k methods and N sets; the p-value is two-sided, and Holm's is adjusted for their
        number. The mark is ``"+"`` where the method is better than the reference, ``"-"`` where it is
        worse, by more than chance: if Friedman's test says that not all are alike, and Holm's is below the
        level.
        """
        at = self.methods.index(self.reference)
        z = (self.ranks - self.ranks[at]) / self._standard_error
        p = 2 * stats.norm.sf(np.abs(z))
        others = [i for i in range(len(self.methods)) if i != at]
        holm = np.full(len(z), np.nan)
        holm[others] = holm_adjusted(p[others])
        p[at] = z[at] = np.nan
        marks = [self._mark(z[i], holm[i]) for i in range(len(z))]
        rows = zip(self.methods, self.ranks, z, p, holm, marks, strict=True)
        numbers = floats("rank", "z", "p_value", "p_holm")
        return ResultTable.from_rows(rows, [texts("method", self.methods), *numbers, ("mark", "U1")])

    @property
    def critical_difference(self) -> float:
        """Smallest significant difference of two average ranks among all pairs (Nemenyi)."""
        quantile = float(stats.studentized_range.isf(self.level, len(self.methods), np.inf))
        return quantile / math.sqrt(2) * self._standard_error

    @property
    def _standard_error(self) -> float:
        k = len(self.methods)
        return math.sqrt(k * (k + 1) / (6 * self.n_sets))

    def _mark(self, z: float, p_holm: float) -> str:
        if not (self.differ and p_holm < self.level):
            return ""
        return "+" if z < 0 else "-"

    @property
    def iman_davenport(self) -> tuple[float, float]:
        """Iman and Davenport's F of Friedman's statistic, and its p-value; NaN of one set."""
        return iman_davenport(self.statistic, self.n_sets, len(self.methods))

    def _table(self) -> Table:
        tests = self.tests
        ranks = [f"{rank:.2f}{mark}" for rank, mark in zip(tests["rank"], tests["mark"], strict=True)]
        columns = [
            Column("method", list(self.methods), align="left"),
            Column("rank", ranks),
            Column("z", [_written(z, ".2f") for z in tests["z"].tolist()]),
            Column("p", [_written(p, ".3f") for p in tests["p_value"].tolist()]),
            Column("Holm's p", [_written(p, ".3f") for p in tests["p_holm"].tolist()]),
        ]
        note = self.friedman_note()
        if not math.isnan(self.p_value):
            note = f"{note} z and p compare with {self.reference}."
        return Table(f"Average ranks over {self._sets}, 1 the best", columns, [note])

    def friedman_note(self) -> str:
        """Return the result of Friedman's test as a sentence.

        Returns
        -------
        note : str
            Its statistic and p-value, and those of Iman and Davenport's test.
        """
        if math.isnan(self.p_value):
            return "One set: no test of the ranks."
        f, p_value = self.iman_davenport
        friedman = f"{self.statistic:,.2f}, {_chance(self.p_value)}"
        return f"Friedman's test: {friedman}; Iman and Davenport's: {f:,.2f}, {_chance(p_value)}."

    def _frame(self) -> pd.DataFrame:
        return self.tests.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the average ranks; a bar joins methods that do not differ.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A critical-difference diagram: average ranks on a line, the best on the left; the reference is
            in bold. Two methods differ where their ranks are further apart than the critical difference of
            Nemenyi's test of all pairs, which is drawn above the line.

        References
        ----------
        J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 2006, figure 1.

        Examples
        --------
        >>> from treewright.studies import compare_ranks
        >>> ax = compare_ranks([[3, 2, 1], [3, 1, 2], [3, 2, 1]], ["a", "b", "c"]).plot()
        >>> [text.get_text() for text in ax.texts][-2:]
        ['b  1.67', '3.00  a']
        """
        k = len(self.methods)
        order = np.argsort(self.ranks, kind="stable")
        bars = cliques(self.ranks[order], self.critical_difference)
        depth = 0.25 + BAR * len(bars)
        n_lines = (k + 1) // 2
        ax = axes(ax, "plot", width=6.4, height=1.0 + 0.32 * n_lines + 0.12 * len(bars))
        ax.set_axis_off()
        ax.plot([1, k], [0, 0], color=INK, linewidth=1)
        for rank in range(1, k + 1):
            ax.plot([rank, rank], [0, 0.13], color=INK, linewidth=1)
            ax.text(rank, 0.2, str(rank), color=INK, fontsize="small", ha="center", va="bottom")
        self._difference(ax)
        for i, (first, last) in enumerate(bars):
            ends = self.ranks[order[[first, last]]] + np.array([-0.03, 0.03])
            height = -0.2 - BAR * i
            ax.plot(ends, [height, height], color=ACCENT, linewidth=3.5, solid_capstyle="butt", zorder=3)
        for place, method in enumerate(order):
            is_left = place < n_lines
            line = place if is_left else k - 1 - place
            self._label(ax, int(method), is_left, -depth - STEP * (line + 0.5))
        ax.set_xlim(1 - 0.35 * (k - 1), k + 0.35 * (k - 1))
        ax.set_ylim(-depth - STEP * (n_lines + 0.2), 1.25)
        return ax

    def _difference(self, ax: Axes) -> None:
        """Draw the critical difference from rank 1 on, and say what was tested."""
        width, height, k = self.critical_difference, 0.8, len(self.methods)
        told = f"{self._sets}, Friedman p {'< 0.001' if self.p_value < 0.001 else f'= {self.p_value:.3f}'}"
        ax.plot([1, 1 + width], [height, height], color=ACCENT, linewidth=1.5)
        for end in (1, 1 + width):
            ax.plot([end, end], [height - 0.07, height + 0.07], color=ACCENT, linewidth=1.5)
        text = f"critical difference {width:.{2 if width >= 0.1 else 3}f}"
        ax.text(1, height + 0.12, text, color=ACCENT, fontsize="small", ha="left", va="bottom")
        right = k + 0.3 * (k - 1)
        ax.text(right, height + 0.12, told, color=INK, fontsize="small", ha="right", va="bottom")

    def _label(self, ax: Axes, method: int, is_left: bool, height: float) -> None:
        """Lead a line from a rank to its method, beside the scale."""
        k, rank, name = len(self.methods), float(self.ranks[method]), self.methods[method]
        end = 1 - 0.02 * (k - 1) if is_left else k + 0.02 * (k - 1)
        ax.plot([rank, rank, end], [0, height, height], color=INK, linewidth=0.8, zorder=2)
        text = f"{name}  {rank:.2f}" if is_left else f"{rank:.2f}  {name}"
        weight = "bold" if name == self.reference else "normal"
        edge = end - 0.01 * (k - 1) if is_left else end + 0.01 * (k - 1)
        side = "right" if is_left else "left"
        ax.text(edge, height, text, color=INK, fontweight=weight, ha=side, va="center")

    def _facts(self) -> Mapping[str, object]:
        return {
            "methods": self.methods,
            "reference": self.reference,
            "level": self.level,
            "n_sets": self.n_sets,
            "statistic": self.statistic,
            "p_value": self.p_value,
            "critical_difference": self.critical_difference,
            "tests": self.tests,
        }

    def _numbers(self) -> ResultTable:
        return self.tests

    @property
    def _sets(self) -> str:
        return counted_noun(self.n_sets, "set")

    def __repr__(self) -> str:
        """Return one line: what was compared, on how much."""
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(self.methods, self.ranks, strict=True))
        return f"<RankComparison: {ranks}; {self._sets}>"


def compare_ranks(
    errors: ArrayLike,
    methods: Sequence[str] | None = None,
    *,
    reference: str | None = None,
    level: float = 0.05,
) -> RankComparison:
    """Compare methods by their ranks on many data sets.

    On every data set the methods are ranked by their errors; rank 1 has the fewest, and ties get the mean of
    their ranks. Friedman's test says whether the differences of the average ranks may be chance. Holm's
    procedure says which methods differ from the reference.

    Parameters
    ----------
    errors : array-like of shape (n_sets, n_methods)
        Errors, or any other measure of which a smaller value is better.
    methods : sequence of str, default=None
        Names of the methods; None numbers them.
    reference : str, default=None
        The method with which the others are compared; None is the last.
    level : float, default=0.05
        Level of the tests.

    Returns
    -------
    comparison : RankComparison
        The result: it prints as a table, and ``comparison.plot()`` draws it.

    Raises
    ------
    DataError
        If the errors are not numbers in rows of two or more.
    ParameterError
        If a name is given twice, or the reference is none of them.

    Notes
    -----
    Friedman's test is `scipy.stats.friedmanchisquare`, corrected for ties; with two methods, for which it
    does not exist there, it is the same formula.

    References
    ----------
    J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 2006.
    R. L. Iman, J. M. Davenport, "Approximations of the Critical Region of the Friedman Statistic", 1980.
    S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979.

    Examples
    --------
    >>> from treewright.studies import compare_ranks
    >>> errors = [[9, 7, 4], [8, 8, 3], [5, 6, 4], [7, 6, 2], [9, 5, 5], [6, 4, 3]]
    >>> comparison = compare_ranks(errors, ["none", "some", "most"])
    >>> comparison
    <RankComparison: none 2.75, some 2.17, most 1.08; 6 sets>
    >>> comparison.tests["mark"].tolist()
    ['-', '', '']
    """
    table = _numbers(errors)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2 or not np.isfinite(table).all():
        raise DataError(
            f"errors has shape {table.shape}; give finite numbers, one row a data set, one column a method, "
            "two methods or more"
        )
    names = tuple(map(str, methods if methods is not None else range(table.shape[1])))
    if len(names) != table.shape[1] or len(set(names)) < len(names):
        raise ParameterError("methods", list(names), f"must be {table.shape[1]} names, each once")
    chosen = names[-1] if reference is None else reference
    if chosen not in names:
        raise ParameterError("reference", reference, ("is none of the methods, ", Value(*names)))
    if not 0 < level < 1:
        raise ParameterError("level", level, "must be above 0 and below 1", "0.05 is usual")
    ranks = stats.rankdata(table, axis=1)
    statistic, p_value = friedman(ranks)
    return RankComparison(
        methods=names,
        ranks=ranks.mean(axis=0),
        rank_std=ranks.std(axis=0, ddof=1) if len(ranks) > 1 else np.zeros(len(names)),
        n_sets=len(ranks),
        statistic=statistic,
        p_value=p_value,
        reference=chosen,
        level=float(level),
    )


def _numbers(errors: ArrayLike) -> FloatArray:
    try:
        return np.asarray(errors, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"errors is no table of numbers ({error}); give finite numbers, one row a data set, one column a "
            "method, two methods or more"
        ) from error


def _chance(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def _written(value: float, form: str) -> str:
    return ABSENT if math.isnan(value) else format(value, form)


def cliques(ranks: FloatArray, critical_difference: float) -> list[tuple[int, int]]:
    """Return the largest runs of ascending ranks within the critical difference, by first and last."""
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + critical_difference, side="right")) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found
