"""Cross-validation of the whole command that made a model."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click
import numpy as np

from treewright import DataError, Tree
from treewright._base.shown import shown_text
from treewright.cli._again import LEARNING, PRUNING, Again, data_of, tree_of_rows
from treewright.cli._columns import Values, column_of, subgroups_of
from treewright.cli._running import DONE, Interruption, ProgressLine, note
from treewright.cli._source import Reading
from treewright.cli._text import data_facts, filled
from treewright.results import Progress
from treewright.studies import evaluate_answers, row_splits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from treewright import Dataset
    from treewright.studies import Evaluation

    Label = str | int | float
    Positions = NDArray[np.int64]
    Split = tuple[Positions, Positions]

INNER = 5
MISSED = 0.05
"""A sensitivity farther from what was asked for gets a word."""
"""Folds inside of a fold, which choose a threshold."""


@dataclass(frozen=True)
class Folds:
    """What is asked for."""

    n: int
    repeats: int
    row_group: str | None
    time_column: str | None
    seed: int
    sensitivity: float | None
    positive: str | None

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        if self.row_group is not None and self.time_column is not None:
            raise click.UsageError("--row-group and --time-column make folds in two ways: give one of them.")
        if self.time_column is not None and self.repeats > 1:
            raise click.UsageError(
                "--repeats draws other folds, and --time-column leaves no choice: leave it out."
            )
        if self.positive is not None and self.sensitivity is None:
            raise click.UsageError("--positive goes with --sensitivity SHARE.")


@dataclass(frozen=True)
class Held:
    """Answers on the rows of a fold."""

    rows: Positions
    predicted: list[Label]
    probabilities: NDArray[np.float64]
    shares: NDArray[np.float64]
    n_leaves: int

    @classmethod
    def of(cls, tree: Tree, dataset: Dataset, rows: Positions, threshold: float | None) -> Held:
        """Ask a tree, with a threshold if there is one."""
        held = dataset[rows]
        shares = np.empty(0) if threshold is None else shares_of(tree, held)
        tree = tree if threshold is None else tree.deciding_above(threshold)
        told = _in_order(tree, dataset, tree.predict_proba(held))
        return cls(rows, tree.predict(held).tolist(), told, shares, tree.n_leaves)


def _in_order(tree: Tree, dataset: Dataset, told: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities of all classes of the data, whichever the tree knows."""
    assert dataset.classes is not None, "rows to learn from have classes"
    known = tree.classes_.tolist()
    labels, nothing = dataset.classes.tolist(), np.zeros(len(told))
    return np.column_stack([told[:, known.index(one)] if one in known else nothing for one in labels])


def shares_of(tree: Tree, rows: Dataset) -> NDArray[np.float64]:
    """Return the share of the second class by which a threshold decides: weighted, not smoothed."""
    facts = json.loads(tree.to_json())
    for name in ("probability", "smoothing"):
        facts["decision"].pop(name, None)
    found: NDArray[np.float64] = Tree.from_json(json.dumps(facts)).predict_proba(rows)[:, 1]
    return found


