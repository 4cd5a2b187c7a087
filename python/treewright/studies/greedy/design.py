"""How far sixteen greedy heuristics are from the least cost."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from treewright import _core
from treewright._base.checkpoint import PathLike
from treewright._base.errors import DataTypeError, ParameterError
from treewright._base.memory import bytes_or_none
from treewright._base.params import Limits, n_threads, node_limit_or_none, whole_number
from treewright._base.wording import NO_VALUE, UNSET
from treewright.results import Callback
from treewright.search.tables.searches import DEFAULT_MEMORY, HEURISTICS
from treewright.search.tables.table import DecisionTable
from treewright.studies.common.parameters import seed
from treewright.studies.common.run import Batch, Conduct, Watch
from treewright.studies.greedy.result import COSTS, Drawing, GreedyComparison, GreedySettings

__all__ = ["compare_greedy"]


def compare_greedy(
    tables: object = None,
    *,
    n_tables: int = 1000,
    n_rows: int = 50,
    n_features: int = 10,
    n_values: int = 3,
    random_state: object = 0,
    node_limit: int | None = None,
    memory_limit: int | str | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> GreedyComparison:
    """Compare sixteen greedy heuristics with the optimal tree, for five costs.

    For every table the tree of each heuristic is grown, and the least depth, average depth and numbers of
    nodes, internal nodes and leaves of any tree are found. The result is the relative difference, (greedy -
    least) / least, and its mean over the tables.

    Parameters
    ----------
    tables : DecisionTable or iterable of DecisionTable, default=None
        The tables; None generates random tables.
    n_tables : int, default=1000
        Number of random tables; this and the next three parameters are for random tables.
    n_rows : int, default=50
        Number of rows of each table, before equal rows become one with their most common decision.
    n_features : int, default=10
        Number of features of each table.
    n_values : int, default=3
        Number of values of every feature, and of decisions; all are equally likely.
    random_state : int, RandomState instance or None, default=0
        Random seed of the tables; None uses another seed in every call.
    node_limit : int, default=None
        Largest number of subtables of a table; the comparison ends at the first table that has more. None: no
        limit.
    memory_limit : int or str, default=None
        Memory for the subtables of a table: bytes, or text such as ``"64MB"``; None is 1 GiB.
    n_jobs : int, default=None
        Number of threads, each with other tables: None is 1, -1 every core. The numbers do not depend on it.
    time_limit, progress, callback, checkpoint, resume
        As in `compare_selection`; the progress counts tables.

    Returns
    -------
    comparison : GreedyComparison
        The result: it prints as a table, and ``comparison.plot()`` draws it.

    Raises
    ------
    ParameterError, FormatError, StudyInterruptedError
        As in `compare_selection`.

    See Also
    --------
    treewright.tables.DecisionTable.greedy_tree : Grows one of the trees.

    Notes
    -----
    The published experiment has four groups of 10 000 random tables; ``n_tables=40_000`` repeats it. Ties go
    to the first feature. If the least cost is 0, every tree is a single leaf, and the relative difference is
    0.

    References
    ----------
    A. Alkhalid, I. Chikalov, M. Moshkov, "Decision Tree Construction using Greedy Algorithms and Dynamic
    Programming -- Comparative Study", 2011.

    Examples
    --------
    >>> from treewright.studies import compare_greedy
    >>> comparison = compare_greedy(n_tables=200, n_rows=20, n_features=5)
    >>> comparison
    <GreedyComparison: 16 heuristics, 5 costs, 200 random tables, complete>
    >>> comparison.best("n_nodes")
    [('weighted_sum', 'gini'), ('weighted_sum', 'entropy')]
    """
    drawing: Drawing = {
        "n_tables": whole_number("n_tables", n_tables, least=1),
        "n_rows": whole_number("n_rows", n_rows, least=1),
        "n_features": whole_number("n_features", n_features, least=1),
        "n_values": whole_number("n_values", n_values, least=1),
        "random_state": seed(random_state),
    }
    own = None if tables is None else _tables(tables)
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    most = node_limit_or_none(node_limit)
    memory = bytes_or_none("memory_limit", memory_limit) or DEFAULT_MEMORY
    work = _Tables(own, drawing, most, memory, n_threads(n_jobs))
    limits: GreedySettings = {"node_limit": most, "memory_limit": memory}
    settings: GreedySettings = limits if own else {**drawing, **limits}
    design = partial(_design, settings, own)
    with conduct.course("compare_greedy", design, work.n_tables, "tables") as course:
        course.in_batches(work.compared)
    parts = [course.parts[first] for first in sorted(course.parts)]
    found = GreedyComparison(
        differences=np.concatenate([NO_DIFFERENCES, *(part["differences"] for part in parts)]),
        minima=np.concatenate([NO_MINIMA, *(part["minima"] for part in parts)]),
        n_asked=work.n_tables,
        settings=settings,
        status=course.status,
        elapsed=course.elapsed,
    )
    return course.handed_over(found)


NO_DIFFERENCES = np.empty((0, len(HEURISTICS), len(COSTS)))
NO_MINIMA = np.empty((0, len(COSTS)), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Tables:
    """The tables, given or to be drawn, and how they are compared."""

    own: Sequence[DecisionTable] | None
    drawn_by: Drawing
    node_limit: int | None
    memory_limit: int
    n_threads: int

    @property
    def n_tables(self) -> int:
        """How many there are."""
        return self.drawn_by["n_tables"] if self.own is None else len(self.own)

    def compared(self, first: int, n: int, watch: Watch, seconds: float | None) -> Batch:
        """Compare heuristics on some of the tables."""
        drawn_by = self.drawn_by
        found = _core.compare_greedy(
            None if self.own is None else [table.core for table in self.own[first : first + n]],
            n_tables=n,
            first_table=first,
            n_rows=drawn_by["n_rows"],
            n_features=drawn_by["n_features"],
            n_values=drawn_by["n_values"],
            seed=drawn_by["random_state"],
            node_limit=self.node_limit,
            memory_limit=self.memory_limit,
            limits=Limits(self.n_threads, seconds, watch),
        )
        part = {"differences": found.differences, "minima": found.minima}
        return Batch(part, len(found.minima), found.status)


def _design(settings: Mapping[str, object], own: Sequence[DecisionTable] | None) -> dict[str, object]:
    """Return what the result depends on: the settings, and a digest of tables that are given."""
    found = hashlib.sha256()
    for table in own or ():
        columns = [table.column(feature) for feature in range(table.n_features)]
        for array in (*columns, table.decisions):
            found.update(f"{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return {**settings, "data": {} if own is None else {"tables": found.hexdigest()}}


def _tables(given: object) -> list[DecisionTable]:
    """Return tables as a list; one table is a list of one."""
    if not isinstance(given, DecisionTable | Iterable) or isinstance(given, str):
        raise DataTypeError(
            f"tables is of type {type(given).__name__}; give DecisionTables, or None to draw some"
        )
    tables = [given] if isinstance(given, DecisionTable) else list(given)
    for position, table in enumerate(tables):
        if not isinstance(table, DecisionTable):
            raise DataTypeError(
                f"tables[{position}] is of type {type(table).__name__}; make it one with DecisionTable or "
                "DecisionTable.from_data"
            )
    if not tables:
        remedy = ("give one DecisionTable or more, or ", NO_VALUE, " to draw some")
        raise ParameterError("tables", UNSET, "is empty", remedy)
    return tables
