"""Tables of the paper on linear separators with few features."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

from treewright.data.dataset import Dataset
from treewright.data.sources.random import make_marketing
from treewright.planes import RobustLinearClassifier
from treewright.results import Progress
from treewright.studies.common.folds import error_rate
from treewright.studies.common.published import published_set
from treewright.studies.planes.design import compare_planes
from treewright.studies.planes.result import PlaneComparison
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
from treewright.trees.greedy import GreedyTreeClassifier

PAPER = "planes"
N_FOLDS, N_REPEATS = 10, 5
METHODS = {"c45": "C4.5", "rlp": "RLP", "fm_rlp": "FM_RLP", "rlp_p": "RLP-P", "fm_rlp_p": "FM_RLP-P"}
"""Methods of the paper, by their names here."""

N_TRAINING, N_TESTING, N_FEATURES, PERTURBATION = 1979, 1491, 147, 0.02
FILES = {"heart": "heart-cleveland", "cancer": "breast-w", "sonar": "sonar", "house": "vote"}


def _folds(name: str, setting: Setting) -> Done:
    def study() -> PlaneComparison:
        return compare_planes(
            {name: published_set("planes", name, folder=setting.folder)},
            methods=list(METHODS),
            cv=N_FOLDS,
            repeats=N_REPEATS if setting.is_full else 1,
            random_state=setting.seed,
            **setting.conduct,
        )

    return done(study, partial(_read, name))


def _read(name: str, study: PlaneComparison) -> Part:
    """Return errors and numbers of features of every method."""
    note = unfinished(study.n_folds_done, study.settings["cv"] * study.settings["repeats"])
    cells: Cells = {}
    for method in study.methods if study.n_folds_done else ():
        rows = study.per_fold[study.per_fold["method"] == method]
        cells[name, f"error, {METHODS[method]}"] = Measured.mean(rows["error"], factor=100, note=note)
        cells[name, f"features, {METHODS[method]}"] = Measured.mean(rows["n_features"], note=note)
    return packed(cells)


def _marketing(setting: Setting) -> Done:
    """Fit every method once to generated customers, in as many rows as the paper has."""
    customers = make_marketing(N_TRAINING + N_TESTING, N_FEATURES, random_state=setting.seed)
    learning, judging = customers[:N_TRAINING], customers[N_TRAINING:]
    cells: Cells = {}
    began = time.monotonic()
    for method, label in METHODS.items():
        if setting.callback is not None and setting.callback(Progress(0, None, None, 0.0)):
            return Done(packed(cells), "stopped")
        model = _fitted(method, learning, setting)
        n_features = (
            model.n_features_used_
            if isinstance(model, RobustLinearClassifier)
            else model.tree_.n_nodes - model.tree_.n_leaves
        )
        cells["features", label] = Measured(float(n_features))
        for row, rows in (("training accuracy in %", learning), ("testing accuracy in %", judging)):
            cells[row, label] = Measured(100 * (1 - error_rate(model, rows)))
    is_late = setting.time_limit is not None and time.monotonic() - began >= setting.time_limit
    return Done(packed(cells), "time_limit" if is_late else "complete")


Fitted = RobustLinearClassifier | GreedyTreeClassifier


def _fitted(method: str, learning: Dataset, setting: Setting) -> Fitted:
    if method == "c45":
        return GreedyTreeClassifier.c45().fit(learning)
    plane = RobustLinearClassifier(
        perturbation=PERTURBATION if method.endswith("_p") else 0.0, time_limit=setting.time_limit
    )
    is_searched = method.startswith("fm")
    plane.set_params(**({"search": "paper", "refit": False} if is_searched else {"selection": None}))
    return plane.fit(learning)


def _stand_in() -> Recipe:
    return Recipe((Job(f"{PAPER}/marketing", (), _marketing),), is_stand_in=True)


def _of_sets() -> Recipe:
    jobs = (Job(f"{PAPER}/{name}", (file,), partial(_folds, name)) for name, file in FILES.items())
    absent = {"bright": ("star-galaxy-bright",), "dim": ("star-galaxy-dim",)}
    return Recipe(tuple(jobs), {**{name: (file,) for name, file in FILES.items()}, **absent})


RECIPES: Mapping[str, Callable[[], Recipe]] = {"table-1": _stand_in, "table-2": _of_sets}
"""Makes what a table needs, by its name."""
