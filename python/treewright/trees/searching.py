"""How the trees of a search over sets of features are grown and pruned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import SearchPruning
from treewright._base.wording import Param, Sentence
from treewright.data.training import TrainingSet
from treewright.trees.greedy import search_grower
from treewright.trees.growing import Growing
from treewright.trees.pruning.error_based import ErrorBasedPruning
from treewright.trees.pruning.named import checked_rule
from treewright.trees.pruning.rule import PruningRule, Regrowing, Task, grown_whole
from treewright.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class SearchTrees:
    """How the trees of a search grow, and the rule that prunes them before they are judged."""

    growing: Growing
    rule: PruningRule | None

    @classmethod
    def of(cls, estimator: object, n_jobs: int | None, *, may_retrain: bool, retrains: bool = False) -> Self:
        """Check an estimator.

        Refuse a rule that an engine cannot apply to a part of a tree, unless every tree is grown anew; what
        the search may do about it is in the message.
        """
        model = search_grower(estimator)
        rule = checked_rule(model.pruning)
        if rule is not None and not retrains and rule._for_search() is None:
            raise _refusal(rule, may_retrain=may_retrain)
        return cls(Growing.of(model).on(n_jobs), rule)

    @property
    def pruning(self) -> SearchPruning | None:
        """The rule as the engine of a search takes it, if it can."""
        return None if self.rule is None else self.rule._for_search()

    def grown(
        self, features: list[int], training: TrainingSet, growing: Growing | None = None
    ) -> tuple[Tree, Tree]:
        """Grow the tree of some features, and prune it: both trees."""
        regrowing = Regrowing(replace(growing or self.growing, features=features), training)
        if self.rule is None:
            tree = grown_whole(regrowing).tree
            return tree, tree
        task = self.rule._grown(regrowing)
        return task.tree, self.rule._prune(task).tree

    def pruned(self, tree: _core.Tree) -> _core.Tree:
        """Prune a tree that the engine of a search found."""
        if self.rule is None:
            return tree
        return self.rule._prune(Task(Tree(tree), n_threads=self.growing.n_threads)).tree._core


def _refusal(rule: PruningRule, *, may_retrain: bool) -> ParameterError:
    """Say what the rule needs, and what else may be done."""
    remedy: list[str | Param] = ["choose another rule"]
    if isinstance(rule, ErrorBasedPruning):
        remedy = ["choose ", Param("pruning", "error_based_no_grafting")]
    if may_retrain:
        remedy += [", or ", Param("strategy", "retrain")]
    looks = "looks at more than the training weights of a node and its branches"
    sentence: Sentence = tuple(remedy)
    return ParameterError(
        "pruning", rule, f"{looks}, so a search would have to grow every tree anew", sentence
    )
