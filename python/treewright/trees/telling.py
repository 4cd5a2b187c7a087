"""What a tree says in words: its rules, the ways to its nodes, and its figures."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from treewright import _core
from treewright._base.params import flag, whole_number
from treewright.data.dataset import Dataset
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, TableLike, VectorLike
from treewright.trees.predictions import Columns

if TYPE_CHECKING:
    from treewright.trees.describing import TreeDescription
    from treewright.trees.rules.figures import Tally
    from treewright.trees.rules.rules import Rules

__all__ = ["TreeTelling"]

EngineTree = _core.Tree


class TreeTelling:
    """The part of a `Tree` that puts it into words."""

    __slots__ = ()
    _core: _core.Tree

    @property
    @abstractmethod
    def classes_(self) -> AnyArray:
        """Class labels."""

    @property
    @abstractmethod
    def feature_names(self) -> list[str]:
        """Names of the features."""

    @property
    @abstractmethod
    def levels(self) -> list[list[Label] | None]:
        """Values of every nominal feature."""

    @property
    @abstractmethod
    def reading(self) -> dict[str, object] | None:
        """How the file was read."""

    @abstractmethod
    def _encode(self, X: TableLike) -> Columns:
        """Return new data in the domain of the tree."""

    def rules(
        self,
        X: TableLike = None,
        y: VectorLike = None,
        sample_weight: VectorLike = None,
        *,
        simplify: bool = True,
    ) -> Rules:
        """Return the tree as rules, one for each leaf.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features), default=None
            The samples that the figures are of; None takes the training samples, as the tree keeps them.
        y : array-like of shape (n_samples,), default=None
            Their classes; None if `X` is a Dataset that holds them. Without classes only n and coverage are
            known.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights: coverage, share, lift and cost go by them.
        simplify : bool, default=True
            Whether the conditions on a feature are merged into one, an interval or a set, and rules that
            no sample can meet are left out. False keeps the tests of the path as they stand.

        Returns
        -------
        rules : Rules
            By coverage, the largest first, equal ones by node. Of samples without missing values exactly one
            rule holds each. A node that has no branch for some values of its feature has a rule too.

        Notes
        -----
        Numbers are written as in `export_text`: with as few digits as decide every training sample alike. A
        value that the tree does not know counts as missing. Notes below the rules say what becomes of missing
        values where the conditions do not.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]
        >>> tree = GreedyTreeClassifier().fit(X, ["low", "low", "high", "high"]).tree_
        >>> print(tree.rules())
        n  errors  coverage   share  lift  class  if
        2       0     50.0%  100.0%  2.00  low    x0 <= 2
        2       0     50.0%  100.0%  2.00  high   x0 > 2
        """
        from treewright.trees.rules.of_tree import own_tally, rules_of, words_of

        merges = flag("simplify", simplify)
        tally = own_tally(self._core) if X is None else self._tally(X, y, sample_weight)
        return rules_of(self._core, words_of(self._core, self.reading), tally, merges=merges)

    def describe(
        self,
        X: TableLike = None,
        y: VectorLike = None,
        sample_weight: VectorLike = None,
        *,
        n_repeats: int = 5,
        random_state: int | None = 0,
    ) -> TreeDescription:
        """Describe the tree in figures: size, features, errors, how it was found, what is proven.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features), default=None
            Samples to count errors on, and to shuffle features of; best ones that did not grow the tree.
        y : array-like of shape (n_samples,), default=None
            Their classes; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.
        n_repeats : int, default=5
            How often the values of each feature are shuffled.
        random_state : int or None, default=0
            Seed of the shuffles; None draws anew.

        Returns
        -------
        description : TreeDescription
            It prints as text, and a notebook shows it as a table.

        Notes
        -----
        Nothing is claimed that is not known: training errors are told where the tree keeps its training
        samples, a held-out error only for given samples. A proof is that of the search that found the tree; a
        tree that was pruned afterwards has none.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier, datasets
        >>> iris = datasets.load("iris")
        >>> tree = GreedyTreeClassifier(max_depth=2).fit(iris[::2]).tree_
        >>> print(tree.describe(iris[1::2]), end="")
        5 nodes, 3 leaves, depth 2; 2 of 4 features tested
        training error: 2 of 75 (2.7%)
        error on the given rows: 4 of 75 (5.3%)
        found by: GreedyTreeClassifier in iris
        proven: nothing; no search with a bound found it, or none is known
        <BLANKLINE>
         gain  by permutation  feature
        64.5%   +42.1% ± 4.3%  petal length (cm)
        35.5%   +30.4% ± 2.6%  petal width (cm)
        """
        from treewright.trees.describing import description_of
        from treewright.trees.pruning.rows import rows_for

        repeats = whole_number("n_repeats", n_repeats, least=1)
        if random_state is not None:
            whole_number("random_state", random_state, least=0)
        rows = None if X is None else rows_for(self, X, y, sample_weight)
        return description_of(self._told, rows, repeats, random_state)

    @property
    @abstractmethod
    def _told(self) -> EngineTree:
        """The engine's tree, which says how it was found."""

    def path_texts(self, nodes: Iterable[int]) -> list[str]:
        """Write the ways from the root to nodes.

        Parameters
        ----------
        nodes : iterable of int
            Numbers of nodes, such as those that `apply` gives.

        Returns
        -------
        texts : list of str
            For each node the conditions on its path, merged as in `rules`; empty for the root.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> tree = GreedyTreeClassifier().fit([[1.0], [2.0], [3.0]], ["low", "low", "high"]).tree_
        >>> tree.path_texts(tree.apply([[2.0], [5.0]]))
        ['x0 <= 2', 'x0 > 2']
        """
        from treewright.trees.rules.of_tree import texts_of, words_of

        return texts_of(self._core, words_of(self._core, self.reading), [int(node) for node in nodes])

    def _tally(self, X: TableLike, y: VectorLike, sample_weight: VectorLike) -> Tally:
        from treewright.trees.pruning.rows import rows_for
        from treewright.trees.rules.of_tree import tally_of_rows

        if y is None and not (isinstance(X, Dataset) and X.target is not None):
            return tally_of_rows(self._core, self._encode(X), None, None)
        rows = rows_for(self, X, y, sample_weight)
        columns = [rows.column(i) for i in range(rows.n_features)]
        return tally_of_rows(self._core, columns, rows.target, rows.weights)
