"""What DATA on the command line mean."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Literal

import click

from treewright._base.wording import Feature, Param
from treewright.cli._running import note
from treewright.cli._signature import Given, given

if TYPE_CHECKING:
    from treewright import Dataset, TreewrightError
    from treewright.cli._model import Predicting
    from treewright.datasets import Rows

_SINGULAR = {"missing_values": "missing_value"}
_FILE_ENDINGS = (".csv", ".csv.gz")
STANDARD_INPUT = "-"
CSV_OPTIONS = (
    *("delimiter", "decimal", "thousands", "encoding", "header", "skip_rows", "skip_footer"),
    *("quote", "comment"),
)
"""Options about the text of a file."""


@dataclass(frozen=True)
class Reading:
    """How DATA are read, as the options under Data say."""

    target: str | None
    folder: Path | None
    missing_values: tuple[str, ...]
    delimiter: str | None
    encoding: str | None
    format: str | None = None
    sheet: str | None = None
    query: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    header: bool | None = None
    skip_rows: int | None = None
    skip_footer: int | None = None
    quote: str | None = None
    comment: str | None = None
    dates: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    weight: str | None = None
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    drop_missing_target: bool = False

    def load(self, data: str) -> Dataset:
        """Read a file or load a named set, with its classes; or take what stands in its place."""
        instead = INSTEAD.get()
        return self.load_plain(data) if instead is None else instead.give(self, data)

    def or_else(self, other: Reading) -> Reading:
        """Return what another one says, and where it says nothing what this one does."""
        said = {name: value for name, value in vars(other).items() if value not in (None, (), False)}
        return replace(self, **said)

    def load_plain(self, data: str) -> Dataset:
        """Read a file or load a named set, with its classes."""
        from treewright import ParameterError

        try:
            return self._read(data, self.target)
        except ParameterError as error:
            if error.name == "target" and self.target is None:
                raise self._without_target(data) from error
            raise

    def words(self) -> list[str]:
        """Return the options that say so."""
        found: list[str] = []
        for name, value in vars(self).items():
            option = f"--{_SINGULAR.get(name, name).replace('_', '-')}"
            if isinstance(value, bool):
                found += [option] if value else [f"--no-{option[2:]}"] if name == "header" else []
            elif isinstance(value, tuple):
                found += [word for one in value for word in (option, one)]
            elif value is not None:
                found += [option, str(value)]
        return found

    def whole(self, data: str) -> Dataset:
        """Read all columns of a file as features, or load a named set."""
        plain = replace(self, target=None, weight=None, drop=(), nominal=(), numeric=(), dates=(), ordered=())
        return plain._read(data, False if is_file(data) else None)

    def texts(self, data: str, names: Sequence[str]) -> Dataset:
        """Read some columns of a file as texts; all of them where one is not there."""
        from treewright.datasets import read_header

        there = read_header(data, **self._format())
        others = tuple(name for name in there if name not in names)
        if len(others) + len(names) > len(there):
            return self.whole(data)
        plain = replace(self, target=None, weight=None, missing_values=(), dates=(), numeric=(), ordered=())
        return replace(plain, drop=others, nominal=tuple(names))._read(data, False)

    def learned_by(self, tree: Predicting) -> Reading:
        """Return how the rows of a tree were read, as far as this one does not say it."""
        options = (tree.reading or {}).get("options")
        known: Given = options if isinstance(options, dict) else {}
        own: Given = {name: known.get(name) for name in ("target", "weight", "format", *CSV_OPTIONS)}
        missing = tuple(text for text in known.get("missing_values") or () if text)
        said = {name: value for name, value in vars(self).items() if value not in (None, (), False)}
        found = replace(self, **own, missing_values=missing, drop=tuple(known.get("drop") or ()))
        return replace(found, **said)

    def look(self, data: str) -> tuple[Dataset, Reading]:
        """Read DATA to look at them: dates that have a type are taken, as if they were declared.

        Returns the data set, and how it was read.
        """
        from treewright import DataTypeError

        try:
            return self._with_or_without_classes(data), self
        except DataTypeError as error:
            dates = undeclared_dates(error)
            if dates is None or data == STANDARD_INPUT:
                raise
        return replace(self, dates=(*self.dates, dates)).look(data)

    def _with_or_without_classes(self, data: str) -> Dataset:
        """Read a file with its classes, or without where none are named, or load a named set."""
        from treewright import ParameterError

        if data == STANDARD_INPUT:  # it cannot be read twice
            return self._read(data, self.target or False)
        try:
            return self._read(data, self.target)
        except ParameterError as error:
            if error.name == "target" and self.target is None and is_file(data):
                return self._read(data, False)
            raise

    def _read(self, data: str, target: str | Literal[False] | None) -> Dataset:
        from treewright import datasets

        how: Given = {
            "ordered": orders_of(self.ordered),
            "kinds": self._kinds(),
            "missing_values": self.missing_values,
            "drop": self.drop,
            "weight": self.weight,
        }
        if is_file(data):
            drops: Given = {"drop_missing_target": True} if self.drop_missing_target else {}
            dates = parts_of_dates(self.dates)
            found = datasets.read(data, target=target, dates=dates, **how, **drops, **self._format())
            if found.source is not None and found.source.told:
                note(f"{found.source.name}: {found.source.told}")
            return found
        self._refuse_format(data)
        return datasets.load(data, folder=self.folder, target=target or None, **how)

    def load_all(self, data: Sequence[str]) -> dict[str, Dataset]:
        """Read every DATA under its name."""
        refuse_repeated("DATA", data)
        return {name: self.load(name) for name in data}

    def rows(self, tree: Predicting, data: str) -> Rows:
        """Read the rows of DATA in the columns of a tree or of rules; say what it does not know of them."""
        from treewright.datasets import read_rows

        instead = INSTEAD.get()
        others = None if instead is None else instead.rows(self, data)
        if others is not None:
            return others
        if not is_file(data):
            self._refuse_format(data)
        rows = read_rows(
            tree,
            data,
            is_file=is_file(data),
            folder=self.folder,
            target=self.target,
            weight=self.weight,
            missing_values=self.missing_values,
            **self._format(),
        )
        if is_file(data) and rows.told:
            note(f"{Path(data).name}: {rows.told}")
        for text in rows.notes:
            note(f"Note: {text}")
        return rows

    def _format(self) -> Given:
        names = ("format", "sheet", "query", *CSV_OPTIONS)
        return given(**{name: getattr(self, name) for name in names})

    def _refuse_format(self, data: str) -> None:
        """Refuse options about the text of a file where DATA is a named set."""
        others = {"dates": self.dates, "drop_missing_target": self.drop_missing_target}
        for name in [*self._format(), *(name for name, value in others.items() if value)]:
            raise click.UsageError(
                f"--{name.replace('_', '-')} says how a file is read, and {data!r} is the name of a "
                "data set; leave it out."
            )

    def _kinds(self) -> dict[str, str]:
        both = sorted(set(self.nominal).intersection(self.numeric))
        if both:
            raise click.UsageError(f"Column {both[0]!r} is named by --nominal and by --numeric.")
        return dict.fromkeys(self.nominal, "nominal") | dict.fromkeys(self.numeric, "numeric")

    def _without_target(self, file: str) -> click.UsageError:
        from treewright._base.wording import shortened
        from treewright.datasets import read_header

        if file == STANDARD_INPUT:
            return click.UsageError("Standard input needs --target COL, one of its columns.")
        names = read_header(file, **self._format())
        return click.UsageError(f"A file needs --target COL, one of its columns: {shortened(names)}.")


@dataclass(frozen=True)
class Instead:
    """What gives a command other data in place of DATA of a name, as a cross-validation does."""

    name: str
    give: Callable[[Reading, str], Dataset]

    def rows(self, reading: Reading, data: str) -> Rows | None:
        """Return them as the rows for a tree, if these are of that name."""
        from treewright.datasets import Rows

        if PurePath(data).name != PurePath(self.name).name:
            return None
        dataset = self.give(reading, data)
        classes, target = dataset.classes, dataset.target
        labels = None if classes is None or target is None else classes[target].tolist()
        return Rows(dataset, labels, [], dataset.sample_weight)


INSTEAD: ContextVar[Instead | None] = ContextVar("INSTEAD", default=None)
"""Set while a command runs on other data."""


def parts_of_dates(given_dates: Sequence[str]) -> dict[str, list[str]]:
    """Part ``COL:year,month`` into a column and what is made of it; a colon may belong to a name."""
    found: dict[str, list[str]] = {}
    for text in given_dates:
        name, _, words = text.rpartition(":") if ":" in text else (text, "", "")
        while "%" in words and ":" in name and "%" in name.rpartition(":")[2]:  # a format has colons too
            name, _, more = name.rpartition(":")
            words = f"{more}:{words}"
        found[name] = [word for word in words.split(",") if word]
    return found


def orders_of(given_orders: Sequence[str]) -> dict[str, list[str]]:
    """Part ``COL=low,mid,high`` into a column and its values; one with a comma stands in double quotes."""
    found: dict[str, list[str]] = {}
    for text in given_orders:
        name, sign, values = text.partition("=")
        if not sign or name in found:
            what = "names the column twice" if name in found else "has no '='"
            raise click.UsageError(f"--ordered {text} {what}; write COL=LOW,MID,HIGH, once for each column.")
        found[name] = [value.strip() for value in next(csv.reader([values], skipinitialspace=True), [])]
    return found


def undeclared_dates(error: TreewrightError) -> str | None:
    """Return the column of dates of which an error says that they are not declared."""
    about = {part.name for part in error.sentence if isinstance(part, Param)}
    names = [str(part.name) for part in error.sentence if isinstance(part, Feature)]
    return names[0] if about == {"dates"} and names else None


def is_file(data: str) -> bool:
    """Tell a path from the name of a set: it has a folder or an ending, or is there."""
    from treewright import datasets

    if data == STANDARD_INPUT or os.sep in data or data.lower().endswith(_FILE_ENDINGS):
        return True
    is_there = Path(data).is_file() or Path(f"{data}.names").is_file()
    return bool(is_there or Path(data).suffix) and data not in datasets.names()


def refuse_repeated(what: str, names: Sequence[object]) -> None:
    """Refuse a name that comes twice."""
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"{what} names {name!r} more than once.")
