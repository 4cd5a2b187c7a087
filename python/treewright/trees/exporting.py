"""The door through which trees leave for other programs."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from treewright import _core
from treewright.data.types import AnyArray

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

__all__ = ["TreeExports"]


class TreeExports:
    """The part of a `Tree` that writes it for other programs."""

    __slots__ = ()
    _core: _core.Tree

    @property
    @abstractmethod
    def classes_(self) -> AnyArray:
        """Class labels."""

    def export(self, format: str, *, missing: str = "as_tree", **options: object) -> str | bytes:  # noqa: A002
        """Write the tree as a program or a document of another language, which predicts the same.

        Parameters
        ----------
        format : str
            A name in `treewright.exports.export_formats`: ``"python"``, ``"sql"``, …
        missing : {"as_tree", "stop"}, default="as_tree"
            What happens to a row with a missing value that the tree shares among branches. ``"as_tree"``:
            the same as in the tree; a format that cannot say it is refused. ``"stop"``: the row gets the
            class of the node whose value is missing. That is another answer than `predict` gives, unless no
            row has gaps.
        **options
            What the format takes beside: of ``"sql"`` a ``dialect`` and a ``table``, of ``"python"`` a
            ``form``.

        Returns
        -------
        written : str or bytes
            The program or document.

        Raises
        ------
        ExportError
            If the format cannot say the tree; the message names the reason or the limit.
        ParameterError
            If there is no such format, or it does not take an option.

        Notes
        -----
        An export holds all that stands between a raw row and its class: what takes the place of missing
        values, where each node sends them, the costs or the threshold that decide.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> X = [[1.0], [2.0], [3.0], [4.0]]
        >>> tree = GreedyTreeClassifier().fit(X, ["low", "low", "high", "high"]).tree_
        >>> print(tree.export("sql", dialect="duckdb", missing="stop"), end="")
        CASE
          WHEN "x0" <= 2.0e0 THEN 'low'
          ELSE 'high'
        END
        """
        from treewright.trees.exports.door import write

        return write(self._core, format, missing, options)

    def to_sklearn(self, *, missing: str = "as_tree") -> Pipeline:
        """Return the tree as a fitted pipeline of scikit-learn, for tools that read its trees.

        Parameters
        ----------
        missing : {"as_tree", "stop"}, default="as_tree"
            What happens to a row with a missing value that the tree shares among branches. ``"as_tree"``:
            such a tree is refused, as a row has one leaf in scikit-learn. ``"stop"``: the row gets the class
            of the node whose value is missing. That is another answer than `predict` gives, unless no row
            has gaps.

        Returns
        -------
        pipeline : sklearn.pipeline.Pipeline
            Its step ``"columns"`` passes numbers on and encodes nominal features one-hot; its step ``"tree"``
            is a `DecisionTreeClassifier`. It takes a frame, in which it finds columns by name, or an array of
            all columns, about which scikit-learn warns that it has no names. None and NaN are missing.

        Raises
        ------
        ExportError
            If scikit-learn cannot say the tree, because rows are shared or it has planes, or if training
            values on either side of a threshold are one number in 32 bits.

        Notes
        -----
        A test with several branches is a chain of comparisons with one-hot columns. A group of values has a
        column of its own, the sum of their one-hot columns.

        scikit-learn rounds numbers to 32 bits. Thresholds are moved to the 32-bit neighbour that keeps the
        training values beside them apart, where rounding brings one to the other side. So the pipeline
        predicts as the tree for all training rows, and for all rows whose numbers have 32 bits, save those
        that equal such a rounded training value. Where training values are not known, a number that is a
        threshold stays below it.

        `predict_proba` tells the weighted shares of the leaf; a tie that the tree gives to a later class is
        decided by the last bit. With a cost matrix or a threshold on the share of a class, the answer of the
        tree has the share 1.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier, datasets
        >>> iris = datasets.load("iris")
        >>> tree = GreedyTreeClassifier(max_depth=2, missing="most_frequent").fit(iris).tree_
        >>> pipeline = tree.to_sklearn()
        >>> int(pipeline["tree"].get_n_leaves())
        3
        >>> pipeline.predict([[5.1, 3.5, 1.4, 0.2]])
        array(['setosa'], dtype='<U10')
        """
        from treewright.trees.exports.to_sklearn import pipeline_of

        return pipeline_of(self._core, self.classes_, missing)
