"""Tables of the paper on a pruning rule that was evolved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from treewright.studies.common.published import EXPERIMENTS, published_set
from treewright.studies.pruning.design import PAPER as RULES
from treewright.studies.pruning.design import compare_pruning
from treewright.studies.pruning.result import PruningComparison
from treewright.studies.reproduction.facts import paper
from treewright.studies.reproduction.verdict import Measured
from treewright.studies.reproduction.work import (
    Cells,
    Done,
    Job,
    Part,
    Recipe,
    Setting,
    done,
    packed,
    unfinished,
    unpacked,
)

PAPER = "pruning"
N_FOLDS, N_REPEATS = 10, 3
N_SETS = 60_000
SHORT = dict(zip(RULES, ("NOP", "NEBP", "WEBP", "TWEBP", "SYNTH"), strict=True))
"""The paper's names of the rules."""

ALL = "all"


def _generated(setting: Setting) -> Done:
    study = partial(
        compare_pruning,
        generator="paper_table",
        n_sets=N_SETS,
        random_state=setting.seed,
        **setting.conduct,
    )
    return done(study, _read_ranks)


def _read_ranks(study: PruningComparison) -> Part:
    """Return mean ranks by number of removed features, and of all sets."""
    rows = paper(PAPER).tables["table-1"].rows
    n_sets = len(study.per_fold) // len(study.methods)
    note = unfinished(n_sets, N_SETS, "sets")
    cells: Cells = {}
    for name in rows if n_sets else ():
        if name != ALL and name not in study.data_sets["data"]:
            continue
        found = study.ranks(name)
        for rule, rank, deviation in zip(study.methods, found.ranks, found.rank_std, strict=True):
            cells[name, SHORT[rule]] = Measured(float(rank), float(deviation), found.n_sets, note)
    return packed(cells)


def _folds(name: str, setting: Setting) -> Done:
    def study() -> PruningComparison:
        return compare_pruning(
            {name: published_set("pruning", name, folder=setting.folder)},
            cv=N_FOLDS,
            repeats=N_REPEATS if setting.is_full else 1,
            random_state=setting.seed,
            **setting.conduct,
        )

    return done(study, partial(_read_folds, name))


def _read_folds(name: str, study: PruningComparison) -> Part:
    """Return errors, nodes and ranks of every rule on a set."""
    n_done = study.n_folds_done
    note = unfinished(n_done, study.settings["cv"] * study.settings["repeats"])
    ranks = {row["method"]: row["rank"] for row in study.summary.records() if row["data"] == name}
    cells: Cells = {}
    for rule in study.methods if n_done else ():
        rows = study.per_fold[study.per_fold["method"] == rule]
        cells[name, f"error, {SHORT[rule]}"] = Measured.mean(rows["error"], factor=100, note=note)
        cells[name, f"nodes, {SHORT[rule]}"] = Measured.mean(rows["n_nodes"], note=note)
        cells[name, f"rank, {SHORT[rule]}"] = Measured(ranks[rule], math.nan, 1, note)
    return packed(cells)


def _with_average(parts: Mapping[str, Part]) -> Cells:
    """Add the averages over all sets, once all are there."""
    cells = {place: cell for part in parts.values() for place, cell in unpacked(part)}
    names = {row for row, _ in cells}
    if len(names) == len(EXPERIMENTS["pruning"]):
        for column in {column for _, column in cells}:
            cells[ALL, column] = _average([cells[name, column] for name in sorted(names)], column)
    return cells


def _average(found: list[Measured], column: str) -> Measured:
    """Return the mean over sets: of ranks with their spread over sets, else with that of the folds."""
    if column.startswith("rank"):
        return Measured.mean([cell.value for cell in found])
    deviation = math.sqrt(sum(cell.deviation**2 for cell in found)) / len(found)
    notes = [cell.note for cell in found if cell.note]
    mean = float(np.mean([cell.value for cell in found]))
    return Measured(mean, deviation, min(cell.n for cell in found), notes[0] if notes else "")


def _of_sets() -> Recipe:
    needs = {name: () if name in BUNDLED else (FILES.get(name, name),) for name in EXPERIMENTS["pruning"]}
    jobs = (Job(f"{PAPER}/{name}", needs[name], partial(_folds, name)) for name in needs)
    every = tuple(name for names in needs.values() for name in names)
    return Recipe(tuple(jobs), {**needs, ALL: every}, _with_average)


FILES = {"splice4": "splice"}
"""Sets of the folder that are called otherwise than the experiment calls them."""

BUNDLED = ("monks-1", "tic-tac-toe")


def _of_generated() -> Recipe:
    return Recipe((Job(f"{PAPER}/generated", (), _generated),))


RECIPES: Mapping[str, Callable[[], Recipe]] = {
    "table-1": _of_generated,
    "table-2": _of_sets,
    "table-3": _of_sets,
}
"""Makes what a table needs, by its name."""
