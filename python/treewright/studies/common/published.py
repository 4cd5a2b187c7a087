"""The public sets of published experiments, each as its experiment takes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from treewright._base.errors import DataError
from treewright._base.params import one_of
from treewright.data.columns import take_columns
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.intake.labels import Label
from treewright.data.sources import registry as datasets
from treewright.data.sources.kinds import build
from treewright.studies.common.folds import AnyArray
from treewright.studies.common.parameters import seed

PAPER = "paper"
"""What stands for the sets of the published experiment where a study takes data."""

MISSING = "?"
"""What a missing value is called where it is a value."""

CONNECT_4_ROWS = 5000

VOTE_CODES = {"y": 2.0, "n": -2.0}
"""Votes as numbers; a missing vote is 0, between them."""

AMBIGUOUS = ("N", "D", "S", "R")
"""Letters of splice that stand for one of several bases."""

Load = Callable[..., Dataset]
"""Loads a set of the folder by name."""

Make = Callable[[Load, int], Dataset]
"""Makes a set as an experiment takes it; the seed is for what is drawn."""


def published_sets(
    experiment: str, *, data: str | PathLike[str] | None = None, random_state: object = 0
) -> dict[str, Dataset]:
    """Load the public sets of a published experiment, each as the experiment takes it.

    Parameters
    ----------
    experiment : {"fixed_depth", "planes", "pruning"}
        The experiment that `compare_fixed_depth`, `compare_planes` or `compare_pruning` repeats; their notes
        say which sets these are.
    data : path, default=None
        Folder of the sets that are not bundled; None is the one that ``TREEWRIGHT_DATA`` names.
    random_state : int, RandomState instance or None, default=0
        Draws the rows of connect-4, of which the first experiment takes some.

    Returns
    -------
    data_sets : dict of Dataset
        By name, in the order of the published tables.

    Raises
    ------
    DataError
        If sets cannot be had; all of them are named.

    Examples
    --------
    >>> from treewright.studies import published_sets
    >>> list(published_sets("planes"))  # doctest: +SKIP
    ['heart', 'cancer', 'sonar', 'house']
    """
    makers = EXPERIMENTS[one_of("experiment", experiment, list(EXPERIMENTS))]
    load = partial(_of_folder, data)
    number = seed(random_state)
    made: dict[str, Dataset] = {}
    faults: dict[str, DataError] = {}
    for name, make in makers.items():
        try:
            made[name] = make(load, number)
        except DataError as error:
            faults[name] = error
    if faults:
        first = next(iter(faults.values()))
        n_of_folder = len(makers) - len(BUNDLED & makers.keys())
        raise DataError(
            f"of the published experiment {', '.join(faults)} cannot be had; {n_of_folder} of its sets come "
            "from a folder, which the variable TREEWRIGHT_DATA or --data names: name one that has them, or "
            f"give data sets of your own. {first}"
        ) from first
    return made


def is_paper(data: object) -> bool:
    """Whether the sets of the published experiment are asked for."""
    return isinstance(data, str) and data == PAPER


def _of_folder(
    folder: str | PathLike[str] | None, name: str, kinds: Mapping[str, str] | None = None
) -> Dataset:
    """Load a set of a folder, or of the one that the environment names."""
    return datasets.load(f"folder:{name}", data=folder, kinds=kinds)


def labels_of(dataset: Dataset) -> AnyArray:
    """Return the class labels of the samples."""
    assert dataset.classes is not None, "sets of experiments have classes"
    return np.asarray(dataset.classes[dataset.target])


def complete_rows(dataset: Dataset) -> Dataset:
    """Return the samples without missing values."""
    is_missing = [_is_missing(dataset, i) for i in range(dataset.n_features)]
    return dataset[~np.any(is_missing, axis=0)]


def taken(dataset: Dataset, is_kept: Sequence[bool]) -> Dataset:
    """Return the data set with some of its features."""
    part = take_columns(dataset, np.flatnonzero(is_kept))
    assert isinstance(part, Dataset), "columns of a Dataset are one"
    return part


def missing_as_value(dataset: Dataset) -> Dataset:
    """Make what is missing in a nominal column a value of its own."""
    columns: dict[str, AnyArray] = {}
    for i, (name, levels) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
        known = np.array([*(levels or []), MISSING], dtype=object)
        columns[name] = known[dataset.column(i)]
    return Dataset.from_columns(columns, labels_of(dataset))


def missing_as_most_frequent(dataset: Dataset) -> Dataset:
    """Make what is missing in a nominal column its most frequent value, the first among equals."""
    return _recoded(
        dataset, [codes_filled(dataset.column(i)) for i in range(dataset.n_features)], dataset.levels
    )


def levels_as_most_frequent(dataset: Dataset, names: Collection[str]) -> Dataset:
    """Make some levels of nominal columns the most frequent one of each, and forget them."""
    columns, kept_levels = [], []
    for i, levels in enumerate(dataset.levels):
        assert levels is not None, "the columns are nominal"
        kept = [level for level in levels if level not in names]
        known = np.array([kept.index(level) if level in kept else -1 for level in levels], dtype=np.int32)
        columns.append(codes_filled(known[dataset.column(i)]))
        kept_levels.append(kept)
    return _recoded(dataset, columns, kept_levels)


def codes_filled(codes: AnyArray) -> NDArray[np.int32]:
    """Return codes in which the most frequent one, the first among equals, stands where -1 was."""
    known = codes[codes >= 0]
    fill = int(np.bincount(known).argmax()) if len(known) else -1
    return np.where(codes < 0, fill, codes).astype(np.int32)


def _recoded(dataset: Dataset, columns: Sequence[AnyArray], levels: Sequence[list[Label] | None]) -> Dataset:
    classes = None if dataset.classes is None else dataset.classes.tolist()
    return build(list(dataset.feature_names), columns, levels, dataset.target, classes)


def _is_missing(dataset: Dataset, feature: int) -> NDArray[np.bool_]:
    column = dataset.column(feature)
    return np.asarray(np.isnan(column) if column.dtype.kind == "f" else column < 0)


def _plain(name: str, load: Load, _: int) -> Dataset:
    return load(name)


def _bundled(name: str, *_: object) -> Dataset:
    return datasets.load(name)


def _most_frequent(name: str, load: Load, _: int) -> Dataset:
    return missing_as_most_frequent(load(name))


def _complete(name: str, load: Load, _: int) -> Dataset:
    return complete_rows(load(name))


def _hepatitis(load: Load, _: int) -> Dataset:
    """Complete rows; the numeric features are left out."""
    complete = complete_rows(load("hepatitis"))
    return taken(complete, [kind == "nominal" for kind in complete.kinds])


def _crx(load: Load, _: int) -> Dataset:
    """Complete rows; two features of many values are left out."""
    complete = complete_rows(load("crx"))
    kept = [name not in ("A6", "A7") for name in complete.feature_names]
    return taken(complete, kept)


def _vote(load: Load, _: int) -> Dataset:
    return missing_as_value(load("vote"))


def _lymph(load: Load, _: int) -> Dataset:
    """Take the two large classes; every feature is nominal."""
    codes = ("lym_nodes_dimin", "lym_nodes_enlar", "no_of_nodes_in")
    dataset = load("lymph", kinds=dict.fromkeys(codes, "nominal"))
    labels = labels_of(dataset)
    rows = np.flatnonzero(np.isin(labels, ["metastases", "malign_lymph"]))
    return as_dataset(dataset[rows], labels[rows])


def _connect_4(load: Load, seed: int) -> Dataset:
    """Win or not; some of the rows."""
    dataset = load("connect-4")
    rows = np.random.default_rng(seed).choice(dataset.n_samples, CONNECT_4_ROWS, replace=False)
    drawn = dataset[np.sort(rows)]
    return as_dataset(drawn, np.where(labels_of(drawn) == "2", "win", "no win"))


def _heart(load: Load, _: int) -> Dataset:
    """Complete rows; any narrowing of vessels is a disease."""
    complete = complete_rows(load("heart-cleveland"))
    return as_dataset(complete, np.where(labels_of(complete) == "0", "healthy", "ill"))


def _house(load: Load, _: int) -> Dataset:
    """Votes as numbers."""
    votes = load("vote")
    columns = []
    for i, levels in enumerate(votes.levels):
        assert levels is not None, "votes are nominal"
        codes = np.array([*(VOTE_CODES[str(level)] for level in levels), 0.0])
        columns.append(codes[votes.column(i)])
    assert votes.classes is not None, "votes have parties"
    names = list(votes.feature_names)
    return build(names, columns, [None] * len(names), votes.target, votes.classes.tolist())


FIXED_DEPTH: Mapping[str, Make] = {
    "tic-tac-toe": partial(_bundled, "tic-tac-toe"),
    "flare": partial(_plain, "solar-flare"),
    "hepatitis": _hepatitis,
    "crx": _crx,
    "vote": _vote,
    "lymph": _lymph,
    "chess": partial(_plain, "kr-vs-kp"),
    "connect-4": _connect_4,
    "promoters": partial(_plain, "promoters"),
}
"""In the order of their numbers of features, about."""

PLANES: Mapping[str, Make] = {
    "heart": _heart,
    "cancer": partial(_complete, "breast-w"),
    "sonar": partial(_plain, "sonar"),
    "house": _house,
}

PRUNING: Mapping[str, Make] = {
    "mushroom": partial(_most_frequent, "mushroom"),
    "audiology": partial(_most_frequent, "audiology"),
    "car": partial(_plain, "car"),
    "splice4": lambda load, _: levels_as_most_frequent(load("splice"), AMBIGUOUS),
    "hayes-roth": partial(_plain, "hayes-roth"),
    "kr-vs-kp": partial(_plain, "kr-vs-kp"),
    "monks-1": partial(_bundled, "monks-1"),
    "monks-2": partial(_plain, "monks-2"),
    "monks-3": partial(_plain, "monks-3"),
    "nursery": partial(_plain, "nursery"),
    "promoters": partial(_plain, "promoters"),
    "soybean": partial(_most_frequent, "soybean"),
    "tic-tac-toe": partial(_bundled, "tic-tac-toe"),
    "vote": _vote,
}

EXPERIMENTS: Mapping[str, Mapping[str, Make]] = {
    "fixed_depth": FIXED_DEPTH,
    "planes": PLANES,
    "pruning": PRUNING,
}
BUNDLED = {"monks-1", "tic-tac-toe"}
"""Those that come from no folder."""
