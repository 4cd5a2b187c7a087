"""What there is to know about the numbers of a study of distinct trees, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.studies import DistinctTreeStudy


def study_notes(study: DistinctTreeStudy, *, spread: str, cut: str) -> list[str]:
    """Say in sentences what is shown; `cut` is how that looks which a time limit cut short."""
    settings = study.settings
    notes = [
        f"{study.n_samples:,} samples, {study.n_features} features; trees by {settings['criterion']}.",
        "Trees are counted and timed on all samples. Errors: mean over "
        f"{settings['repeats']} x {settings['cv']} folds, of whose training samples "
        f"{100 * settings['validation_set']:g} % are the search set; {spread}.",
    ]
    return [*notes, *_estimated(study), *_cut_short(study, cut)]


def _estimated(study: DistinctTreeStudy) -> list[str]:
    n_grown = study.exhaustive["n_grown"][study.exhaustive["is_estimated"]].tolist()
    if not n_grown:
        return []
    least, most = min(n_grown), max(n_grown)
    trees = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return [
        f"Exhaustive time is estimated: mean time of the trees of {trees} random subsets, times "
        f"2^{study.n_features}."
    ]


def _cut_short(study: DistinctTreeStudy, cut: str) -> list[str]:
    n_counts = int((study.counts["status"] != "complete").sum())
    n_selections = int((study.per_fold["status"] == "time_limit").sum())
    notes = []
    if n_counts or n_selections:
        limit = study.settings["time_limit"]
        notes.append(
            f"{cut}: time limit of {limit:g} s reached, by {n_counts} of {len(study.counts)} counts and "
            f"{n_selections} of {len(study.per_fold):,} selections. A count is then a lower bound, its "
            "overhead that of the part seen."
        )
    if study.status == "stopped":
        notes.append("The study was stopped before its end.")
    return notes
