"""`ProgramEvolver`: a search for programs that can be run, stored, and run again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from treewright import _core
from treewright._base.checkpoint import PathLike, checked_place
from treewright._base.errors import ParameterError, UnfinishedError
from treewright._base.params import Limits, is_whole, number, whole_number
from treewright._base.wording import NO_VALUE, Shown
from treewright.reporting.curves import CHOOSING, FOUND, Curve, front
from treewright.results import Progress
from treewright.search.evolution.choice import Choice
from treewright.search.evolution.corpora import checked_seed
from treewright.search.evolution.learn import BEYOND_BUDGET
from treewright.search.evolution.problems import Setting, set_up
from treewright.search.evolution.program import Program, as_program, checked_limits, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_OUTPUT = 4096
"""Parts of an output that the engine looks at."""


@dataclass(frozen=True)
class FrontProgram:
    """A program of the Pareto front: no other program beats it in loss, size and run time at the same time.

    Attributes
    ----------
    program : Program
        The program.
    loss : float
        Its loss on the problem.
    bits : float
        Its size, by the symbols that the evolver uses.
    steps : int
        Steps of its runs on all inputs.
    n_wrong : int
        Number of inputs on which it is wrong or has no output; for a score, only those without an output.
    validation_loss : float or None
        Its loss on the validation problem, which chooses among the programs of the front; None without one.
    """

    program: Program
    loss: float
    bits: float
    steps: int
    n_wrong: int
    validation_loss: float | None = None


class ProgramEvolver:
    """Evolves programs for a problem (genetic programming), from a start program.

    Programs are changed at random by small typed steps: expressions are replaced, local functions are
    created, cases are distributed. The Pareto front is kept and changed further: the programs that no other
    program beats in loss, size and run time at the same time.

    Parameters
    ----------
    problem : ExampleProblem, ScoredProblem, PruningProblem or object
        Problem that defines the loss of a program. A custom object needs `inputs` and ``score(outputs)``; see
        `ScoredProblem`.
    start : str or Program
        The program from which the search starts, with declarations of the types that programs may use.
        Functions above the last one are helpers: they do not change, and evolved programs may call them.
    functions : list of str, default=None
        Symbols that new expressions may use besides variables, helpers and the function itself: primitives
        such as ``"+"`` or ``"min"``, constructors, ``"if"``, ``"case"`` (or on one type, ``"case list"``),
        ``"constants"`` (numbers), ``"true"``, ``"let"``, ``"fun"``; helpers may be named. None is all that
        the types allow.
    validation : problem, default=None
        A second problem for programs of the same types, with other inputs: it chooses the program that is
        handed out, the one of the front with the smallest loss on it. The search never looks at it, so the
        front and the checkpoints are the same as without it. A problem that shares inputs with `problem` is
        refused. None hands out the program with the smallest loss on `problem`.
    budget : int, default=100_000
        Number of programs to make, counted from the very start. A run ends with the generation that reaches
        it.
    polish : int, default=10_000
        Number of programs to make after the first solution, to find smaller solutions.
    time_limit : float, default=None
        Seconds of one run; the result then depends on the speed of the machine.
    random_state : int, RandomState instance or None, default=0
        Random seed. With an int, the same programs are found on every platform.
    n_jobs : int, default=None
        Number of threads that run programs: None is 1, -1 every core. The result does not depend on it.
    callback : callable, default=None
        Called with a `Progress` (``best`` is the smallest loss so far); returning True stops the run.
    most_bits : float, default=None
        Largest size of a program, in bits. None is 500, or twice the bits of the start program if that is
        more.
    max_steps : int, default=2_000
        Largest number of steps of a program on one input.
    max_memory : int, default=8_192
        Largest number of words of data, and of the stack, of a program on one input.
    max_output : int, default=1_000
        Largest number of parts of an output that ``score`` gets, at most 4096.

    Attributes
    ----------
    best_ : Program
        The program with the smallest loss; in a tie the smallest. With `validation`, the program of the front
        with the smallest loss on it; in a tie that with the smallest loss on `problem`, then the smallest.
    validation_loss_ : float or None
        The loss of `best_` on `validation`. It chose the program, so it is too small on the mean as an
        estimate of the loss on new inputs; `evaluate` the program on a third problem for that. None without
        a validation problem.
    front_ : tuple of FrontProgram
        The Pareto front: programs that no other program beats in loss, size and run time at the same time,
        sorted by loss, then size. The callback may read it too.
    status_ : {"complete", "time_limit", "stopped"}
        Why the last run ended; ``"complete"`` means that the budget was used up or the problem was solved.
    solved_ : int or None
        Number of programs made until the first solution was found.
    n_programs_ : int
        Programs made so far.
    n_judged_ : int
        Number of different programs that were run.
    seed_ : int
        The seed in use.

    Notes
    -----
    A run does not depend on the time or the number of threads. A search that is saved and resumed finds the
    same programs as without an interruption. `run` passes on exceptions of ``score`` and of the callback, and
    Ctrl-C. The next `run` continues after the last complete generation of 512 programs.

    Examples
    --------
    >>> from treewright.evolution import ProgramEvolver
    >>> from treewright.evolution import ExampleProblem
    >>> lists = [[], [4], [1, 2], [5, 3, 8], [2, 9, 4, 6]]
    >>> problem = ExampleProblem(lists, [sum(xs) for xs in lists])
    >>> start = '''
    ... type list = Nil | Cons of int * list
    ... fun total(xs: list): int = 0
    ... '''
    >>> evolver = ProgramEvolver(problem, start, ["+", "case list"], budget=20_000, polish=2000).run()
    >>> evolver.best_([10, 20, 30, 40])
    100
    >>> evolver.front_[0].loss, evolver.status_
    (0.0, 'complete')
    """

    def __init__(
        self,
        problem: object,
        start: str | Program,
        functions: Iterable[str] | None = None,
        *,
        validation: object = None,
        budget: int = 100_000,
        polish: int = 10_000,
        time_limit: float | None = None,
        random_state: object = 0,
        n_jobs: int | None = None,
        callback: Callable[[Progress], object] | None = None,
        most_bits: float | None = None,
        max_steps: int = 2_000,
        max_memory: int = 8_192,
        max_output: int = 1_000,
    ) -> None:
        self.problem = problem
        self.start = start
        self.functions = functions
        self.validation = validation
        self.budget = budget
        self.polish = polish
        self.time_limit = time_limit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.callback = callback
        self.most_bits = most_bits
        self.max_steps = max_steps
        self.max_memory = max_memory
        self.max_output = max_output
        self._search: _core.ProgramSearch | None = None
        self._task: _core.ProgramProblem | None = None
        self._choice: Choice | None = None
        self._status: str | None = None
        self._place: Path | None = None

    def run(
        self,
        *,
        budget: int | None = None,
        time_limit: float | None = None,
        checkpoint: PathLike | None = None,
        resume: bool = False,
        every: float = 10.0,
    ) -> ProgramEvolver:
        """Search until the budget is used up, or continue a search that ended earlier.

        Parameters
        ----------
        budget : int, default=None
            Number of programs to make, counted from the very start; None is the value of the evolver.
        time_limit : float, default=None
            Seconds of this run; None is the value of the evolver.
        checkpoint : path, default=None
            File that stores the state, regularly and at the end. It is replaced as a whole: if the run is
            killed, the old file remains. A file that exists already is refused, unless this evolver wrote it
            in its last run, or `resume` continues from it.
        resume : bool, default=False
            Whether to continue from `checkpoint`, if it exists, instead of from the current state. The file
            must come from an evolver with the same problem and parameters (except budget, times and threads).
            The programs in it are evaluated again, and their losses must be those in the file.
        every : float, default=10
            Seconds between two checkpoints, which are written between generations; 0 writes one after each
            generation.

        Returns
        -------
        self : ProgramEvolver
            The evolver itself.

        Raises
        ------
        ParameterError, DataError
            If a parameter or the problem cannot be used.
        FormatError
            If the file to resume is not a checkpoint, or belongs to another problem, start program, seed or
            size.
        OSError
            If the file cannot be read or written.
        UnfinishedError
            If the search is already running.
        """
        wished = self.budget if budget is None else budget
        limit = self.time_limit if time_limit is None else time_limit
        made = whole_number("budget", wished, least=1, remedy="it is the number of programs to make")
        more = whole_number("polish", self.polish, least=0, remedy="it is a number of programs")
        pause = number("every", every, least=0, remedy="it is the seconds between two checkpoints")
        limits = Limits.of(self.n_jobs, limit, self.callback)
        is_own = self._place is not None and str(checkpoint) == str(self._place)
        place = checked_place(checkpoint, resume or is_own)
        goes_on = place is not None and place.exists() and bool(resume or not is_own)
        before = self._search, self._task, self._choice, self._status, self._place
        try:
            if self._search is None or goes_on:
                # A seed that was drawn is that of the checkpoint.
                if place is not None and goes_on and not is_whole(self.random_state):
                    seed = _core.checkpoint_seed(place)
                else:
                    seed = checked_seed(self.random_state)
                self._task, self._search = self._searched(seed, limits.n_threads)
            self._choice = self._chosen_by(limits.n_threads)
            self._status, self._place = "stopped", place
            self._status = self._search.run(
                budget=min(made, BEYOND_BUDGET),
                polish=min(more, BEYOND_BUDGET),
                checkpoint=place,
                resume=goes_on,
                every=pause,
                limits=limits,
            )
        finally:
            if self._search is None or self._search.n_programs == 0:
                self._search, self._task, self._choice, self._status, self._place = before
        if self._choice is not None:
            self._choice.place(self._run_before("a choice").front())  # what it raises is raised by run
        return self

    def _chosen_by(self, n_threads: int) -> Choice | None:
        """Return what chooses among programs; the inputs of one that did before are kept."""
        if self.validation is None or self._task is None:
            return None
        if self._choice is not None and self._choice.given is self.validation:
            return self._choice
        choice = Choice(self.validation, self._setting(n_threads))
        choice.check(self._task)
        return choice

    def _setting(self, n_threads: int) -> Setting:
        steps, memory = checked_limits(self.max_steps, self.max_memory)
        output = whole_number("max_output", self.max_output, least=1, remedy="a number is one part")
        if output > MOST_OUTPUT:
            raise ParameterError("max_output", output, f"is above {MOST_OUTPUT}", "give less")
        start, functions = as_program("start", self.start), _words(self.functions)
        return Setting(start, functions, steps, memory, output, n_threads)

    def _searched(self, seed: int, n_threads: int) -> tuple[_core.ProgramProblem, _core.ProgramSearch]:
        given = self.most_bits
        bits = None if given is None else number("most_bits", given, least=2, remedy="no program is smaller")
        task = set_up(self.problem, self._setting(n_threads))
        search = _core.ProgramSearch(task, seed=seed, most_bits=bits)
        if search.start_bits > search.most_bits:
            raise ParameterError(
                "most_bits",
                Shown(f"{search.most_bits:g}"),
                f"is below the {search.start_bits:.0f} bits of the program to start from",
                "give more",
            )
        return task, search

    def evaluate(self, problem: object, program: str | Program | None = None) -> float:
        """Return the loss of a program on a problem that the search does not know.

        Parameters
        ----------
        problem : ExampleProblem, ScoredProblem, PruningProblem or object
            A problem for programs of the same types. To estimate the loss on new inputs, give inputs that
            neither `problem` nor `validation` of the evolver has: these made and chose the program.
        program : str or Program, default=None
            The program; None is `best_`.

        Returns
        -------
        loss : float
            Its loss, as that problem counts it.

        Raises
        ------
        ParameterError, DataError
            If the problem cannot be used, or the program has other types than those that are evolved.
        UnfinishedError
            If the evolver has not been run, and no program is given.

        Examples
        --------
        >>> from treewright.evolution import ExampleProblem, ProgramEvolver
        >>> def doubled(numbers):
        ...     return ExampleProblem(numbers, [2 * n + 1 for n in numbers])
        >>> start = "fun f(n: int): int = n"
        >>> symbols = ["+", "constants"]
        >>> evolver = ProgramEvolver(doubled(range(6)), start, symbols, validation=doubled(range(6, 9)))
        >>> evolver.run(budget=20_000).validation_loss_
        0.0
        >>> evolver.evaluate(doubled([50, 60])), evolver.evaluate(doubled([50, 60]), start) > 0
        (0.0, True)
        """
        known = self.best_ if program is None else as_program("program", program)
        n_threads = Limits.of(self.n_jobs, None, None).n_threads
        task = set_up(problem, self._setting(n_threads))
        return task.losses([known._core], limits=Limits(n_threads))[0][0]

    def _run_before(self, what: str) -> _core.ProgramSearch:
        if self._search is None or self._search.n_programs == 0:
            raise UnfinishedError(f"there is {what} once the evolver has been run; call run() first")
        return self._search

    @property
    def front_(self) -> tuple[FrontProgram, ...]:
        """The Pareto front of programs, sorted by loss, then size."""
        kept = self._run_before("a front").front()
        losses = [None] * len(kept) if self._choice is None else self._choice.losses(kept)
        return tuple(
            FrontProgram(wrapped(one.program), one.loss, one.bits, one.steps, one.n_wrong, loss)
            for one, loss in zip(kept, losses, strict=True)
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the loss against the size of the programs of the front, with that on a validation problem.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One point for each program of `front_`; that of `best_` has a ring.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        UnfinishedError
            If the evolver has not been run.
        """
        kept = sorted(self.front_, key=lambda one: one.bits)
        best = self.best_
        chosen = next(place for place, one in enumerate(kept) if one.program.text == best.text)
        curves = [Curve(FOUND, [one.loss for one in kept])]
        losses = [one.validation_loss for one in kept if one.validation_loss is not None]
        if losses:
            curves.append(Curve(CHOOSING, losses))
        sizes = [one.bits for one in kept]
        return front(ax, "ProgramEvolver.plot", sizes, curves, chosen=chosen, names=("bits", "loss"))

    @property
    def best_(self) -> Program:
        """The program that is handed out: of the smallest loss, or the one that `validation` chose."""
        kept = self._run_before("a best program").front()
        return wrapped(kept[0 if self._choice is None else self._choice.place(kept)].program)

    @property
    def validation_loss_(self) -> float | None:
        """The loss of the chosen program on the problem that chose it; None without one."""
        kept = self._run_before("a validation loss").front()
        return None if self._choice is None else min(filter(isfinite, self._choice.losses(kept)))

    @property
    def status_(self) -> str:
        """Why the last run ended."""
        if self._status is None:
            raise UnfinishedError("there is a status once the evolver has been run; call run() first")
        return self._status

    @property
    def solved_(self) -> int | None:
        """Number of programs made until the first solution was found."""
        return self._run_before("such a number").solved

    @property
    def n_programs_(self) -> int:
        """Programs made so far."""
        return self._run_before("such a number").n_programs

    @property
    def n_judged_(self) -> int:
        """Number of different programs that were run."""
        return self._run_before("such a number").n_judged

    @property
    def seed_(self) -> int:
        """The seed in use."""
        return self._run_before("a seed").seed


def _words(functions: object) -> list[str] | None:
    if functions is None:
        return None
    words = None if isinstance(functions, str) or not isinstance(functions, Iterable) else list(functions)
    if words is None or not all(isinstance(word, str) for word in words):
        raise ParameterError(
            "functions", functions, "is no list of names", ("give one, or ", NO_VALUE, " for all")
        )
    return words
