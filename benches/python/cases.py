"""The comparisons: which work on which table, by which tools, against which limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..data import FOLDER_SETS
from .floors import Faster, Floor, Megabytes, Seconds, Times

RETRAIN = "treewright-retrain"


@dataclass(frozen=True)
class Case:
    """One comparison; the first tool is this package.

    Attributes
    ----------
    work : {"grow", "eliminate"}
        A full tree, or backward elimination to its stop on a 70/30 split.
    table : str
        A name in `benches.data.TABLES`.
    peers : sequence of str
        The other tools.
    floors : sequence of Floor
        What must hold.
    """

    work: str
    table: str
    peers: Sequence[str] = ()
    floors: Sequence[Floor] = ()

    @property
    def name(self) -> str:
        """What `--case` is matched against."""
        return f"{self.work}-{self.table}"

    @property
    def tools(self) -> list[str]:
        """All tools, this package first."""
        return ["treewright", *self.peers]

    @property
    def needs_folder(self) -> bool:
        """Whether the table is read from the folder that TREEWRIGHT_DATA names."""
        return self.table in FOLDER_SETS


SELECTORS = ("scikit-learn", "mlxtend")

CASES = (
    Case("grow", "letter", ("scikit-learn", "ydf"), [Times(1.0, "scikit-learn")]),
    Case(
        "grow",
        "adult",
        ("scikit-learn", "ydf", "c50py"),
        [Times(1.2, "scikit-learn"), Faster(40, "c50py")],
    ),
    Case(
        "grow",
        "200000x50",
        ("scikit-learn", "ydf"),
        [Times(0.35, "scikit-learn"), Times(1.1, "ydf"), Megabytes(100)],
    ),
    Case("eliminate", "ionosphere", (*SELECTORS, RETRAIN), [Seconds(0.010), Faster(50, "scikit-learn")]),
    Case("eliminate", "sonar", (*SELECTORS, RETRAIN), [Seconds(0.010), Faster(50, "scikit-learn")]),
    Case("eliminate", "musk1", (RETRAIN,), [Seconds(0.06), Faster(40, RETRAIN)]),
    Case("eliminate", "madelon", (), [Seconds(2.5)]),
    Case("eliminate", "adult", (), [Seconds(2.5)]),
    Case("eliminate", "coil2000", (), [Seconds(2.0)]),
    Case("eliminate", "musk2", (), [Seconds(1.0)]),
    Case("eliminate", "letter", (), [Seconds(0.6)]),
    Case("eliminate", "7000x5000"),
    Case("eliminate", "7000x5000-digits"),
)

YARDSTICK = Case("grow", "letter")
"""scikit-learn's full entropy tree on this table stands beside every absolute figure."""


def matching(pattern: str | None) -> list[Case]:
    """Return the cases whose name contains or matches a pattern; all for None."""
    return [
        case for case in CASES if pattern is None or pattern in case.name or fnmatchcase(case.name, pattern)
    ]
