"""Generated CSV files agree with their generator."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csv_generator import generated
from treewright import datasets


def check(seed: int) -> None:
    """Write the file of a seed, and read it."""
    made = generated(Random(seed))
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "made")
        path.write_bytes(made.content)
        data = datasets.read_csv(path, **made.options)
    assert data.feature_names == [*made.columns]
    for place, values in enumerate(made.columns.values()):
        column, levels = data.column(place).tolist(), data.levels[place]
        found = column if levels is None else [levels[code] if code >= 0 else "" for code in column]
        np.testing.assert_equal(found, values)
    assert data.classes is not None
    assert data.classes[data.target].tolist() == made.classes


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_a_generated_file_reads_as_it_was_made(seed: int) -> None:
    check(seed)


@pytest.mark.slow
def test_five_thousand_generated_files_read_as_they_were_made() -> None:
    for seed in range(5000):
        check(seed)
