"""Making tables again: the jobs of all of them one after the other, kept in a checkpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from treewright._base.checkpoint import PathLike
from treewright._base.errors import ParameterError
from treewright._base.params import one_of
from treewright.data.sources import registry as datasets
from treewright.results import Callback
from treewright.search.evolution.learned import LearnedPruning
from treewright.studies.common.parameters import in_words, seed
from treewright.studies.common.run import Conduct, Course
from treewright.studies.reproduction.facts import EFFORTS, PublishedTable
from treewright.studies.reproduction.registry import Shelf, absent, chosen_tables, recipe
from treewright.studies.reproduction.result import Cell, Reproduction, compared
from treewright.studies.reproduction.work import Job, Part, Recipe, Setting
from treewright.trees.pruning.named import checked_rule
from treewright.trees.pruning.rule import PruningRule

__all__ = ["reproduce"]


def reproduce(
    what: object,
    *,
    effort: str = "short",
    folder: PathLike | None = None,
    rule: PruningRule | str | None = None,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> Reproduction:
    """Make published tables and figures again, with a verdict for every number.

    Every number of the paper stands beside ours, with their difference, its standard error, and a verdict:
    ``"agrees"`` where the difference is at most two standard errors and the rounding of the paper,
    ``"differs"`` where it is more, with the reason where it is known, and ``"cannot be compared"`` with what
    is in the way, such as a data set that was never published.

    Parameters
    ----------
    what : str or list of str
        A paper (``"distinct-trees"``, ``"decision-tables"``, ``"pruning"``, ``"fixed-depth"``,
        ``"planes"``), one of its tables or figures (``"pruning:table-1"``), several of these, or ``"all"``.
        `published_tables` lists them.
    effort : {"short", "full"}, default="short"
        ``"short"``: ten folds, and searches that do not end after seconds; what did not end is marked
        ``"unfinished"``. ``"full"``: as many folds as in the paper, and hours for searches.
    folder : path, default=None
        Folder of the data sets that are not bundled; None is the folder that ``TREEWRIGHT_DATA`` names.
    rule : rule or name of one, default=None
        Rule that stands for the evolved one in the tables of ``"pruning"``, such as a learned rule,
        ``LearnedPruning.preset("paper_table")``; None takes the estimate that the paper prints. The paper
        does not print the whole of its rule.
    random_state : int, RandomState instance or None, default=0
        Random seed of folds, tables and generated sets; None uses another seed in every call.
    time_limit : float, default=None
        Seconds after which everything ends with the completed numbers.
    n_jobs : int, default=None
        Number of folds that run in parallel, and of threads where tables or sets are drawn. Times are
        measured on one thread.
    progress : bool, default=True
        Show the number of completed jobs on standard error.
    callback : callable, default=None
        Called with a `Progress`, counted in jobs; returning True ends the work with what is completed.
    checkpoint : path, default=None
        File that stores the completed jobs; the folds of the job under way are in a file beside it, whose
        name ends in ``.folds``. An existing file is refused unless `resume` is True.
    resume : bool, default=False
        Continue from the checkpoint, if it exists.

    Returns
    -------
    reproduction : Reproduction
        The result: it prints as tables, and ``to_html()`` is a page.

    Raises
    ------
    ParameterError
        If a paper, a table or another parameter is not known.
    FormatError
        If the checkpoint is of other tables, data or parameters.
    StudyInterruptedError
        On Ctrl-C; a ``KeyboardInterrupt`` whose `result` holds what is completed.

    See Also
    --------
    published_tables : Lists the tables, with what they need and how long they take.

    Notes
    -----
    The standard error of a difference is that of the paper's mean and of ours. The paper's deviation is
    used where it is printed, otherwise ours stands in for it, over the paper's number of folds. Folds share
    samples, so a standard error is that of folds as if they were independent.

    Examples
    --------
    >>> from treewright.studies import reproduce
    >>> found = reproduce("decision-tables:table-1", callback=lambda progress: True)
    >>> found.status, len(found.cells)
    ('stopped', 80)
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    tables, chosen = chosen_tables(what), one_of("effort", effort, EFFORTS)
    recipes = {table.id: recipe(table) for table in tables}
    shelf = Shelf.of(folder)
    stand_in = _stand_in(rule, recipes)
    work = Work(recipes, shelf, chosen, folder, seed(random_state), conduct, stand_in)
    with conduct.course("reproduce", work.design, len(work.jobs), "jobs") as course:
        work.run(course)
    found = Reproduction(
        _published=tuple(tables),
        _compared=work.cells(tables, course),
        effort=chosen,
        random_state=work.seed,
        rule="" if stand_in is None else _in_one_line(stand_in),
        status=course.status if work.jobs else "complete",
        elapsed=course.elapsed,
    )
    return course.handed_over(found)


