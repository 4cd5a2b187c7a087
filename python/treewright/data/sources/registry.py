"""Names of data sets: those of the package, those of the user's folder, and which of them a name means."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Param, Part
from treewright.data.intake.column import Kind
from treewright.data.ordering import Orders, checked_orders, with_orders
from treewright.data.source import Source
from treewright.data.sources.bundled import balance_scale, from_sklearn, monks, tic_tac_toe
from treewright.data.sources.kinds import weighed, without
from treewright.data.sources.layout import CsvOptions
from treewright.data.sources.read import CsvWishes, dataset_of_file
from treewright.data.sources.streams import TextFile

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

VARIABLE = "TREEWRIGHT_DATA"
INDEX = "index.json"
AS_WRITTEN = CsvOptions(",", ".", "", "utf-8", True, 0, 0, '"', "")
"""How the files of a folder are written; nothing is told from their content."""


@dataclass(frozen=True)
class Folder:
    """A folder of data sets.

    Its `index.json` holds under "datasets" a list of objects with "name", "file" and "columns", each column
    an object with "name" and "kind" ("numeric" or "nominal"). The last column is the class, unless "target"
    names another.
    """

    path: Path

    @cached_property
    def entries(self) -> dict[str, dict[str, Any]]:
        """What the index says of each set, by name."""
        index = self.path / INDEX
        try:
            described = json.loads(index.read_text(encoding="utf-8"))["datasets"]
            return {entry["name"]: entry for entry in described if entry["file"] and entry["columns"]}
        except OSError as error:
            raise DataError(
                f"{self.path} is no folder of data sets: {INDEX} cannot be read ({error.strerror}); "
                "name another folder with ",
                Param("folder"),
                f" or the variable {VARIABLE}",
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"{index}: {_unreadable(error)}; the index must be JSON with a list 'datasets' of "
                "objects that have 'name', 'file' and 'columns'"
            ) from error

    def kinds(self, name: str) -> dict[str, Kind]:
        """Return the kind of each column of a set, the class included."""
        return {column["name"]: cast(Kind, column["kind"]) for column in self.entries[name]["columns"]}

    def target(self, name: str) -> str:
        """Return the column that holds the class: the last, unless the index says otherwise."""
        return str(self.entries[name].get("target", list(self.kinds(name))[-1]))

    def file(self, name: str) -> TextFile:
        """Return the file of a set."""
        path = self.path / self.entries[name]["file"]
        return TextFile(path, os.fspath(path))

    def load(
        self,
        name: str,
        *,
        target: str | None,
        kinds: Mapping[str, str],
        missing_values: Collection[str] | None,
        drop: Collection[str],
        weight: str | None,
    ) -> Dataset:
        """Read a set; what is given wins over what the index says."""
        target, declared = self.target(name) if target is None else target, {**self.kinds(name), **kinds}
        wishes = CsvWishes(target, declared, missing_values, drop, weight)
        return dataset_of_file(self.file(name), AS_WRITTEN, wishes, name)


def find_folder(folder: str | os.PathLike[str] | None) -> Folder | None:
    """Return the folder that `folder` or the environment names, None if neither does."""
    named = folder if folder is not None else os.environ.get(VARIABLE) or None
    return None if named is None else Folder(Path(named))


PREFIX = "folder:"


@dataclass(frozen=True)
class Entry:
    """Description of a named data set, without its rows.

    Attributes
    ----------
    name : str
        The name to pass to `load`.
    source : {"scikit-learn", "generated", "folder"}
        Where the rows come from.
    n_samples, n_numeric, n_nominal, n_classes, n_missing : int
        Number of rows, numeric features, nominal features, classes, and missing values in total.
    """

    name: str
    source: str
    n_samples: int
    n_numeric: int
    n_nominal: int
    n_classes: int
    n_missing: int


_SOURCES: Mapping[str, tuple[Entry, Callable[[], Dataset]]] = {
    name: (Entry(name, source, *counts, n_missing=0), make)
    for name, source, counts, make in (
        ("breast-cancer", "scikit-learn", (569, 30, 0, 2), partial(from_sklearn, "load_breast_cancer")),
        ("digits", "scikit-learn", (1797, 64, 0, 10), partial(from_sklearn, "load_digits")),
        ("iris", "scikit-learn", (150, 4, 0, 3), partial(from_sklearn, "load_iris")),
        ("wine", "scikit-learn", (178, 13, 0, 3), partial(from_sklearn, "load_wine")),
        ("balance-scale", "generated", (625, 4, 0, 3), balance_scale),
        ("monks-1", "generated", (432, 0, 6, 2), partial(monks, 1)),
        ("monks-2", "generated", (432, 0, 6, 2), partial(monks, 2)),
        ("monks-3", "generated", (432, 0, 6, 2), partial(monks, 3)),
        ("tic-tac-toe", "generated", (958, 0, 9, 2), tic_tac_toe),
    )
}
"""What comes with the package, by name: what is known of it, and how it is made."""

_ALIASES = {"wdbc": "breast-cancer", "breast_cancer": "breast-cancer"}


def load(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    target: str | None = None,
    kinds: Mapping[str, str] | None = None,
    missing_values: Collection[str] | None = None,
    drop: Collection[str] = (),
    weight: str | None = None,
    ordered: Orders | None = None,
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        Name of a bundled data set (`names` lists them), or of a data set in the folder: ``"folder:NAME"``, or
        ``"NAME"`` if no bundled data set has this name.
    folder : str or path-like, default=None
        A folder of ``NAME.csv.gz`` files with an ``index.json`` that gives the kinds of columns. None uses
        the folder that the environment variable ``TREEWRIGHT_DATA`` names, if it is set.
    target, kinds, missing_values, drop
        As in `read_csv`, to override the index of the folder. Not for bundled data sets.
    weight : str, default=None
        As in `read_csv`.
    ordered : mapping of str to sequence, default=None
        As in `read`.

    Returns
    -------
    Dataset
        The rows in the order of the source, with class names as labels.

    Raises
    ------
    DataError
        If no data set has this name, or the folder has no readable index.
    ParameterError
        If a parameter would change a bundled data set.

    Notes
    -----
    ``"wdbc"`` is another name of ``"breast-cancer"``: scikit-learn's set of 569 rows and 30 features, never
    the older, nominal one of that name, which a folder may hold as ``"folder:breast-cancer"``.

    Examples
    --------
    >>> from treewright import datasets
    >>> boards = datasets.load("tic-tac-toe")
    >>> boards.n_samples, boards.n_features, boards.classes.tolist()
    (958, 9, ['negative', 'positive'])
    """
    if _is_bundled(name):
        _refuse_changes(name, target=target, kinds=kinds, missing_values=missing_values)
        usual = _ALIASES.get(name, name)
        _, make = _SOURCES[usual]
        features = weighed(without(make(), drop, name), weight, name)
        return with_orders(features, checked_orders(ordered), name)._named(Source(usual))
    found, wanted = _in_folder(name, folder)
    orders = checked_orders(ordered)
    loaded = found.load(
        wanted,
        target=target,
        kinds={**(kinds or {}), **dict.fromkeys(orders, "nominal")},
        missing_values=missing_values,
        drop=drop,
        weight=weight,
    )
    return with_orders(loaded, orders, name)


