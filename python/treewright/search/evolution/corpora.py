"""The trees that rules are judged on: drawn by the engine, or grown by it from the user's data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

import numpy as np

from treewright import _core
from treewright._base.errors import DataError, DataTypeError, ParameterError
from treewright._base.params import Limits, is_whole, whole_number
from treewright._base.wording import UNSET
from treewright.data.dataset import Dataset
from treewright.data.sources import registry as datasets
from treewright.data.sources.linear_network import TRAIN_SHARES, grid
from treewright.data.training import TrainingSet
from treewright.data.types import TableLike, VectorLike
from treewright.data.validation_set import draw_share, generator
from treewright.search.evolution.priced import Draw, Numbers, after, priced_trees
from treewright.trees.greedy import grower
from treewright.trees.growing import Growing
from treewright.trees.pruning.rule import checked_share

Pair = tuple[TableLike, VectorLike]

MOST_SEED = 2**63 - 1

ONE = "give (X, y) or a Dataset with classes"
FORMS = (
    "give (X, y), a Dataset with classes, a list of these, or 'paper_table', 'paper_text' or both in a list"
)


@dataclass(frozen=True)
class Corpora:
    """Where trees come from, for training, validation and test."""

    data: str
    is_drawn: bool
    trees: _core.TreeCorpora
    limits: Limits
    """What is left for the search."""
    counts_cost: bool = False
    """Whether their errors are what wrong answers cost."""
    is_complete: bool = True
    """Whether there was time for all that are to be grown before a search."""


def corpora_of(
    data: object, numbers: Numbers, seeds: Numbers, estimator: object, train_share: object, limits: Limits
) -> Corpora:
    """Return the trees of presets or of the user's data, so many of each kind, drawn with these seeds."""
    share = checked_share(
        train_share,
        "train_share",
        "it is the part of the samples that grows the tree, and the rest judges it",
    )
    presets = presets_of(data)
    if not presets:
        return _own(data, numbers, seeds, estimator, share, limits)
    if estimator is not None:
        raise ParameterError(
            "estimator", UNSET, "is given, but the trees of a preset are grown by ID3", "leave it out"
        )
    networks = [network for turn in zip(*map(grid, presets), strict=True) for network in turn]
    trees = _core.TreeCorpora.networks(
        [network.n_inputs for network in networks],
        [network.n_removed for network in networks],
        [network.train_share for network in networks],
        seeds,
        numbers,
    )
    return Corpora(f"generated data ({', '.join(presets)})", True, trees, limits=limits)


def checked_seed(random_state: object) -> int:
    """Return a seed: the number that is given, or one that is drawn."""
    if not is_whole(random_state):
        return int(generator(random_state).randint(2**31 - 1))
    if random_state > MOST_SEED:
        raise ParameterError("random_state", random_state, "is too large", f"a seed is at most {MOST_SEED}")
    return whole_number("random_state", random_state, least=0, remedy="a seed is not negative")


def corpus_seeds(seed: int) -> tuple[int, int, int]:
    """Return the seeds of the three corpora, far apart from each other and from the seed itself."""
    train, validation, test = (
        int(word) >> 1 for word in np.random.SeedSequence(seed).generate_state(3, np.uint64)
    )
    return train, validation, test


def _own(
    data: object, numbers: Numbers, seeds: Numbers, estimator: object, share: float, limits: Limits
) -> Corpora:
    growing = Growing.of(grower(estimator))
    sets = training_sets(data, growing)
    grounds = [(training.core, growing.parameters(training)) for training in sets]
    drawn = _in_turn(sets, 1 - share, seeds, numbers)
    name = f"{'one data set' if len(sets) == 1 else f'{len(sets)} data sets'}, resampled"
    if growing.answering.cost_matrix is None:
        return Corpora(name, False, _core.TreeCorpora.own(grounds, drawn, numbers), limits=limits)
    started = time.monotonic()
    trees, is_complete = priced_trees(sets, growing, drawn, numbers, limits)
    left = after(limits, time.monotonic() - started)
    return Corpora(name, False, trees, counts_cost=True, is_complete=is_complete, limits=left)


