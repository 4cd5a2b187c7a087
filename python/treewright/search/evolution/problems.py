"""What programs are to do: right outputs, or a score of the user's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import flag
from treewright.search.evolution.listed import listed
from treewright.search.evolution.program import Program, as_program


@dataclass(frozen=True)
class Setting:
    """What a problem is set up with, besides itself: where programs start and what they may use."""

    start: Program
    functions: list[str] | None
    max_steps: int
    max_memory: int
    max_output: int


@runtime_checkable
class BuiltIn(Protocol):
    """A problem that the engine itself scores."""

    def _set_up(self, setting: Setting) -> _core.ProgramProblem: ...


class ExampleProblem:
    """Inputs and their right outputs.

    A program loses nothing on an input where it is right; between a half and one where it is wrong, less the
    closer the output is: lists and trees are compared from the front and the root on, place by place; and
    one and a quarter where it uses up its steps or memory. Its loss is the sum.

    Parameters
    ----------
    inputs : iterable
        Of a program of one parameter the values themselves, of others tuples (or rows of an array or frame),
        a value for each parameter. `Program` says which Python objects stand for which values. A frame of one
        column stands for the values in it, a row of several columns for a tuple or list.
    outputs : iterable
        The right output for each input.
    view : str or Program, default=None
        A program that takes an output and makes of it what is compared, where many outputs are right. It must
        declare the same types as the program to be evolved. `outputs` are then values of its result.

    Examples
    --------
    >>> from treewright.evolution import ExampleProblem, ProgramEvolver
    >>> problem = ExampleProblem(range(6), [2 * n + 1 for n in range(6)])
    >>> evolver = ProgramEvolver(problem, "fun f(n: int): int = n", ["+", "constants"], budget=20_000)
    >>> evolver.run().best_(100)
    201
    """

    def __init__(
        self, inputs: Iterable[Any], outputs: Iterable[Any], *, view: str | Program | None = None
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.view = view

    def _set_up(self, setting: Setting) -> _core.ProgramProblem:
        view = None if self.view is None else as_program("view", self.view)._core
        seen = setting.start._core if view is None else view
        return _core.ProgramProblem.examples(
            setting.start._core,
            setting.functions,
            listed("inputs", self.inputs, setting.start._core.signature[0]),
            listed("outputs", self.outputs, [seen.signature[1]]),
            view=view,
            max_steps=setting.max_steps,
            max_memory=setting.max_memory,
        )


class ScoredProblem:
    """Inputs, and a function that says how bad the outputs of programs are.

    Parameters
    ----------
    inputs : iterable
        As for `ExampleProblem`.
    score : callable
        Called as ``score(outputs)`` with the outputs of many programs: ``outputs[p][k]`` is what program p
        makes of input k, or None if it used up its steps or memory, or its output has more than `max_output`
        parts. Returns a loss for each program, less is better; any finite number. A program whose loss is
        infinite or NaN is given up. It must depend on the outputs alone.
    target : float, default=None
        A loss with which a program is what was looked for. None is none: the search uses up its budget.
    arrays : bool, default=False
        Whether `score` takes an array of shape (n_programs, n_inputs), float64, NaN where there is no output.
        The outputs must be numbers or truth values then.

    Notes
    -----
    Any object that has `inputs` and `score`, and if it likes `target` and `arrays`, is such a problem.
    `score` is called on the thread that calls `ProgramEvolver.run`, once for every generation or, if
    outputs are large, several times. Programs whose outputs are those of a program that is kept are
    not asked about again.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.evolution import ProgramEvolver, ScoredProblem
    >>> x = np.linspace(0, 2, 20)
    >>> def distance(outputs):
    ...     return ((outputs - (x * x + 2)) ** 2).mean(axis=1)
    >>> problem = ScoredProblem(x, distance, arrays=True, target=1e-12)
    >>> evolver = ProgramEvolver(problem, "fun f(x: float): float = x", ["+", "*", "constants"], polish=0)
    >>> evolver.run().best_(3.0)
    11.0
    """

    def __init__(
        self,
        inputs: Iterable[Any],
        score: Callable[[Any], Sequence[float]],
        *,
        target: float | None = None,
        arrays: bool = False,
    ) -> None:
        self.inputs = inputs
        self.score = score
        self.target = target
        self.arrays = arrays

    def __repr__(self) -> str:
        return f"ScoredProblem({self.inputs!r}, {self.score!r}, target={self.target}, arrays={self.arrays})"


def set_up(problem: Any, setting: Setting) -> _core.ProgramProblem:
    """Hand a problem, built in or the user's, to the engine."""
    if isinstance(problem, BuiltIn):
        return problem._set_up(setting)
    for name in ("inputs", "score"):
        if not hasattr(problem, name):
            raise ParameterError(
                f"problem, of type {type(problem).__name__}, is without '{name}'; give an ExampleProblem, or "
                "an object with 'inputs' and a method 'score(outputs)'"
            )
    score = problem.score
    if not callable(score):
        raise ParameterError(
            f"score={score!r} cannot be called; give a function of the outputs that returns their losses"
        )
    return _core.ProgramProblem.scored(
        setting.start._core,
        setting.functions,
        listed("inputs", problem.inputs, setting.start._core.signature[0]),
        score,
        arrays=flag("arrays", getattr(problem, "arrays", False)),
        target=_target(getattr(problem, "target", None)),
        name=f"{type(problem).__qualname__} {getattr(score, '__qualname__', '')}",
        max_output=setting.max_output,
        max_steps=setting.max_steps,
        max_memory=setting.max_memory,
    )


def _target(target: Any) -> float | None:
    if target is None:
        return None
    is_number = isinstance(target, Real) and not isinstance(target, bool | np.bool_)
    if is_number and math.isfinite(target):
        return float(target)
    raise ParameterError(f"target={target!r} must be a finite number or None; give the loss that is enough")
