"""The door through which trees leave for other programs."""

from __future__ import annotations

from treewright import _core

__all__ = ["TreeExports"]


class TreeExports:
    """The part of a `Tree` that writes it for other programs."""

    __slots__ = ()
    _core: _core.Tree

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
