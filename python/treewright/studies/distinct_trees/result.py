"""The result of a study of distinct trees: numbers, its table and its page."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treewright._base.numbers import counted_noun
from treewright.reporting.matplotlib_glue import new_figure
from treewright.reporting.table import Column, Table
from treewright.results import ResultTable
from treewright.studies.common.folds import FoldSettings
from treewright.studies.common.measure import Measure
from treewright.studies.common.report import ABSENT, Report, field_of, padded, three_digits
from treewright.studies.distinct_trees.plots import DistinctPlots, mark_of
from treewright.studies.selection.result import pruned_note, summary_columns, summed_up
from treewright.trees.greedy import GreedyTreeClassifier

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = "min_samples_split"

KEYS: Mapping[str, tuple[str, ...]] = {
    "counts": ("order",),
    "distribution": ("n_features",),
    "exhaustive": (),
    "errors": ("method",),
    "per_fold": ("method", "repeat", "fold"),
}
"""The tables, and what tells the rows of one m apart."""

ENDS = {
    "stopped": "The study was stopped before its end.",
    "time_limit": "Time was up before the end of the study.",
}

CUT = "*"
"""After a number that a time limit cut short."""

WIDTH, HEIGHT = 12.6, 7.8

Cell = Callable[[float], str]
"""The text of one m."""


class DistinctSettings(FoldSettings):
    """Parameters of the study."""

    estimator: GreedyTreeClassifier
    min_samples_split: tuple[float, ...]
    orders: tuple[str, ...]
    methods: tuple[str, ...]
    validation_set: float
    max_grown: int
    search_time_limit: float | None
    memory_limit: int | None


@dataclass(frozen=True, eq=False, repr=False)
class DistinctTreeStudy(DistinctPlots, Report):
    """Result of `study_distinct_trees`.

    It prints as a table with one row for each m: distinct trees; trees built for each of them, by order;
    seconds of the enumeration and of exhaustive search; validation and held-out errors of every method in
    percent, or with a cost matrix the cost of an answer. `to_frame` is indexed by ``min_samples_split``. It
    has every column of `counts` for each order, such as ``frontier_overhead``, of `exhaustive`, such as
    ``exhaustive_seconds``, and of `errors` for each method, such as ``backward_error``. `plot` draws it. In
    all tables ``min_samples_split`` is the paper's m, ascending.

    Attributes
    ----------
    name : str
        Name of the data set.
    n_samples, n_features : int
        Its size.
    orders : tuple of str
        Orders in which features were removed; the time of the first is compared.
    methods : tuple of str
        Selection methods whose errors are compared, such as ``"top"`` and ``"backward"``.
    counts : ResultTable
        One row for each m and order: ``n_distinct``, ``n_built``, ``overhead`` (built / distinct), ``share``
        (of the subsets that give these trees; 1 if no tree is missing), ``seconds``, ``status``.
    distribution : ResultTable
        One row for each m and number of features k: ``n_trees``, the number of distinct trees that test k
        features, and ``n_subsets``, the number of subsets of k features. ``is_complete`` says whether a count
        for this m was complete; if not, these are the trees that the first order found.
    exhaustive : ResultTable
        One row for each m: ``seconds`` to grow a tree from the root for each of the subsets;
        ``is_estimated``, whether this is the mean time of ``n_grown`` of them (which took ``seconds_grown``)
        times ``2**n_features``, and its ``std_error``.
    per_fold : ResultTable
        One row for each m, fold and method, as in `SelectionComparison`.
    settings, status, elapsed
        As in `SelectionComparison`.

    See Also
    --------
    study_distinct_trees : Makes one, with an example of the printed table.

    Notes
    -----
    A time limit is a status of a single count or selection, and is marked wherever its numbers are shown. All
    numbers depend only on the data and the settings, except the times and the results that reached a time
    limit.
    """

    name: str
    n_samples: int
    n_features: int
    orders: tuple[str, ...]
    methods: tuple[str, ...]
    counts: ResultTable
    distribution: ResultTable
    exhaustive: ResultTable
    per_fold: ResultTable
    settings: DistinctSettings
    status: str
    elapsed: float

    @property
    def errors(self) -> ResultTable:
        """One row for each m and method: a summary of its folds, as in `SelectionComparison.summary`."""
        head = [(SIZE, "float64"), field_of(self.per_fold, "method")]
        return ResultTable.from_rows(self._error_rows(), [*head, *summary_columns(self._measure)])

    @property
    def _measure(self) -> Measure:
        return Measure.of(self.settings["estimator"])

    def _error_rows(self) -> Iterator[tuple[object, ...]]:
        folds = self.per_fold
        for size in self.settings["min_samples_split"]:
            for method in self.methods:
                chosen = folds[(folds[SIZE] == size) & (folds["method"] == method)]
                if len(chosen):
                    yield (size, method, *summed_up(chosen, self._measure))

    def _table(self) -> Table:
        columns = [
            Column("m", [f"{size:g}" for size in self.settings["min_samples_split"]]),
            self._column("distinct", "trees", _distinct(self.distribution)),
            *(
                self._column(
                    mark_of(order).label,
                    "built / distinct",
                    _row_of(self.counts, "order", order, _overhead),
                )
                for order in self.orders
            ),
            self._column("all trees", "seconds", _row_of(self.counts, "order", self.orders[0], _seconds)),
            self._column("exhaustive", "seconds", _row_of(self.exhaustive, None, "", _exhaustive)),
            *self._error_columns(),
        ]
        notes = self._sentences(spread="± is one standard deviation", cut=f"{CUT} and >")
        title = f"Distinct trees of {self.name}: {self.n_samples:,} samples, {self.n_features} features"
        return Table(title, columns, notes[1:])

    def _column(self, name: str, group: str, cell: Cell) -> Column:
        return Column(name, [cell(size) for size in self.settings["min_samples_split"]], group)

    def _error_columns(self) -> Iterator[Column]:
        """Yield validation errors, then held-out errors with their deviation."""
        measure = self._measure
        for method in self.methods:
            cell = _row_of(self.errors, "method", method, partial(_validation_loss, measure))
            yield self._column(method, f"validation {measure.heading}", cell)
        for method in self.methods:
            cell = _row_of(self.errors, "method", method, partial(_mean_loss, measure))
            yield padded(self._column(method, f"cross-validation {measure.heading}", cell))

    def _sentences(self, *, spread: str, cut: str) -> list[str]:
        """Say in sentences what is shown; `cut` is how that looks which a time limit cut short."""
        settings = self.settings
        notes = [
            f"{self.n_samples:,} samples, {self.n_features} features; trees by "
            f"{settings['estimator'].criterion}.",
            "Trees are counted and timed on all samples. "
            f"{self._measure.word.capitalize()}s: mean over "
            f"{settings['repeats']} x {settings['cv']} folds, of whose training samples "
            f"{100 * settings['validation_set']:g} % are the validation set; {spread}.",
        ]
        pruned = [f"{note[:-1]} before they are judged." for note in pruned_note(settings["estimator"])]
        return [*notes, *pruned, *self._estimated(), *self._cut_short(cut)]

    def _estimated(self) -> list[str]:
        n_grown = self.exhaustive["n_grown"][self.exhaustive["is_estimated"]].tolist()
        if not n_grown:
            return []
        least, most = min(n_grown), max(n_grown)
        trees = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        return [
            f"Exhaustive time is estimated: mean time of the trees of {trees} random subsets, times "
            f"2^{self.n_features}."
        ]

    def _cut_short(self, cut: str) -> list[str]:
        n_counts = int((self.counts["status"] != "complete").sum())
        n_selections = int((self.per_fold["status"] == "time_limit").sum())
        notes = []
        if n_counts or n_selections:
            limit = self.settings["search_time_limit"]
            notes.append(
                f"{cut}: time limit of {limit:g} s reached, by {n_counts} of {len(self.counts)} counts and "
                f"{n_selections} of {len(self.per_fold):,} selections. A count is then a lower bound, its "
                "overhead that of the part seen."
            )
        if self.status != "complete":
            notes.append(ENDS[self.status])
        return notes

    def _frame(self) -> pd.DataFrame:
        parts = [
            *_spread(self.counts, "order", self.orders),
            self.exhaustive.to_frame().set_index(SIZE).add_prefix("exhaustive_"),
            *_spread(self.errors, "method", self.methods),
        ]
        return parts[0].join(parts[1:], how="outer")

    def plot(self) -> Figure:
        """Draw all of it on one page.

        Returns
        -------
        figure : matplotlib.figure.Figure
            Figures 3 to 5 of the enumeration paper, for this data set: distribution, overhead and time above;
            validation errors, cross-validation errors and notes below.
        """
        figure = new_figure("plot", width=WIDTH, height=HEIGHT, padding=0.12)
        (distribution, overhead, time), (search, held_out, notes) = figure.subplots(2, 3)
        self.plot_distribution(distribution)
        self.plot_overhead(overhead)
        self.plot_time(time)
        if len(self.per_fold):
            self.plot_errors(search, on_validation_set=True)
            self.plot_errors(held_out)
            # One scale, so that validation and cross-validation errors compare.
            top = max(search.get_ylim()[1], held_out.get_ylim()[1])
            search.set_ylim(0, top)
            held_out.set_ylim(0, top)
        self._write_notes(notes)
        return figure

    def _write_notes(self, ax: Axes) -> None:
        """Write what there is to know where a drawing would be."""
        ax.set_axis_off()
        ax.set_title(self.name, loc="left", fontweight="bold")
        notes = self._sentences(spread="bars are one standard error", cut="Hollow")
        lines = [textwrap.fill(note, 52, break_on_hyphens=False) for note in notes]
        text = "\n\n".join(lines)
        ax.text(0, 0.97, text, transform=ax.transAxes, verticalalignment="top", fontsize=9, linespacing=1.3)

    def _facts(self) -> Mapping[str, object]:
        data = {"name": self.name, "n_samples": self.n_samples, "n_features": self.n_features}
        facts = {"data": data, "settings": self.settings, "status": self.status, "seconds": self.elapsed}
        return {**facts, **{name: getattr(self, name) for name in KEYS}}

    def _numbers(self) -> ResultTable:
        """Put every number on a line of its own: its table, m, what it is of, its name, its value."""
        columns = ("table", SIZE, "of", "quantity", "value")
        return ResultTable.from_rows(self._lines(), [(name, "object") for name in columns])

    def _lines(self) -> Iterator[tuple[str, float, str, str, object]]:
        for name, keys in KEYS.items():
            table: ResultTable = getattr(self, name)
            for record in table.records():
                of = " ".join(str(record[key]) for key in keys)
                rest = [key for key in record if key not in (SIZE, *keys)]
                yield from ((name, record[SIZE], of, key, record[key]) for key in rest)

    def __repr__(self) -> str:
        """Return one line: what was studied, and how it ended."""
        n_sizes = len(self.settings["min_samples_split"])
        sizes = "1 value of m" if n_sizes == 1 else f"{n_sizes} values of m"
        features = counted_noun(self.n_features, "feature")
        return f"<DistinctTreeStudy: {self.name}, {features}, {sizes}, {self.status}>"


def _spread(table: ResultTable, field: str, names: Sequence[str]) -> list[pd.DataFrame]:
    """Return the rows of each name as a frame of its own, columns named after it."""
    long = table.to_frame()
    parts = {name: long[long[field] == name].set_index(SIZE).drop(columns=field) for name in names}
    return [part.add_prefix(f"{name}_") for name, part in parts.items()]


def _row_of(table: ResultTable, field: str | None, name: str, write: Callable[[np.void], str]) -> Cell:
    """Return what writes the row of an m that has this name, or the sign for none."""

    def cell(size: float) -> str:
        rows = table[table["min_samples_split"] == size]
        rows = rows if field is None else rows[rows[field] == name]
        return write(rows[0]) if len(rows) else ABSENT

    return cell


def _distinct(distribution: ResultTable) -> Cell:
    def cell(size: float) -> str:
        rows = distribution[distribution["min_samples_split"] == size]
        sign = "" if rows["is_complete"].all() else "> "
        return f"{sign}{int(rows['n_trees'].sum()):,}" if len(rows) else ABSENT

    return cell


def _overhead(row: np.void) -> str:
    cut = "" if row["status"] == "complete" else CUT
    return f"{row['overhead']:.3f}{cut}" if np.isfinite(row["overhead"]) else "?"


def _seconds(row: np.void) -> str:
    return f"{'' if row['status'] == 'complete' else '> '}{three_digits(float(row['seconds']))}"


def _exhaustive(row: np.void) -> str:
    seconds = float(row["seconds"])
    text = three_digits(seconds) if seconds < 1e6 else f"{seconds:.1e}"
    return f"≈ {text}" if row["is_estimated"] else text


def _validation_loss(measure: Measure, row: np.void) -> str:
    return f"{measure.told(row[measure.validation])}{CUT if row['n_limited'] else ''}"


def _mean_loss(measure: Measure, row: np.void) -> str:
    mean, spread = (measure.told(row[f"{measure.mean}{end}"]) for end in ("", "_std"))
    return f"{mean} ± {spread}{CUT if row['n_limited'] else ''}"
