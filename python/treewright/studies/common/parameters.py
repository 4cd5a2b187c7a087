"""Parameters of a study, checked before any work is done."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import callable_or_none, one_of
from treewright.data.validation_set import generator
from treewright.results import Progress
from treewright.studies.common.progress import StudyLine
from treewright.studies.selection.methods import METHODS
from treewright.studies.selection.run import Watch


def chosen_methods(methods: Collection[str], *, time_black_box: bool, time_sklearn: bool) -> tuple[str, ...]:
    """Return what to run on every fold: the methods compared, then those timed."""
    compared = each_once("methods", methods, list(METHODS))
    timed = [name for name, wanted in (("retrain", time_black_box), ("sklearn", time_sklearn)) if wanted]
    return (*compared, *timed)


def each_once(name: str, values: Collection[str], allowed: Sequence[str]) -> tuple[str, ...]:
    """Return `values` if each of them is among `allowed`, and comes once."""
    if isinstance(values, str):
        raise ParameterError(f"{name} is the text {values!r}; give a tuple: ({values!r},)")
    chosen = tuple(one_of(name, value, allowed) for value in values)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ParameterError(f"{name}={values!r} must name one {name.removesuffix('s')} or more, each once")
    return chosen


def count(name: str, value: Any, *, least: int) -> int:
    """Return `value` as an int of at least `least`."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least:
        return int(value)
    raise ParameterError(f"{name}={value!r} must be an int of at least {least}")


def share(validation_set: Any) -> float:
    """Return the share of the search set; positions make no sense from fold to fold."""
    if isinstance(validation_set, float) and math.isfinite(validation_set) and 0 < validation_set < 1:
        return float(validation_set)
    raise ParameterError(
        f"validation_set={validation_set!r} must be a share between 0 and 1 here: every fold draws its own"
    )


def seed(random_state: Any) -> int:
    """Return the study's seed: `random_state` if it is an int, else a number drawn from it."""
    if isinstance(random_state, int | np.integer) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(generator(random_state).randint(2**31 - 1))


def watcher(line: StudyLine, callback: Any) -> Watch:
    """Return what is called after each fold: it shows the progress and tells whether to stop."""
    checked: Callable[..., object] | None = callable_or_none("callback", callback)

    def watch(progress: Progress) -> bool:
        line.show(progress)
        return checked is not None and bool(checked(progress))

    return watch
