"""How far sixteen greedy heuristics are from the least cost."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from treewright import _core
from treewright._base.errors import DataTypeError, ParameterError
from treewright._base.memory import bytes_or_none
from treewright._base.params import (
    n_threads,
    seconds_or_none,
    whole_number_or_none,
)
from treewright.results import Callback
from treewright.search.tables.searches import DEFAULT_MEMORY
from treewright.search.tables.table import DecisionTable
from treewright.studies.common.parameters import count, seed
from treewright.studies.common.run import StudyLine, watcher
from treewright.studies.greedy.result import GreedyComparison

__all__ = ["compare_greedy"]


def compare_greedy(
    tables: Any = None,
    *,
    n_tables: int = 1000,
    n_rows: int = 50,
    n_features: int = 10,
    n_values: int = 3,
    random_state: Any = 0,
    node_limit: int | None = None,
    memory_limit: int | str | None = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
) -> GreedyComparison:
    """Compare sixteen greedy heuristics with the least cost, for five costs.

    For every table the tree of each heuristic is grown, and the least depth, average depth and numbers of
    nodes, internal nodes and leaves of any tree are found. What counts is the relative difference, (greedy -
    least) / least, and its mean over the tables.

    Parameters
    ----------
    tables : DecisionTable or iterable of DecisionTable, default=None
        The tables; None draws them at random.
    n_tables : int, default=1000
        Number of tables to draw; this and the next three are for random tables.
    n_rows : int, default=50
        Rows of each before equal rows become one, with their most common decision.
    n_features : int, default=10
        Features of each.
    n_values : int, default=3
        Values of every feature, and decisions; all are equally likely.
    random_state : int, RandomState instance or None, default=0
        Draws the tables; None draws them anew in every call.
    node_limit : int, default=None
        Most subtables that a table may have; the comparison ends at the first that has more. None: no limit.
    memory_limit : int or str, default=None
        Bytes, or text such as ``"64MB"``, that the subtables of a table may take; None is 1 GiB.
    time_limit : float, default=None
        Seconds after which the study ends with the tables done.
    n_jobs : int, default=None
        Number of threads, each with tables of its own: None is 1, -1 every core. The numbers do not depend
        on it.
    progress : bool, default=True
        Show on the error stream how many tables are done.
    callback : callable, default=None
        Called with a `Progress`, counted in tables; returning True ends the study with those done.

    Returns
    -------
    comparison : GreedyComparison
        Prints as a table, draws itself with ``comparison.plot()``; see there for all that it holds.

    Raises
    ------
    ParameterError
        If a parameter is not what it may be.

    See Also
    --------
    treewright.tables.DecisionTable.greedy_tree : Grows one of the trees.

    Notes
    -----
    The published experiment has four groups of 10 000 random tables; ``n_tables=40_000`` repeats it. Equal
    impurities go to the first feature. A tree of cost 0 is a lone leaf, and then every tree is: the relative
    difference is 0.

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
    drawn = tables is None
    settings = {
        "n_tables": count("n_tables", n_tables, least=1),
        "n_rows": count("n_rows", n_rows, least=1),
        "n_features": count("n_features", n_features, least=1),
        "n_values": count("n_values", n_values, least=1),
        "random_state": seed(random_state),
    }
    own = None if drawn else _tables(tables)
    limits: dict[str, Any] = {
        "node_limit": whole_number_or_none("node_limit", node_limit, least=1, remedy="None is no limit"),
        "memory_limit": bytes_or_none("memory_limit", memory_limit) or DEFAULT_MEMORY,
        "time_limit": seconds_or_none("time_limit", time_limit),
    }
    started = time.monotonic()
    with StudyLine(progress, "tables") as line:
        found = _core.compare_greedy(
            None if own is None else [table.core for table in own],
            n_tables=settings["n_tables"],
            n_rows=settings["n_rows"],
            n_features=settings["n_features"],
            n_values=settings["n_values"],
            seed=settings["random_state"],
            **limits,
            n_threads=n_threads(n_jobs),
            callback=watcher(line, callback),
        )
    return GreedyComparison(
        differences=found["differences"],
        minima=found["minima"],
        n_asked=settings["n_tables"] if own is None else len(own),
        settings={**(settings if drawn else {}), **limits},
        status=found["status"],
        elapsed=time.monotonic() - started,
    )


def _tables(given: Any) -> list[DecisionTable]:
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
        raise ParameterError("tables is empty; give one DecisionTable or more, or None to draw some")
    return tables
