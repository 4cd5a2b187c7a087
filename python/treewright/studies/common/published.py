"""The public sets of published experiments, each as its experiment takes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike

import numpy as np

from treewright._base.errors import DataError
from treewright._base.params import one_of
from treewright.data.columns import take_columns
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.intake.labels import Label
from treewright.data.sources import registry as datasets
from treewright.data.sources.kinds import build
from treewright.data.types import AnyArray, CodeArray
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
    experiment: str, *, folder: str | PathLike[str] | None = None, random_state: object = 0
) -> dict[str, Dataset]:
    """Load the public data sets of a published experiment, each as it was used there.

    Parameters
    ----------
    experiment : {"fixed_depth", "planes", "pruning"}
        The experiment that `compare_fixed_depth`, `compare_planes` or `compare_pruning` repeats; their notes
        name the data sets.
    folder : path, default=None
        Folder of the data sets that are not bundled; None is the folder that ``TREEWRIGHT_DATA`` names.
    random_state : int, RandomState instance or None, default=0
        Random seed that draws the rows of connect-4 for the first experiment.

    Returns
    -------
    data_sets : dict of Dataset
        By name, in the order of the published tables.

    Raises
    ------
    DataError
        If data sets are not available; the message names all of them.

    Examples
    --------
    >>> from treewright.studies import published_sets
    >>> list(published_sets("planes"))  # doctest: +SKIP
    ['heart', 'cancer', 'sonar', 'house']
    """
    makers = EXPERIMENTS[one_of("experiment", experiment, list(EXPERIMENTS))]
    load, number = _loader(folder), seed(random_state)
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
            "from a folder, which the variable TREEWRIGHT_DATA or --folder names: name one that has them, or "
            f"give data sets of your own. {first}"
        ) from first
    return made


def published_set(
    experiment: str, name: str, *, folder: str | PathLike[str] | None = None, seed: int = 0
) -> Dataset:
    """Load one set of a published experiment as it was used there."""
    return EXPERIMENTS[experiment][name](_loader(folder), seed)


def _loader(folder: str | PathLike[str] | None) -> Load:
    def load(name: str, kinds: Mapping[str, str] | None = None) -> Dataset:
        return datasets.load(f"folder:{name}", folder=folder, kinds=kinds)

    return load


def published_or(data: object, experiment: str, seed: int = 0) -> object:
    """Return the sets of the published experiment where `data` asks for them, else `data`."""
    is_asked = isinstance(data, str) and data == PAPER
    return published_sets(experiment, random_state=seed) if is_asked else data


def labels_of(dataset: Dataset) -> AnyArray:
    """Return the class labels of the samples."""
    assert dataset.classes is not None, "sets of experiments have classes"
    return np.asarray(dataset.classes[dataset.target])


def complete_rows(dataset: Dataset) -> Dataset:
    """Return the samples without missing values."""
    columns = (dataset.column(i) for i in range(dataset.n_features))
    is_missing = [np.isnan(column) if column.dtype.kind == "f" else column < 0 for column in columns]
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
    columns = [codes_filled(dataset.column(i)) for i in range(dataset.n_features)]
    return _recoded(dataset, columns, dataset.levels)


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


def codes_filled(codes: AnyArray) -> CodeArray:
    """Return codes in which the most frequent one, the first among equals, stands where -1 was."""
    known = codes[codes >= 0]
    fill = int(np.bincount(known).argmax()) if len(known) else -1
    return np.where(codes < 0, fill, codes).astype(np.int32)


def _recoded(dataset: Dataset, columns: Sequence[AnyArray], levels: Sequence[list[Label] | None]) -> Dataset:
    classes = None if dataset.classes is None else dataset.classes.tolist()
    return build(list(dataset.feature_names), columns, levels, dataset.target, classes)


def _of(name: str, change: Callable[[Dataset], Dataset] = lambda dataset: dataset) -> Make:
    """Return what loads a set of the folder and makes of it what the experiment takes."""
    return lambda load, _: change(load(name))


def _bundled(name: str) -> Make:
    return lambda *_: datasets.load(name)


def _hepatitis(dataset: Dataset) -> Dataset:
    """Complete rows; the numeric features are left out."""
    return taken(complete_rows(dataset), [kind == "nominal" for kind in dataset.kinds])


def _crx(dataset: Dataset) -> Dataset:
    """Complete rows; two features of many values are left out."""
    return taken(complete_rows(dataset), [name not in ("A6", "A7") for name in dataset.feature_names])


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


def _heart(dataset: Dataset) -> Dataset:
    """Complete rows; any narrowing of vessels is a disease."""
    complete = complete_rows(dataset)
    return as_dataset(complete, np.where(labels_of(complete) == "0", "healthy", "ill"))


def _house(votes: Dataset) -> Dataset:
    """Votes as numbers."""
    columns = []
    for i, levels in enumerate(votes.levels):
        assert levels is not None, "votes are nominal"
        codes = np.array([*(VOTE_CODES[str(level)] for level in levels), 0.0])
        columns.append(codes[votes.column(i)])
    assert votes.classes is not None, "votes have parties"
    names = list(votes.feature_names)
    return build(names, columns, [None] * len(names), votes.target, votes.classes.tolist())


FIXED_DEPTH: Mapping[str, Make] = {
    "tic-tac-toe": _bundled("tic-tac-toe"),
    "flare": _of("solar-flare"),
    "hepatitis": _of("hepatitis", _hepatitis),
    "crx": _of("crx", _crx),
    "vote": _of("vote", missing_as_value),
    "lymph": _lymph,
    "chess": _of("kr-vs-kp"),
    "connect-4": _connect_4,
    "promoters": _of("promoters"),
}
"""In the order of their numbers of features, about."""

PLANES: Mapping[str, Make] = {
    "heart": _of("heart-cleveland", _heart),
    "cancer": _of("breast-w", complete_rows),
    "sonar": _of("sonar"),
    "house": _of("vote", _house),
}

PRUNING: Mapping[str, Make] = {
    "mushroom": _of("mushroom", missing_as_most_frequent),
    "audiology": _of("audiology", missing_as_most_frequent),
    "car": _of("car"),
    "splice4": _of("splice", lambda splice: levels_as_most_frequent(splice, AMBIGUOUS)),
    "hayes-roth": _of("hayes-roth"),
    "kr-vs-kp": _of("kr-vs-kp"),
    "monks-1": _bundled("monks-1"),
    "monks-2": _of("monks-2"),
    "monks-3": _of("monks-3"),
    "nursery": _of("nursery"),
    "promoters": _of("promoters"),
    "soybean": _of("soybean", missing_as_most_frequent),
    "tic-tac-toe": _bundled("tic-tac-toe"),
    "vote": _of("vote", missing_as_value),
}

EXPERIMENTS: Mapping[str, Mapping[str, Make]] = {
    "fixed_depth": FIXED_DEPTH,
    "planes": PLANES,
    "pruning": PRUNING,
}
BUNDLED = {"monks-1", "tic-tac-toe"}
"""Those that come from no folder."""
