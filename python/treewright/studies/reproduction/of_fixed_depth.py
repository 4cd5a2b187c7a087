"""Table and figures of the paper on fixed-depth trees that are optimal under naive Bayes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from treewright.studies.common.published import EXPERIMENTS, published_set
from treewright.studies.fixed_depth.design import compare_fixed_depth
from treewright.studies.fixed_depth.result import FixedDepthComparison
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

PAPER = "fixed-depth"
N_FOLDS, N_REPEATS, N_SHORT = 5, 20, 2
METHODS = {
    "depth 1": "1-NBDT",
    "depth 2": "2-OPTNBDT",
    "depth 3": "3-OPTNBDT",
    "depth 4": "4-OPTNBDT",
    "id3": "3-ID3",
    "naive_bayes": "naive Bayes",
}
"""The paper's names of the methods."""

TREES = ("2-OPTNBDT", "3-OPTNBDT", "4-OPTNBDT", "3-ID3")
"""Those that are trees and no stump."""

SEARCHES = {
    ("feature_list", 4): "4-OPTNBDT",
    ("feature_list", 3): "3-OPTNBDT",
    ("feature_list", 2): "2-OPTNBDT",
    ("feature_list", 1): "1-NBDT",
    ("id3", 3): "3-ID3",
    ("exhaustive", 3): "3-NBDT",
}
"""The paper's names of the searches that are timed, by solver and depth."""

FILES = {"flare": "solar-flare", "chess": "kr-vs-kp"}
ABSENT = ("prostate-cancer", "breast-cancer-snp")
WIDEST = "promoters"
"""The set whose first features are timed."""

DEEPER = ("hepatitis", "chess", "connect-4", "promoters")
STUMPS = ("flare", "crx", "vote")
"""Sets of which the paper says that depth helps, and that a stump is best."""

SEARCH_SECONDS = 60.0


def _study(name: str, setting: Setting, repeats: int, time_searches: bool = False) -> FixedDepthComparison:
    return compare_fixed_depth(
        {name: published_set("fixed_depth", name, folder=setting.folder, seed=setting.seed)},
        cv=N_FOLDS,
        repeats=repeats,
        time_searches=time_searches,
        search_time_limit=SEARCH_SECONDS,
        random_state=setting.seed,
        **setting.conduct,
    )


def _folds(name: str, setting: Setting) -> Done:
    repeats = N_REPEATS if setting.is_full else N_SHORT
    return done(partial(_study, name, setting, repeats), partial(_read, name))


def _read(name: str, study: FixedDepthComparison) -> Part:
    """Return the errors of every fold in percent by method, and the sizes of the set."""
    (sizes,) = study.data_sets.records()
    told = {"features": "n_features", "rows": "n_samples", "feature values": "n_values"}
    part = packed({(name, column): Measured(sizes[field]) for column, field in told.items()})
    part["errors"] = {
        label: 100 * study.per_fold["error"][study.per_fold["method"] == method]
        for method, label in METHODS.items()
    }
    part["note"] = unfinished(study.n_folds_done, N_FOLDS * study.settings["repeats"])
    return part


def _times(name: str, setting: Setting) -> Done:
    """Time searches on all rows; folds are not what is wanted."""
    study = partial(_study, name, replace(setting, n_jobs=None), 1, time_searches=True)
    return done(study, partial(_read_times, name))


def _read_times(name: str, study: FixedDepthComparison) -> Part:
    """Return the seconds of every search, and those by number of features of the widest set."""
    cells: Cells = {}
    for row in study.times.records():
        label = SEARCHES.get((row["solver"], row["depth"]))
        if label is not None:
            is_bound = row["status"] not in ("optimal", "complete")
            note = "unfinished: longer than this" if is_bound else ""
            cells[name, label] = Measured(row["seconds"], note=note, is_bound=is_bound)
    for row in study.scaling.records() if name == WIDEST else ():
        place = f"{row['n_features']} features"
        cells[place, "3-NBDT"] = Measured(row["exhaustive"])
        cells[place, "3-OPTNBDT"] = Measured(row["feature_list"])
        cells[place, "3-NBDT / 3-OPTNBDT"] = Measured(row["ratio"])
    return packed(cells)


def _sets() -> list[str]:
    return list(EXPERIMENTS["fixed_depth"])


def _needs() -> dict[str, tuple[str, ...]]:
    """Return the data sets of the folder by row, of those that were never published too."""
    bundled = {name: () if name == "tic-tac-toe" else (FILES.get(name, name),) for name in _sets()}
    return {**bundled, **{name: (name,) for name in ABSENT}}


def _jobs(kind: str, run: Callable[[str, Setting], Done], names: Iterable[str]) -> tuple[Job, ...]:
    needs = _needs()
    return tuple(Job(f"{PAPER}/{kind}/{name}", needs[name], partial(run, name)) for name in names)


Errors = dict[str, dict[str, NDArray[np.float64]]]
"""Errors of every fold, by set and method."""