def file_of_set(name: str, folder: str | os.PathLike[str] | None) -> tuple[TextFile, str] | None:
    """Return the file of a set of the folder and its usual target; None if a bundled set is meant."""
    if _is_bundled(name):
        return None
    found, wanted = _in_folder(name, folder)
    return found.file(wanted), found.target(wanted)


def _unreadable(error: ValueError | KeyError | TypeError) -> str:
    """Say why an index cannot be read."""
    if isinstance(error, ValueError):
        return f"no JSON ({error})"
    return f"{error} is missing" if isinstance(error, KeyError) else "its form is another"


def _is_bundled(name: str) -> bool:
    return _ALIASES.get(name, name) in _SOURCES


def _in_folder(name: str, folder: str | os.PathLike[str] | None) -> tuple[Folder, str]:
    found = find_folder(folder)
    wanted = name.removeprefix(PREFIX)
    if found is None or wanted not in found.entries:
        raise _unknown(name, found)
    return found, wanted


def _refuse_changes(name: str, **changes: object) -> None:
    for parameter, value in changes.items():
        if value:
            raise ParameterError(
                parameter,
                value,
                f"does not go with the set {name!r}, which is bundled and has its own target, kinds and "
                "missing values",
                "leave it out (it goes with files and sets of a folder)",
            )


def names(folder: str | os.PathLike[str] | None = None) -> list[str]:
    """List the names that `load` knows.

    Parameters
    ----------
    folder : str or path-like, default=None
        The folder, as in `load`.

    Returns
    -------
    list of str
        Bundled names, then those of the folder, with ``folder:`` before a name that a bundled set has.

    Examples
    --------
    >>> from treewright import datasets
    >>> datasets.names()[:4]
    ['breast-cancer', 'digits', 'iris', 'wine']
    """
    return [entry.name for entry in catalogue(folder)]


def catalogue(folder: str | os.PathLike[str] | None = None) -> list[Entry]:
    """Describe every data set that `load` knows, without loading it.

    Parameters
    ----------
    folder : str or path-like, default=None
        The folder, as in `load`.

    Returns
    -------
    list of Entry
        In the order of `names`.

    Raises
    ------
    DataError
        If the folder has no readable index.

    Examples
    --------
    >>> from treewright import datasets
    >>> next(entry for entry in datasets.catalogue() if entry.name == "monks-1").n_samples
    432
    """
    found = find_folder(folder)
    described = [] if found is None else [_described(found, name) for name in sorted(found.entries)]
    return [entry for entry, _ in _SOURCES.values()] + described


def _described(folder: Folder, name: str) -> Entry:
    entry: dict[str, Any] = folder.entries[name]
    return Entry(
        f"{PREFIX}{name}" if _is_bundled(name) else name,
        "folder",
        *(int(entry.get(field, 0)) for field in ("rows", "numeric", "nominal", "classes", "missing")),
    )


def _unknown(name: str, folder: Folder | None) -> DataError:
    known = [*_SOURCES, *([] if folder is None else folder.entries)]
    close = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
    hint = (
        f"did you mean {close[0]!r}?"
        if close
        else "`treewright datasets` or datasets.names() lists what there is"
    )
    where: tuple[str | Part, ...] = (
        (f"the folder {folder.path} has none either",)
        if folder
        else ("no folder is named (", Param("folder"), f" or the variable {VARIABLE})")
    )
    return DataError(f"there is no bundled data set {name!r}, and ", *where, f"; {hint}")
