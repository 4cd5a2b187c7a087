"""Tables of the paper on linear separators with few features."""

from __future__ import annotations

from functools import partial

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

PAPER = "planes"
N_FOLDS, N_REPEATS = 10, 5
METHODS = {"c45": "C4.5", "rlp": "RLP", "fm_rlp": "FM_RLP", "rlp_p": "RLP-P", "fm_rlp_p": "FM_RLP-P"}
"""Methods of the paper, by their names here."""

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


def _of_sets() -> Recipe:
    jobs = (Job(f"{PAPER}/{name}", (file,), partial(_folds, name)) for name, file in FILES.items())
    absent = {"bright": ("star-galaxy-bright",), "dim": ("star-galaxy-dim",)}
    return Recipe(tuple(jobs), {**{name: (file,) for name, file in FILES.items()}, **absent})


RECIPES = {"table-2": _of_sets}
"""Makes what a table needs, by its name."""
