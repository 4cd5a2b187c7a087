"""What programs are to do: right outputs, a score of the user's own, or the pruning of trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import Limits, flag, whole_number
from treewright._base.wording import NONE_OR, UNSET
from treewright.data.intake.containers import Frame
from treewright.data.types import Native
from treewright.search.evolution.corpora import checked_seed, corpora_of
from treewright.search.evolution.learn import start_rule
from treewright.search.evolution.learned import LearnedPruning
from treewright.search.evolution.program import Program, as_program, wrapped
from treewright.search.evolution.program_pruning import ProgramPruning

MOST_TREES = 100_000
"""More trees do not fit into memory as values of the language."""


@dataclass(frozen=True)
class Setting:
    """What a problem is set up with, besides itself: where programs start and what they may use."""

    start: Program
    functions: list[str] | None
    max_steps: int
    max_memory: int
    max_output: int
    n_threads: int


class ExampleProblem:
    """A problem given by examples: inputs and their right outputs.

    The loss of a program is a sum over the inputs. It is zero for a right output, and between one half and
    one for a wrong output, smaller if the output is closer (lists and trees are compared place by place, from
    the front or the root). It is one and a quarter if the program uses up its steps or memory.

    Parameters
    ----------
    inputs : iterable
        For a program with one parameter the values themselves, else tuples (or rows of an array or frame)
        with one value for each parameter. `Program` describes which Python objects stand for which values. A
        frame of one column stands for its values; with several columns, a row stands for a tuple or list.
    outputs : iterable
        The right output for each input.
    view : str or Program, default=None
        A program that converts an output into the value that is compared, for inputs with many right outputs.
        It must declare the same types as the program to be evolved. `outputs` are then values of its result
        type.

    Examples
    --------
    >>> from treewright.evolution import ExampleProblem, ProgramEvolver
    >>> problem = ExampleProblem(range(6), [2 * n + 1 for n in range(6)])
    >>> evolver = ProgramEvolver(problem, "fun f(n: int): int = n", ["+", "constants"], budget=20_000)
    >>> evolver.run().best_(100)
    201
    """

    def __init__(
        self, inputs: Iterable[object], outputs: Iterable[object], *, view: str | Program | None = None
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
            _listed("inputs", self.inputs, setting.start._core.signature[0]),
            _listed("outputs", self.outputs, [seen.signature[1]]),
            view=view,
            max_steps=setting.max_steps,
            max_memory=setting.max_memory,
        )


class ScoredProblem:
    """A problem given by a score: inputs, and a function that returns the loss of outputs.

    Parameters
    ----------
    inputs : iterable
        As for `ExampleProblem`.
    score : callable
        Called as ``score(outputs)`` with the outputs of many programs: ``outputs[p][k]`` is the output of
        program p for input k, or None if it used up its steps or memory, or has more than `max_output` parts.
        It returns a loss for each program: any finite number, smaller is better. A program with an infinite
        or NaN loss is rejected. The loss must depend only on the outputs.
    target_loss : float, default=None
        A program with at most this loss is a solution. None: the search uses up its budget.
    arrays : bool, default=False
        Whether `score` gets an array of shape (n_programs, n_inputs), float64, with NaN where there is no
        output. The outputs must then be numbers or booleans.

    Notes
    -----
    Any object with `inputs` and `score`, and optionally `target_loss` and `arrays`, is such a problem.
    `score` is called on the thread that calls `ProgramEvolver.run`, once for every generation or, if
    outputs are large, several times. It is not called for programs whose outputs equal those of a program
    that is kept.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.evolution import ProgramEvolver, ScoredProblem
    >>> x = np.linspace(0, 2, 20)
    >>> def distance(outputs):
    ...     return ((outputs - (x * x + 2)) ** 2).mean(axis=1)
    >>> problem = ScoredProblem(x, distance, arrays=True, target_loss=1e-12)
    >>> evolver = ProgramEvolver(problem, "fun f(x: float): float = x", ["+", "*", "constants"], polish=0)
    >>> evolver.run().best_(3.0)
    11.0
    """

    def __init__(
        self,
        inputs: Iterable[object],
        score: Callable[[Any], Sequence[float]],
        *,
        target_loss: float | None = None,
        arrays: bool = False,
    ) -> None:
        self.inputs = inputs
        self.score = score
        self.target_loss = target_loss
        self.arrays = arrays

    def __repr__(self) -> str:
        options = f"target_loss={self.target_loss}, arrays={self.arrays}"
        return f"ScoredProblem({self.inputs!r}, {self.score!r}, {options})"


class PruningProblem:
    """The full problem of pruning: a program from a tree to the pruned tree and its estimate.

    `learn_pruner` changes the formula inside a fixed traversal. Here the traversal is part of the program,
    and anything in it may change. This takes about a hundred times as long. The loss of a program is the
    number of errors of the pruned trees on rows that were not used to grow them. A program that does not
    return a pruning of its tree with a finite estimate has a larger loss than the worst pruning.

    Parameters
    ----------
    data : {"paper_table", "paper_text"}, (X, y), Dataset, or list
        Data on which trees are grown, as in `learn_pruner`.
    n_trees : int, default=60
        Number of trees.
    random_state : int, RandomState instance or None, default=0
        Random seed of the trees.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows trees on your own data; None is ``GreedyTreeClassifier()``.
    train_share : float, default=0.5
        Share of your own samples on which a tree is grown.

    Notes
    -----
    Trees are of ``type tree = Leaf of mark * float * float | Node of mark * float * float * trees``: a mark
    that identifies a node, the training samples of its class and all training samples, its children. Limits
    of steps and memory are those that the largest tree needs; those of the evolver are ignored. With
    ``functions`` None, programs use float arithmetic, tests, ``if``, ``let`` and the parts of trees.

    Examples
    --------
    >>> from treewright.evolution import ProgramEvolver
    >>> from treewright.evolution import PruningProblem
    >>> problem = PruningProblem("paper_table", n_trees=4)
    >>> evolver = ProgramEvolver(problem, PruningProblem.start(), budget=500, most_bits=1500).run()
    >>> evolver.front_[0].loss <= evolver.front_[-1].loss
    True
    """

    def __init__(
        self,
        data: object,
        *,
        n_trees: int = 60,
        random_state: object = 0,
        estimator: object = None,
        train_share: float = 0.5,
    ) -> None:
        self.data = data
        self.n_trees = n_trees
        self.random_state = random_state
        self.estimator = estimator
        self.train_share = train_share

    @staticmethod
    def start(rule: str | LearnedPruning | ProgramPruning = "naive") -> Program:
        """Return a start program: a rule in the traversal of the naive rule.

        Parameters
        ----------
        rule : {"naive", "observed", "pessimistic"}, formula or learned rule, default="naive"
            The rule, as in `learn_pruner`; of a `ProgramPruning` its program.

        Returns
        -------
        program : Program
            A program from a tree to the pruned tree and its estimated error rate. It prunes as the rule does.

        Examples
        --------
        >>> from treewright.evolution import PruningProblem
        >>> prune = PruningProblem.start("pessimistic")
        >>> leaf = lambda mark, c, n: ("Leaf", ("Mark", mark), c, n)
        >>> prune(("Node", ("Mark", 0), 5.0, 6.0, [leaf(1, 3.0, 3.0), leaf(2, 2.0, 3.0)]))
        (('Leaf', ('Mark', 0), 5.0, 6.0), 0.25)
        """
        if isinstance(rule, ProgramPruning):
            return rule._parsed
        return wrapped(start_rule(rule).full_form())

    def _set_up(self, setting: Setting) -> _core.ProgramProblem:
        n = whole_number("n_trees", self.n_trees, least=1, remedy="it is the number of trees")
        if n > MOST_TREES:
            raise ParameterError(
                "n_trees", n, f"is more than {MOST_TREES:,} trees, which take too much memory"
            )
        seeds = (checked_seed(self.random_state),) * 3
        limits = Limits(setting.n_threads)
        corpora = corpora_of(self.data, (n, 0, 0), seeds, self.estimator, self.train_share, limits)
        return _core.ProgramProblem.pruning(
            setting.start._core, setting.functions, corpora.trees, n_threads=setting.n_threads
        )


def set_up(problem: Any, setting: Setting) -> _core.ProgramProblem:
    """Hand a problem, built in or the user's, to the engine."""
    if isinstance(problem, ExampleProblem | PruningProblem):
        return problem._set_up(setting)
    for name in ("inputs", "score"):
        if not hasattr(problem, name):
            raise ParameterError(
                "problem",
                UNSET,
                f"is of type {type(problem).__name__}, without '{name}'",
                "give an ExampleProblem, or an object with 'inputs' and a method 'score(outputs)'",
            )
    score = problem.score
    if not callable(score):
        raise ParameterError(
            "score", score, "cannot be called", "give a function of the outputs that returns their losses"
        )
    return _core.ProgramProblem.scored(
        setting.start._core,
        setting.functions,
        _listed("inputs", problem.inputs, setting.start._core.signature[0]),
        score,
        arrays=flag("arrays", getattr(problem, "arrays", False)),
        target=_target(getattr(problem, "target_loss", None)),
        name=f"{type(problem).__qualname__} {getattr(score, '__qualname__', '')}",
        max_output=setting.max_output,
        max_steps=setting.max_steps,
        max_memory=setting.max_memory,
    )


