"""What `explore` promises and keeps: errors on real sets, honesty on noise and on halves, times.

Run from the root of the repository, with ``TREEWRIGHT_DATA`` naming the folder of data sets:

    python -m benches.explore sets --folder kept --out sets.csv
    python -m benches.explore noise --folder kept
    python -m benches.explore halves --folder kept

What ended is kept in ``--folder``: ``sets`` goes on by set, family and fold, the others by set. ``sets`` has
error and leaves of what is recommended, of C4.5, and of every family's own choice, all on the same outer
folds, beside scikit-learn's cost-complexity tree (one-hot, its price by five inner folds).
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from treewright import Dataset, datasets, explore
from treewright.exploration import Exploration
from treewright.exploration.ceiling import matrix_of
from treewright.studies import compare_ranks, evaluate

SETS = (
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


def main() -> int:
    """Run one of the three, print, write."""
    asked = _arguments()
    asked.folder.mkdir(parents=True, exist_ok=True)
    rows = list({"sets": _sets, "noise": _noise, "halves": _halves}[asked.what](asked))
    if asked.out is not None and rows:
        with asked.out.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
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
    parser.add_argument("--family", action="append", help="families to compare; all trees if left out")
    return parser.parse_args()


def _trees(asked: argparse.Namespace) -> list[str]:
    from treewright.exploration.families import FAMILIES

    return asked.family or [name for name in FAMILIES if name not in CEILING]


# Real sets.


def _sets(asked: argparse.Namespace) -> Iterator[dict[str, object]]:
    errors: list[list[float]] = []
    sizes: list[tuple[float, float]] = []
    for name in asked.sets.split(","):
        kept = asked.folder / f"{name}.row.json"
        if not kept.exists():
            kept.write_text(json.dumps(_row(name, asked)), encoding="utf-8")
        row = json.loads(kept.read_text(encoding="utf-8"))
        errors.append([row["error"], row["c45"], row["sklearn"]])
        sizes.append((row["leaves"], row["c45_leaves"]))
        print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
        yield row
    if len(errors) > 1:
        own, c45 = (math.exp(np.log(column).mean()) for column in zip(*sizes, strict=True))
        print(
            "mean error:",
            dict(zip(("explore", "c45", "sklearn"), np.mean(errors, axis=0).round(2), strict=True)),
        )
        print(f"leaves, geometric mean: {own:.1f}, C4.5 {c45:.1f}")
        print(compare_ranks(errors, ["explore", "c45", "sklearn"], reference="explore"))


def _row(name: str, asked: argparse.Namespace) -> dict[str, object]:
    """Explore a set; the checkpoint goes on by family and fold."""
    data, state = datasets.load(name), asked.folder / f"{name}.state.json"
    how = {"families": _trees(asked), "time_limit": None, "random_state": SEED, "n_jobs": asked.n_jobs}
    found = explore(data, **how, checkpoint=state, resume=True)
    of = {row["family"]: row for row in found.families_.records()}
    return {
        "set": name,
        "rows": data.n_samples,
        "error": round(100 * found.error_.value, 2),
        "leaves": round(found.mean_size_, 2),
        "c45": round(100 * of["c45"]["error"], 2),
        "c45_leaves": round(of["c45"]["mean_size"], 2),
        "sklearn": round(100 * _sklearn(found), 2),
        **{family: round(100 * row["error"], 2) for family, row in of.items() if family != "c45"},
        "seconds": round(found.elapsed_, 1),
    }


def _sklearn(found: Exploration) -> float:
    """Return the error of scikit-learn's cost-complexity tree on the same outer folds."""
    X, y = matrix_of(found.dataset, one_hot=True), found.dataset.target
    wrong = n = 0
    for problem in found.problems[1:]:
        path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(
            X[problem.learning], y[problem.learning]
        )
        prices = np.sqrt(path.ccp_alphas[:-1] * path.ccp_alphas[1:]).clip(0)
        folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
        search = GridSearchCV(
            DecisionTreeClassifier(random_state=0),
            {"ccp_alpha": sorted({*prices.tolist(), 0.0})[-60:]},
            cv=folds,
        )
        search.fit(X[problem.learning], y[problem.learning])
        wrong += int((search.predict(X[problem.judging]) != y[problem.judging]).sum())
        n += len(problem.judging)
    return wrong / n


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
    began = time.perf_counter()
    found = explore(X, y, families=_trees(asked), time_limit=None, random_state=seed, n_jobs=asked.n_jobs)
    new, truth = rng.normal(size=(20_000, NOISE_FEATURES)), rng.integers(0, 2, 20_000)
    error = found.error_
    later = evaluate(found.recommended_, new, truth).error.value
    return {
        "seed": seed,
        "family": found.choice_.family,
        **{"error": error.value, "low": error.low, "high": error.high, "later": later},
        "is_held": bool(error.low <= later <= error.high),
        "is_told": "Nothing was found" in found.to_text(),
        "seconds": round(time.perf_counter() - began, 1),
    }


def _halves(asked: argparse.Namespace) -> Iterator[dict[str, object]]:
    names = HALVES if asked.sets == ",".join(SETS) else tuple(asked.sets.split(","))
    means = []
    for name in names:
        data, found = datasets.load(name), []
        for seed in range(asked.first, asked.first + (asked.n or N_HALVES)):
            kept = asked.folder / f"half-{name}-{seed}.json"
            if not kept.exists():
                kept.write_text(json.dumps(_of_half(data, name, seed, asked)), encoding="utf-8")
            found.append(json.loads(kept.read_text(encoding="utf-8")))
            yield found[-1]
        means.append(100 * float(np.mean([row["promised"] - row["later"] for row in found])))
        print(f"{name}: promised minus later {means[-1]:+.2f} points", flush=True)
    print(f"mean over the sets: {np.mean(means):+.2f} points")


def _of_half(data: Dataset, name: str, seed: int, asked: argparse.Namespace) -> dict[str, object]:
    splits = StratifiedKFold(2, shuffle=True, random_state=seed).split(data.target, data.target)
    one, other = next(iter(splits))
    found = explore(
        data[one], families=_trees(asked), time_limit=None, random_state=seed, n_jobs=asked.n_jobs
    )
    later = evaluate(found.recommended_, data[other]).error.value
    return {"set": name, "seed": seed, "promised": found.error_.value, "later": later}


if __name__ == "__main__":
    raise SystemExit(main())