def _errors(parts: Mapping[str, Part]) -> Errors:
    """Return the errors of the jobs that ran folds."""
    found = {
        key.rpartition("/")[2]: cast("dict[str, NDArray[np.float64]]", part["errors"])
        for key, part in parts.items()
        if "errors" in part
    }
    return {name: errors for name, errors in found.items() if len(errors["3-ID3"])}


def _of_errors(parts: Mapping[str, Part]) -> Cells:
    """Return the mean error of every method on every set, and the average over the sets that are here."""
    errors = _errors(parts)
    cells: Cells = {}
    for name, of_set in errors.items():
        note = str(parts[f"{PAPER}/folds/{name}"]["note"])
        for method, values in of_set.items():
            cells[name, method] = Measured.mean(values, note=note)
    if len(errors) == len(_sets()):
        for method in METHODS.values():
            means = [float(of_set[method].mean()) for of_set in errors.values()]
            cells["average", method] = Measured.mean(means)
    return cells


def _told(parts: Mapping[str, Part]) -> Cells:
    """Return the numbers behind what the text says of the figures."""
    errors = _errors(parts)
    cells = {**_of_means(errors), **_of_depths(errors)}
    timed = {place: cell for part in parts.values() for place, cell in unpacked(part)}
    ratios = [
        timed[name, "4-OPTNBDT"].value / timed[name, "3-NBDT"].value
        for name in _sets()
        if (name, "4-OPTNBDT") in timed and (name, "3-NBDT") in timed
    ]
    if len(ratios) == len(_sets()):
        cells[ALIKE, VALUE] = Measured(float(np.median(ratios)))
    fast, slow = (timed.get((WIDEST, label)) for label in ("3-OPTNBDT", "3-NBDT"))
    if fast is not None and slow is not None:
        cells[FASTER, VALUE] = Measured(slow.value / fast.value)
    return cells


VALUE = "value"
ALIKE = "seconds: 4-OPTNBDT / 3-NBDT, median of the sets"
FASTER = "seconds: 3-NBDT / 3-OPTNBDT on promoters"


def _of_means(errors: Errors) -> Cells:
    """Return differences of mean errors over all sets, once all are here."""
    if len(errors) < len(_sets()):
        return {}

    def gap(one: str, other: str) -> Measured:
        return Measured.mean([float((of_set[one] - of_set[other]).mean()) for of_set in errors.values()])

    cells: Cells = {}
    for depth in (2, 3, 4):
        one, other = f"{depth}-OPTNBDT", "1-NBDT" if depth == 2 else f"{depth - 1}-OPTNBDT"
        cells[f"mean error: {one} less {other}", VALUE] = gap(one, other)
    for one in ("2-OPTNBDT", "3-OPTNBDT"):
        found = gap(one, "3-ID3")
        t = found.value / (found.deviation / math.sqrt(found.n))
        cells[f"paired t of {one} against 3-ID3 over the sets", VALUE] = Measured(t)
    return cells


def _of_depths(errors: Errors) -> Cells:
    """Return paired differences on the sets where depth helps, and where a stump is best."""
    cells: Cells = {}
    for name in DEEPER:
        if of_set := errors.get(name):
            gap = of_set["4-OPTNBDT"] - of_set["1-NBDT"]
            cells[f"{name}: error of depth 4 less depth 1", VALUE] = Measured.mean(gap)
    for name in STUMPS:
        if of_set := errors.get(name):
            others = [
                of_set[method] for method in METHODS.values() if method not in ("1-NBDT", "naive Bayes")
            ]
            best = min(others, key=np.mean)
            cells[f"{name}: error of the stump less the best other tree", VALUE] = Measured.mean(
                of_set["1-NBDT"] - best
            )
    return cells


FOLDS = partial(_jobs, "folds", _folds)
TIMES = partial(_jobs, "times", _times)


def _table_1() -> Recipe:
    return Recipe(FOLDS(_sets()), _needs())


def _figure_4() -> Recipe:
    every = tuple(name for names in _needs().values() for name in names)
    return Recipe(FOLDS(_sets()), {**_needs(), "average": every}, _of_errors)


def _figure_5() -> Recipe:
    rows = paper(PAPER).tables["figure-5"].rows
    return Recipe(TIMES([WIDEST]), dict.fromkeys(rows, (WIDEST,)))


def _figure_6() -> Recipe:
    return Recipe(TIMES(_sets()), _needs())


def _statements() -> Recipe:
    here = tuple(name for key, names in _needs().items() if key not in ABSENT for name in names)
    needs = {row: _needed_by(row, here) for row in paper(PAPER).tables["statements"].rows}
    return Recipe((*FOLDS(_sets()), *TIMES(_sets())), needs, _told)


def _needed_by(row: str, every: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sets behind a statement: its own, or all."""
    name = WIDEST if row == FASTER else row.partition(":")[0]
    return _needs().get(name, every)


RECIPES: Mapping[str, Callable[[], Recipe]] = {
    "table-1": _table_1,
    "figure-4": _figure_4,
    "figure-5": _figure_5,
    "figure-6": _figure_6,
    "statements": _statements,
}
"""Makes what a table needs, by its name."""
