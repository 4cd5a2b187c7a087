"""The table of a comparison of planes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table
from treewright.studies.selection.table import ABSENT

if TYPE_CHECKING:
    from treewright.studies import PlaneComparison

METHOD_NAMES = {
    "rlp": "RLP",
    "fm_rlp": "FM_RLP, paper",
    "fm_rlp_swap": "FM_RLP, swap",
    "rlp_p": "RLP-P",
    "fm_rlp_p": "FM_RLP-P, paper",
    "fm_rlp_p_swap": "FM_RLP-P, swap",
    "path": "path, RLP",
    "path_p": "path, RLP-P",
    "c45": "C4.5 tree",
    "l1_logistic": "L1-logistic",
    "l1_svm": "L1-SVM",
    "l1_svm_k": "L1-SVM, k",
    "rfe_svm_k": "RFE-SVM, k",
    "abess_k": "abess, k",
}
"""Methods as the table writes them."""

MEANINGS = (
    (("rlp", "rlp_p"), "RLP: the plane of least error; -P: with perturbation."),
    (("fm_rlp", "fm_rlp_p"), "FM, paper: fewest features within the bound, by the published search."),
    (
        ("fm_rlp_swap", "fm_rlp_p_swap"),
        "FM, swap: the same by the search of this package, the plane of least error on its features.",
    ),
    (("path", "path_p"), "path: inner cross-validation chooses the number of features."),
    (("c45",), "The features of the tree are its internal nodes."),
    (
        ("l1_svm_k", "rfe_svm_k", "abess_k"),
        "k: told to use as many features as path, RLP, did in the same fold.",
    ),
)


def planes_table(comparison: PlaneComparison) -> Table:
    """Lay out a comparison of planes as in the second table of the paper.

    Parameters
    ----------
    comparison : PlaneComparison
        What `treewright.studies.compare_planes` found.

    Returns
    -------
    table : Table
        One row a method; of every data set the test error in percent with its standard error, the mean
        number of features, and seconds a fit.

    Examples
    --------
    >>> from treewright.studies.planes.table import planes_table
    >>> from treewright.studies import compare_planes
    >>> study = compare_planes("wdbc", methods=["rlp_p", "fm_rlp_p"], cv=3)
    >>> [column.name for column in planes_table(study).columns]
    ['method', 'error in %', 'features', 'seconds']
    """
    methods = list(comparison.methods)
    columns = [Column("method", [METHOD_NAMES[method] for method in methods], align="left")]
    found = {(row["data"], row["method"]): row for row in comparison.summary.records()}
    for data in comparison.data_sets.records():
        rows = [found.get((data["data"], method)) for method in methods]
        group = f"{data['data']}, {data['n_samples']:,} x {data['n_features']:,}"
        columns += [
            Column("error in %", [_error(row) for row in rows], group),
            Column("features", [_number(row, "n_features", ".1f") for row in rows], group),
            Column("seconds", [_number(row, "seconds", ".3f") for row in rows], group),
        ]
    return Table(_title(comparison), columns, _notes(comparison))


def _error(row: dict[str, Any] | None) -> str:
    if row is None:
        return ABSENT
    spread = row["standard_error"]
    return f"{100 * row['error']:.1f}" + (f" ± {100 * spread:.1f}" if spread == spread else "")


def _number(row: dict[str, Any] | None, field: str, form: str) -> str:
    return ABSENT if row is None else format(row[field], form)


def _title(comparison: PlaneComparison) -> str:
    settings = comparison.settings
    return (
        f"Planes and rivals: errors on held-out samples, {settings['repeats']} x {settings['cv']} folds, "
        "mean ± standard error"
    )


def _notes(comparison: PlaneComparison) -> list[str]:
    """Say what the methods are, how the path does at equal size, and what is missing."""
    notes = [text for methods, text in MEANINGS if any(method in comparison.methods for method in methods)]
    notes.append("Standard errors allow for samples that folds share.")
    against = comparison.against_path.records()
    for rival in sorted({row["method"] for row in against}, key=comparison.methods.index):
        told = [
            f"{row['data']} {100 * row['difference']:+.1f} ± {100 * row['standard_error']:.1f}"
            + (" (worse)" if row["is_worse"] else "")
            for row in against
            if row["method"] == rival
        ]
        notes.append(f"Error of path, RLP, less that of {METHOD_NAMES[rival]}, in points: {', '.join(told)}.")
    if comparison.absent:
        left_out = ", ".join(METHOD_NAMES[method] for method in comparison.absent)
        notes.append(f"Left out: {left_out} (the package is not installed).")
    if comparison.status == "stopped":
        done = len(comparison.per_fold) // len(comparison.methods)
        notes.append(f"Stopped after {counted_noun(done, 'fold')}.")
    return notes