@dataclass(frozen=True)
class Judged:
    """What came out."""

    evaluation: Evaluation
    data: dict[str, object]
    folds: Folds
    command: str
    n_done: int
    n_folds: int
    mean_leaves: float
    positive: int | None
    threshold: float | None
    exit_code: int

    @property
    def title(self) -> str:
        """What was done."""
        asked = self.folds
        by_rows = f"by {asked.row_group}" if asked.row_group else "stratified"
        how = "in time" if asked.time_column else by_rows
        times = f"{asked.repeats} x {asked.n}" if asked.repeats > 1 else f"{asked.n}"
        ended = (
            "" if self.n_done == self.n_folds else f" {self.n_done} of {self.n_folds} folds were completed."
        )
        return (
            f"Cross-validation of `{self.command}`, {times} folds, {how}: errors on rows that the "
            f"model of the fold has not seen.{ended}"
        )

    @property
    def sentences(self) -> list[str]:
        """What there is to say besides."""
        told = [f"The models of the folds have {self.mean_leaves:.3g} leaves on the mean."]
        if self.threshold is not None and self.positive is not None:
            told += self._of_threshold(self.threshold, self.positive)
        return [filled(text) for text in told]

    def _of_threshold(self, threshold: float, positive: int) -> Iterator[str]:
        """Say what the threshold means, and what it did on rows that no choice has seen."""
        wanted, figures = self.folds.sensitivity or 0.0, self.evaluation.per_class[positive]
        label = shown_text(str(figures.label))
        where = f"above {threshold:.4g}" if positive else f"at least {1 - threshold:.4g}"
        yield (
            f"For a sensitivity of {wanted:.4g} the model of all rows predicts {label!r} where its "
            f"share is {where}. The figures above are those of thresholds chosen inside of the folds: they "
            f"find {figures.recall.value:.1%} of {label!r}."
        )
        if abs(figures.recall.value - wanted) > MISSED:
            yield (
                "All rows of a leaf are answered alike, so few sensitivities can be had; with larger leaves "
                "(--min-samples-leaf) what was chosen holds better on new rows."
            )

    @property
    def facts(self) -> dict[str, object]:
        """The same for JSON."""
        return {
            **vars(self.folds),
            "command": self.command,
            "n_folds": self.n_folds,
            "n_done": self.n_done,
            "status": "complete" if self.n_done == self.n_folds else "stopped",
            "mean_leaves": self.mean_leaves,
            "threshold": self.threshold,
        }

    def kept_in(self, tree: Tree) -> Tree:
        """Return the model with the threshold."""
        if self.threshold is None:
            raise click.UsageError("--save-model writes the threshold of --sensitivity, which is not given.")
        return tree.deciding_above(self.threshold)


