"""A `Dataset` as a file: the way out of each format that has a way in."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Param, Value
from treewright.data.types import AnyArray, FloatArray

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

Texts = Sequence[str]
SUFFIXES: Mapping[str, str] = {
    ".arff": "arff",
    ".names": "c45",
    ".data": "c45",
    ".csv": "csv",
    ".tab": "orange",
    ".svm": "libsvm",
    ".libsvm": "libsvm",
}
"""The format that the ending of a path means."""


@dataclass(frozen=True)
class Columns:
    """What is written: features, the class last, and weights."""

    names: Texts
    values: Sequence[AnyArray]
    levels: Sequence[Texts | None]
    target: str | None
    weights: FloatArray | None
    ordered: frozenset[str] = frozenset()
    """Names of the columns whose levels have a declared order."""

    @classmethod
    def of(cls, data: Dataset, target: str) -> Columns:
        """Take the columns of a data set, labels as texts."""
        names, values = data.feature_names, data.columns()
        ordered = frozenset(name for name, own in zip(names, data.ordered, strict=True) if own)
        levels: list[Texts | None] = [None if one is None else _distinct(one) for one in data.levels]
        codes, classes = data.target, data.classes
        if codes is None or classes is None:
            return cls(names, values, levels, None, data.sample_weight, ordered)
        if target in names:
            allowed = "is the name of a feature, and the class needs one of its own"
            raise ParameterError("target", target, allowed, "give another name")
        labels = _distinct(classes.tolist())
        columns = ([*names, target], [*values, codes], [*levels, labels])
        return cls(*columns, target, data.sample_weight, ordered)

    def words(self, write: Callable[[str], str], missing: str) -> Iterator[Texts]:
        """Yield the words of each row."""
        written = [_words(*one, write, missing) for one in zip(self.values, self.levels, strict=True)]
        yield from zip(*written, strict=True)


def _distinct(labels: Sequence[object]) -> Texts:
    texts = [str(label) for label in labels]
    if len(set(texts)) < len(texts):
        double = next(text for text in texts if texts.count(text) > 1)
        raise DataError(f"two levels are written {double!r} in a file; rename one")
    return texts


def _words(values: AnyArray, levels: Texts | None, write: Callable[[str], str], missing: str) -> Texts:
    if levels is None:
        return [missing if number != number else written_number(number) for number in values.tolist()]
    texts = [*map(write, levels), missing]
    return [texts[code] for code in values.tolist()]


def written_number(number: float) -> str:
    """Write a number with as few digits as give it back.

    >>> written_number(2.0), written_number(0.1), written_number(1e300)
    ('2', '0.1', '1e+300')
    """
    is_plain = number.is_integer() and abs(number) < 2**53 and not (number == 0 and str(number)[0] == "-")
    return str(int(number)) if is_plain else repr(number)


def write(
    data: Dataset,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    target: str = "class",
) -> None:
    """Write a `Dataset` as a file that `read` reads.

    Parameters
    ----------
    data : Dataset
        The data.
    path : str or path-like
        The file; of C4.5's two files either, and both are written.
    format : {"arff", "c45", "csv", "libsvm", "orange"} or None, default=None
        The format. None takes the one that the ending of the path means.
    target : str, default="class"
        What the column of classes is called, where the format has names.

    Raises
    ------
    DataError
        If the format cannot hold what the data have, such as categories in ``"libsvm"``.
    ParameterError
        If the format is not known.

    Notes
    -----
    ARFF keeps levels as they are listed, missing values, weights; C4.5's format also which of them have a
    declared order. Levels are written as text. CSV has neither declared levels nor weights of its own:
    weights are a column ``weight``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from treewright import datasets
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "monks.arff")
    >>> datasets.write(datasets.load("monks-1"), path)
    >>> path.read_text().splitlines()[2]
    '@attribute a1 {1,2,3}'
    >>> folder.cleanup()
    """
    place = Path(os.fspath(path))
    known = SUFFIXES.get(place.suffix.lower()) if format is None else format
    if known is None or known not in _WRITERS:
        allowed = f"is not told by {place.name!r}" if format is None else "is not known"
        raise ParameterError("format", format, allowed, ("choose ", Value(*_WRITERS)))
    written = list(_WRITERS[known](Columns.of(data, target), place))
    for file, text in written:
        part = file.with_name(f".{file.name}.part")
        part.write_text(text, encoding="utf-8", newline="")
        part.replace(file)


Written = Iterator[tuple[Path, str]]


def _arff(columns: Columns, path: Path) -> Written:
    from treewright.data.sources.arff import quoted

    lines = [f"@relation {quoted(path.stem)}", ""]
    for name, levels in zip(columns.names, columns.levels, strict=True):
        kind = "numeric" if levels is None else "{" + ",".join(map(quoted, levels)) + "}"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines += ["", "@data"]
    rows = (",".join(row) for row in columns.words(quoted, "?"))
    if columns.weights is None:
        lines += rows
    else:
        weights = map(written_number, columns.weights.tolist())
        lines += [f"{row},{{{weight}}}" for row, weight in zip(rows, weights, strict=True)]
    yield path, "\n".join(lines) + "\n"


def _c45(columns: Columns, path: Path) -> Written:
    from treewright.data.sources.c45 import escaped

    _refuse_weights(columns, "C4.5's format")
    if columns.target is None or columns.levels[-1] is None:
        raise DataError("C4.5's format needs classes, and the data have none; write another format")
    lines = [", ".join(map(escaped, columns.levels[-1])) + ".", ""]
    for name, levels in zip(columns.names[:-1], columns.levels[:-1], strict=True):
        lines.append(f"{escaped(name)}: {_c45_type(levels, name in columns.ordered)}.")
    yield path.with_suffix(".names"), "\n".join(lines) + "\n"
    rows = ("".join([", ".join(row), ".\n"]) for row in columns.words(escaped, "?"))
    yield path.with_suffix(".data"), "".join(rows)


def _c45_type(levels: Texts | None, is_ordered: bool) -> str:
    if levels is None:
        return "continuous"
    from treewright.data.sources.c45 import ORDERED, escaped

    listed = ", ".join(map(escaped, levels)) if len(levels) > 1 else "discrete 1"
    return f"{ORDERED} {listed}" if is_ordered and len(levels) > 1 else listed


def _refuse_weights(columns: Columns, what: str) -> None:
    if columns.weights is not None:
        raise DataError(f"{what} has no weights, and the data have; write ARFF, or leave the weights out")


def _orange(columns: Columns, path: Path) -> Written:
    from treewright.data.sources.orange import MISSING

    for levels in columns.levels:
        if lost := [level for level in levels or () if level.strip() in MISSING]:
            raise DataError(f"Orange's format takes {lost[0]!r} as missing; rename the level, or write ARFF")
    types = ["continuous" if levels is None else _orange_type(levels) for levels in columns.levels]
    roles = ["class" if name == columns.target else "" for name in columns.names]
    rows = columns.words(str, "?")
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    if columns.weights is None:
        writer.writerows([columns.names, types, roles, *rows])
    else:
        weights = map(written_number, columns.weights.tolist())
        writer.writerows([["weight", *columns.names], ["continuous", *types], ["weight", *roles]])
        writer.writerows([weight, *row] for weight, row in zip(weights, rows, strict=True))
    yield path, stream.getvalue()


def _orange_type(levels: Texts) -> str:
    if any(level != level.strip() or "\\" in level or not level.isprintable() for level in levels):
        raise DataError("Orange's format lists levels between blanks, and one has others; write ARFF")
    return " ".join(level.replace(" ", "\\ ") for level in levels) if len(levels) > 1 else "discrete"


def _libsvm(columns: Columns, path: Path) -> Written:
    _refuse_weights(columns, "libsvm's format")
    *features, _ = columns.levels
    if columns.target is None or any(levels is not None for levels in features):
        raise DataError("libsvm's format holds numbers and their class; write ARFF, or leave categories out")
    if any(np.isnan(values).any() for values in columns.values[:-1]):
        raise DataError("libsvm's format has no missing values; write ARFF, or fill them in")
    yield path, "".join(f"{_sparse(row)}\n" for row in columns.words(str, ""))


def _sparse(row: Texts) -> str:
    *values, label = row
    try:
        float(label)
    except ValueError:
        raise DataError(
            f"libsvm's format has numbers as classes, and one is {label!r}; write ARFF, or pass numbers as ",
            Param("y"),
        ) from None
    return " ".join([label, *(f"{i}:{text}" for i, text in enumerate(values, start=1) if text != "0")])


def _csv(columns: Columns, path: Path) -> Written:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    weights = None if columns.weights is None else map(written_number, columns.weights.tolist())
    if weights is not None and "weight" in columns.names:
        raise DataError("a column is called 'weight', and so would be that of the weights; rename it")
    _refuse_empty(columns)
    writer.writerow([*columns.names, *([] if weights is None else ["weight"])])
    rows = columns.words(str, "")
    weighed = rows if weights is None else ([*row, one] for row, one in zip(rows, weights, strict=True))
    writer.writerows(weighed)
    yield path, stream.getvalue()


def _refuse_empty(columns: Columns) -> None:
    if any("" in (levels or ()) for levels in columns.levels):
        raise DataError("a level is empty, which CSV takes as missing; rename the level, or write ARFF")


_WRITERS: Mapping[str, Callable[[Columns, Path], Written]] = {
    "arff": _arff,
    "c45": _c45,
    "csv": _csv,
    "libsvm": _libsvm,
    "orange": _orange,
}
