"""Tables of the paper on a pruning rule that was evolved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from treewright.studies.common.published import EXPERIMENTS, published_set
from treewright.studies.pruning.design import PAPER as RULES
from treewright.studies.pruning.design import compare_pruning
from treewright.studies.pruning.result import PruningComparison
from treewright.studies.ranks import RankComparison, compare_ranks
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
from treewright.trees.pruning.rule import PruningRule

PAPER = "pruning"
N_FOLDS, N_REPEATS = 10, 3
N_SETS = 60_000
SHORT = dict(zip(RULES, ("NOP", "NEBP", "WEBP", "TWEBP", "SYNTH"), strict=True))
"""The paper's names of the rules."""

EVOLVED = "published"
"""The last of the rules, that of the paper as far as it prints it; another rule can stand for it."""

ALL = "all"

GENERATED, PUBLIC, VALUE = "generated sets", "public sets", "value"
"""Statements of the text are about generated or public sets."""

SIGNS = {"+": "better", "-": "worse", "": "alike"}
"""Marks of the paper behind a rank, in words: against the evolved rule."""

Z = float(stats.norm.isf(0.025))
"""Standard errors of a significant difference of ranks, the least of Holm's."""


def _rules(setting: Setting) -> dict[str, str | PruningRule]:
    """Return the five rules of the paper, the last of which another may stand for."""
    rules: dict[str, str | PruningRule] = {name: name for name in RULES}
    return rules if setting.rule is None else rules | {EVOLVED: setting.rule}


def _generated(setting: Setting) -> Done:
    study = partial(
        compare_pruning,
        generator="paper_table",
        n_sets=N_SETS,
        rules=_rules(setting),
        random_state=setting.seed,
        **setting.conduct,
    )
    return done(study, _read_ranks)


def _read_ranks(study: PruningComparison) -> Part:
    """Return mean ranks and their marks by number of removed features, and of all sets."""
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
        deviations = _deviations_of_gaps(study, name)
        for column, figure in zip(paper(PAPER).tables["table-1"].columns, rows[name], strict=True):
            if figure.text:
                rule = column.name.partition(" ")[0]
                gap, mark = _gap_to_mark(found, rule, figure.text)
                cells[name, column.name] = Measured(gap, deviations[rule], found.n_sets, note, mark)
    if n_sets:
        cells |= _of_tests(GENERATED, study.ranks(), note)
        errors = study.per_fold["n_errors"].reshape(-1, len(RULES))
        ranks = stats.rankdata(errors, axis=1)
        cells[f"{GENERATED}: rank, WEBP less TWEBP", VALUE] = _gap(ranks, "WEBP", "TWEBP", note)
    return packed(cells)


def _deviations_of_gaps(study: PruningComparison, name: str) -> dict[str, float]:
    """Return how much the difference of a rule's rank to that of the evolved one varies over the sets."""
    folds = study.per_fold.reshape(-1, len(study.methods))
    errors = folds["n_errors"][(folds["data"][:, 0] == name) | (name == ALL)]
    ranks = stats.rankdata(errors, axis=1)
    gaps = ranks - ranks[:, [study.methods.index(EVOLVED)]]
    deviations = gaps.std(axis=0, ddof=1) if len(gaps) > 1 else np.full(len(study.methods), math.nan)
    return {SHORT[rule]: float(value) for rule, value in zip(study.methods, deviations, strict=True)}


def _gap_to_mark(found: RankComparison, rule: str, published: str) -> tuple[float, str]:
    """Return how far our mean rank is from where the paper's mark would stand, and our mark."""
    names = [SHORT[method] for method in found.methods]
    row = found.tests.records()[names.index(rule)]
    own = SIGNS[row["mark"]]
    apart = float(found.ranks[names.index(rule)] - found.ranks[names.index(SHORT[EVOLVED])])
    least = apart / row["z"] * Z if row["z"] else 0.0
    beyond = {"better": least + apart, "worse": least - apart, "alike": abs(apart) - least}[published]
    return (0.0 if own == published else max(beyond, 0.0)), own


