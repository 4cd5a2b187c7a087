"""What the tree was compared with: other sizes, other families, black boxes."""

from __future__ import annotations

import treewright.exploration.sentences as sentences
from treewright._base.html import element
from treewright.exploration.comparison import written
from treewright.exploration.findings import Findings
from treewright.exploration.page.chart import chart
from treewright.exploration.page.parts import (
    folded,
    from_inner,
    from_outer,
    of_table,
    paragraph,
    section,
    told,
)
from treewright.exploration.report import choices_table, families_table, front_table
from treewright.reporting import Column, Table

MOST_ROWS = 150


def sizes(found: Findings) -> str:
    """Return the front as a picture and as a table."""
    n = len(found.front_)
    return section(
        "Size against error",
        paragraph(
            "Each point is a tree of all rows. A point is on the front if every smaller tree errs more. "
            "Further to the right a tree has more leaves and is harder to read. The recommended tree is "
            f"{sentences.rule_of_choice(found)}."
        ),
        paragraph(sentences.on_planes(found)),
        chart(found),
        from_inner(found),
        of_table(front_table(found), title=False),
        folded(
            f"All {n:,} candidates"
            if n <= MOST_ROWS
            else f"The first {MOST_ROWS} of {n:,} candidates, by size",
            of_table(_all(found), title=False),
        ),
    )


def _all(found: Findings) -> Table:
    rows, cost = found.front_[:MOST_ROWS], sentences.is_cost(found)
    names = zip(rows["family"].tolist(), rows["candidate"].tolist(), strict=True)
    ends = zip(rows["low"].tolist(), rows["high"].tolist(), strict=True)
    return Table(
        "",
        [
            Column("tree", [f"{found.title_of(name)}: {one}" for name, one in names], align="left"),
            Column("leaves", [f"{n:,}" for n in rows["n_leaves"].tolist()]),
            Column("features", [f"{n:,}" for n in rows["n_features"].tolist()]),
            Column("questions", [f"{n:.2f}" for n in rows["questions"].tolist()]),
            Column(sentences.measure(found), [written(one, is_cost=cost) for one in rows["error"].tolist()]),
            Column(
                "95 %", [f"{written(low, is_cost=cost)}-{written(high, is_cost=cost)}" for low, high in ends]
            ),
            Column(
                "on the front", ["yes" if one else "" for one in rows["is_on_front"].tolist()], align="left"
            ),
        ],
    )


def choices(found: Findings) -> str:
    """Return what other prices and limits choose."""
    table = choices_table(found)
    return section(
        "Smaller and larger trees",
        paragraph(
            "What would be recommended if a doubling of the leaves cost half or twice as much, if there "
            "were no limit of the size, and if a tree may have so many leaves at most. Errors in %, each of "
            "trees that were chosen so."
        ),
        of_table(table, title=False),
        from_outer(found),
    )


def families(found: Findings) -> str:
    """Return what other kinds of trees, and black boxes, err."""
    unit = "what an answer costs" if sentences.is_cost(found) else "points"
    text = (
        "Each kind of tree with the best choice of its own in every fold. A difference above 0 says that "
        "it errs more than what is recommended; where its interval holds 0, the two may be equally good. "
        f"Errors in %, differences in {unit}."
    )
    box = sentences.beside_ceiling(found) or (
        "No black box was judged, so it is not known what a small tree gives away."
    )
    gone = [element("li", told(f"{one}.")) for one in sentences.left_out(found)]
    return section(
        "Other kinds of trees, and black boxes",
        paragraph(box),
        paragraph(text),
        of_table(families_table(found, titles=True), title=False),
        from_outer(found),
        paragraph("Left out:") + element("ul", *gone) if gone else "",
    )
