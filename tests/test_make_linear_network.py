"""The generated sets of the paper on pruning.

Inner names, as in unit tests: `data.sources.linear_network`: a column is looked at before it is
part of a table.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from treewright import ParameterError
from treewright.data.sources.linear_network import N_COMBINATIONS, grid
from treewright.datasets import make_linear_network


def rows_of(part):
    """Rows as tuples of the inputs, each with its class."""
    columns = [part.column(j).tolist() for j in range(part.n_features)]
    return list(zip(zip(*columns, strict=True), part.target.tolist(), strict=True))


def test_every_row_is_there_once():
    train, test = make_linear_network(7, train_share=0.3, random_state=3)
    rows = [row for row, _ in rows_of(train) + rows_of(test)]
    assert len(rows) == len(set(rows)) == 2**7
    assert train.n_samples == int(0.3 * 2**7)
    assert train.feature_names == [f"x{j}" for j in range(7)]
    assert train.levels == [[0, 1]] * 7


def test_some_linear_function_through_zero_tells_the_classes_apart():
    from scipy.optimize import linprog

    for number in range(5):
        train, test = make_linear_network(6, number=number, random_state=1)
        labelled = rows_of(train) + rows_of(test)
        x = np.array([row for row, _ in labelled], dtype=float)
        side = np.array([1 if label else -1 for _, label in labelled])
        assert side[~x.any(axis=1)].tolist() == [-1]
        bound = np.where(side > 0, -1.0, 0.0)
        found = linprog(np.zeros(6), A_ub=-side[:, np.newaxis] * x, b_ub=bound, bounds=(None, None))
        assert found.success, f"set {number}"


def test_removed_inputs_leave_what_contradicts_itself():
    whole = make_linear_network(8, train_share=0.4, random_state=2)
    part = make_linear_network(8, n_removed=3, train_share=0.4, random_state=2)
    for before, after in zip(whole, part, strict=True):
        assert after.n_features == 5
        assert rows_of(after) == [(row[:5], label) for row, label in rows_of(before)]
    labels = {}
    for row, label in rows_of(part.train):
        labels.setdefault(row, set()).add(label)
    assert {0, 1} in labels.values()


def test_the_same_bits_everywhere():
    train, test = make_linear_network(10, n_removed=1, train_share=0.25, number=7, random_state=42)
    text = repr(rows_of(train) + rows_of(test))
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest[:16] == "7e1d5a38f09a5628"


def test_seeds_and_numbers_differ():
    sets = [make_linear_network(6, random_state=seed, number=number) for seed in (0, 1) for number in (0, 1)]
    assert len({repr(rows_of(train)) for train, _ in sets}) == 4
    assert rows_of(make_linear_network(9).train) != rows_of(make_linear_network(9).train)


def test_the_largest_seed_and_number_are_taken():
    split = make_linear_network(4, number=2**63 - 1, random_state=2**63 - 1)
    assert len(rows_of(split.train) + rows_of(split.test)) == 2**4


@pytest.mark.parametrize(("preset", "least"), [("paper_text", 204), ("paper_table", 102)])
def test_presets_are_the_sixty_combinations(preset, least):
    networks = grid(preset)
    assert len(networks) == len(set(networks)) == N_COMBINATIONS
    sizes = [make_linear_network(preset=preset, number=number, random_state=0) for number in range(60)]
    assert min(train.n_samples for train, _ in sizes) == least
    assert {train.n_features for train, _ in sizes} == set(range(6, 13))
    for network, (train, test) in zip(networks, sizes, strict=True):
        assert network.n_test == test.n_samples
        assert train.n_samples + test.n_samples == 2**network.n_inputs
    again = make_linear_network(preset=preset, number=60, random_state=0)
    assert again.train.n_samples == least
    assert rows_of(again.train) != rows_of(sizes[0].train)


def test_weights_are_even_draws():
    """Of two inputs either one alone is in class 1 half the time, and so are both together."""
    ones = np.zeros(3)
    for number in range(2000):
        train, test = make_linear_network(2, train_share=0.5, number=number, random_state=0)
        labels = dict(rows_of(train) + rows_of(test))
        ones += [labels[1, 0], labels[0, 1], labels[1, 1]]
    assert np.abs(ones / 2000 - 0.5).max() < 0.05


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_inputs": 0}, "n_inputs=0"),
        ({"n_inputs": 17}, "n_inputs=17"),
        ({"n_inputs": True}, "n_inputs=True"),
        ({"n_inputs": 5, "n_removed": 5}, "n_removed"),
        ({"train_share": 0}, "train_share"),
        ({"train_share": 1.0}, "train_share"),
        ({"train_share": float("nan")}, "train_share"),
        ({"train_share": "half"}, "train_share='half'"),
        ({"n_inputs": 1, "train_share": 0.3}, "train_share"),
        ({"preset": "paper"}, "preset='paper'"),
        ({"preset": "paper_text", "n_removed": 1}, "does not go with a preset"),
        ({"n_inputs": 5, "n_removed": 10**30}, "n_removed=10+ must be an int of at least 0 and at most 4"),
        ({"number": -1}, "number=-1"),
        ({"number": 10**30}, r"number=10+ must be an int of at least 0 and at most 2\*\*63 - 1"),
        ({"preset": "paper_text", "number": 2**63}, r"number=\d+ must .* at most 2\*\*63 - 1"),
        ({"random_state": "seed"}, "random_state='seed'"),
        ({"random_state": 2**64}, r"random_state=\d+ must .* at most 2\*\*63 - 1"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        make_linear_network(**options)
