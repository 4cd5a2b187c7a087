"""`learn_pruner`: a pruning rule for a family of data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treewright import _core
from treewright._base.checkpoint import PathLike, checked_place
from treewright._base.errors import ParameterError
from treewright._base.params import Limits, number, one_of, whole_number, whole_number_or_none
from treewright.results import Progress
from treewright.search.evolution.corpora import Corpora, checked_seed, corpora_of, corpus_seeds, presets_of
from treewright.search.evolution.formula import parsed
from treewright.search.evolution.learned import LearnedPruning
from treewright.search.evolution.program_pruning import ProgramPruning
from treewright.search.evolution.record import OBJECTIVES, FrontRule, LearningRecord, Measured, scores_of

STARTS = {"observed": "(n - c) / n", "pessimistic": "((n - c) + 0.5) / n"}
"""Rules to start from, besides the naive one."""

BEYOND_BUDGET = 2**62
"""More programs than any run will make."""

GROWTH = 4
"""Generated training trees become at most so many times as many."""

N_VALIDATION = {True: 6000, False: 1500}
"""Usual validation trees: of drawn data, and of one's own."""

MOST_TREES = 1_000_000
"""More trees do not fit into memory."""


def learn_pruner(
    data: object,
    *,
    start: str | LearnedPruning = "naive",
    budget: int = 100_000,
    patience: int | None = None,
    time_limit: float | None = None,
    random_state: object = 0,
    n_jobs: int | None = None,
    callback: Callable[[Progress], object] | None = None,
    objective: str = "mean_error",
    most_bits: float = 240.0,
    n_train: int = 960,
    most_train: int | None = None,
    n_validation: int | None = None,
    n_test: int = 1500,
    estimator: object = None,
    train_share: float = 0.5,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> LearnedPruning:
    """Evolve a pruning rule for similar data sets, as a formula.

    Trees are grown on many data sets. A rule is a formula of c and n. Its loss is the number of errors of the
    pruned trees on rows that were not used to grow them. Rules are changed at random, and the best rule of
    every size is kept. The rule with the best score on a second corpus of trees, for validation, is returned,
    and evaluated once on a third one, the test corpus.

    Parameters
    ----------
    data : {"paper_table", "paper_text"}, (X, y), Dataset, or list
        A preset of `datasets.make_linear_network`, whose data sets are generated for every corpus; or your
        own data: every tree is grown on a random part of it and evaluated on the rest. A list holds presets
        or your own data, and trees are grown on each in turn.
    start : {"naive", "observed", "pessimistic"}, formula or LearnedPruning, default="naive"
        The rule with which the search starts.
    budget : int, default=100_000
        Number of programs to make. The run ends with the generation that reaches it.
    patience : int, default=None
        Number of programs without an improvement of the best validation score after which the run ends, with
        the status ``"stalled"``. It is checked every 16 generations, about 4 000 programs. The count starts
        when the four separate populations are joined, after 48 programs for every tree of `n_train`, and
        starts again when the training trees are doubled. None switches it off.
    time_limit : float, default=None
        Seconds for the whole run except the report; the best rule so far is returned, so the result depends
        on the speed of the machine. The time includes the growing of trees of your own data, in turn for
        training, validation and test. If the limit is reached before all trees are grown, there are fewer
        trees, at least one of each kind; the search is then skipped and no checkpoint is written.
    random_state : int, RandomState instance or None, default=0
        Random seed. With an int, the same rule is found on every platform.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The rule does not depend on it.
    callback : callable, default=None
        Called with a `Progress`: ``best`` is the best training score, and ``text`` is a table of the best
        rules of every size with their training and validation scores. While trees of your own data are grown,
        it reports their number. Returning True stops the run, as a time limit does.
    objective : {"mean_error", "errors", "mean_rank"}, default="mean_error"
        What is minimised: the mean error rate of a tree; the errors of all trees together, where large test
        sets count most; the mean rank of a tree's errors among no pruning, the naive rule and C4.5's rule
        (this objective overfits soonest).
    most_bits : float, default=240
        Largest size of a rule, in bits: a symbol is 4, a number 8.
    n_train, n_test : int, default=960, 1500
        Numbers of trees for training and for the test.
    n_validation : int, default=None
        Number of trees for validation. None is 6000 with a preset, where trees take little time, and 1500
        with your own data.
    most_train : int, default=None
        Largest number of training trees. They are doubled up to this number if the training score has
        improved more than the validation score by over two standard errors (overfitting), or if 25 programs
        for every tree were made, but not before the separate populations are joined. None is ``4 * n_train``
        with a preset and `n_train` with your own data.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows trees on your own data; None is ``GreedyTreeClassifier()``. Its pruning is
        ignored. With a `cost_matrix` the cost of the answers on the rows that were not used to grow a tree is
        minimised in place of errors; c and n are rows that weigh what wrong answers to their class cost on
        the mean, as for every rule that estimates errors.
    train_share : float, default=0.5
        Share of your own samples on which a tree is grown.
    checkpoint : path, default=None
        File that stores the state, every ten seconds and at the end. It is replaced as a whole. A file that
        exists already is refused, unless `resume` continues from it.
    resume : bool, default=False
        Whether to continue from `checkpoint`, if it exists, a file of a run with the same data and parameters
        (except `budget`, `patience`, limits and threads). `budget` counts from the very start. The result is
        the same as without an interruption. Trees of your own data are all grown first, whatever the time
        limit.

    Returns
    -------
    rule : LearnedPruning
        A pruning rule, with the Pareto front and a report.

    Raises
    ------
    ParameterError, DataError
        If a parameter or the data cannot be used.
    FormatError
        If `checkpoint` exists and is not a checkpoint of this run.
    OSError
        If the file cannot be read or written.

    Notes
    -----
    A rule with two constants has most of the benefit of evolution over C4.5's rule. On single real data sets
    no rule is significantly different from another. The report shows both.

    References
    ----------
    S. E. Hansen, R. Olsson, "Improving decision tree pruning through automatic programming", 2007.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.evolution import learn_pruner
    >>> rule = learn_pruner("paper_table", budget=2000, n_train=60, n_validation=60, n_test=60)
    >>> naive, evolved = rule.record_.scores[1], rule.record_.scores[-1]
    >>> evolved.train.value < naive.train.value
    True
    >>> model = GreedyTreeClassifier(pruning=rule).fit(datasets.load("iris"))
    """
    budget = whole_number("budget", budget, least=1, remedy="it is the number of programs to make")
    budget = min(budget, BEYOND_BUDGET)
    patience = whole_number_or_none(
        "patience", patience, least=1, remedy="it is the number of programs without a better one"
    )
    patience = None if patience is None else min(patience, BEYOND_BUDGET)
    limits = Limits.of(n_jobs, time_limit, callback)
    objective = one_of("objective", objective, list(OBJECTIVES))
    bits = number("most_bits", most_bits, least=8, remedy="a symbol is 4 bits, a number 8")
    is_drawn = bool(presets_of(data))
    n_choosing = N_VALIDATION[is_drawn] if n_validation is None else n_validation
    sizes = _sizes(n_train, most_train, n_choosing, n_test)
    seed, first = checked_seed(random_state), start_rule(start)
    place = checked_place(checkpoint, resume)
    # Of one's own data all trees are grown at once.
    numbers = (sizes.train if is_drawn else sizes.most(is_drawn), sizes.validation, sizes.test)
    corpora = corpora_of(data, numbers, corpus_seeds(seed), estimator, train_share, limits)
    if not corpora.is_complete:
        place = None  # what a search of fewer trees finds belongs to no run
    found = _core.evolve_pruning(
        corpora.trees,
        [first],
        n_train=sizes.train,
        most_train=sizes.most(is_drawn),
        objective=objective,
        seed=seed,
        budget=budget,
        patience=patience,
        most_bits=bits,
        checkpoint=place,
        resume=place is not None and place.exists(),
        limits=corpora.limits,
    )
    return _learned(found, corpora, objective, seed)


def _learned(found: _core.EvolvedRules, corpora: Corpora, objective: str, seed: int) -> LearnedPruning:
    front = tuple(
        FrontRule(rule.program.text, rule.bits, rule.cost, _measured(rule.train), _measured(rule.validation))
        for rule in found.front
    )
    n_tests = [extent.n_test for extent in found.extents]
    rule = LearnedPruning(front[found.best].program)
    rule.record_ = LearningRecord(
        data=corpora.data,
        is_independent=corpora.is_drawn,
        counts_cost=corpora.counts_cost,
        objective=objective,
        seed=seed,
        n_programs=found.n_programs,
        n_generations=found.n_generations,
        status=found.status,
        elapsed=found.elapsed,
        n_trees=tuple(len(n_test) for n_test in n_tests),
        constants=found.constants,
        front=front,
        best=found.best,
        scores=scores_of(found.rows, n_tests, seed),
    )
    return rule


def _measured(estimate: _core.ScoreEstimate) -> Measured:
    return Measured(estimate.value, estimate.error)


@dataclass(frozen=True)
class Sizes:
    """Numbers of trees; `most_train` None is what suits the data."""

    train: int
    most_train: int | None
    validation: int
    test: int

    def most(self, is_drawn: bool) -> int:
        """Return the most training trees: those that are drawn may become more."""
        if self.most_train is not None:
            return self.most_train
        return GROWTH * self.train if is_drawn else self.train


def _sizes(n_train: object, most_train: object, n_validation: object, n_test: object) -> Sizes:
    remedy = "it is a number of trees"
    named = {"n_train": n_train, "n_validation": n_validation, "n_test": n_test}
    train, validation, test = (
        whole_number(name, value, least=1, remedy=remedy) for name, value in named.items()
    )
    most = whole_number_or_none(
        "most_train", most_train, least=train, remedy="training trees become more, up to this, never fewer"
    )
    counts = {"n_train": train, "n_validation": validation, "n_test": test, "most_train": most or 0}
    for name, value in counts.items():
        if value > MOST_TREES:
            raise ParameterError(
                name, value, f"is more than {MOST_TREES:,} trees, which take too much memory"
            )
    return Sizes(train, most, validation, test)


def start_rule(start: object) -> _core.Program:
    """Return the rule to begin with."""
    if isinstance(start, LearnedPruning):
        return start._core_program
    if isinstance(start, ProgramPruning):
        allowed = "is a whole program, and a formula of c and n is what changes here"
        raise ParameterError("start", start, allowed, "start a ProgramEvolver from it, or give a formula")
    if not isinstance(start, str):
        raise ParameterError(
            "start",
            start,
            "is no rule",
            "give 'naive', 'observed', 'pessimistic', a formula of c and n, or a LearnedPruning",
        )
    return _core.Program.naive() if start == "naive" else parsed(STARTS.get(start, start), "start")
