"""What a plane cannot be found for, refused: data of one class, costs of other features, other samples."""

from __future__ import annotations

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.warn import warn
from treewright._base.wording import UNSET, Value
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray
from treewright.planes.options import PlaneOptions
from treewright.planes.rows import DROPPED, ClassRows

MOST_ROWS = 1000
"""Rows up to which the fewest misclassified ones can mostly be proven, with up to three features."""


def warn_of_many_rows(n_rows: int, options: PlaneOptions) -> None:
    """Warn if a proof of the fewest misclassified rows has no limit, and more rows than it is made for."""
    if options.counts_rows and options.prove == np.inf and n_rows > MOST_ROWS:
        warn(
            f"the proof of the fewest misclassified rows is for small problems, of up to {MOST_ROWS:,} rows; "
            f"X has {n_rows:,}, so it may not end; limit it to seconds, such as prove=60, fit a random "
            'sample, or choose error="distance"',
            about="rows of a proof",
        )


def check_rows(rows: ClassRows, training: TrainingSet, options: PlaneOptions) -> None:
    """Refuse data of one class, and costs for other features."""
    n_features = training.dataset.n_features
    if options.feature_costs is not None and len(options.feature_costs) != n_features:
        has = f"has {len(options.feature_costs)} numbers, but X has {n_features} features"
        raise ParameterError("feature_costs", UNSET, has, "give one a feature")
    classes = training.classes.tolist()
    counts = np.bincount(rows.target, minlength=len(classes))
    if len(counts) < 2:
        without = "" if training.kept.all() else " among samples of positive weight"
        remedy = "; a plane is between classes, give two"
        raise DataError(f"y has one class only{without}, ", Value(classes[0]), remedy)
    if not counts.all():
        label = Value(classes[int(np.argmin(counts))])
        if (
            training.counted.n_lost
            and not training.counted.values[training.target == np.argmin(counts)].any()
        ):
            raise DataError("no sample of class ", label, " weighs enough beside the others to count")
        raise DataError("no sample of class ", label, " is without missing values", *DROPPED)


def check_same(rows: ClassRows, training: TrainingSet, classes: AnyArray, n_rows: int) -> None:
    """Refuse to verify on samples that cannot be those of ``fit``."""
    remedy = "; verify checks what fit claims of its own samples, give those"
    found, expected = training.classes.tolist(), classes.tolist()
    if found != expected:
        raise DataError("y has the classes ", Value(found), ", but fit had ", Value(expected), remedy)
    if len(rows.target) != n_rows:
        has = f"X has {len(rows.target)} samples of positive weight to learn from, but fit had {n_rows}"
        raise DataError(has + remedy)
