"""One search for an optimal tree, from checked parameters to what was found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from treewright import _core
from treewright._base.params import Limits
from treewright.data.training import TrainingSet
from treewright.results import SearchResult, Watch
from treewright.trees.optimal.saving import Saving
from treewright.trees.optimal.task import OptimalTask
from treewright.trees.tree import Tree


@dataclass(frozen=True, repr=False)
class OptimalSearch(SearchResult[Tree]):
    """How a search for an optimal tree ended.

    Besides what every `SearchResult` has:

    Attributes
    ----------
    loss : float
        The cost without the price of the leaves: the weight of the wrong answers, or what they cost.
    leaf_price : float
        What each leaf adds to the cost: `leaf_penalty` times the mean weight of a sample.
    instruction_set : str
        The instructions of the processor that the search used: ``"avx512"``, ``"avx2"`` or ``"plain"``. They
        decide how long it takes, never what it finds.
    """

    loss: float = 0.0
    leaf_price: float = 0.0
    instruction_set: str = ""

    def __repr__(self) -> str:
        """One line for each attribute, names aligned on the colon."""
        lines = [
            f"{name:>15}: {value}"
            for name, value in (
                ("loss", self.loss),
                ("leaf_price", self.leaf_price),
                ("instruction_set", self.instruction_set),
            )
        ]
        return "\n".join([super().__repr__(), *lines])


class Found(NamedTuple):
    """What a search found; `raised` stopped it, and is raised once that is kept.

    Prices of leaves are in samples of the mean weight, `mean_weight`.
    """

    search: OptimalSearch
    mean_weight: Fraction
    raised: BaseException | None = None

    @property
    def tree(self) -> Tree:
        """The best tree."""
        assert self.search.tree is not None, "a search has a tree from its start"
        return self.search.tree


def kept_tree(
    training: TrainingSet, task: OptimalTask, limits: Limits | None = None, saving: Saving | None = None
) -> Found:
    """Find the optimal tree, or the best until something was raised; keep where the search stands."""
    limits = task.limits if limits is None else limits
    saving = Saving() if saving is None else saving
    engine, journal = task.of_engine(training), saving.journal(task)
    watch = Watch(limits.callback, saving.before)
    limits = limits._replace(callback=watch)
    answer = _core.optimal_tree(training.core, task=engine, **journal, limits=limits)
    saving.write(answer.entry)
    mean_weight = Fraction(*answer.mean_weight)
    leaf_price = float(task.leaf_penalty * mean_weight)
    search = _search(answer, leaf_price, saving.before + answer.elapsed)
    return Found(watch.onto(search), mean_weight, answer.raised)


def _search(answer: _core.OptimalFound, leaf_price: float, elapsed: float) -> OptimalSearch:
    return OptimalSearch(
        cost=answer.cost,
        bound=answer.bound,
        status=answer.status,
        n_searched=answer.n_searched,
        elapsed=elapsed,
        tree=Tree(answer.tree),
        loss=answer.loss,
        leaf_price=leaf_price,
        instruction_set=answer.instructions,
    )
