"""`learn_pruner`: a pruning rule for a family of data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treewright import _core
from treewright._base.checkpoint import PathLike, checked_place
from treewright._base.errors import ParameterError
from treewright._base.params import (
    callable_or_none,
    n_threads,
    number,
    one_of,
    seconds_or_none,
    whole_number,
    whole_number_or_none,
)
from treewright.results import Progress
from treewright.search.evolution.corpora import Corpora, checked_seed, corpora_of, corpus_seeds, presets_of
from treewright.search.evolution.formula import parsed
from treewright.search.evolution.learned import LearnedPruning
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
    """Evolve a pruning rule on a family of data.

    Trees are grown from many sets of the family. A rule, a formula of c and n, is worth what the trees, once
    pruned by it, get wrong on rows that did not grow them. Rules are varied at random and the best of every
    size kept; the one that is best on other trees, for validation, is returned, and judged once on a third
    lot, the test corpus.

    Parameters
    ----------
    data : {"paper_table", "paper_text"}, (X, y), Dataset, or list
        A preset of `datasets.make_linear_network`, whose sets are drawn anew for every corpus; or one's own
        data, of which every tree takes a random part to grow and the rest to be judged. Of a list, which
        holds presets or data of one's own, trees are grown from each in turn.
    start : {"naive", "observed", "pessimistic"}, formula or LearnedPruning, default="naive"
        The rule to begin with.
    budget : int, default=100_000
        Number of programs to make. The run ends with the generation that reaches it.
    patience : int, default=None
        Ends the run, with the status ``"stalled"``, once the best score of the front in validation has not
        improved for this number of programs. It is looked at every 16 generations, some 4 000 programs, once
        the four populations that begin apart are joined, which is after 48 programs for every tree of
        `n_train`; it counts from there, and anew when the training trees are doubled. None switches it off.
    time_limit : float, default=None
        Seconds for all of it, but for the report; what there is by then is returned, and how far it came
        depends on the machine. Trees of one's own data are grown within it, too, one in turn for training,
        validation and test: at the limit there may be fewer than asked for, one of each at least. Nothing
        is searched then, and no checkpoint written.
    random_state : int, RandomState instance or None, default=0
        Seed of all that is drawn. With an int, the same rule is found on every platform.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The rule does not depend on it.
    callback : callable, default=None
        Called with a `Progress`, whose ``best`` is the score of the best rule in training and whose ``text``
        is a table of the best rules of every size, with their scores in training and validation; before
        that, how many of one's own trees are grown. Returns True to stop, with what there is, as at the
        time limit.
    objective : {"mean_error", "errors", "mean_rank"}, default="mean_error"
        What is made small: the mean error rate of a tree; the errors of all trees together, where large test
        sets count most; the mean rank of a tree's errors among no pruning, the naive rule and C4.5's (which
        over-fits soonest).
    most_bits : float, default=240
        Largest rules, in bits: a symbol is 4, a number 8.
    n_train, n_test : int, default=960, 1500
        Numbers of trees.
    n_validation : int, default=None
        The same. None is 6000 with a preset, where trees are cheap, and 1500 with one's own data.
    most_train : int, default=None
        The training trees are doubled, up to this number, when rules fit them better than those of
        validation by more than two standard errors, or 25 programs for every tree were made, but not before
        the populations that begin apart are joined. None is
        ``4 * n_train`` with a preset, which draws what it needs, and `n_train` with one's own data, of which
        all trees are grown at once.
    estimator : GreedyTreeClassifier, default=None
        How trees grow from one's own data; None is ``GreedyTreeClassifier()``. Its pruning is not looked at.
    train_share : float, default=0.5
        Share of one's own samples that grow a tree.
    checkpoint : path, default=None
        File that keeps the state, every ten seconds and at the end. It is replaced as a whole. One that is
        there already is refused, unless `resume` goes on from it.
    resume : bool, default=False
        Whether to go on from `checkpoint`, if it is there. A run with the same data and parameters wrote it
        (`budget`, `patience`, limits and threads apart); `budget` counts from the very start. The result is
        that of a run that was not interrupted. Trees of one's own are all grown first, whatever the time
        limit says.

    Returns
    -------
    rule : LearnedPruning
        A pruning rule, with the front and a report.

    Raises
    ------
    ParameterError, DataError
        If a parameter or the data cannot be used.
    FormatError
        If `checkpoint` is there and is no checkpoint of this run.
    OSError
        If the file cannot be read or written.

    Notes
    -----
    Most of what evolution gains over C4.5's rule can be had from two constants, and on single real data
    sets no rule differs from another by more than chance; the report shows both.

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
    limit = seconds_or_none("time_limit", time_limit)
    threads = n_threads(n_jobs)
    objective = one_of("objective", objective, list(OBJECTIVES))
    bits = number("most_bits", most_bits, least=8, remedy="a symbol is 4 bits, a number 8")
    n_choosing = N_VALIDATION[bool(presets_of(data))] if n_validation is None else n_validation
    sizes = _sizes(n_train, most_train, n_choosing, n_test)
    seed, first = checked_seed(random_state), start_rule(start)
    watcher = callable_or_none("callback", callback)
    place = checked_place(checkpoint, resume)
    numbers = (sizes.train_grown(bool(presets_of(data))), sizes.validation, sizes.test)
    corpora = corpora_of(data, numbers, corpus_seeds(seed), estimator, train_share)
    found = _core.evolve_pruning(
        corpora.trees,
        [first],
        n_train=sizes.train,
        most_train=sizes.most(corpora.is_drawn),
        objective=objective,
        seed=seed,
        budget=budget,
        patience=patience,
        most_bits=bits,
        checkpoint=place,
        resume=place is not None and place.exists(),
        n_threads=threads,
        time_limit=limit,
        callback=watcher,
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

    def train_grown(self, is_drawn: bool) -> int:
        """Return how many training trees there are at the start: of one's own all are grown at once."""
        return self.train if is_drawn else self.most(is_drawn)


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
    if not isinstance(start, str):
        raise ParameterError(
            "start",
            start,
            "is no rule",
            "give 'naive', 'observed', 'pessimistic', a formula of c and n, or a LearnedPruning",
        )
    return _core.Program.naive() if start == "naive" else parsed(STARTS.get(start, start), "start")
