"""Checks of parameters: each message names the parameter, what it may be and what to do."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.wording import NO_VALUE, NONE_OR, Sentence, Value

if TYPE_CHECKING:
    from treewright import _core

MOST_THREADS = 256
"""More threads than this only cost; the answer does not depend on them."""

BEYOND_DEPTH = 2**31
"""More edges than any path can have."""


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return the text `value` if it is among `allowed`."""
    if isinstance(value, str) and value in allowed:
        return str(value)
    raise ParameterError(name, value, "is not known", ("choose ", Value(*allowed)))


def number(name: str, value: object, *, least: float, remedy: Sentence, open_end: bool = False) -> float:
    """Return `value` as a finite float of at least `least` (above it if `open_end`)."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    try:
        x = float(value) if is_number else math.nan  # type: ignore[arg-type]
    except OverflowError:
        x = math.inf
    if math.isfinite(x) and (x > least or (x == least and not open_end)):
        return x
    relation = "above" if open_end else "of at least"
    raise ParameterError(name, value, f"must be a finite number {relation} {least:g}", remedy)


def whole_number_or_none(name: str, value: object, *, least: int, remedy: Sentence) -> int | None:
    """Return `value` as an int of at least `least`, or None."""
    if value is None or (is_whole(value) and value >= least):
        return None if value is None else int(value)
    raise ParameterError(name, value, ("must be ", NONE_OR, f"an int of at least {least}"), remedy)


def node_limit_or_none(value: object) -> int | None:
    """Return the largest number of whatever a search looks into, or None."""
    return whole_number_or_none("node_limit", value, least=1, remedy=(NO_VALUE, " for no limit"))


def whole_number(name: str, value: object, *, least: int, remedy: Sentence = "") -> int:
    """Return `value` as an int of at least `least`."""
    if is_whole(value) and value >= least:
        return int(value)
    raise ParameterError(name, value, f"must be an int of at least {least}", remedy)


def flag(name: str, value: object) -> bool:
    """Return `value` if it is True or False."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise ParameterError(name, value, "must be True or False", "choose one")


def flag_or_none(name: str, value: object) -> bool | None:
    """Return `value` if it is True, False or None."""
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    raise ParameterError(name, value, ("must be ", NONE_OR, "True or False"), "choose one")


def at_most(name: str, value: object, most: int, *, remedy: Sentence) -> int | None:
    """Return `value` as an int between 0 and `most`, above which it makes no difference, or None."""
    checked = whole_number_or_none(name, value, least=0, remedy=remedy)
    return None if checked is None else min(checked, most)


def seconds_or_none(name: str, value: object) -> float | None:
    """Return a time limit: positive seconds, or None for no limit."""
    if value is None:
        return None
    remedy = ("give seconds, or ", NO_VALUE, " for no limit")
    return number(name, value, least=0, open_end=True, remedy=remedy)


def callable_or_none(name: str, value: Any) -> Callable[..., object] | None:
    """Return `value` if it can be called or is None."""
    if value is None or callable(value):
        return value  # type: ignore[no-any-return]
    remedy = "give a function of one Progress that returns True to stop"
    raise ParameterError(name, value, ("must be ", NONE_OR, "callable"), remedy)


def n_threads(n_jobs: object) -> int:
    """Return how many threads `n_jobs` stands for, by scikit-learn's rules.

    None is one (or what a surrounding ``joblib.parallel_config`` says), -1 every core.
    Inside a joblib worker, one of dask included, the cores are taken already, so it is one.
    """
    if n_jobs is not None and (not is_whole(n_jobs) or n_jobs == 0):
        allowed = ("must be ", NONE_OR, "an int other than 0")
        raise ParameterError("n_jobs", n_jobs, allowed, "use -1 for every core")
    if n_jobs is None and "joblib" not in sys.modules:
        return 1  # nothing surrounds this
    import joblib
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    if (getattr(backend, "nesting_level", 0) or 0) > 0 or _is_dask_task():
        return 1
    return min(int(joblib.effective_n_jobs(n_jobs)), MOST_THREADS)


def _is_dask_task() -> bool:
    """Whether this runs as a task of a dask worker, whose backend counts no nesting."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return False
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


class Limits(NamedTuple):
    """What an engine may use, and what it tells of its progress."""

    n_threads: int = 1
    time_limit: float | None = None
    callback: Callable[..., object] | None = None

    @classmethod
    def of(cls, n_jobs: object, time_limit: object, callback: object) -> Limits:
        """Check the limits as a user gives them."""
        seconds = seconds_or_none("time_limit", time_limit)
        return cls(n_threads(n_jobs), seconds, callable_or_none("callback", callback))


Rating = Callable[[list[float], list[float]], list[float]]
"""Estimates the error rates of leaves, given the weights of their classes and all their weights."""


class SearchPruning(NamedTuple):
    """A rule by which an engine prunes while it searches: what estimates leaves, and the slack they have.

    A number as `rates` is the m of the m-estimate; a function gets lists of c and n, and returns a rate each.
    """

    rates: _core.ErrorEstimate | _core.Program | float | Rating
    slack_errors: float = 0.0
    slack_rate: float = 0.0


def is_whole(value: object) -> TypeGuard[int]:
    """Whether `value` is an int of Python's or numpy's; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
