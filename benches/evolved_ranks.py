"""Evolve pruning rules from several seeds and rank each among rules of the books, on sets drawn anew.

Run ``python -m benches.evolved_ranks --out ranks.csv`` from the root of the repository. Every seed is one run
of `learn_pruner` from the naive rule, on sets of both presets unless told otherwise; a run that ended is kept
as a file in ``--folder`` and not made again. Then every rule found, and the best rule of two constants on the
same training trees, takes its place among no pruning, the naive rule, error-based pruning and tuned
error-based pruning on sets of both presets that no run has seen. The exit code is 1 if more than one seed in
ten has a mean rank above 2.50 on a preset.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from treewright.evolution import LearnedPruning, learn_pruner
from treewright.pruning import ErrorBasedPruning, NaiveErrorPruning, TunedErrorBasedPruning
from treewright.studies import PruningComparison, compare_pruning

MOST_RANK = 2.50
"""Mean rank that a rule may have on either preset."""

PRESETS = ("paper_table", "paper_text")
FIXED = {
    "none": None,
    "naive": NaiveErrorPruning(),
    "error-based": ErrorBasedPruning(grafting=False),
    "tuned": TunedErrorBasedPruning(),
}


@dataclass(frozen=True)
class Run:
    """A run that ended: what it found, and what it took, report and growing of trees included."""

    rule: LearnedPruning
    cpu_seconds: float
    seconds: float


def main() -> int:
    """Run, print, write."""
    asked = _arguments()
    asked.folder.mkdir(parents=True, exist_ok=True)
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    runs = {seed: _run(seed, asked) for seed in seeds}
    rules = {str(seed): run.rule for seed, run in runs.items()}
    constants = {str(seed): _two_constants(run.rule) for seed, run in runs.items()}
    ranks = {preset: _ranks(preset, rules, constants, asked) for preset in PRESETS}
    rows = []
    for seed, run in runs.items():
        row: dict[str, object] = {
            "seed": seed,
            "bits": round(run.rule.bits, 1),
            "cpu_seconds": round(run.cpu_seconds, 1),
            "seconds": round(run.seconds, 1),
        }
        for preset in PRESETS:
            row[f"rank_{preset}"], row[f"error_{preset}"] = ranks[preset][str(seed)]
            row[f"constants_rank_{preset}"] = ranks[preset][f"constants {seed}"][0]
        row["rule"] = " ".join(run.rule.text.split("float =", 1)[1].split())
        rows.append(row)
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    met = sum(all(ranks[preset][name][0] <= MOST_RANK for preset in PRESETS) for name in rules)
    print(f"{met} of {len(rules)} seeds have mean ranks of at most {MOST_RANK} on both presets")
    if asked.out is not None:
        with asked.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0 if 10 * met >= 9 * len(rules) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", type=int, default=10, help="number of runs (10)")
    parser.add_argument("--first-seed", type=int, default=1, help="seed of the first run (1)")
    parser.add_argument(
        "--presets", nargs="+", choices=PRESETS, default=list(PRESETS), help="sets to learn from (both)"
    )
    parser.add_argument("--objective", default="mean_error", help="what a run makes small (mean_error)")
    parser.add_argument("--budget", type=int, default=200_000, help="programs of a run (200000)")
    parser.add_argument("--most-train", type=int, default=3_840, help="training trees in the end (3840)")
    parser.add_argument("--n-validation", type=int, default=6_000, help="trees that choose (6000)")
    parser.add_argument("--n-jobs", type=int, default=2, help="threads of a run (2)")
    parser.add_argument("--sets", type=int, default=48_000, help="sets that rank, of each preset (48000)")
    parser.add_argument("--sets-seed", type=int, default=20_261_128, help="their seed")
    parser.add_argument("--folder", type=Path, default=Path("evolved-ranks"), help="keeps the rules found")
    parser.add_argument("--out", type=Path, default=None, help="CSV file for the figures")
    return parser.parse_args()


def _run(seed: int, asked: argparse.Namespace) -> Run:
    """Evolve a rule, or read the one that was."""
    settings = (*asked.presets, asked.objective, asked.budget, asked.most_train, asked.n_validation, seed)
    place = asked.folder / f"{'-'.join(map(str, settings))}.json"
    if place.exists():
        stored = json.loads(place.read_text("utf-8"))
        return Run(LearnedPruning.from_json(stored.pop("rule")), **stored)
    began, cpu_began = time.perf_counter(), time.process_time()
    rule = learn_pruner(
        asked.presets,
        objective=asked.objective,
        budget=asked.budget,
        most_train=asked.most_train,
        n_validation=asked.n_validation,
        random_state=seed,
        n_jobs=asked.n_jobs,
    )
    run = Run(rule, time.process_time() - cpu_began, time.perf_counter() - began)
    part = place.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps({**vars(run), "rule": rule.to_json()}), encoding="utf-8")
    part.replace(place)
    print(f"seed {seed}, {run.cpu_seconds:.0f} CPU s, {run.seconds:.0f} s:\n{rule.report()}", flush=True)
    return run


def _two_constants(rule: LearnedPruning) -> LearnedPruning:
    """Return the best rule of two constants on the training trees of a run."""
    assert rule.record_ is not None
    a, b = rule.record_.constants
    return LearnedPruning(f"((n - c) + {float(a)!r} + {float(b)!r} * sqrt(n - c)) / n")


def _ranks(
    preset: str,
    rules: Mapping[str, LearnedPruning],
    constants: Mapping[str, LearnedPruning],
    asked: argparse.Namespace,
) -> dict[str, tuple[float, float]]:
    """Return each rule's mean rank among the fixed ones and itself, and its mean error in percent."""
    learned = {**rules, **{f"constants {name}": rule for name, rule in constants.items()}}
    study = compare_pruning(
        generator=preset,
        n_sets=asked.sets,
        rules={**FIXED, **learned},
        random_state=asked.sets_seed,
        n_jobs=asked.n_jobs,
        progress=False,
    )
    wrong, errors = (_by_set(study, field) for field in ("n_errors", "error"))
    fixed = wrong[:, : len(FIXED)]
    found = {}
    for k, name in enumerate(learned, start=len(FIXED)):
        ranks = rankdata(np.column_stack([fixed, wrong[:, k]]), axis=1)
        found[name] = (round(float(ranks[:, -1].mean()), 4), round(100 * float(errors[:, k].mean()), 4))
    return found


def _by_set(study: PruningComparison, field: str) -> NDArray[np.float64]:
    """Return a column of the study, one row a set and one column a rule."""
    by_rule = [study.per_fold[field][study.per_fold["method"] == name] for name in study.methods]
    order = [np.argsort(study.per_fold["seed"][study.per_fold["method"] == name]) for name in study.methods]
    return np.column_stack([values[places] for values, places in zip(by_rule, order, strict=True)])


if __name__ == "__main__":
    raise SystemExit(main())
