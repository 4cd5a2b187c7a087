"""Every error of the data door, worded in one place.

Each function takes facts and returns the exception: what is wrong, where, and the remedy.
"""

from treewright.data.intake.messages import (
    fitted,
    parameters,
    table,
    target,
    values,
    weights,
)

__all__ = ["fitted", "parameters", "table", "target", "values", "weights"]