def _target(target: object) -> float | None:
    if target is None:
        return None
    if not isinstance(target, bool | np.bool_) and isinstance(target, Real) and math.isfinite(target):
        return float(target)
    raise ParameterError(
        "target_loss", target, ("must be ", NONE_OR, "a finite number"), "give the loss that is enough"
    )


def _listed(name: str, values: object, types: Sequence[str]) -> Iterable[object]:
    """Return what lists the values of `types`, a tuple of them each if there are several."""
    native = nw.to_native(values, pass_through=True)
    if nw.dependencies.is_into_dataframe(native):
        return _rows(name, native, types)
    if nw.dependencies.is_into_series(native):
        return _entries(native)
    # Text and mappings iterate too and are never meant; a set has no order.
    if isinstance(native, str | bytes | Mapping | Set) or not isinstance(native, Iterable):
        raise ParameterError(name, values, "cannot be iterated over in order", "give a list")
    return native


def _rows(name: str, native: Native, types: Sequence[str]) -> Iterable[object]:
    frame = Frame(native)
    n_columns = frame.shape[1]
    if len(types) > 1 and n_columns != len(types):
        raise ParameterError(
            name,
            UNSET,
            f"is a frame of {n_columns} column{'s' * (n_columns != 1)}",
            f"give one for each of the {len(types)} parameters",
        )
    columns = [_entries(frame.native_column(position)) for position in range(n_columns)]
    if n_columns == 1:
        return columns[0]
    rows = zip(*columns, strict=True)
    is_tuple = len(types) > 1 or " * " in types[0]
    return list(rows) if is_tuple else [list(row) for row in rows]


def _entries(native: Native) -> list[object]:
    entries: list[object] = nw.from_native(native, series_only=True).to_list()
    return entries
