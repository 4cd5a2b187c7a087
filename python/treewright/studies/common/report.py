"""What every result of a study does alike: it prints as a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Table
from treewright.results import ResultTable


class Report(ABC):
    """A result that has a table, and prints as it."""

    @abstractmethod
    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print."""

    def to_text(self, max_width: int | None = None) -> str:
        """Return the table as text for a screen.

        Parameters
        ----------
        max_width : int, default=None
            Characters a line may have; what is wider goes on below. None breaks nothing.

        Returns
        -------
        text : str
            The rows of the table below a title and headings, notes below them.

        Raises
        ------
        ParameterError
            If the width is no int of at least 1.
        """
        return self.table().to_text(max_width)

    def to_latex(self) -> str:
        r"""Return the table as LaTeX, for the package booktabs.

        Returns
        -------
        source : str
            A ``tabular`` environment; put it into a ``table`` with a caption of your own.
        """
        return self.table().to_latex()

    def __str__(self) -> str:
        """Return the table as text."""
        return self.to_text()


class FoldReport(Report):
    """A result with one row a fold and method in ``per_fold``."""

    data_sets: Any
    methods: Any
    per_fold: Any
    status: Any

    def __repr__(self) -> str:
        """Return one line: what was compared, on how much."""
        sets = counted_noun(len(self.data_sets), "data set")
        folds = counted_noun(len(self.per_fold) // len(self.methods), "fold")
        folds += "" if len(self.data_sets) == 1 else " in all"
        return f"<{type(self).__name__}: {', '.join(self.methods)}; {sets}, {folds}, {self.status}>"

    def _field(self, name: str) -> tuple[str, str]:
        """Return name and type of a column of ``per_fold``."""
        fields = self.per_fold.dtype.fields
        assert fields is not None, "the folds are a structured array"
        return name, fields[name][0].str

    def _chosen(self, name: str, method: str) -> ResultTable:
        """Return the folds of a data set and a method."""
        folds: ResultTable = self.per_fold
        chosen: ResultTable = folds[(folds["data"] == name) & (folds["method"] == method)]
        return chosen
