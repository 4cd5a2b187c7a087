"""What `explore` promises and keeps: errors on real sets, honesty on noise and on halves, times.

Run from the root of the repository, with ``TREEWRIGHT_DATA`` naming the folder of data sets:

    python -m benches.explore sets --folder kept --out sets.csv
    python -m benches.explore noise --folder kept
    python -m benches.explore halves --folder kept

What ended is kept in ``--folder``: ``sets`` goes on by set, family and fold, the others by set. ``sets`` has
error and leaves of what is recommended, of C4.5 (all leaves that it has), of scikit-learn's cost-complexity
tree (one-hot, its price by five inner folds), of pystreed's optimal tree of depth 3 on 8 quantile cuts a
column, and of every family's own choice, all on the same outer folds. pystreed runs in a Python of its own:
``--pystreed PYTHON`` names one that has it and numpy.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from treewright import Dataset, GreedyTreeClassifier, datasets, explore
from treewright.data.types import AnyArray
from treewright.exploration import Exploration
from treewright.exploration.ceiling import matrix_of
from treewright.exploration.problems import Problem
from treewright.studies import compare_ranks, evaluate

TABLE = (
    *("wine", "iris", "heart-c", "hepatitis", "lymph", "breast-w", "breast-cancer", "heart-statlog", "vote"),
    *(
        "crx",
        "pima",
        "sonar",
        "ionosphere",
        "balance-scale",
        "hayes-roth",
        "tic-tac-toe",
        "credit-g",
        "vehicle",
    ),
)
"""The sets of the prototype's table."""
SETS = (*TABLE, "zoo", "promoters", "monks-2", "monks-3", "solar-flare", "yeast", "anneal")
SEED = 0
N_NOISE, NOISE_ROWS, NOISE_FEATURES = 200, 200, 30
HALVES = (
    "heart-c",
    "pima",
    "vote",
    "breast-w",
    "crx",
    "sonar",
    "ionosphere",
    "tic-tac-toe",
    "vehicle",
    "credit-g",
)
N_HALVES = 20
CEILING = ("random_forest", "boosting")
NEVER = ("rule_lists",)
"""Families that are shown only."""


