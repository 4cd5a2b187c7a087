"""The door for files: any format, told by content."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from treewright._base.errors import ParameterError
from treewright.data.derived import Dates, asked_dates
from treewright.data.ordering import Orders, checked_orders, with_orders
from treewright.data.sources.dated import dataset_with_dates, rows_with_dates
from treewright.data.sources.file import opened
from treewright.data.sources.formats import Options, Table, TypedFile, expecting, format_of, options_of
from treewright.data.sources.frames import FRAME, table_of_frame
from treewright.data.sources.kinds import check_known
from treewright.data.sources.rows import Model, Rows, rows_of_set
from treewright.data.sources.typed import Wishes
from treewright.data.types import TableLike

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset


def read(
    path: str | os.PathLike[str] | TableLike,
    *,
    target: str | Literal[False] | None = None,
    format: str | None = None,  # noqa: A002
    kinds: Mapping[str, str] | None = None,
    missing_values: Collection[str] | None = None,
    drop: Collection[str] = (),
    weight: str | None = None,
    drop_missing_target: bool = False,
    dates: Dates | None = None,
    ordered: Orders | None = None,
    sheet: str | int | None = None,
    query: str | None = None,
    **options: object,
) -> Dataset:
    r"""Read a file of any format, or a frame, into a `Dataset`.

    The format is told by the content, not by the name.

    Parameters
    ----------
    path : str, path-like or frame
        The file; ``"-"`` is standard input. A database is named by its URL, such as ``"sqlite:///data.db"``.
        A frame, whose class is one of its columns, is read like a file.
    target : str, default=None
        The column that holds the class. None takes the one that the file itself names, where its format has
        such a thing; False reads a table without classes.
    format : {"arff", "arrow", "c45", "csv", "excel", "libsvm", "orange", "sql"} or None, default=None
        The format of the file, if its content does not tell.
    kinds : mapping of str to {"numeric", "nominal"}, default=None
        Declared kinds of columns, instead of those of the file; may include the target.
    missing_values : collection of str, default=None
        Spellings of missing values besides those of the format, such as ``{"?"}``.
    drop : collection of str, default=()
        Columns to leave out, such as row identifiers.
    weight : str, default=None
        Column that holds the sample weights, and is no feature. Rows of weight 0 are removed.
    drop_missing_target : bool, default=False
        Leave out rows whose class is missing. By default they are an error.
    dates : mapping of str to list of str, or collection of str, default=None
        Columns that hold dates, times or durations, with what is made of each: ``"year"``, ``"quarter"``,
        ``"month"``, ``"day"``, ``"weekday"``, ``"hour"``, ``"minute"``, or ``"days"``, ``"hours"``,
        ``"minutes"``, ``"seconds"`` since the first (of a duration its length). A list of columns takes year,
        month, weekday and days, and the hour of times. Texts are read as ISO 8601 or in another usual way; a
        format such as ``"%d.%m.%Y"`` says in which.
    ordered : mapping of str to sequence, default=None
        Nominal columns whose values have an order, such as ``{"size": ["low", "mid", "high"]}``, from low to
        high; optimal trees cut them like numbers. Files of Arrow, and C4.5's ``[ordered]``, declare it
        themselves.
    sheet : str or int, default=None
        Sheet of a workbook, by its name or its number from 1. None takes the only one that is filled.
    query : str, default=None
        What is selected from a database: a statement of SQL, or the name of a table. None takes the only
        table.
    **options
        Options of one format: those of `read_csv` for CSV.

    Returns
    -------
    Dataset
        The rows of the file in its order.

    Raises
    ------
    DataError
        If the file cannot be read; the message names file, line, column and remedy.
    ParameterError
        If no class is named, or an option does not go with the format.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from treewright import datasets
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "weather.txt")
    >>> _ = path.write_text('''@relation weather
    ... @attribute outlook {sunny, overcast, rainy}
    ... @attribute wind numeric
    ... @attribute play {yes, no}
    ... @data
    ... sunny, 3.5, no
    ... rainy, ?, yes''')
    >>> weather = datasets.read(path)
    >>> weather.feature_names, weather.levels[0], weather.classes
    (['outlook', 'wind'], ['sunny', 'overcast', 'rainy'], array(['no', 'yes'], dtype='<U3'))
    >>> folder.cleanup()
    """
    orders = checked_orders(ordered)
    own_kinds = {**(kinds or {}), **dict.fromkeys(orders, "nominal")}
    wishes = Wishes(target, own_kinds, missing_values, drop, weight, drop_missing_target)
    asked, of_dates = options_of({"sheet": sheet, "query": query, **options}), asked_dates(dates)
    known = {*own_kinds, *drop, *of_dates, *(own for own in (target, weight) if own)}
    with _opened(path, format, asked) as (opened_table, shown, name):
        table = expecting(opened_table, known)
        check_known(orders, table.names, shown, "ordered")
        return with_orders(dataset_with_dates(table, wishes, of_dates, shown, name), orders, shown)


@contextmanager
def _opened(
    source: object,
    format: str | None,  # noqa: A002
    options: Options,
    usual: Mapping[str, object] | None = None,
) -> Iterator[tuple[Table, str, str]]:
    """Yield a frame or a file as a table, what messages call it, and what the data are called.

    `usual` is the sheet or the query of an earlier file, for a file of several that leaves it open.
    """
    if not isinstance(source, str | os.PathLike):
        yield TypedFile(table_of_frame(source)), FRAME, FRAME
        return
    with opened(source) as file:
        chosen = format_of(file, format)
        try:
            table = chosen.opened(file, options)
        except ParameterError as error:
            if error.name in options or error.name not in (usual or {}):
                raise
            table = chosen.opened(file, {**options, **options_of({error.name: (usual or {})[error.name]})})
        yield table, file.shown, file.name


def read_header(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    **options: object,
) -> list[str]:
    """Read the names of a file's columns.

    Parameters
    ----------
    path, format, **options
        As in `read`.

    Returns
    -------
    names : list of str
        In the order of the file.

    Raises
    ------
    DataError
        If there are no names, or one is empty or repeated.
    OSError
        If the file cannot be opened.
    """
    with _opened(path, format, options_of(options)) as (table, _, _):
        return table.names


def read_rows(
    tree: Model,
    source: str | os.PathLike[str] | TableLike,
    *,
    is_file: bool = True,
    folder: str | os.PathLike[str] | None = None,
    target: str | None = None,
    weight: str | None = None,
    format: str | None = None,  # noqa: A002
    missing_values: Collection[str] | None = None,
    **options: object,
) -> Rows:
    """Read rows for prediction with an existing tree, such as a saved one.

    The columns that the tree tests are found by name, in any order; others may be missing, and are not read.
    Kinds and levels are those of the tree, whatever the file contains. A value that the tree does not know is
    treated as the tree treats such values, and reported in a note.

    Parameters
    ----------
    tree : Tree
        The tree.
    source : str, path-like or frame
        A file or a frame, as in `read`, or the name of a data set, as in `load`.
    is_file : bool, default=True
        Whether it is a file.
    folder : str or path-like, default=None
        The folder of named sets, as in `load`.
    target : str, default=None
        The column that holds the true class. None: no column of a file, and the target of a named data set.
    weight : str, default=None
        The column that holds the weights of the rows.
    format, missing_values, **options
        As in `read`.

    Returns
    -------
    rows : Rows
        Features, labels, weights and notes.

    Raises
    ------
    DataError
        If a column that is tested is missing or cannot be read, or the tree knows none of its values.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    >>> rows = datasets.read_rows(tree, "iris", is_file=False)
    >>> rows.features.n_samples, rows.labels[0]
    (150, 'setosa')
    """
    if not is_file and isinstance(source, str | os.PathLike):
        name = os.fspath(source)
        return rows_of_set(
            tree, name, folder=folder, target=target, weight=weight, missing_values=missing_values
        )
    wishes = Wishes(target, missing_values=missing_values, weight=weight)
    kept = (tree.reading or {}).get("options")
    usual = (
        {name: kept[name] for name in ("sheet", "query") if name in kept} if isinstance(kept, dict) else {}
    )
    with _opened(source, format, options_of(options), usual) as (table, shown, _):
        return rows_with_dates(table, tree, wishes, shown)