def judge(
    model: Path, tree: Tree, data: str, reading: Reading, by: str | None, folds: Folds, progress: bool
) -> Judged:
    """Make the model anew without each fold, and evaluate what the models say of their folds."""
    again = _command_of(model, tree)
    dataset, place = data_of(again, data, reading)
    n_rows = dataset.n_samples
    groups = None if folds.row_group is None else column_of(data, place, folds.row_group, n_rows)
    times = None if folds.time_column is None else column_of(data, place, folds.time_column, n_rows)
    subgroups = None if by is None else subgroups_of(data, place, by, n_rows)
    positive, splits = _positive(folds, dataset), _splits(dataset, folds, groups, times)
    held, code = _answers(again, dataset, splits, folds, positive, progress)
    if not held:
        note("Stopped before the first fold was complete.")
        raise click.Abort
    n_repeats = max(len(held) * folds.repeats // len(splits), 1)
    held = held[: n_repeats * len(splits) // folds.repeats]
    return Judged(
        _evaluation(held, dataset, subgroups, groups, tree, n_repeats),
        data_facts(data, dataset),
        folds,
        str((tree.provenance or {}).get("command")),
        len(held),
        len(splits),
        float(np.mean([one.n_leaves for one in held])),
        positive,
        _final_threshold(held, dataset, positive, folds),
        code,
    )


def _evaluation(
    held: list[Held],
    dataset: Dataset,
    subgroups: Values | None,
    groups: Values | None,
    tree: Tree,
    n_repeats: int,
) -> Evaluation:
    """Put the folds together."""
    assert dataset.classes is not None, "rows to learn from have classes"
    rows = np.concatenate([one.rows for one in held])
    return evaluate_answers(
        dataset.classes.tolist(),
        dataset.classes[dataset.target][rows].tolist(),
        [answer for one in held for answer in one.predicted],
        np.concatenate([one.probabilities for one in held]),
        sample_weight=None if dataset.sample_weight is None else dataset.sample_weight[rows],
        by=None if subgroups is None else subgroups[rows],
        row_groups=None if groups is None else groups[rows],
        cost_matrix=tree.cost_matrix,
        rows=rows,
        n_repeats=n_repeats,
    )


def _final_threshold(held: list[Held], dataset: Dataset, positive: int | None, folds: Folds) -> float | None:
    """Return the threshold for the model of all rows: by what every model said of rows it had not seen."""
    if positive is None or folds.sensitivity is None:
        return None
    assert dataset.target is not None, "rows to learn from have classes"
    rows = np.concatenate([one.rows for one in held])
    shares = np.concatenate([one.shares for one in held])
    return threshold_for(shares, dataset.target[rows], positive, folds.sensitivity)


def _command_of(model: Path, tree: Tree) -> Again:
    told = (tree.provenance or {}).get("command")
    if not isinstance(told, str):
        raise click.UsageError(
            f"--cv: {model} does not say which command made it; make it by `treewright fit --out`."
        )
    again = Again.of(told, str(model)).with_files_beside(model)
    first, *others = again.steps
    for step in again.steps:
        if step.name not in ((PRUNING,) if step in others else LEARNING):
            raise click.UsageError(
                f"--cv: {model} was made by `treewright {step.name}`, not from rows alone."
            )
        if step.name == "explore" and any(map(step.value_of, ("row_group", "time_column", "by"))):
            raise click.UsageError(
                f"--cv: {model} was made by `treewright explore` with a column that parts its rows; the "
                "report says what trees err that are chosen so, on rows that no choice has seen."
            )
    for rows in filter(None, (step.value_of("data") for step in others)):
        if PurePath(rows).name != PurePath(first.value_of("data") or "").name:
            note(f"Note: every fold is pruned by {rows}, so its rows must be others than those of DATA.")
    return again


def _positive(folds: Folds, dataset: Dataset) -> int | None:
    """Return the position of the class that is to be found."""
    if folds.sensitivity is None:
        return None
    assert dataset.classes is not None, "rows to learn from have classes"
    labels = [str(label) for label in dataset.classes.tolist()]
    if len(labels) != 2:
        raise click.UsageError(f"--sensitivity is for two classes, and there are {len(labels)}.")
    if folds.positive is not None and folds.positive not in labels:
        raise click.UsageError(
            f"--positive: {folds.positive!r} is no class; the classes are {', '.join(labels)}."
        )
    return 1 if folds.positive is None else labels.index(folds.positive)


def _answers(
    again: Again, dataset: Dataset, splits: list[Split], folds: Folds, positive: int | None, progress: bool
) -> tuple[list[Held], int]:
    """Return the answers on every fold that is complete, and how the command ends."""
    held: list[Held] = []
    start = time.monotonic()
    with Interruption() as interruption, ProgressLine(progress, "folds") as line:
        try:
            for learning, judging in splits:
                tree = tree_of_rows(again, dataset, learning)
                threshold = _inner_threshold(again, dataset, learning, folds, positive)
                held.append(Held.of(tree, dataset, judging, threshold))
                line(Progress(len(held), len(splits), None, time.monotonic() - start))
        except KeyboardInterrupt:
            return held, interruption.exit_code
    return held, DONE


def _inner_threshold(
    again: Again, dataset: Dataset, learning: Positions, folds: Folds, positive: int | None
) -> float | None:
    """Choose a threshold by folds of the rows that a model learns from."""
    if positive is None or folds.sensitivity is None:
        return None
    assert dataset.target is not None, "rows to learn from have classes"
    target, shares = dataset.target[learning], np.zeros(len(learning))
    for inner, outer in row_splits(target, INNER, seed=folds.seed):
        tree = tree_of_rows(again, dataset, learning[inner])
        shares[outer] = shares_of(tree, dataset[learning[outer]])
    return threshold_for(shares, target, positive, folds.sensitivity)


def threshold_for(
    shares: NDArray[np.float64], target: NDArray[np.int32], positive: int, sensitivity: float
) -> float:
    """Return the threshold for the second class's share that finds so much of the positive class.

    Of all it takes in the fewest others. It lies halfway between two shares that occur. Rows where the share
    of the positive class is 0 are never found: else every row would be, and where too few are left, so it is.
    """
    levels = np.unique(shares)
    of_class = np.sort(shares[target == positive])
    n_wanted = int(np.ceil(sensitivity * len(of_class) - 1e-9))
    if not len(of_class):
        return 0.5
    if positive == 1:
        some = levels[levels > 0]
        last = max(of_class[len(of_class) - n_wanted], some[0] if len(some) else 1.0)
        below = levels[levels < last]
        return float((last + (below[-1] if len(below) else 0.0)) / 2)
    some = levels[levels < 1]
    first = min(of_class[n_wanted - 1], some[-1] if len(some) else 0.0)
    above = levels[levels > first]
    return float((first + (above[0] if len(above) else 1.0)) / 2)


def _splits(dataset: Dataset, folds: Folds, groups: Values | None, times: Values | None) -> list[Split]:
    assert dataset.target is not None, "rows to learn from have classes"
    try:
        return row_splits(
            dataset.target, folds.n, n_repeats=folds.repeats, seed=folds.seed, row_groups=groups, times=times
        )
    except DataError as error:
        option = "--row-group: " if groups is not None else "" if times is None else "--time-column: "
        raise click.UsageError(f"{option}{error}.") from error
