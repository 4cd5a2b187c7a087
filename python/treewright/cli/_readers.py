"""What makes values of the texts of options, where click has nothing for them."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import click

from treewright.cli._option import Words

SHARE_OF_ROWS = click.FloatRange(0, 1, min_open=True, max_open=True)
SECONDS = click.FloatRange(0, min_open=True)
SEED = click.IntRange(0, 2**32 - 1)
TREES = click.IntRange(1, 1_000_000)


class Reader(click.ParamType[int | float | str]):
    """What makes a value of a text; `refusal` follows the text where it cannot."""

    name = "value"

    def __init__(self, read: Callable[[str], int | float | str], refusal: str = "") -> None:
        self._read, self._refusal = read, refusal

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float | str:
        """Return what a text says."""
        try:
            return self._read(str(value))
        except (ValueError, ZeroDivisionError, OverflowError):
            self.fail(f"{value!r} {self._refusal}.", param, ctx)


def _number(text: str) -> int | float:
    return int(text) if text.strip("+-").isdecimal() else float(text)


def _share(text: str) -> float:
    return float(Fraction(text)) if "/" in text else float(text)


def _product(text: str) -> int:
    factors = [int(part) for part in text.lower().split("x")]
    if min(factors) < 1:
        raise ValueError
    return math.prod(factors)


AMOUNT = Reader(lambda text: int(text) if text.isdecimal() else text)
"""An amount of memory: digits alone are bytes, a unit is the library's to read."""

NUMBER = Reader(_number, "is no number")
"""A count, written whole, or a share."""

SHARE = Reader(_share, "is neither a number nor a fraction such as 1/3")
PRODUCT = Reader(_product, "is no number and no product such as 60x1000")
DEPTH = Reader(
    lambda text: text if text == "cv" else int(text), "must be a whole number of at least 0, or 'cv'"
)
SMOOTHING = Reader(
    lambda text: text if text == "laplace" else float(text), "must be a number of rows, or 'laplace'"
)
ALPHA = Reader(lambda text: text if text == "cv" else float(text), "must be a number, or 'cv'")


def groups(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> list[list[str]] | None:
    """Part names of columns at the commas; one that has a comma stands in double quotes."""
    return list(csv.reader(values, skipinitialspace=True)) or None


class ShareOrFolds(click.ParamType[float | str]):
    """A share of the rows, or the word for folds."""

    name = "share"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        """Return the share, or the word."""
        if value == "cv":
            return "cv"
        try:
            share = float(str(value))
        except ValueError:
            self.fail(f"{str(value)!r} is neither a share nor 'cv'.", param, ctx)
        return SHARE_OF_ROWS.convert(share, param, ctx)


LEARNED = "learned:"
"""What stands before the name of a learned rule of the package."""


def names_learned(text: str) -> bool:
    """Whether a text is meant as the name or the file of a learned rule."""
    return text.startswith(LEARNED) or text.endswith(".json") or Path(text).is_file()


class WordsOrLearned(Words):
    """One of some words, the name of a learned rule, or that of a file that holds one."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word, or the text as it was given if it names a learned rule."""
        return str(value) if names_learned(str(value)) else super().convert(value, param, ctx)

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """Name the words, and what else is taken."""
        told = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return f"{told}, nor {LEARNED}NAME, nor a file that `treewright evolve --out` wrote."