def main() -> int:
    """Run one of the three, print, write."""
    asked = _arguments()
    asked.folder.mkdir(parents=True, exist_ok=True)
    rows = list({"sets": _sets, "noise": _noise, "halves": _halves}[asked.what](asked))
    if asked.out is not None and rows:
        with asked.out.open("w", newline="", encoding="utf-8") as stream:
            fields = dict.fromkeys(name for row in rows for name in row)
            writer = csv.DictWriter(stream, list(fields), restval="")
            writer.writeheader()
            writer.writerows(rows)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("sets", "noise", "halves"))
    parser.add_argument("--folder", type=Path, default=Path("explored"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first set of noise, or half")
    parser.add_argument("--n", type=int, default=None, help="so many of them")
    parser.add_argument("--pystreed", metavar="PYTHON", help="a Python that has pystreed")
    parser.add_argument("--family", action="append", help="families to compare; all trees if left out")
    return parser.parse_args()


def _trees(asked: argparse.Namespace) -> list[str]:
    from treewright.exploration.families import FAMILIES

    return asked.family or [name for name in FAMILIES if name not in CEILING]


def _recommendable(asked: argparse.Namespace) -> list[str]:
    """Leave out what is shown and never recommended: no promise depends on it."""
    return [name for name in _trees(asked) if name not in NEVER]


# Real sets.


RIVALS = ("c45", "sklearn", "pystreed")


def _sets(asked: argparse.Namespace) -> Iterator[dict[str, object]]:
    rows = []
    for name in asked.sets.split(","):
        kept = asked.folder / f"{name}.row.json"
        if not kept.exists():
            kept.write_text(json.dumps(_row(name, asked)), encoding="utf-8")
        rows.append(json.loads(kept.read_text(encoding="utf-8")))
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
        yield rows[-1]
    _summary(rows)
    _summary([row for row in rows if row["set"] in TABLE])


def _summary(rows: list[dict[str, object]]) -> None:
    """Print means over sets, and ranks of the errors."""
    names = [name for name in ("error", *RIVALS) if all(row.get(name) is not None for row in rows)]
    errors = [[row[name] for name in names] for row in rows]
    sizes = [[row["leaves" if name == "error" else f"{name}_leaves"] for name in names] for row in rows]
    if len(rows) < 2:
        return
    print(f"{len(rows)} sets; mean error:", dict(zip(names, np.mean(errors, axis=0).round(2), strict=True)))
    means = np.exp(np.log(sizes).mean(axis=0)).round(2)
    print("leaves, geometric mean:", dict(zip(names, means, strict=True)))
    print(compare_ranks(errors, ["explore", *names[1:]], reference="explore"))


def _row(name: str, asked: argparse.Namespace) -> dict[str, object]:
    """Explore a set; the checkpoint goes on by family and fold."""
    data, state = datasets.load(name), asked.folder / f"{name}.state.json"
    how = {"families": _trees(asked), "time_limit": None, "random_state": SEED, "n_jobs": asked.n_jobs}
    began = time.process_time()
    found = explore(data, **how, checkpoint=state, resume=True)
    seconds = time.process_time() - began
    of = {row["family"]: row for row in found.families_.records()}
    rivals = _rivals(found, asked.folder / f"{name}.rivals.json", asked.pystreed)
    told: dict[str, object] = {
        "set": name,
        "rows": data.n_samples,
        "error": round(100 * found.error_.value, 2),
        "leaves": round(found.mean_size_, 2),
    }
    for rival, (error, leaves) in rivals.items():
        told |= {rival: round(100 * error, 2), f"{rival}_leaves": round(leaves, 2)}
    told |= {family: round(100 * row["error"], 2) for family, row in of.items() if family != "c45"}
    return {**told, "cpu_seconds": round(seconds, 1), "seconds": round(found.elapsed_, 1)}


def _rivals(found: Exploration, kept: Path, pystreed: str | None) -> dict[str, tuple[float, float]]:
    """Judge what `explore` does not have; it is kept, as it stays when the families change."""
    told = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for name, judged in (("c45", _c45), ("sklearn", _sklearn)):
        told[name] = told.get(name) or judged(found)
    if pystreed is not None and "pystreed" not in told:
        told["pystreed"] = _pystreed(found, pystreed)
    kept.write_text(json.dumps(told), encoding="utf-8")
    return {name: (error, leaves) for name, (error, leaves) in told.items()}


def _judged(found: Exploration, grown: Callable[[Problem], tuple[AnyArray, int]]) -> tuple[float, float]:
    """Return error and mean leaves of something that is grown in every outer fold."""
    wrong = n = 0
    leaves = []
    for problem in found.problems[1:]:
        codes, n_leaves = grown(problem)
        wrong += int((codes != found.dataset.target[problem.judging]).sum())
        n += len(problem.judging)
        leaves.append(n_leaves)
    return wrong / n, float(np.mean(leaves))


def _c45(found: Exploration) -> tuple[float, float]:
    """Judge C4.5 as it is, with all leaves that it has."""

    def grown(problem: Problem) -> tuple[AnyArray, int]:
        tree = GreedyTreeClassifier.c45().fit(found.dataset[problem.learning]).tree_
        labels = tree.predict(found.dataset[problem.judging])
        return np.searchsorted(found.dataset.classes, labels), tree.n_leaves

    return _judged(found, grown)


def _sklearn(found: Exploration) -> tuple[float, float]:
    """Judge scikit-learn's cost-complexity tree."""
    X, y = matrix_of(found.dataset, one_hot=True), found.dataset.target

    def grown(problem: Problem) -> tuple[AnyArray, int]:
        plain = DecisionTreeClassifier(random_state=0)
        path = plain.cost_complexity_pruning_path(X[problem.learning], y[problem.learning])
        prices = np.sqrt(path.ccp_alphas[:-1] * path.ccp_alphas[1:]).clip(0)
        grid = {"ccp_alpha": sorted({*prices.tolist(), 0.0})[-60:]}
        search = GridSearchCV(plain, grid, cv=StratifiedKFold(5, shuffle=True, random_state=SEED))
        search.fit(X[problem.learning], y[problem.learning])
        return search.predict(X[problem.judging]), int(search.best_estimator_.get_n_leaves())

    return _judged(found, grown)


STREED = """
import json, sys
import numpy as np
from pystreed import STreeDClassifier
for line in sys.stdin:
    X, y, Z = (np.array(one) for one in json.loads(line))
    model = STreeDClassifier(max_depth=3, time_limit=600).fit(X, y)
    codes = np.asarray(model.predict(Z)).astype(int).tolist()
    print("answer", json.dumps([codes, int(model.get_n_leaves())]))
"""
N_CUTS = 8


def _pystreed(found: Exploration, python: str) -> tuple[float, float]:
    """Judge pystreed's tree of depth 3 on quantile cuts of the rows to learn from, and on every value."""
    X, y = matrix_of(found.dataset, one_hot=True), found.dataset.target
    shares, lines = np.arange(1, N_CUTS + 1) / (N_CUTS + 1), []
    for problem in found.problems[1:]:
        own, other = X[problem.learning], X[problem.judging]
        cuts = [np.unique(np.nanquantile(column, shares)) for column in own.T]
        pairs = [(i, cut) for i, of_one in enumerate(cuts) for cut in of_one]
        coded = [np.column_stack([part[:, i] > cut for i, cut in pairs]).astype(int) for part in (own, other)]
        lines.append(json.dumps([coded[0].tolist(), y[problem.learning].tolist(), coded[1].tolist()]))
    ended = subprocess.run(
        [python, "-c", STREED], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = [json.loads(line[7:]) for line in ended.stdout.splitlines() if line.startswith("answer ")]
    told = {one.place: answer for one, answer in zip(found.problems[1:], answers, strict=True)}
    return _judged(found, lambda problem: (np.array(told[problem.place][0]), told[problem.place][1]))


# Honesty.


def _noise(asked: argparse.Namespace) -> Iterator[dict[str, object]]:
    held = told = 0
    last = asked.first + (asked.n or N_NOISE)
    for seed in range(asked.first, last):
        kept = asked.folder / f"noise-{seed}.json"
        if not kept.exists():
            kept.write_text(json.dumps(_of_noise(seed, asked)), encoding="utf-8")
        row = json.loads(kept.read_text(encoding="utf-8"))
        held, told = held + row["is_held"], told + row["is_told"]
        yield row
    print(
        f"of {last - asked.first} sets of noise the interval holds the error on new rows in {held}; ", end=""
    )
    print(f"nothing better than the majority was found in {told}")


def _of_noise(seed: int, asked: argparse.Namespace) -> dict[str, object]:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(NOISE_ROWS, NOISE_FEATURES)), rng.integers(0, 2, NOISE_ROWS)
    began = time.process_time()
    how = {"families": _recommendable(asked), "time_limit": None, "random_state": seed}
    found = explore(X, y, **how, n_jobs=asked.n_jobs)
    new, truth = rng.normal(size=(20_000, NOISE_FEATURES)), rng.integers(0, 2, 20_000)
    error = found.error_
    later = evaluate(found.recommended_, new, truth).error.value
    return {
        "seed": seed,
        "family": found.choice_.family,
        **{"error": error.value, "low": error.low, "high": error.high, "later": later},
        "is_held": bool(error.low <= later <= error.high),
        "is_told": "Nothing was found" in found.to_text(),
        "cpu_seconds": round(time.process_time() - began, 1),
    }


def _halves(asked: argparse.Namespace) -> Iterator[dict[str, object]]:
    names = HALVES if asked.sets == ",".join(SETS) else tuple(asked.sets.split(","))
    means = []
    for name in names:
        data, found = datasets.load(name), []
        for seed in range(asked.first, asked.first + (asked.n or N_HALVES)):
            for half in range(2):
                kept = asked.folder / f"half-{name}-{seed}{'-other' if half else ''}.json"
                if not kept.exists():
                    kept.write_text(json.dumps(_of_half(data, name, seed, half, asked)), encoding="utf-8")
                found.append({"half": half, **json.loads(kept.read_text(encoding="utf-8"))})
                yield found[-1]
        means.append(100 * float(np.mean([row["promised"] - row["later"] for row in found])))
        print(f"{name}: promised minus later {means[-1]:+.2f} points", flush=True)
    print(f"mean over the sets: {np.mean(means):+.2f} points")


def _of_half(data: Dataset, name: str, seed: int, half: int, asked: argparse.Namespace) -> dict[str, object]:
    """Promise from one half, judge on the other; both ways together cancel which half is harder."""
    splits = StratifiedKFold(2, shuffle=True, random_state=seed).split(data.target, data.target)
    one, other = next(iter(splits))[:: -1 if half else 1]
    how = {"families": _recommendable(asked), "time_limit": None, "random_state": seed}
    found = explore(data[one], **how, n_jobs=asked.n_jobs)
    later = evaluate(found.recommended_, data[other]).error.value
    return {"set": name, "seed": seed, "promised": found.error_.value, "later": later}


if __name__ == "__main__":
    raise SystemExit(main())
