"""The tree: read-only arrays, prediction, exact JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.errors import FormatError
from treewright._base.params import BEYOND_DEPTH, at_most
from treewright.data.derived import derived_in, undone
from treewright.data.encode import UNSEEN, encode
from treewright.data.intake.labels import Label
from treewright.data.matching import ModelColumns
from treewright.data.types import AnyArray, CodeArray, FloatArray, IntArray, TableLike
from treewright.trees.deciding import decided_above
from treewright.trees.drawing.drawings import TreeDrawings
from treewright.trees.exporting import TreeExports
from treewright.trees.from_sklearn import document_of
from treewright.trees.predictions import Columns, TreePredictions
from treewright.trees.smaller import SmallerTrees
from treewright.trees.telling import TreeTelling
from treewright.trees.tree_facts import TreeFacts

__all__ = ["Tree"]


class Teller(Protocol):
    """What knows how a tree was found."""

    def told_to(self, tree: _core.Tree) -> _core.Tree:
        """Return the engine's tree with this in it."""


MOST_DECIMALS = 1100
"""No 64-bit number has more."""

LISTED = 4
"""The kind of a node with a branch for each of some values."""


class Tree(TreePredictions, TreeFacts, TreeExports, TreeTelling, TreeDrawings, SmallerTrees):
    """A fitted decision tree; it is immutable.

    Trees come from estimators (``estimator.tree_``), searches and `Tree.from_json`. Nodes are
    numbered: 0 is the root, a child has a higher number than its parent, and the children of a
    node have consecutive numbers. Every array below has one entry for each node and is
    read-only.

    Parameters
    ----------
    core : _core.Tree or str
        The engine's tree, or its JSON.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]
    >>> tree = GreedyTreeClassifier().fit(X, ["low", "low", "high", "high"]).tree_
    >>> tree
    Tree(n_nodes=3, n_leaves=2, max_depth=1)
    >>> tree.feature, tree.threshold
    (array([ 0, -1, -1], dtype=int32), array([ 2., nan, nan]))
    >>> tree.predict([[0.0, 0.0]])
    array(['low'], dtype='<U4')
    >>> Tree.from_json(tree.to_json()) == tree
    True
    """

    __slots__ = ("_arrays", "_core", "_labels", "_origin")

    def __init__(self, core: _core.Tree | str) -> None:
        self._core = _core.Tree.from_json(core) if isinstance(core, str) else core
        self._origin: Teller | None = None
        self._arrays: dict[str, AnyArray] = {}
        self._labels: AnyArray | None = None

    # What it is about.

    @property
    def classes_(self) -> AnyArray:
        """Class labels, ndarray of shape (n_classes,); a class is its position here."""
        if self._labels is None:
            self._labels = _label_array(self._core.classes)
        return self._labels

    @property
    def feature_names(self) -> list[str]:
        """Names of the features, in the order of the columns."""
        return list(self._core.names)

    @property
    def levels(self) -> list[list[Label] | None]:
        """Declared values of every nominal feature in their order; None for a numeric one."""
        return list(self._core.levels)

    @property
    def n_features(self) -> int:
        """Number of features of the data, tested or not."""
        return self._core.n_features

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    @property
    def used_features(self) -> IntArray:
        """Positions of the features that some node tests, ascending."""
        return np.asarray(self._core.used_features, dtype=np.int64)

    @property
    def routing(self) -> str:
        """How a sample with a missing or unseen value is routed at a node that tests it.

        ``"distribute"``: down every branch, in proportion to their weights; ``"stop"``: it ends at the node;
        ``"node_majority"``: down the branch with the largest weight; ``"mean"``: the mean of the column
        replaces the value.
        """
        return self._core.routing

    # Its shape.

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves without samples included."""
        return self._core.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves, those without samples included."""
        return self._core.n_leaves

    @property
    def max_depth(self) -> int:
        """Number of edges on the longest path from the root; 0 for a lone leaf."""
        return self._core.max_depth

    @property
    def kind(self) -> NDArray[np.uint8]:
        """What a node is.

        0 leaf, 1 split by value, 2 at a threshold, 3 by a plane, 4 by some values, 5 by a set of values
        against the others, 6 by whether the value is missing.
        """
        return self._array("kind")

    @property
    def feature(self) -> CodeArray:
        """Position of the tested feature; -1 where no single feature is tested."""
        return self._array("feature")

    @property
    def threshold(self) -> FloatArray:
        """Threshold in units of the feature: child 0 is ``<=``, child 1 ``>``; else NaN."""
        return self._array("threshold")

    @property
    def first_child(self) -> CodeArray:
        """Lowest child; branch b of a node leads to ``first_child + b``; -1 in a leaf."""
        return self._array("first_child")

    @property
    def branch_levels(self) -> list[list[int] | None]:
        """For each node of kind 4 the levels that have a branch, for each of kind 5 its set; else None.

        They are positions in `levels`; the position after the last level is "missing". At kind 5 child 0
        holds the levels of the set, child 1 all others.
        """
        return list(self._core.branch_levels)

    @property
    def n_children(self) -> CodeArray:
        """Number of children; 0 in a leaf."""
        return self._array("n_children")

    @property
    def parent(self) -> CodeArray:
        """The parent; -1 for the root."""
        return self._array("parent")

    @property
    def depth(self) -> CodeArray:
        """Number of edges from the root."""
        return self._array("depth")

    @property
    def node_class(self) -> CodeArray:
        """Position in `classes_` of the class with the largest weight (ties: the lowest).

        With a `cost_matrix` it is the class of least expected cost.
        """
        return self._array("node_class")

    @property
    def weight(self) -> FloatArray:
        """Weight of the training samples that reach the node; may be fractional."""
        return self._array("weight")

    @property
    def class_weights(self) -> FloatArray:
        """`weight` by class, ndarray of shape (n_nodes, n_classes)."""
        return self._array("class_weights")

    @property
    def estimates(self) -> FloatArray | None:
        """Estimated error rate of each node's subtree after pruning; None in a tree that was not pruned.

        Infinite where the rule gave no estimate for a leaf.
        """
        return None if self._core.estimates is None else self._array("estimates")

    def feature_importances(self) -> FloatArray:
        """Share of every feature in the gain of all splits.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            Non-negative, summing to 1; all 0 for a lone leaf.
        """
        return self._core.feature_importances()

    # What it says about samples.

    def predict(self, X: TableLike) -> AnyArray:
        """Predict the class of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples. Only the columns of `used_features` are read: in a frame they are found by name, in
            any order, and others may be missing; an array has all columns in the order of `feature_names`. A
            nominal value that the tree does not know counts as missing.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Class labels; a tie goes to the first class.
        """
        core, columns, n_threads = self._prepared(X)
        return self.classes_[core.predict(columns, n_threads)]

    # What it looks like elsewhere.

    def export_text(
        self,
        *,
        max_depth: int | None = None,
        max_branches: int | None = None,
        show_counts: bool = False,
        show_errors: bool = False,
        show_estimates: bool = False,
        decimals: int | None = None,
    ) -> str:
        """Write the tree as indented text.

        Parameters
        ----------
        max_depth : int, default=None
            Omit nodes below this depth; None writes all.
        max_branches : int, default=None
            Write as many branches of a node, or values of a group, and the number of the others; None writes
            all.
        show_counts : bool, default=False
            Write the number of training samples of every class after each leaf, and after a semicolon
            their weights, where these differ.
        show_errors : bool, default=False
            Write C4.5's ``(n/e)`` after each leaf: the number of its training samples, whatever they weigh,
            and of those of other classes, if there are any. Their weights, where numbers are not known
            (`class_counts`).
        show_estimates : bool, default=False
            Write the estimated error rate of every node in braces, if the tree was pruned.
        decimals : int, default=None
            Least number of decimals of thresholds and weights: they get more where fewer would send a
            training sample another way, or make two thresholds of a feature equal. None writes as few digits
            as that allows, and estimates with four decimals. The exact numbers are in `threshold`.

        Returns
        -------
        text : str
            One line for each node.

        Notes
        -----
        What is written decides every training sample as the tree does. Where the training values beside a
        threshold are not known (`cut_values`), it is written exactly unless `decimals` is given; weights of
        planes are always exact. Names and values in which something cannot be seen are in quotes and escaped,
        and so is text that looks like another value of its feature. A leaf that no training sample reaches
        says so. Comparisons of features that were made of dates are written in dates, such as
        ``admitted after 2021-03-01`` (`datasets.read`).
        """
        every = "None writes every branch"
        text = self._core.export_text(
            max_depth=at_most("max_depth", max_depth, BEYOND_DEPTH, remedy="None writes every level"),
            max_branches=at_most("max_branches", max_branches, BEYOND_DEPTH, remedy=every),
            show_counts=show_counts,
            show_errors=show_errors,
            show_estimates=show_estimates,
            decimals=at_most(
                "decimals", decimals, MOST_DECIMALS, remedy="None writes as few digits as decide alike"
            ),
        )
        return undone(text, self.feature_names, derived_in(self.reading))

    def to_json(self) -> str:
        """Write the tree as JSON; `from_json` reads the same tree from it.

        Returns
        -------
        text : str
            JSON with a schema and a format number.
        """
        return self._told.to_json()

    def deciding_above(self, threshold: float) -> Tree:
        """Return the tree that answers the second of two classes where its share is above a threshold.

        Parameters
        ----------
        threshold : float
            Share of the class's weight, from 0 to 1.

        Returns
        -------
        tree : Tree
            The same nodes and probabilities; two classes are needed, and no cost matrix.
        """
        return Tree.from_json(decided_above(self.to_json(), threshold))

    @classmethod
    def from_sklearn(
        cls,
        estimator: object,
        *,
        feature_names: Iterable[object] | None = None,
        class_names: Iterable[object] | None = None,
    ) -> Tree:
        """Convert a classification tree of scikit-learn.

        Parameters
        ----------
        estimator : DecisionTreeClassifier, ExtraTreeClassifier or their ``tree_``
            Fitted, with one output.
        feature_names : sequence of str, default=None
            Names of the columns; None takes ``feature_names_in_``, else ``x0``, ``x1``, …
        class_names : sequence, default=None
            Labels in the order of the classes; None takes ``classes_``, else 0, 1, …

        Returns
        -------
        tree : Tree
            Predicts the same as the estimator, for numbers in 64 bits too: scikit-learn rounds numbers to 32
            bits before it compares them, so every threshold is moved to the largest number that goes to the
            left child. A missing value goes where it goes there.

        Raises
        ------
        DataError
            If the tree has more than one output.
        DataTypeError
            If it is not a fitted classification tree.

        Notes
        -----
        Nodes are numbered level by level. Class weights are those of the samples, not
        the fractions that scikit-learn stores.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X, y)
        >>> tree = Tree.from_sklearn(model)
        >>> tree
        Tree(n_nodes=5, n_leaves=3, max_depth=2)
        >>> bool((tree.predict(X) == model.predict(X)).all())
        True
        """
        return cls.from_json(document_of(estimator, feature_names, class_names))

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """Read a tree that `to_json` wrote.

        Parameters
        ----------
        text : str
            The JSON.

        Returns
        -------
        tree : Tree
            Equal to the one written, to the last bit.

        Raises
        ------
        FormatError
            If the text is not such a tree or has an unknown format number.
        """
        try:
            return cls(_core.Tree.from_json(text))
        except UnicodeEncodeError as error:
            half = f"the text holds half of a character (a lone surrogate) at position {error.start}"
            raise FormatError(f"{half}; give the text that Tree.to_json() returned") from error

    def __repr__(self) -> str:
        """Sizes only; `export_text` writes the tree."""
        sizes = ("n_nodes", "n_leaves", "max_depth")
        return f"Tree({', '.join(f'{name}={getattr(self, name)}' for name in sizes)})"

    def __eq__(self, other: object) -> bool:
        """Whether the two trees hold the same.

        Numbers of samples, ranges of features and `provenance` are left aside: a sample of weight 2 is
        two samples, and a feature that is not tested is no part of the tree.
        """
        return self._core == other._core if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        """Equal trees have equal hashes."""
        return hash(self._core)

    def __copy__(self) -> Tree:
        """Return the tree itself: it cannot change."""
        return self

    def __deepcopy__(self, memo: object) -> Tree:
        """Return the tree itself: it cannot change."""
        return self

    def __reduce__(self) -> tuple[type[Tree], tuple[str]]:
        """Pickle as JSON, which skops saves too."""
        return (Tree, (self.to_json(),))

    def _found_by(self, origin: Teller) -> Tree:
        """Take note of what found the tree; it is written into the tree when it is asked for."""
        self._origin = origin
        return self

    @property
    def _told(self) -> _core.Tree:
        """The engine's tree, which says how it was found; other trees are made of this one."""
        origin = self._origin
        if origin is not None:
            self._core, self._origin = origin.told_to(self._core), None
        return self._core

    def _array(self, name: str) -> AnyArray:
        """Copy an array out of the engine once and lock it."""
        if name not in self._arrays:
            array = getattr(self._core, name)
            array.flags.writeable = False
            self._arrays[name] = array
        return self._arrays[name]

    def _encode(self, X: TableLike) -> Columns:
        names = self.feature_names
        columns = ModelColumns(names, self.used_features.tolist(), names)
        return encode(X, columns, self.levels, unseen=UNSEEN if self.lists_branches else -1)

    def _prepared(self, X: TableLike) -> tuple[_core.Tree, Columns, int]:
        return self._core, self._encode(X), 1

    @property
    def lists_branches(self) -> bool:
        """Whether some node has branches for some values only; a sample with another value stops there."""
        return bool((self.kind == LISTED).any())


def _label_array(labels: list[Label]) -> AnyArray:
    """Labels as an array that keeps their types."""
    if len({type(label) for label in labels}) == 1:
        return np.array(labels)
    mixed = np.empty(len(labels), dtype=object)
    mixed[:] = labels
    return mixed
