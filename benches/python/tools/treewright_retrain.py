"""Our own package as the black box: every tree grown from scratch, with the same fast kernels."""

from __future__ import annotations

from ...data import Table
from . import treewright
from .job import Job

PACKAGE = treewright.PACKAGE
SETTINGS = {"eliminate": 'BackwardEliminationSelector(validation_set=mask, strategy="retrain").fit(X, y)'}


def eliminate(table: Table) -> Job:
    """Eliminate features, untested ones tried as well."""
    return treewright.eliminate(table, strategy="retrain")
