"""Figures of the paper on distinct trees, and what its text says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import cast

import numpy as np
from numpy.typing import NDArray

from treewright.search.distinct.count import DistinctTreeCount, count_distinct_trees
from treewright.studies.distinct_trees.design import study_distinct_trees
from treewright.studies.distinct_trees.result import DistinctTreeStudy
from treewright.studies.reproduction.facts import paper
from treewright.studies.reproduction.of_distinct_trees import (
    N_FOLDS,
    N_REPEATS,
    PAPER,
    SEARCH_SECONDS,
    grower,
)
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
)
from treewright.studies.selection.design import compare_selection
from treewright.studies.selection.result import SelectionComparison
from treewright.trees.greedy import GreedyTreeClassifier

COUNT_SECONDS = {"short": 60.0, "full": 600.0}
"""After which a single count ends."""

N_GROWN = 20
"""Trees that are grown to tell how long all subsets would take."""

ORDERS = {
    "frontier": "ascending frontier",
    "frontier_descending": "descending frontier",
    "index_descending": "index",
}
VALUE = "value"
JUDGED = ("adult, m = 1024", "ionosphere, m = 32", "anneal, m = 32")
"""Sets of figure 5, each at one m."""


def _named(row: str) -> tuple[str, float]:
    """Return the set and the m of a row."""
    name, _, size = row.partition(", m = ")
    return name, float(size)


def _grower_at(size: float) -> GreedyTreeClassifier:
    return grower().set_params(min_samples_split=size)


def _counted(row: str, setting: Setting) -> Done:
    """Count all distinct trees in the paper's order."""
    name, size = _named(row)
    own = COUNT_SECONDS[setting.effort]
    limit = own if setting.time_limit is None else min(own, setting.time_limit)
    found = count_distinct_trees(
        setting.load(name), estimator=_grower_at(size), time_limit=limit, n_jobs=1, callback=setting.callback
    )
    is_cut = found.status == "stopped" or (found.status == "time_limit" and limit < own)
    return Done(_read_count(row, found), found.status if is_cut else "complete")


def _read_count(row: str, found: DistinctTreeCount) -> Part:
    is_bound = found.status != "complete"
    share = found.certificate / found.n_subsets
    note = f"unfinished: after {share:.1%} of the subsets" if is_bound else ""
    measured = {
        "distinct trees": found.n_distinct,
        "built / distinct": found.overhead,
        "seconds": found.elapsed,
    }
    cells = {
        (row, column): Measured(float(value), note=note, is_bound=is_bound)
        for column, value in measured.items()
    }
    return packed(cells)


def _ordered(row: str, setting: Setting) -> Done:
    """Count by every order, and tell how long exhaustive search takes."""
    name, size = _named(row)

    def study() -> DistinctTreeStudy:
        return study_distinct_trees(
            {name: setting.load(name)},
            min_samples_split=size,
            orders=tuple(ORDERS),
            methods=("top",),
            estimator=grower(),
            cv=2,
            max_grown=N_GROWN,
            search_time_limit=COUNT_SECONDS[setting.effort],
            random_state=setting.seed,
            **(setting.conduct | {"n_jobs": None}),
        )

    return done(study, partial(_read_orders, row))


def _read_orders(row: str, study: DistinctTreeStudy) -> Part:
    cells: Cells = {}
    for count in study.counts.records():
        is_bound = count["status"] != "complete"
        note = f"unfinished: after {count['share']:.1%} of the subsets" if is_bound else ""
        measured: dict[str, float] = {f"built / distinct, {ORDERS[count['order']]}": count["overhead"]}
        if count["order"] == "frontier":
            ratio = 2.0**study.n_features / max(count["n_distinct"], 1)
            measured |= {"distinct trees": count["n_distinct"], "subsets / distinct": ratio}
            measured["seconds, all trees"] = count["seconds"]
        cells |= {
            (row, name): Measured(float(value), note=note, is_bound=is_bound)
            for name, value in measured.items()
        }
    for grown in study.exhaustive.records():
        note = f"estimated from {grown['n_grown']} trees" if grown["is_estimated"] else ""
        cells[row, "seconds, exhaustive"] = Measured(grown["seconds"], note=note)
    return packed(cells)


def _judged(row: str, setting: Setting) -> Done:
    """Compare the trees on all features, on those of elimination, and on the best subset."""
    name, size = _named(row)

    def study() -> SelectionComparison:
        return compare_selection(
            {name: setting.load(name)},
            methods=("top", "backward", "complete"),
            estimator=_grower_at(size),
            cv=N_FOLDS,
            repeats=N_REPEATS if setting.is_full else 1,
            search_time_limit=SEARCH_SECONDS[setting.effort],
            random_state=setting.seed,
            **setting.conduct,
        )

    return done(study, _read_judged)


