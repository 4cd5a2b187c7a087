"""From a table to the small tree to use: families of trees, compared and chosen by folds inside of folds.

`treewright.explore` does it. A family of your own is a `Family` that `register` puts among the
others; a `ModelFamily` or a `BlackBox` is only compared.
"""

from __future__ import annotations

from treewright.exploration.comparison import Compared, Comparison
from treewright.exploration.explore import explore
from treewright.exploration.families import register
from treewright.exploration.family import Asked, BlackBox, Family, ModelFamily
from treewright.exploration.findings import Choice
from treewright.exploration.result import Exploration
from treewright.exploration.run import Dropped
from treewright.exploration.shape import Shape
from treewright.exploration.stability import Stability

__all__ = [
    "Asked",
    "BlackBox",
    "Choice",
    "Compared",
    "Comparison",
    "Dropped",
    "Exploration",
    "Family",
    "ModelFamily",
    "Shape",
    "Stability",
    "explore",
    "register",
]
