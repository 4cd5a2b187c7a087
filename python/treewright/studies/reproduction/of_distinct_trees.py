"""Tables and figures of the paper on distinct trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

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
)
from treewright.studies.selection.design import compare_selection
from treewright.studies.selection.result import SelectionComparison
from treewright.trees.greedy import GreedyTreeClassifier

PAPER = "distinct-trees"
N_FOLDS, N_REPEATS = 10, 5
SEARCH_SECONDS = {"short": 5.0, "full": 60.0}
"""After which a single complete search ends with the best subset so far."""

BLACK_BOX_SECONDS = {"short": 20.0, "full": 3600.0}
"""The same of elimination that grows every tree anew; the paper waits for an hour."""


def grower() -> GreedyTreeClassifier:
    """Return what grows trees as in the paper, whose program extends C4.5."""
    return GreedyTreeClassifier(min_samples_branch=2, mdl_correction=True)


def _compared(name: str, setting: Setting, *methods: str) -> SelectionComparison:
    return compare_selection(
        {name: setting.load(name)},
        methods=methods,
        estimator=grower(),
        cv=N_FOLDS,
        repeats=N_REPEATS if setting.is_full else 1,
        search_time_limit=SEARCH_SECONDS[setting.effort] if "complete" in methods else None,
        random_state=setting.seed,
        **setting.conduct,
    )


def _selection(name: str, setting: Setting) -> Done:
    return done(lambda: _compared(name, setting, "top", "backward"), partial(_read, name))


def _read(name: str, study: SelectionComparison) -> Part:
    """Return sizes, errors and seconds; the paper counts the class as a feature."""
    (sizes,) = study.data_sets.records()
    cells: Cells = {
        (name, "rows"): Measured(sizes["n_samples"]),
        (name, "features"): Measured(sizes["n_features"] + 1),
    }
    note = unfinished(study.n_folds_done, study.settings["cv"] * study.settings["repeats"])
    for method in ("top", "backward") if study.n_folds_done else ():
        rows = study.per_fold[study.per_fold["method"] == method]
        cells[name, f"error, {method}"] = Measured.mean(rows["error"], factor=100, note=note)
        if method == "backward":
            cells[name, "PSBE"] = Measured.mean(rows["seconds"], note=note)
    return packed(cells)


def _optimal(name: str, setting: Setting) -> Done:
    return done(lambda: _compared(name, setting, "complete"), partial(_read_optimal, name))


def _read_optimal(name: str, study: SelectionComparison) -> Part:
    """Return the error of the subset of least validation error, or of the best that was found in time."""
    folds = study.per_fold
    if not len(folds):
        return packed({})
    n_limited = int((folds["status"] == "time_limit").sum())
    note = unfinished(study.n_folds_done, study.settings["cv"] * study.settings["repeats"])
    if n_limited:
        limit = study.settings["search_time_limit"]
        note = (
            f"unfinished: {n_limited} of {len(folds)} searches ended after {limit:g} s with the best so far"
        )
    found = Measured.mean(folds["error"], factor=100, note=note)
    is_bound = n_limited > 0
    cell = Measured(found.value, found.deviation, found.n, note, is_bound=is_bound)
    return packed({(name, "error, optimal"): cell})


def _black_box(name: str, setting: Setting) -> Done:
    """Time both eliminations on the first fold."""
    conduct = setting.conduct | {"callback": lambda _: True, "n_jobs": 1, "checkpoint": None, "resume": False}

    def study() -> SelectionComparison:
        return compare_selection(
            {name: setting.load(name)},
            methods=("backward",),
            estimator=grower(),
            cv=N_FOLDS,
            repeats=1,
            time_black_box=True,
            search_time_limit=BLACK_BOX_SECONDS[setting.effort],
            random_state=setting.seed,
            **conduct,
        )

    found = done(study, partial(_read_times, name))
    # One fold is all that is asked for.
    return found._replace(status="complete") if found.part["cells"] else found


def _read_times(name: str, study: SelectionComparison) -> Part:
    rows = {row["method"]: row for row in study.per_fold.records()}
    if "retrain" not in rows:
        return packed({})
    slow, fast = rows["retrain"], rows["backward"]["seconds"]
    is_bound = slow["status"] == "time_limit"
    note = "unfinished: longer than this on the first fold" if is_bound else "of the first fold"
    cells = {
        (name, "SBE"): Measured(slow["seconds"], 0.0, 1, note, is_bound=is_bound),
        (name, "PSBE / SBE"): Measured(fast / slow["seconds"], 0.0, 1, note, is_bound=is_bound),
    }
    return packed(cells)


def _table_1() -> Recipe:
    table = paper(PAPER).tables["table-1"]
    optimal = [column.name for column in table.columns].index("error, optimal")
    jobs = []
    for name, figures in table.rows.items():
        jobs.append(Job(f"{PAPER}/selection/{name}", (name,), partial(_selection, name)))
        if not figures[optimal].is_empty:
            jobs.append(Job(f"{PAPER}/optimal/{name}", (name,), partial(_optimal, name)))
        jobs.append(Job(f"{PAPER}/times/{name}", (name,), partial(_black_box, name)))
    return Recipe(tuple(jobs), {name: (name,) for name in table.rows})


RECIPES: Mapping[str, Callable[[], Recipe]] = {"table-1": _table_1}