def _in_turn(
    sets: Sequence[TrainingSet], judging: float, seeds: Sequence[int], numbers: Sequence[int]
) -> Callable[[int], list[Draw]]:
    """Return what draws the next trees: one of each corpus in turn, set by set.

    What is drawn depends on the seeds alone, whatever limits or threads do.
    """

    def drawn() -> Iterator[Draw]:
        draws = [np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed))) for seed in seeds]
        for k in range(max(numbers)):
            number = k % len(sets)
            for corpus in (i for i, n_trees in enumerate(numbers) if k < n_trees):
                judges = draw_share(judging, sets[number].target, draws[corpus])
                yield corpus, number, judges.view(np.uint8)

    following = drawn()
    return lambda n: list(islice(following, n))


def presets_of(data: object) -> tuple[str, ...]:
    """Return the presets that `data` names, one or several of them; none if it is the user's data."""
    names = [one for one in data if isinstance(one, str)] if isinstance(data, list | tuple) else [data]
    presets = tuple(name for name in names if isinstance(name, str) and name in TRAIN_SHARES)
    unknown = [name for name in names if isinstance(name, str) and name not in TRAIN_SHARES]
    if isinstance(data, str) and unknown:
        raise ParameterError("data", data, "is not known", _loaded(data) or FORMS)
    if unknown and (presets or (isinstance(data, list) and not _loaded(unknown[0]))):
        raise ParameterError(
            "data", UNSET, f"lists {unknown[0]!r}, which is no preset", _loaded(unknown[0]) or FORMS
        )
    if presets and isinstance(data, list | tuple) and len(presets) < len(data):
        raise ParameterError(
            "data",
            UNSET,
            f"lists the preset {presets[0]!r} beside other data",
            "learn from presets or your own data",
        )
    if len(set(presets)) < len(presets):
        raise ParameterError("data", data, "names a preset more than once", "name it once")
    return presets


def _loaded(name: object) -> str | None:
    """Say how to have the data set of a name, if there is one."""
    is_known = isinstance(name, str) and name in datasets.names()
    return f"give datasets.load({name!r}), the data set of that name" if is_known else None


def training_sets(data: object, growing: Growing) -> list[TrainingSet]:
    """Read one data set, or a list of them; what is wrong with one of a list is told with its number."""
    if isinstance(data, Dataset) or _is_pair(data):
        return [_training_set(data, growing)]
    if not isinstance(data, list) or not data:
        raise ParameterError("data", UNSET, _unreadable(data), FORMS)
    sets = []
    for number, one in enumerate(data):
        try:
            sets.append(_training_set(one, growing))
        except ParameterError as error:
            of_set = error.name == "data"
            allowed, remedy = (error.allowed, error.remedy) if of_set else ((": ", *error.sentence), "")
            raise ParameterError("data", UNSET, allowed, remedy, at=(number,)) from error
        except (DataError, DataTypeError) as error:
            raise type(error)(f"data set {number} of the list: ", *error.sentence) from error
    return sets


def _training_set(one: object, growing: Growing) -> TrainingSet:
    if isinstance(one, Dataset):
        training = TrainingSet.of(one, owner="learn_pruner")
    elif _is_pair(one):
        X, y = cast(Pair, one)
        training = growing.read(X, y, None, "learn_pruner")
    else:
        raise ParameterError("data", UNSET, _unreadable(one), _loaded(one) or ONE)
    if training.n_samples < 2:
        raise DataError(
            f"n_samples={training.n_samples}: a data set needs at least 2 samples of positive weight, "
            "one to grow a tree and one to judge it"
        )
    return training


def _is_pair(data: object) -> bool:
    """Whether `data` is of the form (X, y); two whole data sets are not."""
    return isinstance(data, tuple) and len(data) == 2 and not all(map(_is_whole_set, data))


def _is_whole_set(part: object) -> bool:
    """Whether a part of `data` is a data set itself: no column and no row is of that form."""
    if isinstance(part, tuple) and len(part) == 2:
        return getattr(part[0], "ndim", 0) == 2
    return isinstance(part, Dataset)


def _unreadable(data: object) -> str:
    """Say what something is that is no data."""
    if isinstance(data, list) and not data:
        return "is an empty list"
    if isinstance(data, tuple):
        return f"is a tuple of {len(data)} that cannot be read"
    return f"is of type {type(data).__name__}, which cannot be read"
