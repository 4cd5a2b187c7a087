"""A piece of work that is ready to be measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Job:
    """What to do, and what to say of its result.

    Attributes
    ----------
    run : callable
        The work; nothing else is measured.
    counters : callable
        Takes the result of `run`, returns numbers by name.
    """

    run: Callable[[], Any]
    counters: Callable[[Any], Mapping[str, float]]
