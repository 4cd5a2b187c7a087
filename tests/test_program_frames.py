"""Frames and series as inputs and outputs of problems."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from program_problems import X, fitting, outcome, square
from treewright import DataError, ParameterError
from treewright.evolution import ExampleProblem, ProgramEvolver, ScoredProblem

ONE = "fun f(a: int): int = a"
TWO = "fun f(a: int, b: float): float = b"
LIST = "type list = Nil | Cons of int * list\nfun f(xs: list): list = xs"
PAIR = "fun f(p: int * float): int * float = p"


def first_loss(start, inputs, outputs):
    return ProgramEvolver(ExampleProblem(inputs, outputs), start, budget=1).run().front_[-1].loss


@pytest.mark.parametrize(
    "inputs",
    [
        pd.DataFrame(X),
        pd.Series(X, index=X[::-1]),
        pl.DataFrame({"x": X}),
        pl.Series(X),
        pa.table({"x": X}),
    ],
)
def test_one_column_is_the_values_in_it(inputs):
    problem = ScoredProblem(inputs, square, arrays=True)
    evolver = ProgramEvolver(problem, "fun f(x: float): float = x", ["+", "-", "*", "constants"], budget=2000)
    assert outcome(evolver.run()) == outcome(fitting(budget=2000).run())


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_rows_are_what_the_types_say(frame):
    table = frame({"a": [1, 2, 3], "b": [0.5, 1.0, 2.0]})
    assert first_loss(TWO, table, [0.5, 1.0, 2.0]) == 0
    assert first_loss(TWO, table, [0.5, 1.0, 3.0]) > 0
    assert first_loss(PAIR, table, table) == 0
    numbers = frame({"a": [1, 2, 3], "b": [4, 5, 6]})
    assert first_loss(LIST, numbers, [[1, 4], [2, 5], [3, 6]]) == 0
    assert first_loss(ONE, frame({"a": [1, 2]}), frame({"y": [1, 2]})) == 0


def test_labels_of_columns_do_not_matter():
    table = pd.DataFrame([[1, 0.5], [2, 1.0]], columns=[7, 7])
    assert first_loss(TWO, table, [0.5, 1.0]) == 0


def test_frames_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match="inputs is a frame of 1 column; give one for each of the 2"):
        first_loss(TWO, pd.DataFrame({"a": [1]}), [1.0])
    with pytest.raises(DataError, match="input 1, argument 1, has None where type int"):
        first_loss(ONE, pl.DataFrame({"a": [1, None]}), [1, 2])
    with pytest.raises(DataError, match="input 0, argument 1, has array"):
        first_loss("fun f(x: float): float = x", np.ones((3, 1)), np.ones(3))
