"""Names of data sets: which there are, and which of them a name means."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from treewright._base.errors import DataError, ParameterError
from treewright.data.sources.bundled import (
    balance_scale,
    from_sklearn,
    monks,
    tic_tac_toe,
)
from treewright.data.sources.csv import TextTable
from treewright.data.sources.folder import (
    VARIABLE,
    Folder,
    find_folder,
)
from treewright.data.sources.kinds import without

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

PREFIX = "folder:"


@dataclass(frozen=True)
class Entry:
    """What is known of a named data set without loading it.

    Attributes
    ----------
    name : str
        The name to pass to `load`.
    source : {"scikit-learn", "generated", "folder"}
        Where the rows come from.
    n_samples, n_numeric, n_nominal, n_classes, n_missing : int
        Rows, features of either kind, classes, and missing values in all.
    """

    name: str
    source: str
    n_samples: int
    n_numeric: int
    n_nominal: int
    n_classes: int
    n_missing: int


@dataclass(frozen=True)
class _Bundled:
    entry: Entry
    make: Callable[[], Dataset]


def _bundled(
    name: str, source: str, counts: tuple[int, int, int, int], make: Callable[[], Dataset]
) -> _Bundled:
    return _Bundled(Entry(name, source, *counts, n_missing=0), make)


_BUNDLED: Mapping[str, _Bundled] = {
    made.entry.name: made
    for made in (
        _bundled(
            "breast-cancer", "scikit-learn", (569, 30, 0, 2), partial(from_sklearn, "load_breast_cancer")
        ),
        _bundled("digits", "scikit-learn", (1797, 64, 0, 10), partial(from_sklearn, "load_digits")),
        _bundled("iris", "scikit-learn", (150, 4, 0, 3), partial(from_sklearn, "load_iris")),
        _bundled("wine", "scikit-learn", (178, 13, 0, 3), partial(from_sklearn, "load_wine")),
        _bundled("balance-scale", "generated", (625, 4, 0, 3), balance_scale),
        _bundled("monks-1", "generated", (432, 0, 6, 2), partial(monks, 1)),
        _bundled("monks-2", "generated", (432, 0, 6, 2), partial(monks, 2)),
        _bundled("monks-3", "generated", (432, 0, 6, 2), partial(monks, 3)),
        _bundled("tic-tac-toe", "generated", (958, 0, 9, 2), tic_tac_toe),
    )
}
_ALIASES = {"wdbc": "breast-cancer", "breast_cancer": "breast-cancer"}


def load(
    name: str,
    *,
    data: str | os.PathLike[str] | None = None,
    target: str | None = None,
    kinds: Mapping[str, str] | None = None,
    missing_values: Collection[str] | None = None,
    drop: Collection[str] = (),
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        A bundled set (`names` lists them), or a set of the folder: ``"folder:NAME"``, or plain ``"NAME"``
        where no bundled set has that name.
    data : str or path-like, default=None
        A folder of ``NAME.csv.gz`` files with an ``index.json`` that gives column kinds. None takes the
        folder that the environment variable ``TREEWRIGHT_DATA`` names, if it is set.
    target, kinds, missing_values, drop
        As in `read_csv`, to read a set of the folder otherwise than its index says. A bundled set comes as
        it is.

    Returns
    -------
    Dataset
        Rows in the source's order, labels in words.

    Raises
    ------
    DataError
        If no set has that name, or the folder has no readable index.
    ParameterError
        If a bundled set is to be changed.

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
    if (made := _bundled_set(name)) is not None:
        _refuse_changes(name, target=target, kinds=kinds, missing_values=missing_values)
        return without(made.make(), drop, name)
    folder, wanted = _in_folder(name, data)
    return folder.load(wanted, target=target, kinds=kinds or {}, missing_values=missing_values, drop=drop)


def read_set(name: str, data: str | os.PathLike[str] | None) -> TextTable | None:
    """Return the fields of a set of the folder, None if `name` means a bundled set."""
    if _bundled_set(name) is not None:
        return None
    folder, wanted = _in_folder(name, data)
    return folder.read(wanted)


def usual_target(name: str, data: str | os.PathLike[str] | None) -> str | None:
    """Return the column that holds the class of a set in a folder; None for a bundled set."""
    if _bundled_set(name) is not None:
        return None
    folder, wanted = _in_folder(name, data)
    return folder.target(wanted)


def _bundled_set(name: str) -> _Bundled | None:
    return _BUNDLED.get(_ALIASES.get(name, name))


def _in_folder(name: str, data: str | os.PathLike[str] | None) -> tuple[Folder, str]:
    folder = find_folder(data)
    wanted = name.removeprefix(PREFIX)
    if folder is None or wanted not in folder.entries:
        raise _unknown(name, folder)
    return folder, wanted


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


def names(data: str | os.PathLike[str] | None = None) -> list[str]:
    """List the names that `load` knows.

    Parameters
    ----------
    data : str or path-like, default=None
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
    return [entry.name for entry in catalogue(data)]


def catalogue(data: str | os.PathLike[str] | None = None) -> list[Entry]:
    """Describe every set that `load` knows, without loading any.

    Parameters
    ----------
    data : str or path-like, default=None
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
    folder = find_folder(data)
    described = [] if folder is None else [_described(folder, name) for name in sorted(folder.entries)]
    return [made.entry for made in _BUNDLED.values()] + described


def _described(folder: Folder, name: str) -> Entry:
    entry: dict[str, Any] = folder.entries[name]
    taken = _bundled_set(name) is not None
    return Entry(
        f"{PREFIX}{name}" if taken else name,
        "folder",
        *(int(entry.get(field, 0)) for field in ("rows", "numeric", "nominal", "classes", "missing")),
    )


def _unknown(name: str, folder: Folder | None) -> DataError:
    known = [*_BUNDLED, *([] if folder is None else folder.entries)]
    close = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
    hint = (
        f"did you mean {close[0]!r}?"
        if close
        else "`treewright datasets` or datasets.names() lists what there is"
    )
    where = (
        f"no folder is named (data=, --data or the variable {VARIABLE})"
        if folder is None
        else f"the folder {folder.path} has none either"
    )
    return DataError(f"there is no bundled data set {name!r}, and {where}; {hint}")
