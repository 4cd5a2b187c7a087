"""`Dataset`: a table that has passed the door once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from treewright import _core
from treewright._base.memory import bytes_or_none
from treewright._base.wording import Feature
from treewright.data import table_errors
from treewright.data.annotations import Annotations, ordered_in
from treewright.data.checks import ColumnChecks
from treewright.data.description.description import Description
from treewright.data.description.look import describe
from treewright.data.intake.column import Kind
from treewright.data.intake.containers import NamedColumns, open_container
from treewright.data.intake.labels import Label
from treewright.data.intake.schema import are_text, requested_kinds
from treewright.data.intake.table import ColumnWishes, Table, read_table
from treewright.data.intake.target import read_target, read_weights
from treewright.data.intake.vectors import row_positions
from treewright.data.source import Source, written_hash
from treewright.data.summary import facts, html_of, kinds_of
from treewright.data.types import AnyArray, CodeArray, FloatArray, TableLike, VectorLike

__all__ = ["Dataset"]

FORMAT = 1


class Dataset:
    """A table of features, optionally with classes and weights, that has been checked and encoded.

    The data are read once: if you pass a `Dataset` instead of `X`, nothing is read, checked or copied again.
    A dataset is immutable; the arrays that it returns are copies.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        A numpy array in any memory layout, a list of rows, a pandas (or pandas-like) or polars frame, a
        pyarrow table, or a sparse matrix of scipy, which is made dense. NaN, None and NA are missing values;
        infinite numbers, and integers that a 64-bit float cannot hold, are refused.
    y : array-like of shape (n_samples,), default=None
        Class labels: text, integers or booleans, usually of two or more classes (one is allowed).
    sample_weight : array-like of shape (n_samples,) or float, default=None
        Weights, 0 or above, kept as they are given. Rows of weight 0 are removed first, without a check of
        their values. None: every row has weight 1.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are nominal (categorical). ``"from_dtype"`` decides by type, see Notes. With a list of
        names, positions or booleans, the columns in it are nominal and all others numeric; None is the empty
        list.
    missing_values : set of str and numbers, default=None
        Additional values that count as missing, such as ``{"?"}``. Text columns are then read as in a file: a
        column becomes numeric if every text that is not missing is a number.
    memory_limit : int or str, default=None
        Memory that a sparse `X` may take as dense numbers: bytes, or text such as ``"64MB"``; None is 1 GiB.

    Raises
    ------
    DataError, DataTypeError
        If the data cannot be used. The message names feature, column, row and remedy; columns and rows count
        from 0.
    ParameterError
        If `categorical_features` or `missing_values` cannot be used.

    Notes
    -----
    By type, numbers are numeric; text, booleans and categories are nominal. A column of objects is numeric if
    all values are numbers, and nominal if all are text or booleans (missing values do not count). A mixture
    of numbers with text or booleans is refused, and so is any other type, such as dates. A column with only
    missing values is allowed: it is numeric if its type is numeric or it holds NaN, else nominal.

    A categorical type declares levels. They keep their order, and include those without a row (a category
    that is not text, number or boolean, such as an interval, is represented by its text). The order is
    declared to be one from low to high, so that optimal trees cut it, by an ordered categorical of pandas, an
    ordered dictionary of Arrow, and an ``Enum`` of polars, whose values polars compares by it. Booleans have
    the levels False and True. Otherwise, and for polars' ``Categorical``, which declares none, levels are the
    values that occur, sorted as text. Integers are ints as levels, whatever their type; 1 and 1.0 are the
    same level, True and "1" are different ones.

    Classes are sorted and typed as in scikit-learn, with two exceptions: nullable integers stay integers, and
    objects that all are numbers or booleans are treated as such.

    Columns without names are called x0, x1, ...; an empty name is replaced by x and its position, and a name
    that is no text, such as a year, is written as text.

    With `y`, a `DataWarning` names columns that look wrong, each with a remedy: one value a row or nearly
    (identifiers, free text), dates as text, a nominal column of more than 50 values, and a column that alone
    tells the class of at least 50 rows, 5 of them not of the largest class: each value of a nominal column,
    with two rows on average, occurs in one class only, or the ranges of a numeric one in the classes lie
    apart (a missing value counts as a value). Texts that are read as one number, such as ``1E5`` and
    ``100000``, are named too.

    Examples
    --------
    >>> from treewright import Dataset
    >>> data = Dataset([["red", 1.5], ["blue", None], ["red", 3.0]], ["yes", "no", "yes"])
    >>> data
    <Dataset: 3 samples, 2 features (1 numeric, 1 nominal), 2 classes, 1 missing value>
    >>> data.kinds, data.levels
    (['nominal', 'numeric'], [['blue', 'red'], None])
    >>> data.classes, data.target
    (array(['no', 'yes'], dtype='<U3'), array([1, 0, 1], dtype=int32))
    >>> data[[0, 2]]
    <Dataset: 2 samples, 2 features (1 numeric, 1 nominal), 2 classes>
    """

    __slots__ = ("__weakref__", "_annotations", "_data", "_hash")

    _data: _core.Dataset
    _annotations: Annotations
    _hash: str | None

    def __init__(
        self,
        X: TableLike,
        y: VectorLike = None,
        *,
        sample_weight: VectorLike = None,
        categorical_features: object = "from_dtype",
        missing_values: Iterable[object] | None = None,
        memory_limit: int | str | None = None,
    ) -> None:
        if isinstance(X, Dataset):
            if missing_values is not None:
                raise table_errors.missing_values_of_dataset()
            other = as_dataset(X, y, sample_weight=sample_weight, categorical_features=categorical_features)
            self._keep(other._data, other._annotations)
        else:
            wishes = ColumnWishes(categorical_features, missing_values)
            container = open_container(X, memory_limit=bytes_or_none("memory_limit", memory_limit))
            self._fill(read_table(container, y, sample_weight, wishes))

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, VectorLike],
        y: VectorLike = None,
        *,
        sample_weight: VectorLike = None,
        levels: Mapping[str, Sequence[object]] | None = None,
        missing_values: Iterable[object] | None = None,
    ) -> Dataset:
        """Make a data set from columns by name.

        Parameters
        ----------
        columns : mapping of str to array-like of shape (n_samples,)
            The columns by name, each a 1-D array, a list or a series of any type.
        y, sample_weight, missing_values
            As for `Dataset`.
        levels : mapping of str to sequence, default=None
            Nominal columns, with their levels in order. A value that is not a level is an error. For other
            columns the type decides.

        Returns
        -------
        Dataset
            Columns in the order of the mapping.

        Examples
        --------
        >>> from treewright import Dataset
        >>> data = Dataset.from_columns(
        ...     {"size": ["S", "L", "S"], "price": [9.5, 12.0, 8.0]},
        ...     levels={"size": ["S", "M", "L"]},
        ... )
        >>> data.levels
        [['S', 'M', 'L'], None]
        """
        wishes = ColumnWishes(missing_values=missing_values, levels=levels)
        dataset = cls.__new__(cls)
        dataset._fill(read_table(NamedColumns(columns), y, sample_weight, wishes))
        return dataset

    def _fill(self, table: Table) -> None:
        """Hand the table over to the core, which copies each column once; warn of what looks wrong."""
        classes = None if table.target is None else table.target.classes
        checks = None if table.target is None else ColumnChecks(table.target.codes)
        core = _core.Dataset.from_columns(
            table.names.shown,
            table.arrays(checks),
            table.levels,
            None if table.target is None else table.target.codes,
            None if classes is None else classes.tolist(),
            None if table.target is None else table.weights,
        )
        labels, ordered = table.names.labels, ordered_in(table.levels)
        self._keep(core, Annotations(classes, labels, table.weights, ordered=ordered))
        if checks is not None:
            checks.warn()

    def _keep(self, core: _core.Dataset, annotations: Annotations) -> None:
        """Keep the core's table; classes and weights say again what it holds."""
        object.__setattr__(self, "_data", core)
        object.__setattr__(self, "_annotations", annotations)
        object.__setattr__(self, "_hash", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Dataset cannot change; make a new one instead of setting {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Dataset cannot change; {name!r} stays")

    # What is in it.

    @property
    def source(self) -> Source | None:
        """What the data are called, and how their file was read; None where they came as an object."""
        return self._annotations.source

    def _named(self, source: Source) -> Dataset:
        """Return the same data, from a source."""
        return _wrapped(self._data, replace(self._annotations, source=source))

    @property
    def content_hash(self) -> str:
        """Hash of all that it holds but declared orders, with the method's name; the order of rows counts."""
        found = self._hash or written_hash(self._data.fingerprint())
        object.__setattr__(self, "_hash", found)
        return found

    @property
    def core(self) -> _core.Dataset:
        """The encoded table that the engines read."""
        return self._data

    @property
    def shape(self) -> tuple[int, int]:
        """Number of samples (without those of weight 0) and of features."""
        return self.n_samples, self.n_features

    @property
    def n_samples(self) -> int:
        """Number of samples, without those of weight 0."""
        return self._data.n_rows

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self._data.n_features

    @property
    def feature_names(self) -> list[str]:
        """Names of the features in output: x0, x1, ... if X had no names."""
        return self._data.names

    @property
    def feature_names_in(self) -> AnyArray | None:
        """The names of the columns of X, shape (n_features,); None if it had no text names."""
        labels = self.column_labels
        return None if labels is None or not are_text(labels) else np.array(labels, dtype=object)

    @property
    def column_labels(self) -> tuple[Hashable, ...] | None:
        """What the columns of X are called: texts, years, tuples, …; None if they had no labels."""
        return self._annotations.column_labels

    @property
    def kinds(self) -> list[Kind]:
        """Kind of each feature: ``"numeric"`` or ``"nominal"`` (categorical)."""
        return kinds_of(self._data)

    @property
    def levels(self) -> list[list[Label] | None]:
        """The levels of each nominal feature in their order; None for a numeric one."""
        return self._annotations.levels(self._data.levels)

    @property
    def ordered(self) -> list[bool]:
        """Whether the levels of each feature have a declared order, from low to high."""
        return [feature in self._annotations.ordered for feature in range(self.n_features)]

    @property
    def classes(self) -> AnyArray | None:
        """Class labels, sorted, shape (n_classes,); None without y."""
        classes = self._annotations.classes
        return None if classes is None else classes.copy()

    @property
    def target(self) -> CodeArray | None:
        """Position of each sample's class in `classes`, shape (n_samples,); None without y."""
        return self._data.target

    @property
    def sample_weight(self) -> FloatArray | None:
        """Weights as given, shape (n_samples,); None if every sample weighs 1."""
        weights = self._annotations.weights
        return None if weights is None else weights.copy()

    def column(self, feature: int) -> AnyArray:
        """Return one encoded column.

        Parameters
        ----------
        feature : int
            Position of the feature.

        Returns
        -------
        column : ndarray of shape (n_samples,)
            Numbers, NaN where missing; or positions in the feature's levels, -1 where missing.

        Examples
        --------
        >>> from treewright import Dataset
        >>> Dataset([["b", 1], [None, 2], ["a", 3]]).column(0)
        array([ 1, -1,  0], dtype=int32)
        """
        return self._data.column(feature)

    def columns(self) -> list[AnyArray]:
        """Return all encoded columns, as `column` does."""
        return [self._data.column(i) for i in range(self.n_features)]

    def __getitem__(self, rows: object) -> Dataset:
        """Return the given samples, by slice, positions or mask; levels and classes stay."""
        positions = row_positions(rows, self.n_samples)
        if not len(positions):
            raise table_errors.no_samples("X", (0, self.n_features))
        return _wrapped(self._data.take(positions), self._annotations.of_rows(positions))

    def describe(self) -> Description:
        """Look at the data: classes, every column, equal rows, and what looks wrong.

        Returns
        -------
        description : treewright.datasets.Description
            Printed it is a text, in a notebook a page; it has ``to_frame()``, ``to_json()``, ``to_html()``.
        """
        own = self._annotations
        return describe(self._data, own.classes, own.weights, own.source, self.content_hash)

    def __repr__(self) -> str:
        own = self._annotations
        return f"<Dataset: {', '.join(facts(self._data, own.classes, own.weights is not None))}>"

    _repr_html_ = html_of
    __array__ = table_errors.not_an_array

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle through plain arrays with a format number."""
        state = _State(
            names=self.feature_names,
            columns=self.columns(),
            levels=self.levels,
            target=self.target,
            classes=self._annotations.classes,
            weights=self._annotations.weights,
            column_labels=self.column_labels,
            source=self.source,
        )
        return _restore, (FORMAT, state)

    def __copy__(self) -> Dataset:
        return self

    def __deepcopy__(self, memo: object) -> Dataset:
        return self


class _State(TypedDict):
    """What a pickle holds."""

    names: list[str]
    columns: list[AnyArray]
    levels: list[list[Label] | None]
    target: CodeArray | None
    classes: AnyArray | None
    weights: FloatArray | None
    column_labels: tuple[Hashable, ...] | None
    source: Source | None


def _restore(format_number: int, state: _State) -> Dataset:
    """Undo `Dataset.__reduce__`."""
    if format_number != FORMAT:
        raise table_errors.pickle_format("Dataset", format_number, FORMAT)
    return dataset_of_codes(**state)


def dataset_of_codes(
    names: Sequence[str],
    columns: Sequence[AnyArray | _core.CodedColumn],
    levels: Sequence[Sequence[Label] | None],
    target: CodeArray | None = None,
    classes: AnyArray | None = None,
    weights: FloatArray | None = None,
    column_labels: Sequence[Hashable] | None = None,
    source: Source | None = None,
) -> Dataset:
    """Make a data set of columns that are known to be sound.

    Columns are float64 with NaN for missing, int32 codes with -1 for missing in the feature's `levels`, or
    come from a file; `target` are codes of the `classes`, and `column_labels` the names that the user gave.
    `OrderedLevels` have a declared order.
    """
    labels = None if classes is None else classes.tolist()
    own = None if classes is None else weights
    core = _core.Dataset.from_columns(list(names), list(columns), list(levels), target, labels, own)
    named = None if column_labels is None else tuple(column_labels)
    return _wrapped(core, Annotations(classes, named, weights, source, ordered_in(levels)))


def _wrapped(core: _core.Dataset, annotations: Annotations) -> Dataset:
    dataset = Dataset.__new__(Dataset)
    dataset._keep(core, annotations)
    return dataset


def as_dataset(
    X: TableLike,
    y: VectorLike = None,
    *,
    sample_weight: VectorLike = None,
    categorical_features: object = "from_dtype",
    memory_limit: int | str | None = None,
) -> Dataset:
    """Return `X` as a `Dataset`: itself if it is one and nothing else is given.

    Of a `Dataset`, `y` and `sample_weight` replace what it has, and `categorical_features` has to agree.

    >>> data = as_dataset([[1.0], [2.0]], ["no", "yes"])
    >>> as_dataset(data) is data, as_dataset(data, sample_weight=[0, 2]).n_samples
    (True, 1)
    """
    if not isinstance(X, Dataset):
        return Dataset(
            X,
            y,
            sample_weight=sample_weight,
            categorical_features=categorical_features,
            memory_limit=memory_limit,
        )
    _check_agreement(X, categorical_features)
    return X if y is None and sample_weight is None else _replaced(X, y, sample_weight)


def _replaced(dataset: Dataset, y: VectorLike, sample_weight: VectorLike) -> Dataset:
    """Return the data set with another target or other weights."""
    weights = read_weights(sample_weight, dataset.n_samples)
    target = None if y is None else read_target(y, dataset.n_samples, weights.rows)
    kept = dataset if weights.rows is None else dataset[weights.rows]
    own = kept._annotations
    values = own.weights if weights.values is None else weights.values
    if target is not None and own.classes is None:
        _check_columns(kept, target.codes)
    codes = kept.target if target is None else target.codes
    classes = own.classes if target is None else target.classes
    core = kept._data
    if codes is not None and classes is not None:
        core = core.with_target(codes, classes.tolist(), values)
    return _wrapped(core, replace(own, classes=classes, weights=values))


def _check_columns(dataset: Dataset, target: CodeArray) -> None:
    """Warn of what looks wrong in a data set that gets its first target."""
    checks = ColumnChecks(target)
    for column, (name, levels) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
        checks.look(Feature(name, column), dataset.column(column), levels)
    checks.warn()


def _check_agreement(dataset: Dataset, categorical_features: object) -> None:
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        return
    names = dataset.feature_names
    wanted = requested_kinds(categorical_features, dataset.column_labels, len(names))
    for column, (asked, kind) in enumerate(zip(wanted, dataset.kinds, strict=True)):
        if asked not in (None, kind):
            raise table_errors.categorical_disagrees(column, names[column], kind)
