"""What treewright raises: one base, and a built-in beside it.

Each class derives from `TreewrightError` and from the built-in exception that scikit-learn and
plain Python would raise in its place, so ``except ValueError`` goes on working. A message says
what is wrong, where (feature, column and row, counted from 0) and what to do about it.
"""

__all__ = [
    "DataError",
    "DataTypeError",
    "FormatError",
    "MemoryLimitError",
    "ParameterError",
    "StepLimitError",
    "TreewrightError",
    "UnfinishedError",
]


class TreewrightError(Exception):
    """Base of every error that treewright raises on purpose.

    Examples
    --------
    >>> import treewright
    >>> try:
    ...     treewright.Dataset([[1.0], [float("inf")]])
    ... except treewright.TreewrightError as error:
    ...     print(error)
    feature 'x0' (column 0) has inf at row 1; replace it by a finite number, or by NaN if the \
value is not known
    """


class DataError(TreewrightError, ValueError):
    """A value, a shape or a length in the data cannot be used.

    Examples
    --------
    >>> import treewright
    >>> treewright.Dataset([[1.0], [2.0]], ["yes", None])
    Traceback (most recent call last):
    ...
    treewright._base.errors.DataError: y has no label at row 1 (NaN, None or NA); give the row a \
class, or leave it out (a sample weight of 0 does that)
    """


class DataTypeError(TreewrightError, TypeError):
    """Data of a type that is neither number nor text nor boolean.

    Examples
    --------
    >>> import treewright
    >>> treewright.Dataset([[b"raw"]])
    Traceback (most recent call last):
    ...
    treewright._base.errors.DataTypeError: feature 'x0' (column 0) has a bytes at row 0; every \
value of this argument must be a string, a boolean or a number: decode it to text, value.decode()
    """


class ParameterError(TreewrightError, ValueError):
    """A parameter has a value it cannot have.

    Examples
    --------
    >>> import treewright
    >>> treewright.Dataset([[1.0]], categorical_features="all")
    Traceback (most recent call last):
    ...
    treewright._base.errors.ParameterError: categorical_features='all' is not known; choose \
'from_dtype', None, or a list of names, positions or booleans
    """


class FormatError(TreewrightError, ValueError):
    """A saved tree or data set is damaged, or of a format that this version cannot read.

    Examples
    --------
    >>> issubclass(FormatError, ValueError)
    True
    """


class UnfinishedError(TreewrightError, RuntimeError):
    """Something was asked of a search that has not come that far.

    Examples
    --------
    >>> issubclass(UnfinishedError, RuntimeError)
    True
    """


class StepLimitError(TreewrightError, RuntimeError):
    """A program used up the steps it was allowed, and has no value.

    Examples
    --------
    >>> from treewright.evolution import Program
    >>> tower = Program("fun f(n: int): int = case n of 0 => 1 | m + 1 => f(m) + f(m)")
    >>> tower(99)
    Traceback (most recent call last):
    ...
    treewright._base.errors.StepLimitError: the program used up its steps; raise max_steps
    """


class MemoryLimitError(TreewrightError, RuntimeError):
    """A program used up the memory it was allowed, and has no value.

    Examples
    --------
    >>> issubclass(MemoryLimitError, RuntimeError)
    True
    """
