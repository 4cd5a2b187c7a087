"""The result of comparing pruning rules: folds or generated sets, their sums; its table and plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from treewright._base.numbers import counted_noun
from treewright._base.params import one_of
from treewright.reporting.table import Column, Table
from treewright.results import ResultTable
from treewright.studies.common.report import ABSENT, FoldReport, Record
from treewright.studies.common.statistics import interval
from treewright.studies.ranks import RankComparison, compare_ranks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ALL = "all"
"""What stands for all data sets together."""

SUMMARY = [
    ("n_folds", "int64"),
    ("error", "float64"),
    ("error_low", "float64"),
    ("error_high", "float64"),
    ("difference", "float64"),
    ("difference_low", "float64"),
    ("difference_high", "float64"),
    ("n_nodes", "float64"),
    ("rank", "float64"),
]
"""What the folds of one rule come to."""


@dataclass(frozen=True, eq=False, repr=False)
class PruningComparison(FoldReport):
    """What `compare_pruning` found.

    Printing it shows the table, `plot` draws the ranks; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row a data set: ``data`` (its name), ``n_samples``, ``n_features``. Of generated sets one row a
        number of removed inputs: ``data``, ``n_sets``.
    methods : tuple of str
        Names of the rules.
    reference : str
        The rule that the others are compared with.
    per_fold : ResultTable
        One row a fold and rule: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``n_errors`` (weight of
        the samples held out that are predicted wrongly), ``error`` (the same as a share), ``n_nodes``. A
        generated set is a fold: ``seed`` is its number, ``fold`` its combination, ``repeat`` its repetition.
    settings : dict
        Parameters of the study, to run it again.
    status : {"complete", "stopped", "time_limit"}
        Whether everything was run, the callback or Ctrl-C asked to stop, or time was up.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_pruning : Makes one, and shows how it prints.
    """

    data_sets: ResultTable
    methods: tuple[str, ...]
    reference: str
    per_fold: ResultTable
    settings: Mapping[str, Any]
    status: str
    elapsed: float

    @property
    def is_generated(self) -> bool:
        """Whether the data sets were drawn."""
        return "generator" in self.settings

    @property
    def summary(self) -> ResultTable:
        """One row a data set and rule, then a row a rule of ``data`` = ``"all"``.

        ``error`` is the mean over the folds, with the ends of its 95 % interval; ``difference`` that of the
        errors to those of the reference, likewise; ``n_nodes`` the mean number of nodes; ``rank`` that by
        the number of errors, 1 the fewest: of a data set its own, of generated sets the mean. Intervals of
        folds allow for the samples that they share. The rows of all average the data sets, or all generated
        sets.
        """
        width = max(len(ALL), *map(len, self.data_sets["data"].tolist()))
        rows = [*self._rows_by_data(), *self._rows_of_all()]
        return ResultTable.from_rows(rows, [("data", f"U{width}"), self._field("method"), *SUMMARY])

    def ranks(self, data: str = ALL) -> RankComparison:
        """Compare the ranks of the rules, with Friedman's test and Holm's.

        Parameters
        ----------
        data : str, default="all"
            Which generated sets, such as ``"2 removed"``; ``"all"`` takes all of them, or all data sets. A
            data set alone has one rank a rule, and no test.

        Returns
        -------
        comparison : RankComparison
            Prints as a table, draws itself.
        """
        return compare_ranks(self._errors_of_blocks(data), self.methods, reference=self.reference)

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row a data set, or a number of removed inputs, and one of all: the rank of every rule, marked
            where it is better or worse than the reference; errors in percent and half the width of their
            95 % intervals; nodes.
        """
        names = [*self.data_sets["data"].tolist(), ALL]
        # An interval of the mean over a few different data sets says nothing of the rules.
        with_interval = {*names} if self.is_generated else {*names} - {ALL}
        errors = self._columns("error in %", lambda row: _error(row, row["data"] in with_interval))
        nodes = self._columns("nodes", lambda row: f"{row['n_nodes']:,.1f}")
        lined_up = [_lined_up(column) for column in errors]
        columns = [*self._sizes(), *self._ranks_marked(names), *lined_up, *nodes]
        return Table(self._title(), columns, self._notes())

    def _columns(self, group: str, write: Callable[[Record], str]) -> list[Column]:
        """Return a column a rule, with a row a data set and one of all."""
        names, found = [*self.data_sets["data"].tolist(), ALL], self._records()
        return [
            Column(method, [_cell(found.get((name, method)), write) for name in names], group)
            for method in self.methods
        ]

    def _ranks_marked(self, names: Sequence[str]) -> list[Column]:
        """Return the columns of ranks, with marks behind those that are means of many."""
        marks, written = self._marks(names), "{:.3f}".format if self.is_generated else _rank
        return [
            Column(
                column.name,
                _with_marks(column, [marks.get((name, column.name), "") for name in names]),
                column.group,
            )
            for column in self._columns("rank", lambda row: written(row["rank"]))
        ]

    def _marks(self, names: Sequence[str]) -> dict[tuple[str, str], str]:
        """Return the marks of the rows whose ranks are means of many."""
        tested = [name for name in names if name == ALL or self.is_generated]
        found = self._records()
        marks: dict[tuple[str, str], str] = {}
        for name in tested:
            if (name, self.reference) in found:
                tests = self.ranks(name).tests
                marks |= {(name, row["method"]): row["mark"] for row in tests.records()}
        return marks

    def _sizes(self) -> list[Column]:
        """Return the columns of names and sizes; the numbers of generated sets add up."""
        if not self.is_generated:
            return self._size_columns([ALL])
        counts = self.data_sets["n_sets"].tolist()
        first = Column("data", [*self.data_sets["data"].tolist(), ALL], align="left")
        return [first, Column("sets", [f"{n:,}" for n in [*counts, sum(counts)]])]

    def _title(self) -> str:
        settings = self.settings
        if self.is_generated:
            return (
                f"Pruning rules on generated sets ({settings['generator']}), by errors on the rows held out"
            )
        return f"Pruning rules, by errors on held-out samples, {settings['repeats']} x {settings['cv']} folds"

    def _notes(self) -> list[str]:
        """Say what the marks mean, and what the test over the data sets says."""
        notes = [
            f"Rank 1: the fewest errors. + and - : better and worse than {self.reference} (Friedman, Holm, "
            "p < 0.05).",
            "±: half the width of a 95 % interval"
            + (" of the mean." if self.is_generated else ", corrected for samples that folds share."),
        ]
        if len(self.per_fold):
            notes.append(self.ranks().friedman_note())
        return [*notes, *self._stopped_note("set" if self.is_generated else "fold")]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a data set and rule as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            `summary`.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self.summary.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the average ranks over all data sets, rules that do not differ joined by a bar.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A critical-difference diagram.
        """
        return self.ranks().plot(ax)

    def _facts(self) -> Mapping[str, object]:
        facts: dict[str, object] = {**super()._facts(), "reference": self.reference}
        if len(self.per_fold):
            ranks = self.ranks()
            friedman = {"statistic": ranks.statistic, "p_value": ranks.p_value}
            facts |= {"friedman": friedman, "tests": ranks.tests}
        return facts

    def __repr__(self) -> str:
        """Return one line: what was compared, on how much."""
        if not self.is_generated:
            return super().__repr__()
        n_sets = len(self.per_fold) // len(self.methods)
        drawn = f"{counted_noun(n_sets, 'set')} of {self.settings['generator']}"
        return f"<PruningComparison: {', '.join(self.methods)}; {drawn}, {self.status}>"

    @cached_property
    def _parts(self) -> dict[str, ResultTable]:
        """The folds of every data set of which one was run, one row a fold, one column a rule."""
        folds = self.per_fold.reshape(-1, len(self.methods))
        owners = folds["data"][:, 0]
        parts = {name: folds[owners == name] for name in self.data_sets["data"].tolist()}
        return {name: part for name, part in parts.items() if len(part)}

    def _rows_by_data(self) -> Iterator[tuple[Any, ...]]:
        overlap = 0.0 if self.is_generated else 1 / (self.settings["cv"] - 1)
        for name, part in self._parts.items():
            ranks = _mean_ranks(self._errors_of_blocks(name))
            yield from self._rows(name, part["error"], part["n_nodes"], ranks, len(part), overlap)

    def _rows_of_all(self) -> Iterator[tuple[Any, ...]]:
        """Every generated set counts alike, and so does every data set."""
        if not self._parts:
            return
        parts = self._parts.values()
        errors, nodes = ([part[field] for part in parts] for field in ("error", "n_nodes"))
        if not self.is_generated:
            errors, nodes = (
                [each.mean(axis=0, keepdims=True) for each in values] for values in (errors, nodes)
            )
        ranks = _mean_ranks(self._errors_of_blocks(ALL))
        yield from self._rows(ALL, np.vstack(errors), np.vstack(nodes), ranks, sum(map(len, parts)), 0.0)

    def _rows(
        self,
        name: str,
        errors: NDArray[np.float64],
        nodes: NDArray[Any],
        ranks: NDArray[np.float64],
        n_folds: int,
        overlap: float,
    ) -> Iterator[tuple[Any, ...]]:
        reference = errors[:, self.methods.index(self.reference)]
        for i, method in enumerate(self.methods):
            spread = (*interval(errors[:, i], overlap), *interval(errors[:, i] - reference, overlap))
            yield (name, method, n_folds, *spread, float(nodes[:, i].mean()), float(ranks[i]))

    def _errors_of_blocks(self, data: str) -> NDArray[np.float64]:
        """Return errors by what is ranked: each generated set, or each data set with all its folds."""
        parts = self._parts.values() if data == ALL else [self._part(data)]
        blocks = [part["n_errors"] for part in parts]
        if not self.is_generated:
            blocks = [block.sum(axis=0, keepdims=True) for block in blocks]
        return np.vstack(blocks)

    def _part(self, data: str) -> ResultTable:
        return self._parts[one_of("data", data, [*self._parts, ALL])]


def _mean_ranks(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = stats.rankdata(errors, axis=1).mean(axis=0)
    return ranks


def _cell(row: Record | None, write: Callable[[Record], str]) -> str:
    return ABSENT if row is None else write(row)


def _with_marks(column: Column, marks: list[str]) -> list[str]:
    """Write marks behind numbers that stay lined up."""
    if not any(marks):
        return list(column.cells)
    return [f"{cell}{mark or ' '}" for cell, mark in zip(column.cells, marks, strict=True)]


def _rank(rank: float) -> str:
    return f"{rank:.1f}" if rank == round(2 * rank) / 2 else f"{rank:.2f}"


def _error(row: Record, has_interval: bool) -> str:
    half = (row["error_high"] - row["error_low"]) / 2
    shown = has_interval and not math.isnan(half)
    return f"{100 * row['error']:.2f}" + (f" ± {100 * half:.2f}" if shown else "")


def _lined_up(column: Column) -> Column:
    """Line up means and the halves of their intervals, where some have none."""
    parts = [cell.partition(" ± ") for cell in column.cells]
    width = max(len(half) for _, _, half in parts)
    cells = [f"{mean}{sign or ' ' * 3}{half:>{width}}" if width else mean for mean, sign, half in parts]
    return Column(column.name, cells, column.group)
