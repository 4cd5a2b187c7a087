"""What a tool reached in its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from .trees import FloatArray

Estimate = Callable[[FloatArray, FloatArray], FloatArray]
"""A rule: the estimates of pairs, of c and n."""


@dataclass(frozen=True)
class Outcome:
    """A run of one tool.

    Attributes
    ----------
    tool, version, settings : str
        What ran, and how.
    seconds : float
        CPU seconds from the arrays of the trees to the best formula.
    n_programs : int
        Programs made.
    n_judged : int
        Those of them whose errors, or that they are no better than others, became known.
    n_decisions : int
        Nodes of distinct subtrees that were really decided.
    n_nodes : int
        Nodes of the trees: a program that is judged stands for a decision about each.
    formula : str
        The best one in training.
    estimate : callable
        The same.
    note : str
        What else is to be known.
    """

    tool: str
    version: str
    settings: str
    seconds: float
    n_programs: int
    n_judged: int
    n_decisions: int
    n_nodes: int
    formula: str
    estimate: Estimate
    note: str = ""

    @cached_property
    def programs_per_second(self) -> float:
        """Programs made in a CPU second."""
        return self.n_programs / self.seconds

    @cached_property
    def effective(self) -> float:
        """Node decisions in a CPU second, as if every judged program had decided every node."""
        return self.n_judged * self.n_nodes / self.seconds

    @cached_property
    def decided(self) -> float:
        """Node decisions in a CPU second that were really made."""
        return self.n_decisions / self.seconds


class Clock:
    """CPU seconds of this process, all threads, since it was made."""

    def __init__(self) -> None:
        self._began = time.process_time()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return time.process_time() - self._began