LABELS = {"top": "top", "backward": "backward", "complete": "optimal"}


def _read_judged(study: SelectionComparison) -> Part:
    """Keep, by method, errors of every fold, held out and searched on, and what was cut short."""
    folds = study.per_fold
    rows = {label: folds[folds["method"] == method] for method, label in LABELS.items()}
    return {
        "held out": {label: 100 * found["error"] for label, found in rows.items()},
        "validation": {label: 100 * found["validation_error"] for label, found in rows.items()},
        "limited": {
            label: [int(end == "time_limit") for end in found["status"]] for label, found in rows.items()
        },
        "note": unfinished(study.n_folds_done, N_FOLDS * study.settings["repeats"]),
    }


Errors = dict[str, NDArray[np.float64]]


def _cell(part: Part, values: NDArray[np.float64], *labels: str) -> Measured:
    """Return the mean of errors, or of differences; a bound where a search of these methods did not end."""
    limited = cast("Mapping[str, list[int]]", part["limited"])
    n_early = int(np.any([limited[label] for label in labels], axis=0).sum())
    note = (
        f"unfinished: the searches of {n_early} of {len(values)} folds ended early"
        if n_early
        else str(part["note"])
    )
    return replace(Measured.mean(values, note=note), is_bound=n_early > 0)


SHOWN = {"held out": "error", "validation": "search error"}
"""What figure 5 (and the right of figure 4) calls an error, by the rows that it is counted on."""


def _of_folds(parts: Mapping[str, Part]) -> Cells:
    """Return the mean errors of figure 5, and those on the search set."""
    cells: Cells = {}
    for (key, part), (kind, shown) in product(parts.items(), SHOWN.items()):
        for label, values in cast("Errors", part[kind]).items():
            if len(values):
                cells[key.rpartition("/")[2], f"{shown}, {label}"] = _cell(part, values, label)
    return cells


STATED = (
    ("adult", "held out", "backward", "top"),
    ("adult", "held out", "optimal", "backward"),
    ("adult", "validation", "backward", "top"),
    ("adult", "validation", "optimal", "backward"),
    ("ionosphere", "held out", "optimal", "top"),
    ("anneal", "held out", "backward", "top"),
)
"""Differences of errors of which the text says a sign."""

CLOSE = "adult: built / distinct, ascending frontier"
QUICK = "adult: seconds of all trees / of exhaustive search"
ADULT = "adult, m = 4096"


def _told(parts: Mapping[str, Part]) -> Cells:
    """Return the numbers behind what the text says of the figures."""
    cells: Cells = {}
    by_set = {_named(key.rpartition("/")[2])[0]: part for key, part in parts.items() if "held out" in part}
    for name, kind, one, other in STATED:
        errors = cast("Errors", by_set.get(name, {}).get(kind, {}))
        if len(errors.get(one, ())):
            row = f"{name}: error, {kind}, {one} less {other}"
            cells[row, VALUE] = _cell(by_set[name], errors[one] - errors[other], one, other)
    orders = parts.get(f"{PAPER}/orders/{ADULT}")
    found = {} if orders is None else Recipe().measured({"orders": orders})
    close = found.get((ADULT, "built / distinct, ascending frontier"))
    fast, slow = (found.get((ADULT, f"seconds, {name}")) for name in ("all trees", "exhaustive"))
    if close is not None:
        cells[CLOSE, VALUE] = close
    if fast is not None and slow is not None:
        cells[QUICK, VALUE] = replace(fast, value=fast.value / slow.value)
    return cells


def _job(kind: str, run: Callable[[str, Setting], Done], row: str) -> Job:
    return Job(f"{PAPER}/{kind}/{row}", (_named(row)[0],), partial(run, row))


def _figure(name: str, kind: str, run: Callable[[str, Setting], Done]) -> Recipe:
    """Return what makes a figure with one job a row."""
    rows = paper(PAPER).tables[name].rows
    return Recipe(tuple(_job(kind, run, row) for row in rows), {row: (_named(row)[0],) for row in rows})


def _figure_5() -> Recipe:
    return replace(_figure("figure-5", "folds", _judged), cells=_of_folds)


def _statements() -> Recipe:
    jobs = (*(_job("folds", _judged, row) for row in JUDGED), _job("orders", _ordered, ADULT))
    rows = paper(PAPER).tables["statements"].rows
    return Recipe(jobs, {row: (row.partition(":")[0],) for row in rows}, _told)


RECIPES: Mapping[str, Callable[[], Recipe]] = {
    "figure-3": partial(_figure, "figure-3", "orders", _ordered),
    "figure-4": partial(_figure, "figure-4", "counts", _counted),
    "figure-5": _figure_5,
    "statements": _statements,
}
"""Makes what a figure needs, by its name."""
