"""The pruning of trees as a problem for whole programs, which go through the tree themselves."""

from __future__ import annotations

from typing import Any

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import whole_number
from treewright.search.evolution.corpora import (
    Sizes,
    Trees,
    checked_growing_share,
    drawn,
    grown,
)
from treewright.search.evolution.learn import _seed, _start
from treewright.search.evolution.learned import LearnedPruning
from treewright.search.evolution.limits import Limits
from treewright.search.evolution.own_data import presets_of
from treewright.search.evolution.problems import Setting
from treewright.search.evolution.program import Program, wrapped

MOST_TREES = 100_000
"""More trees do not fit into memory as values of the language."""


class PruningProblem:
    """Pruning the trees of a family of data in its full form: from a tree to a tree and its estimate.

    `learn_pruner` varies the formula inside a traversal that is fixed. Here the traversal is part of the
    program, and anything in it may change. That takes some hundred times as long. A program loses the rows,
    of those that did not grow the trees, that its prunings get wrong; what returns anything but a pruning of
    its tree, with a finite estimate, loses more than the worst pruning does.

    Parameters
    ----------
    data : {"paper_table", "paper_text"}, (X, y), Dataset, or list
        Where trees grow, as for `learn_pruner`.
    n_trees : int, default=60
        Number of trees.
    random_state : int, RandomState instance or None, default=0
        Seed of the trees.
    estimator : GreedyTreeClassifier, default=None
        How trees grow from one's own data; None is ``GreedyTreeClassifier()``.
    train_share : float, default=0.5
        Share of one's own samples that grow a tree.

    Notes
    -----
    Trees are of ``type tree = Leaf of mark * float * float | Node of mark * float * float * trees``: a mark
    by which a node is known, the training samples of its class and all training samples, its children.
    Limits of steps and memory are those that the largest tree needs; the evolver's are not looked at. With
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
        data: Any,
        *,
        n_trees: int = 60,
        random_state: Any = 0,
        estimator: Any = None,
        train_share: float = 0.5,
    ) -> None:
        self.data = data
        self.n_trees = n_trees
        self.random_state = random_state
        self.estimator = estimator
        self.train_share = train_share

    @staticmethod
    def start(rule: str | LearnedPruning = "naive") -> Program:
        """Return a rule with the traversal of the naive one, to start from.

        Parameters
        ----------
        rule : {"naive", "observed", "pessimistic"}, formula or LearnedPruning, default="naive"
            The rule, as for `learn_pruner`.

        Returns
        -------
        program : Program
            From a tree to the pruned tree and its estimated error rate. It prunes as the rule does.

        Examples
        --------
        >>> from treewright.evolution import PruningProblem
        >>> prune = PruningProblem.start("pessimistic")
        >>> leaf = lambda mark, c, n: ("Leaf", ("Mark", mark), c, n)
        >>> prune(("Node", ("Mark", 0), 5.0, 6.0, [leaf(1, 3.0, 3.0), leaf(2, 2.0, 3.0)]))
        (('Leaf', ('Mark', 0), 5.0, 6.0), 0.25)
        """
        return wrapped(_start(rule).full_form())

    def _set_up(self, setting: Setting) -> _core.ProgramProblem:
        return _core.ProgramProblem.pruning(setting.start._core, setting.functions, self._trees())

    def _trees(self) -> Trees:
        n = whole_number("n_trees", self.n_trees, least=1, remedy="it is the number of trees")
        if n > MOST_TREES:
            raise ParameterError(f"n_trees={n} is more than {MOST_TREES:,} trees, which take too much memory")
        sizes, seeds = Sizes(n, None, 1, 1), [_seed(self.random_state)] * 3
        share = checked_growing_share(self.train_share)
        if presets := presets_of(self.data):
            return drawn(presets, sizes, seeds).train
        growth = (self.estimator, share, 1, Limits(None, None, 0))
        return grown(self.data, sizes, seeds, *growth, is_essential=True).train
