"""Data sets that come with the package: those of scikit-learn, and those that are a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.intake.labels import Label
from treewright.data.sources.kinds import build, codes


def from_sklearn(loader: str) -> Dataset:
    """Return one of scikit-learn's sets by the name of its loader, such as ``"load_iris"``."""
    import sklearn.datasets

    bunch: Any = getattr(sklearn.datasets, loader)()
    labels: list[Label] = [label.item() for label in bunch.target_names]
    classes = sorted(labels, key=lambda label: (isinstance(label, str), label))
    code = np.array([classes.index(label) for label in labels], dtype=np.int32)
    columns = [np.ascontiguousarray(column, dtype=np.float64) for column in bunch.data.T]
    return build(
        [str(name) for name in bunch.feature_names],
        columns,
        [None] * len(columns),
        code[bunch.target],
        classes,
    )


_SQUARES = tuple(
    f"{row}-{column}-square"
    for row, column in product(("top", "middle", "bottom"), ("left", "middle", "right"))
)
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_ROBOT = {"a1": 3, "a2": 3, "a3": 2, "a4": 3, "a5": 4, "a6": 2}
_BALANCE = ("left-weight", "left-distance", "right-weight", "right-distance")


def tic_tac_toe() -> Dataset:
    """Return the 958 boards on which a game of noughts and crosses may end, x having moved first.

    A square holds `x`, `o` or `b` (blank). The class is `positive` where x has won. Boards x has won come
    first, then those o has won, then draws.

    Source: D. W. Aha, "Tic-Tac-Toe Endgame", UCI Machine Learning Repository, 1991.
    """
    boards = {
        winner: [board for board in _boards() if _outcome(board) == winner] for winner in ("x", "o", "draw")
    }
    rows = [board for group in boards.values() for board in group]
    labels = ["positive"] * len(boards["x"]) + ["negative"] * (len(rows) - len(boards["x"]))
    return _nominal(_SQUARES, rows, labels)


def _boards() -> Iterator[tuple[str, ...]]:
    """Yield boards after 5 to 9 moves."""
    for board in product("xob", repeat=9):
        n_x, n_o = board.count("x"), board.count("o")
        if n_x + n_o >= 5 and n_x - n_o in (0, 1):
            yield board


def _outcome(board: Sequence[str]) -> str | None:
    """Return who has won, "draw", or None where no game ends like this."""
    has_line = {player: any(all(board[i] == player for i in line) for line in _LINES) for player in "xo"}
    x_moved_last = board.count("x") > board.count("o")
    if has_line["x"] and x_moved_last and not has_line["o"]:
        return "x"
    if has_line["o"] and not x_moved_last and not has_line["x"]:
        return "o"
    return "draw" if "b" not in board and not any(has_line.values()) else None


def monks(problem: int) -> Dataset:
    """Return all 432 robots of the MONK's problems with the class (`1` or `0`) of one of the three.

    1: a1 = a2 or a5 = 1. 2: exactly two features have their first value. 3: (a5 = 3 and a4 = 1) or (a5
    is not 4 and a2 is not 3). The published training parts, one of them with noise, are samples.

    Source: S. B. Thrun et al., "The MONK's Problems", CMU-CS-91-197, 1991, section 1.1.
    """
    robots = list(product(*(range(1, size + 1) for size in _ROBOT.values())))
    labels = [str(int(_CONCEPTS[problem](*robot))) for robot in robots]
    return _nominal(tuple(_ROBOT), [tuple(map(str, robot)) for robot in robots], labels)


_CONCEPTS: dict[int, Callable[..., bool]] = {
    1: lambda a1, a2, a3, a4, a5, a6: a1 == a2 or a5 == 1,
    2: lambda *values: values.count(1) == 2,
    3: lambda a1, a2, a3, a4, a5, a6: (a5 == 3 and a4 == 1) or (a5 != 4 and a2 != 3),
}


def balance_scale() -> Dataset:
    """Return the 625 states of a balance with weights and distances 1 to 5; it tips to L or R, or stays in B.

    Source: R. Siegler, "Three Aspects of Cognitive Development", Cognitive Psychology 8, 1976, by way of
    the UCI Machine Learning Repository.
    """
    states = list(product(range(1, 6), repeat=4))
    labels = [_tips(left * far - right * off) for left, far, right, off in states]
    columns = np.array(states, dtype=np.float64).T
    return build(list(_BALANCE), list(columns), [None] * 4, codes(labels, ("B", "L", "R")), ["B", "L", "R"])


def _tips(moment: int) -> str:
    return "L" if moment > 0 else "R" if moment < 0 else "B"


def _nominal(names: Iterable[str], rows: Sequence[Sequence[str]], labels: Sequence[str]) -> Dataset:
    columns = list(zip(*rows, strict=True))
    levels = [sorted(set(column)) for column in columns]
    classes = sorted(set(labels))
    return build(
        list(names),
        [codes(column, domain) for column, domain in zip(columns, levels, strict=True)],
        [list[Label](domain) for domain in levels],
        codes(labels, classes),
        list[Label](classes),
    )