def _folds(name: str, setting: Setting) -> Done:
    def study() -> PruningComparison:
        return compare_pruning(
            {name: published_set("pruning", name, folder=setting.folder)},
            cv=N_FOLDS,
            repeats=N_REPEATS if setting.is_full else 1,
            rules=_rules(setting),
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


def _statements(parts: Mapping[str, Part]) -> Cells:
    """Return what the text says of the tables; of public sets once all are there."""
    cells = _with_average(parts)
    names = [name for name in EXPERIMENTS["pruning"] if (name, "rank, NOP") in cells]
    if len(names) < len(EXPERIMENTS["pruning"]):
        return cells
    note = next((cells[name, "rank, NOP"].note for name in names if cells[name, "rank, NOP"].note), "")

    def over_sets(what: str) -> NDArray[np.float64]:
        return np.array([[cells[name, f"{what}, {rule}"].value for rule in SHORT.values()] for name in names])

    errors, nodes, ranks = map(over_sets, ("error", "nodes", "rank"))
    cells |= _of_tests(PUBLIC, compare_ranks(ranks, list(SHORT.values()), reference="SYNTH"), note)
    means = dict(zip(SHORT.values(), ranks.mean(axis=0), strict=True))
    best = min((rule for rule in means if rule != "SYNTH"), key=lambda rule: means[rule])
    told = {"rank, SYNTH less the best other": _gap(ranks, "SYNTH", best, note)}
    for of, one, other in COMPARED:
        values = errors if of == "error" else nodes
        told[f"{of}, {one} less {other}"] = _gap(values, one, other, note)
    return cells | {(f"{PUBLIC}: {row}", VALUE): cell for row, cell in told.items()}


COMPARED = (
    *(("error", one, other) for one in ("NOP", "NEBP") for other in ("WEBP", "TWEBP")),
    *(("nodes", "SYNTH", other) for other in ("NEBP", "TWEBP")),
)
"""Means over the public sets that the text compares."""


def _gap(values: NDArray[np.float64], one: str, other: str, note: str) -> Measured:
    """Return the mean difference of two rules over sets, in the order of the columns."""
    names = list(SHORT.values())
    return Measured.mean(values[:, names.index(one)] - values[:, names.index(other)], note=note)


def _of_tests(kind: str, found: RankComparison, note: str) -> Cells:
    """Return the p-values of the tests that all rules are alike."""
    p_values = {"Friedman's": found.p_value, "Iman and Davenport's": found.iman_davenport[1]}
    return {(f"{kind}: p of {whose} test", VALUE): Measured(p, note=note) for whose, p in p_values.items()}


def _told() -> Recipe:
    sets = _of_sets()
    rows = paper(PAPER).tables["statements"].rows
    needs = {row: sets.needs[ALL] for row in rows if row.startswith(PUBLIC)}
    return Recipe((*_of_generated().jobs, *sets.jobs), needs, _statements, prunes=True)


def _of_sets() -> Recipe:
    needs = {name: () if name in BUNDLED else (FILES.get(name, name),) for name in EXPERIMENTS["pruning"]}
    jobs = (Job(f"{PAPER}/{name}", needs[name], partial(_folds, name)) for name in needs)
    every = tuple(name for names in needs.values() for name in names)
    return Recipe(tuple(jobs), {**needs, ALL: every}, _with_average, prunes=True)


FILES = {"splice4": "splice"}
"""Sets of the folder that are called otherwise than the experiment calls them."""

BUNDLED = ("monks-1", "tic-tac-toe")


def _of_generated() -> Recipe:
    return Recipe((Job(f"{PAPER}/generated", (), _generated),), prunes=True)


RECIPES: Mapping[str, Callable[[], Recipe]] = {
    "table-1": _of_generated,
    "table-2": _of_sets,
    "table-3": _of_sets,
    "statements": _told,
}
"""Makes what a table needs, by its name."""
