"""The table of average ranks and their tests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from treewright.reporting.table import Column, Table
from treewright.studies.selection.table import ABSENT

if TYPE_CHECKING:
    from treewright.studies import RankComparison


def rank_table(comparison: RankComparison) -> Table:
    """Lay out average ranks and their tests.

    Parameters
    ----------
    comparison : RankComparison
        What `treewright.studies.compare_ranks` found.

    Returns
    -------
    table : Table
        One row a method: its average rank, and how it compares with the reference.

    Examples
    --------
    >>> from treewright.studies.ranks.table import rank_table
    >>> from treewright.studies import compare_ranks
    >>> print(rank_table(compare_ranks([[3, 2, 1], [3, 1, 2], [3, 2, 1]], ["a", "b", "c"])).to_text())
    Average ranks over 3 sets, 1 the best
    <BLANKLINE>
    method  rank     z      p  Holm's p
    a       3.00  2.04  0.041     0.082
    b       1.67  0.41  0.683     0.683
    c       1.33     -      -         -
    <BLANKLINE>
    Friedman's test: 4.67, p = 0.097. z and p compare with c.
    """
    tests = comparison.tests
    columns = [
        Column("method", list(comparison.methods), align="left"),
        Column(
            "rank", [f"{rank:.2f}{mark}" for rank, mark in zip(tests["rank"], tests["mark"], strict=True)]
        ),
        Column("z", [_written(z, ".2f") for z in tests["z"].tolist()]),
        Column("p", [_written(p, ".3f") for p in tests["p_value"].tolist()]),
        Column("Holm's p", [_written(p, ".3f") for p in tests["p_holm"].tolist()]),
    ]
    sets = "1 set" if comparison.n_sets == 1 else f"{comparison.n_sets:,} sets"
    return Table(f"Average ranks over {sets}, 1 the best", columns, [friedman_note(comparison)])


def friedman_note(comparison: RankComparison) -> str:
    """Say what Friedman's test found, and what the marks mean."""
    if math.isnan(comparison.p_value):
        return "One set: no test of the ranks."
    chance = "p < 0.001" if comparison.p_value < 0.001 else f"p = {comparison.p_value:.3f}"
    found = f"Friedman's test: {comparison.statistic:,.2f}, {chance}."
    return f"{found} z and p compare with {comparison.reference}."


def _written(value: float, form: str) -> str:
    return ABSENT if math.isnan(value) else format(value, form)