def _stand_in(rule: object, recipes: Mapping[str, Recipe]) -> PruningRule | None:
    """Return the rule that stands for the evolved one; of no use without a table that has it."""
    if rule is None:
        return None
    if not any(one.prunes for one in recipes.values()):
        remedy = "leave it out, or add 'pruning' to the tables"
        raise ParameterError("rule", rule, "is for tables of the paper 'pruning' alone", remedy)
    return checked_rule(rule, name="rule")


def _in_one_line(rule: PruningRule) -> str:
    """Write a rule with its parameters, or its formula; a whole program is too long, and has a number."""
    text = f"LearnedPruning: {rule.program}" if isinstance(rule, LearnedPruning) else repr(rule)
    return " ".join(text.split())


@dataclass
class Work:
    """The jobs of the tables that can be run here, and what was found so far."""

    recipes: Mapping[str, Recipe]
    shelf: Shelf
    effort: str
    folder: PathLike | None
    seed: int
    conduct: Conduct
    rule: PruningRule | None = None
    jobs: list[Job] = field(init=False)
    under_way: dict[int, Part] = field(default_factory=dict)
    """What was found by a job that was cut short."""

    def __post_init__(self) -> None:
        """Put together the jobs of all tables, each once, without those whose data are not here."""
        every = {job.key: job for recipe in self.recipes.values() for job in recipe.jobs}
        self.jobs = [job for job in every.values() if not self.shelf.why_not(job)]

    def design(self) -> dict[str, object]:
        """Return what the numbers depend on."""
        needs = sorted({name for job in self.jobs for name in job.needs})
        return {
            "what": list(self.recipes),
            "effort": self.effort,
            "random_state": self.seed,
            "rule": in_words(self.rule),
            "data": {name: self._digest(name) for name in needs},
        }

    def _digest(self, name: str) -> str:
        found = datasets.find_folder(self.folder)
        assert found is not None, "a job that needs a set of the folder is left out without a folder"
        return hashlib.sha256((found.path / found.entries[name]["file"]).read_bytes()).hexdigest()

    def run(self, course: Course) -> None:
        """Run the jobs that are not done yet, until an end is asked for."""
        for place, job in enumerate(self.jobs):
            if place in course.parts or course.is_over():
                continue
            with course.until_ctrl_c():
                done = job.run(self._setting(course))
                if done.status == "complete":
                    course.keep(place, done.part)
                    self._forget_folds()
                else:
                    self.under_way[place] = done.part
                if done.interrupt is not None:
                    raise done.interrupt

    def _setting(self, course: Course) -> Setting:
        left = None if course.left == float("inf") else course.left
        return Setting(
            effort=self.effort,
            folder=self.folder,
            seed=self.seed,
            n_jobs=self.conduct.n_jobs,
            time_limit=left,
            callback=lambda _: course.report(),
            checkpoint=self._folds,
            rule=self.rule,
        )

    @property
    def _folds(self) -> Path | None:
        """The file of the folds of the job under way."""
        if self.conduct.checkpoint is None:
            return None
        place = Path(self.conduct.checkpoint)
        return place.with_name(f"{place.name}.folds")

    def _forget_folds(self) -> None:
        if self._folds is not None:
            self._folds.unlink(missing_ok=True)

    def cells(self, tables: Sequence[PublishedTable], course: Course) -> tuple[Cell, ...]:
        """Return every cell of the tables with its verdict."""
        parts = {job.key: course.parts.get(at, self.under_way.get(at)) for at, job in enumerate(self.jobs)}
        found: list[Cell] = []
        of_rule = "published" if self.rule is None else "other"
        for table in tables:
            recipe = self.recipes[table.id]
            own = {job.key: cast("Part", part) for job in recipe.jobs if (part := parts.get(job.key))}
            measured, late = recipe.measured(own) if own else {}, self._late(recipe, course)
            for row in table.rows:
                missing = absent(self.shelf.lacks(recipe.needs.get(row, ())))
                found += compared(table, row, measured, missing or late, of_rule)
        return tuple(found)

    def _late(self, recipe: Recipe, course: Course) -> str:
        """Say why numbers of jobs that could be run are missing; empty where none are."""
        waiting = {job.key for at, job in enumerate(self.jobs) if at not in course.parts}
        if not any(job.key in waiting for job in recipe.jobs):
            return ""
        return (
            "time was up before it was run" if course.status == "time_limit" else "stopped before it was run"
        )
