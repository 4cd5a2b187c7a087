"""Which tables there are, how each is made again, and whether it can be had here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from treewright._base.checkpoint import PathLike
from treewright._base.errors import ParameterError
from treewright._base.wording import Value
from treewright.data.sources import registry as datasets
from treewright.studies.reproduction import (
    of_decision_tables,
    of_distinct_figures,
    of_distinct_trees,
    of_fixed_depth,
    of_planes,
    of_pruning,
)
from treewright.studies.reproduction.facts import PAPERS, PublishedTable, all_tables, paper
from treewright.studies.reproduction.work import Job, Recipe

ALL = "all"
"""What stands for every table of every paper."""

RECIPES: Mapping[str, Mapping[str, Callable[[], Recipe]]] = {
    of_distinct_trees.PAPER: {**of_distinct_trees.RECIPES, **of_distinct_figures.RECIPES},
    of_decision_tables.PAPER: of_decision_tables.RECIPES,
    of_pruning.PAPER: of_pruning.RECIPES,
    of_fixed_depth.PAPER: of_fixed_depth.RECIPES,
    of_planes.PAPER: of_planes.RECIPES,
}
"""How tables are made again, by paper and name."""

NEVER_PUBLISHED = {
    "database-marketing",
    "star-galaxy-bright",
    "star-galaxy-dim",
    "prostate-cancer",
    "breast-cancer-snp",
}
"""Sets of the papers that nobody else has."""


def recipe(table: PublishedTable) -> Recipe:
    """Return how a table is made again; of one without measurements nothing is run."""
    make = RECIPES.get(table.paper, {}).get(table.name)
    return Recipe() if make is None else make()


def chosen_tables(what: object) -> list[PublishedTable]:
    """Return the tables that a user names, in the order of the papers, each once."""
    names = [what] if isinstance(what, str) else list(what) if isinstance(what, Iterable) else [what]
    if not names:
        raise ParameterError("what", what, "names no table", ("give 'all', or a paper: ", Value(*PAPERS)))
    wanted = {table.id for name in names for table in _named(name)}
    return [table for key, table in all_tables().items() if key in wanted]


def _named(name: object) -> Sequence[PublishedTable]:
    """Return the tables of ``PAPER:TABLE``, of a paper, or all."""
    if name == ALL:
        return list(all_tables().values())
    of, colon, table = str(name).partition(":")
    if of not in PAPERS:
        remedy = ("choose 'all', or a paper: ", Value(*PAPERS), ", with :TABLE behind it for one table alone")
        raise ParameterError("what", name, "names no paper that is known", remedy)
    tables = paper(of).tables
    if colon and table not in tables:
        known = Value(*(f"{of}:{key}" for key in tables))
        raise ParameterError("what", name, f"names no table of the paper {of!r}", ("choose ", known))
    return [tables[table]] if colon else list(tables.values())


@dataclass(frozen=True)
class Shelf:
    """Which data sets are here."""

    names: frozenset[str]

    @staticmethod
    def of(folder: PathLike | None) -> Shelf:
        """Look into the folder of data sets."""
        found = datasets.find_folder(folder)
        return Shelf(frozenset(() if found is None else found.entries))

    def lacks(self, needs: Iterable[str]) -> list[str]:
        """Return the sets that are not here."""
        return [name for name in needs if name not in self.names]

    def why_not(self, job: Job) -> str:
        """Say why a job cannot be run; empty where it can."""
        return absent(self.lacks(job.needs))


def absent(names: Sequence[str]) -> str:
    """Say that data sets are not here, or were never published; empty without names."""
    return "; ".join(
        f"data set {name!r} was never published"
        if name in NEVER_PUBLISHED
        else f"data set {name!r} is not here"
        for name in names
    )
