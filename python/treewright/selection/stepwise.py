"""The search by single steps that elimination and forward selection share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.params import (
    callable_or_none,
    one_of,
    seconds_or_none,
)
from treewright.results import ResultTable
from treewright.selection.selector import (
    Found,
    Judged,
    TreeSelector,
)
from treewright.selection.step_rules import StepRules
from treewright.trees.growing import Growing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRATEGIES = ("incremental", "retrain")

Step = tuple[list[int], bool, float, int, int, float]
"""Features changed, whether they came, errors, features selected, trees built, seconds."""


class StepwiseSelector(TreeSelector):
    """Base of the selectors that let one feature, or one group, go or come at a time.

    A subclass says by `_rules` which steps there are.
    """

    strategy: Any
    history_: ResultTable

    def _rules(self) -> StepRules:
        raise AssertionError("every subclass has its rules")

    def _engine(self, growing: Growing) -> Callable[[Judged], Found]:
        rules, how = self._rules(), self._search_arguments()

        def search(judged: Judged) -> Found:
            training = judged.training
            return _core.select_features(
                training.core,
                *judged.parts,
                growth=growing.parameters(training),
                rules=rules.for_engine(training.dataset.feature_names, judged.validation_weight),
                n_threads=growing.n_threads,
                **how,
            )

        return search

    def _learn_found(self, found: Found, judged: Judged) -> None:
        super()._learn_found(found, judged)
        self.history_ = _history(found["history"], is_whole=judged.as_errors is int)

    def plot_history(self, ax: Axes | None = None) -> Axes:
        """Draw the search errors against the steps.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            What was drawn on, for a title or ``ax.figure.savefig``.

        Raises
        ------
        ImportError
            If matplotlib is not installed.

        See Also
        --------
        treewright.reporting.plot_history : The same of a bare ``history_``.
        """
        from treewright.selection.plot import plot_history

        check_is_fitted(self)
        return plot_history(self.history_, ax, feature_names=self.tree_.feature_names)

    def _search_arguments(self) -> dict[str, Any]:
        return {
            "strategy": one_of("strategy", self.strategy, STRATEGIES),
            "time_limit": seconds_or_none("time_limit", self.time_limit),
            "callback": callable_or_none("callback", self.callback),
        }


def _history(steps: Iterable[Step], *, is_whole: bool) -> ResultTable:
    """Tabulate the steps of a search."""
    columns = [
        ("step", "int64"),
        ("dropped", "int64"),
        ("added", "int64"),
        ("changed", "object"),
        ("errors", "int64" if is_whole else "float64"),
        ("n_features", "int64"),
        ("n_trees_built", "int64"),
        ("seconds", "float64"),
    ]
    return ResultTable.from_rows((_record(i, step) for i, step in enumerate(steps)), columns)


def _record(i: int, step: Step) -> tuple[Any, ...]:
    changed, is_added, *counts = step
    first = min(changed, default=-1)
    dropped, added = (-1, first) if is_added else (first, -1)
    return (i, dropped, added, tuple(changed), *counts)
