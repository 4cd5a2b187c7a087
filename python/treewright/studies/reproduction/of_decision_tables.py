"""Tables of the paper on greedy heuristics for decision tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from treewright.search.tables.searches import HEURISTICS
from treewright.studies.greedy.design import compare_greedy
from treewright.studies.greedy.result import COST_NAMES, COSTS, GreedyComparison, heuristic_name
from treewright.studies.reproduction.facts import paper
from treewright.studies.reproduction.verdict import Measured
from treewright.studies.reproduction.work import Cells, Done, Job, Part, Recipe, Setting, done, unfinished

PAPER = "decision-tables"
N_TABLES, N_GROUPS = 10000, 4
NAMES = [heuristic_name(*heuristic) for heuristic in HEURISTICS]


def _group(number: int, setting: Setting) -> Done:
    seed = int(np.random.SeedSequence([setting.seed, number]).generate_state(1)[0])
    study = partial(compare_greedy, n_tables=N_TABLES, random_state=seed, **setting.conduct)
    return done(study, _read)


def _read(study: GreedyComparison) -> Part:
    """Keep means, and the covariances of heuristics for every cost."""
    n = study.n_tables
    if n < 2:
        return {"n": 0}
    covariances = [np.cov(study.differences[:, :, cost], rowvar=False) for cost in range(len(COSTS))]
    return {"n": n, "means": study.mean, "covariances": np.array(covariances)}


def _arrays(part: Part) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    means, covariances = (cast("NDArray[np.float64]", part[name]) for name in ("means", "covariances"))
    return cast("int", part["n"]), means, covariances


def _means(parts: Mapping[str, Part]) -> Cells:
    """Return the mean of every heuristic and cost of one group of tables."""
    (part,) = parts.values()
    if not part["n"]:
        return {}
    n, means, covariances = _arrays(part)
    note = unfinished(n, N_TABLES, "tables")
    return {
        (name, COST_NAMES[cost]): Measured(float(means[h, c]), float(np.sqrt(covariances[c, h, h])), n, note)
        for h, name in enumerate(NAMES)
        for c, cost in enumerate(COSTS)
    }


def _best(published: Mapping[str, tuple[str, str]], parts: Mapping[str, Part]) -> Cells:
    """Return our best two heuristics, with how much worse the paper's are here, paired by table."""
    groups = [_arrays(part) for part in parts.values() if part["n"]]
    if len(groups) < N_GROUPS:
        return {}
    n = sum(group[0] for group in groups)
    shares = np.array([group[0] / n for group in groups])
    means = np.tensordot(shares, np.array([group[1] for group in groups]), 1)
    covariances = np.tensordot(shares, np.array([group[2] for group in groups]), 1)
    cells: Cells = {}
    for c, cost in enumerate(COSTS):
        best = np.argsort(means[:, c], kind="stable")[:2].tolist()
        theirs = [NAMES.index(name) for name in published[COST_NAMES[cost]]]
        others = iter([h for h in best if h not in theirs])
        for column, their in zip(("one", "the other"), theirs, strict=True):
            own = their if their in best else next(others)
            pair = covariances[c][np.ix_([own, their], [own, their])]
            deviation = float(np.sqrt(max(pair[0, 0] + pair[1, 1] - 2 * pair[0, 1], 0.0)))
            gap = float(means[their, c] - means[own, c])
            cells[COST_NAMES[cost], column] = Measured(gap, deviation, n, text=NAMES[own])
    return cells


JOBS = tuple(Job(f"{PAPER}/{n}", (), partial(_group, n)) for n in range(1, N_GROUPS + 1))


def _best_two() -> Recipe:
    rows = paper(PAPER).tables["table-5"].rows
    published = {cost: (one.text, other.text) for cost, (one, other) in rows.items()}
    return Recipe(JOBS, cells=partial(_best, published))


def _of_group(number: int) -> Recipe:
    return Recipe(JOBS[number - 1 : number], cells=_means)


RECIPES: Mapping[str, Callable[[], Recipe]] = {
    **{f"table-{n}": partial(_of_group, n) for n in range(1, N_GROUPS + 1)},
    "table-5": _best_two,
}
"""Makes what a table needs, by its name."""
