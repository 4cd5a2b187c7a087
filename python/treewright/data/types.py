"""Names of types: what users may pass, and the arrays that the package passes on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

TableLike = object
"""A 2-D array, a list of rows, a frame, a pyarrow table or a `Dataset`: what a table may come in."""

VectorLike = object
"""A 1-D array, a list or a series, or None where a parameter may be left out."""

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
AnyArray = NDArray[Any]
"""An array of any element type, such as one of class labels."""

Native = Any
"""A frame, a series or an array as its own package has it; few of these packages are ever imported."""

Value = Any
"""A value out of the user's data: its type is told at run time, by `labels.family`."""
