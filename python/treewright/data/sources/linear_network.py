"""The generated sets of the paper on pruning by automatic programming."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import is_whole, one_of
from treewright.data.intake.labels import Label
from treewright.data.sources.kinds import build
from treewright.data.types import CodeArray, IntArray

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

N_INPUTS = (10, 11, 12)
N_REMOVED = (0, 1, 2, 3, 4)
TRAIN_SHARES: Mapping[str, tuple[float, ...]] = {
    "paper_text": (0.2, 0.25, 0.3, 0.35),
    "paper_table": (0.1, 0.125, 0.15, 0.175),
}
"""Of either preset: what the text of the paper says, and what its numbers say."""

N_COMBINATIONS = 60

LARGEST = 2**63 - 1
"""The largest seed and number that the engine takes."""


@dataclass(frozen=True)
class Network:
    """What a set is drawn by, as the engine takes it."""

    n_inputs: int
    n_removed: int
    train_share: float

    @property
    def n_test(self) -> int:
        """Rows that are not for training."""
        n_rows = 1 << self.n_inputs
        return n_rows - int(self.train_share * n_rows)


class LinearNetworkSplit(NamedTuple):
    """A generated data set in two parts.

    Attributes
    ----------
    train, test : Dataset
        The training rows, and all other rows.
    """

    train: Dataset
    test: Dataset


def grid(preset: str) -> list[Network]:
    """Return the sixty combinations of a preset."""
    shares = TRAIN_SHARES[one_of("preset", preset, list(TRAIN_SHARES))]
    combinations = product(N_INPUTS, shares, N_REMOVED)
    return [Network(n_inputs, n_removed, share) for n_inputs, share, n_removed in combinations]


def make_linear_network(
    n_inputs: int | None = None,
    *,
    n_removed: int | None = None,
    train_share: float | None = None,
    preset: str | None = None,
    number: int = 0,
    random_state: int | None = None,
) -> LinearNetworkSplit:
    """Generate a table whose class is the larger one of two linear functions of its inputs.

    Each of two outputs is a weighted sum of the 0/1 inputs, with weights drawn uniformly between -0.5 and
    0.5. The table has a row for every combination of inputs. Its class is 1 if the second output is larger,
    else 0 (also if no input is 1). Then some inputs are removed, so that equal rows can have different
    classes, and a share of the rows is drawn for training.

    Parameters
    ----------
    n_inputs : int, default=10
        Number of inputs, up to 16; there are ``2**n_inputs`` rows.
    n_removed : int, default=0
        Number of inputs, the last ones, that are removed after the classes are computed.
    train_share : float, default=0.2
        Share of the rows for training, rounded down to whole rows.
    preset : {"paper_text", "paper_table"}, default=None
        Take all three parameters from the published study: one of the 60 combinations of 10 to 12 inputs, 0
        to 4 of them removed, and a share of 0.2, 0.25, 0.3 or 0.35, as in the text of the paper
        (``"paper_text"``), or half of this share, which agrees with the table of the paper
        (``"paper_table"``).
    number : int, default=0
        Number of the data set among those with this `random_state`, up to ``2**63 - 1``; with a preset,
        ``number % 60`` is the combination. It is data set `number` of ``compare_pruning(generator=preset,
        random_state=random_state)``.
    random_state : int or None, default=None
        Random seed, up to ``2**63 - 1``. None uses another seed in every call.

    Returns
    -------
    split : LinearNetworkSplit
        ``train`` and ``test``, data sets of nominal features ``x0``, ``x1``, … with the levels 0 and 1. The
        same seed and number give the same rows on every platform.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value, or is given together with a preset.

    Notes
    -----
    Only the difference of the outputs matters, so the weight of an input is the difference of two uniform
    random numbers: it has a triangular distribution around 0. All weights have the same distribution, so it
    does not matter which inputs are removed.

    References
    ----------
    S.-E. Hansen, R. Olsson, "Improving decision tree pruning through automatic programming", 2007, section 3.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> train, test = datasets.make_linear_network(10, n_removed=2, train_share=0.25, random_state=0)
    >>> train.shape, test.shape
    ((256, 8), (768, 8))
    >>> small, _ = datasets.make_linear_network(preset="paper_table", random_state=0)
    >>> small.shape
    (102, 10)
    """
    network = _network(n_inputs, n_removed, train_share, preset, number)
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if random_state is None else random_state
    return drawn(network, _whole("random_state", seed), _whole("number", number))


def drawn(network: Network, seed: int, number: int) -> LinearNetworkSplit:
    """Return set `number` of a seed."""
    found = _core.linear_network(network.n_inputs, network.n_removed, network.train_share, seed, number)
    classes, is_training = found.classes, found.is_training
    rows = np.arange(len(classes))
    return LinearNetworkSplit(
        *(_part(rows[chosen], classes[chosen], network) for chosen in (is_training, ~is_training))
    )


def _part(rows: IntArray, classes: CodeArray, network: Network) -> Dataset:
    """Input j of row r is bit j of r."""
    features = range(network.n_inputs - network.n_removed)
    levels: list[list[Label] | None] = [[0, 1] for _ in features]
    columns = [(rows >> j & 1).astype(np.int32) for j in features]
    return build([f"x{j}" for j in features], columns, levels, classes, [0, 1])


def _network(
    n_inputs: int | None, n_removed: int | None, train_share: float | None, preset: str | None, number: int
) -> Network:
    given = {"n_inputs": n_inputs, "n_removed": n_removed, "train_share": train_share}
    if preset is not None:
        for name, value in given.items():
            if value is not None:
                raise ParameterError(name, value, "does not go with a preset, which sets it", "leave one out")
        combinations = grid(preset)
        return combinations[_whole("number", number) % len(combinations)]
    share = 0.2 if train_share is None else train_share
    if isinstance(share, bool) or not isinstance(share, int | float | np.number):
        raise ParameterError("train_share", share, "must be a number above 0 and below 1")
    n_drawn = _whole("n_inputs", 10 if n_inputs is None else n_inputs, least=1, most=16)
    removed = _whole("n_removed", 0 if n_removed is None else n_removed, most=n_drawn - 1)
    return Network(n_drawn, removed, float(share))


def _whole(name: str, value: object, *, least: int = 0, most: int = LARGEST) -> int:
    if is_whole(value) and least <= value <= most:
        return int(value)
    end = "2**63 - 1" if most == LARGEST else most
    raise ParameterError(name, value, f"must be an int of at least {least} and at most {end}")
