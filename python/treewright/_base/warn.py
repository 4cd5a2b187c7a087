"""Warnings: they point at the caller's own line, however deep in the package they arise."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

from treewright._base.wording import PYTHON, Part

PASSED_BY = ("treewright", "sklearn", "joblib")
"""Packages whose lines are not the caller's."""

TAKES_GROUPS: ContextVar[bool] = ContextVar("TAKES_GROUPS", default=False)
"""Whether what is grown tests groups of values, so that many values are no fault."""


@contextmanager
def testing(nominal_splits: object) -> Iterator[None]:
    """Check columns for trees that test nominal features in this way."""
    token = TAKES_GROUPS.set(nominal_splits == "groups")
    try:
        yield
    finally:
        TAKES_GROUPS.reset(token)


class DataWarning(UserWarning):
    """Data can be used, but look wrong.

    Parameters
    ----------
    *sentence : str or Part
        The message: texts and facts in their order.
    options : sequence of str, default=()
        Options of the command line that mend it, such as ``("--missing-value", "n/a")``.
    columns : sequence of str, default=()
        Names of the columns that it is about, where they are known.

    Examples
    --------
    >>> import warnings
    >>> import treewright
    >>> X = [[f"patient {i}", i % 7] for i in range(60)]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     data = treewright.Dataset(X, [i % 3 for i in range(60)])
    >>> print(str(caught[0].message)[:68])
    feature 'x0' (column 0) has 60 different values in 60 rows, such as
    """

    def __init__(
        self, *sentence: str | Part, options: Sequence[str] = (), columns: Sequence[str] = ()
    ) -> None:
        super().__init__(*sentence)
        self.options, self.columns = tuple(options), tuple(columns)

    @property
    def sentence(self) -> tuple[str | Part, ...]:
        """The message as texts and facts."""
        return self.args

    def __str__(self) -> str:
        return PYTHON.say(self.sentence)


DataWarning.__module__ = "treewright"


def warn(message: str | Warning, category: type[Warning] = UserWarning, *, about: str = "") -> None:
    """Warn at the first line that is neither of this package nor of those that call it in its own loops.

    Python shows a text once for a line, unless a filter says otherwise. But it forgets what it has shown
    wherever warnings are caught, as scikit-learn does in every fit, so this remembers in its place: boosting
    warns once, not in every round. Messages that are `about` the same are one, whatever numbers they tell:
    each fold of a cross-validation has its own.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _package(frame.f_globals) in PASSED_BY:
        level, frame = level + 1, frame.f_back
    shown = (about or str(message), frame.f_code.co_filename, frame.f_lineno)
    if shown in _SHOWN and _is_shown_once(message, category, frame):
        return
    _SHOWN.add(shown)
    warnings.warn(message, category, stacklevel=level)


_SHOWN: set[tuple[str, str, int]] = set()
"""Texts that were shown, and the file and line of each."""


def _is_shown_once(message: str | Warning, category: type[Warning], frame: FrameType) -> bool:
    """Whether the filters of the user show a warning no more than once for a line."""
    kind = type(message) if isinstance(message, Warning) else category
    module = str(frame.f_globals.get("__name__", ""))
    for action, text, of_kind, of_module, line in warnings.filters:
        is_there = _fits(of_module, module) and line in (0, frame.f_lineno)
        if is_there and _fits(text, str(message)) and issubclass(kind, of_kind):
            return action in ("default", "module", "once")
    return True


def _fits(wanted: re.Pattern[str] | str | None, text: str) -> bool:
    """Whether a filter means this text: Python's own filters hold it as it is, others a pattern."""
    if wanted is None or isinstance(wanted, str):
        return wanted in (None, text)
    return wanted.match(text) is not None


def _package(names: dict[str, object]) -> str:
    return str(names.get("__name__", "")).partition(".")[0]
