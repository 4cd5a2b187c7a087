"""The result of comparing pruning rules: folds or generated sets, their sums; its table and plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from treewright._base.numbers import counted_noun
from treewright._base.params import one_of
from treewright.reporting.table import Column, Table
from treewright.results import Columns, Record, ResultTable, floats, ints, texts
from treewright.studies.common.measure import Measure
from treewright.studies.common.report import ABSENT, FoldReport
from treewright.studies.common.statistics import interval
from treewright.studies.pruning.rules import Rules
from treewright.studies.ranks import RankComparison, compare_ranks
from treewright.trees.greedy import GreedyTreeClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALL = "all"
"""What stands for all data sets together."""


class PruningSettings(TypedDict, total=False):
    """Parameters of the study; those of folds, or those of generated sets."""

    rules: Rules
    reference: str
    estimator: GreedyTreeClassifier
    random_state: int
    cv: int
    repeats: int
    generator: str
    n_sets: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PruningComparison(FoldReport[PruningSettings]):
    """Result of `compare_pruning`.

    It prints as a table with one row for each data set, or each number of removed inputs, and one for all:
    the rank of every rule, marked if it is better or worse than the reference; errors in percent and half the
    width of their 95 % intervals; nodes. `to_frame` has the rows of `summary`, one for each data set and
    rule. `plot` draws the ranks; `per_fold` has every fold.

    Attributes
    ----------
    data_sets : ResultTable
        One row for each data set: ``data`` (its name), ``n_samples``, ``n_features``. Of generated sets one
        row a number of removed inputs: ``data``, ``n_sets``.
    methods : tuple of str
        Names of the rules.
    per_fold : ResultTable
        One row for each fold and rule: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``n_errors``
        (weight of the samples held out that are predicted wrongly), ``error`` (the same as a share; with a
        cost matrix ``cost`` and ``mean_cost`` of an answer stand in place of these two), ``n_nodes``. A
        generated set is a fold: ``seed`` is its number, ``fold`` its combination, ``repeat`` its repetition.
    settings, status, elapsed
        As in `SelectionComparison`.

    See Also
    --------
    compare_pruning : Makes one, with an example of the printed table.
    """

    @property
    def _measure(self) -> Measure:
        """What the rules are compared by."""
        return Measure.of(self.settings["estimator"])

    @property
    def _summary_columns(self) -> Columns:
        means = (
            f"{name}{end}" for name in (self._measure.mean, "difference") for end in ("", "_low", "_high")
        )
        return [*ints("n_folds"), *floats(*means, "n_nodes", "rank")]

    @property
    def reference(self) -> str:
        """The rule that the others are compared with."""
        return self.settings["reference"]

    @property
    def is_generated(self) -> bool:
        """Whether the data sets were generated."""
        return "generator" in self.settings

    @property
    def summary(self) -> ResultTable:
        """One row for each data set and rule, then a row for each rule of ``data`` = ``"all"``.

        ``error``, or ``mean_cost``, is the mean over the folds, with the ends of its 95 % interval;
        ``difference`` that of the errors to those of the reference, likewise; ``n_nodes`` the mean number of
        nodes; ``rank`` that by the number of errors, 1 the fewest: of a data set its own, of generated sets
        the mean. Intervals of folds allow for the samples that they share. The rows of all average the data
        sets, or all generated sets.
        """
        return ResultTable.from_rows(
            self._rows(), [texts("data", self._shown), self._head[1], *self._summary_columns]
        )

    @property
    def _shown(self) -> list[str]:
        """The data sets, and what stands for all of them."""
        return [*self._names, ALL]

    def ranks(self, data: str = ALL) -> RankComparison:
        """Compare the ranks of the rules, with Friedman's test and Holm's procedure.

        Parameters
        ----------
        data : str, default="all"
            Which generated sets, such as ``"2 removed"``; ``"all"`` takes all of them, or all data sets. A
            data set alone has one rank a rule, and no test.

        Returns
        -------
        comparison : RankComparison
            The result: it prints as a table, and its ``plot()`` draws it.
        """
        errors = self._blocks(self._measure.total, np.sum, data)
        return compare_ranks(errors, self.methods, reference=self.reference)

    def _table(self) -> Table:
        # An interval of the mean over a few different data sets says nothing of the rules.
        with_interval = self._shown if self.is_generated else self._names
        measure = self._measure
        errors = self._columns(
            measure.heading, lambda row: _mean_loss(measure, row, row["data"] in with_interval)
        )
        nodes = self._columns("nodes", lambda row: f"{row['n_nodes']:,.1f}")
        columns = [*self._sizes(), *self._ranks_marked(), *map(_lined_up, errors), *nodes]
        return Table(self._title(), columns, self._notes())

    def _columns(self, group: str, write: Callable[[Record], str]) -> list[Column]:
        """Return a column for each rule, with a row for each data set and one of all."""
        found = self._records()
        return [
            Column(method, [write(row) if row else ABSENT for row in rows], group)
            for method in self.methods
            for rows in [[found.get((name, method)) for name in self._shown]]
        ]

    def _ranks_marked(self) -> list[Column]:
        """Return the columns of ranks, with marks behind those that are means of many."""
        marks, written = self._marks(), "{:.3f}".format if self.is_generated else _rank
        columns = self._columns("rank", lambda row: written(row["rank"]))
        return [
            replace(column, cells=_with_marks(column, [marks.get((n, column.name), "") for n in self._shown]))
            for column in columns
        ]

    def _marks(self) -> dict[tuple[str, str], str]:
        """Return the marks of the rows whose ranks are means of many."""
        found = self._records()
        marks: dict[tuple[str, str], str] = {}
        for name in self._shown if self.is_generated else [ALL]:
            if (name, self.reference) in found:
                tests = self.ranks(name).tests
                marks |= {(name, row["method"]): row["mark"] for row in tests.records()}
        return marks

    def _sizes(self) -> list[Column]:
        """Return the columns of names and sizes; the numbers of generated sets add up."""
        if not self.is_generated:
            return self._size_columns([ALL])
        counts = self.data_sets["n_sets"].tolist()
        first = Column("data", self._shown, align="left")
        return [first, Column("sets", [f"{n:,}" for n in [*counts, sum(counts)]])]

    def _title(self) -> str:
        if self.is_generated:
            preset = self.settings["generator"]
            return f"Pruning rules on generated sets ({preset}), by errors on the rows held out"
        counted = "cost" if self._measure.is_cost else "errors"
        return f"Pruning rules, by {counted} on held-out samples, {self._n_parts}"

    def _notes(self) -> list[str]:
        """Say what the marks mean, and what the test over the data sets says."""
        best = "the least cost" if self._measure.is_cost else "the fewest errors"
        notes = [
            f"Rank 1: {best}. + and - : better and worse than {self.reference} (Friedman, Holm, p < 0.05).",
            "±: half the width of a 95 % interval"
            + (" of the mean." if self.is_generated else ", corrected for samples that folds share."),
        ]
        if len(self.per_fold):
            notes.append(self.ranks().friedman_note())
        return [*notes, *self._stopped_note("set" if self.is_generated else "fold")]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the average ranks over all data sets; a bar joins rules that do not differ.

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
        """The folds of every data set that has one: a row for each fold, a column for each rule."""
        folds = self.per_fold.reshape(-1, len(self.methods))
        owners = folds["data"][:, 0]
        parts = {name: folds[owners == name] for name in self._names}
        return {name: part for name, part in parts.items() if len(part)}

    def _rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the rows of every data set, then those of all, in which each set counts alike."""
        overlap = 0.0 if self.is_generated else 1 / (self.settings["cv"] - 1)
        for name, part in self._parts.items():
            yield from self._rows_of(name, part[self._measure.mean], part["n_nodes"], len(part), overlap)
        if self._parts:
            errors, nodes = (self._blocks(field, np.mean) for field in (self._measure.mean, "n_nodes"))
            yield from self._rows_of(ALL, errors, nodes, sum(map(len, self._parts.values())), 0.0)

    def _rows_of(
        self,
        name: str,
        errors: NDArray[np.float64],
        nodes: NDArray[np.float64],
        n_folds: int,
        overlap: float,
    ) -> Iterator[tuple[object, ...]]:
        ranks = stats.rankdata(self._blocks(self._measure.total, np.sum, name), axis=1).mean(axis=0)
        reference = errors[:, self.methods.index(self.reference)]
        for i, method in enumerate(self.methods):
            spread = (*interval(errors[:, i], overlap), *interval(errors[:, i] - reference, overlap))
            yield (name, method, n_folds, *spread, float(nodes[:, i].mean()), float(ranks[i]))

    def _blocks(
        self, field: str, merge: Callable[..., NDArray[np.float64]], data: str = ALL
    ) -> NDArray[np.float64]:
        """Return a row of numbers for each generated set, or each data set, whose folds are merged."""
        chosen = one_of("data", data, [*self._parts, ALL])
        blocks = [part[field] for part in (self._parts.values() if data == ALL else [self._parts[chosen]])]
        if not self.is_generated:
            blocks = [merge(block, axis=0, keepdims=True) for block in blocks]
        return np.vstack(blocks)


def _with_marks(column: Column, marks: list[str]) -> list[str]:
    """Write marks behind numbers that stay lined up."""
    if not any(marks):
        return list(column.cells)
    return [f"{cell}{mark or ' '}" for cell, mark in zip(column.cells, marks, strict=True)]


def _rank(rank: float) -> str:
    return f"{rank:.1f}" if rank == round(2 * rank) / 2 else f"{rank:.2f}"


def _mean_loss(measure: Measure, row: Record, has_interval: bool) -> str:
    half = (row[f"{measure.mean}_high"] - row[f"{measure.mean}_low"]) / 2
    shown = has_interval and not math.isnan(half)
    return measure.told(row[measure.mean]) + (f" ± {measure.told(half)}" if shown else "")


def _lined_up(column: Column) -> Column:
    """Line up means and the halves of their intervals, where some have none."""
    parts = [cell.partition(" ± ") for cell in column.cells]
    width = max(len(half) for _, _, half in parts)
    cells = [f"{mean}{sign or ' ' * 3}{half:>{width}}" if width else mean for mean, sign, half in parts]
    return Column(column.name, cells, column.group)
