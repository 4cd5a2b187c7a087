"""What is certain, what is estimated, and how steady the choice is."""

from __future__ import annotations

from collections.abc import Iterator

import treewright.exploration.sentences as sentences
from treewright._base.html import element
from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import paragraph, section, told

_PROOFS = {
    "exact": (
        "The search that found the tree ran to its end: no other tree of its kind fits the rows it was made "
        "from better"
    ),
    "bound": (
        "The search that found the tree was cut short: another tree of its kind may fit the rows it was made "
        "from better, up to a bound"
    ),
}


def trust(found: Findings) -> str:
    """Return what is proven, what is estimated, what is not known."""
    parts = {"Certain": _certain(found), "Estimated": _estimated(found), "Not known": _unknown(found)}
    lists = [
        element("h3", told(name)) + element("ul", *(element("li", told(text)) for text in texts))
        for name, texts in parts.items()
    ]
    return section("What is proven, and what is only estimated", *lists)


def _certain(found: Findings) -> Iterator[str]:
    n = len(found.front_)
    yield (
        f"Of {n:,} candidates that were compared, the recommended tree is {sentences.rule_of_choice(found)}. "
        "Scores are compared exactly; of equal ones the first wins."
    )
    yield (
        "No row was answered by a tree that had learned from it, or that was chosen by it, where it says "
        "outer folds."
    )
    proof = found.tree_.describe().proof
    if proof.level == "nothing":
        yield (
            "Of the tree itself nothing is proven: it was grown step by step, and another one may fit these "
            "rows better."
        )
    else:
        yield (
            f"{_PROOFS[proof.level]}, by what this search counts ({proof.text}). It says nothing about new "
            "rows."
        )


def _estimated(found: Findings) -> Iterator[str]:
    error = found.error_
    yield (
        f"The error on new rows: {error.value:.1%}. In 95 of 100 such explorations the true value lies in an "
        f"interval like {error.low:.1%} to {error.high:.1%} (Wilson)."
    )
    yield (
        "It is the error of trees that are chosen this way from nine tenths of the rows or so. The "
        "recommended tree was made from all rows; mostly it errs a little less, but it alone was not "
        "tested."
    )
    yield (
        "Differences to other kinds of trees are means over the folds, with the correction of Nadeau and "
        "Bengio for what folds have in common."
    )
    if found.folding.row_groups is not None:
        yield "Rows of one group stay in one fold, and intervals are as wide as groups make them."
    if found.folding.times is not None:
        yield "Each fold was judged by trees of the rows before it, as the tree will be used."


def _unknown(found: Findings) -> Iterator[str]:
    yield (
        "How much the tree errs on rows of another place, another time, or of people that were chosen "
        "otherwise."
    )
    yield (
        "Whether a feature that the tree asks for is a cause. The tree tells what goes together in these "
        "rows."
    )
    if found.folding.row_groups is None:
        yield (
            "Whether rows belong together, as visits of one patient. If they do, the error is too low; "
            "explore again with --row-group COL."
        )


def steadiness(found: Findings) -> str:
    """Return how alike the choices of the folds are."""
    return section(
        "How steady the choice is",
        paragraph(
            "In every outer fold the whole choice was made anew, without the rows of the fold. The more "
            "alike these choices are, the more the tree says about the matter, and the less about the rows "
            "at hand."
        ),
        paragraph(
            sentences.steadiness(found), f"Their trees have {found.mean_size_:.1f} leaves on the mean."
        ),
    )
