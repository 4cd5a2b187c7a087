"""How the answers turned out: by class, by probability, by subgroup, by cost; and the tree as rules."""

from __future__ import annotations

from collections.abc import Mapping

import treewright.exploration.sentences as sentences
from treewright._base.shown import shown_values
from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import brief, from_all, from_outer, of_table, paragraph, section
from treewright.reporting import Column, Table
from treewright.trees.rules.rules import Rules

LONGEST_RULE = 2000
OF_SHARES = "coverage, share and lift"
"""A note on figures that this page does not have is left out."""
RECALL = "Recall: the share of the rows of a class that get this answer (for a disease: the sensitivity). "
AUC = "AUC: how often a row of the class has a higher probability of it than another row."
BALANCED = (
    "The balanced error is the mean over the classes of the share that gets another answer, 100% minus the "
    "recall. All figures here are of the rows as they are."
)


def rules(found: Findings, most: int) -> str:
    """Return the tree as rules."""
    made = found.tree_.rules()
    most = most if len(made) <= most else most // 2
    n_more = len(made) - most
    more = (
        [f"{n_more:,} more rules are not shown; treewright rules report.html prints them all."]
        if n_more > 0
        else []
    )
    return section(
        "The tree as rules",
        paragraph(
            "The same tree, a line for each leaf. For a row without gaps exactly one rule holds. Rows and "
            "wrong: how many rows the rule holds for, and how many of them are of another class."
        ),
        of_table(_rules_table(made, most), class_="rules", longest=LONGEST_RULE),
        paragraph(*(brief(note, LONGEST_RULE) for note in made.notes if OF_SHARES not in note), *more),
        from_all(found, "Rows and wrong count"),
    )


def _rules_table(made: Rules, most: int) -> Table:
    kept = made.rules[:most]
    return Table(
        "",
        [
            Column("if", [_conditions(made, place) for place in range(len(kept))], align="left"),
            Column("then", [brief(made.words.class_text(one.label), 32) for one in kept], align="left"),
            Column("rows", [_count(one.figures.n) for one in kept]),
            Column(
                "wrong", ["" if one.figures.errors is None else _count(one.figures.errors) for one in kept]
            ),
        ],
    )


def _conditions(made: Rules, place: int) -> str:
    """Write the conditions of a rule; of each long one the ends."""
    one = made.rules[place]
    texts = [brief(made.words.of([condition]), 140) for condition in one.conditions]
    return (
        " and ".join(f"({text})" if " or " in text and len(texts) > 1 else text for text in texts) or "always"
    )


def _count(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def answers(found: Findings) -> str:
    """Return confusion matrix, figures of classes, and calibration."""
    tables = found.evaluation_.tables()
    is_weighed = found.dataset.sample_weight is not None
    return section(
        "Right and wrong answers",
        paragraph(
            "A line for each true class, a column for each answer; right answers stand on the diagonal."
            + (" Cells are sums of weights." if is_weighed else " Cells are numbers of rows.")
        ),
        of_table(tables["confusion"], class_="answers"),
        paragraph(BALANCED) if found.settings.metric != "error" else "",
        _predictive(found, tables),
        from_outer(found),
    )


def _predictive(found: Findings, tables: Mapping[str, Table]) -> str:
    """Return the figures of classes, and calibration."""
    labels = shown_values(found.evaluation_.answers.classes)
    of = f"of the class {brief(labels[1], 40)}" if len(labels) == 2 else "of the class that was answered"
    precision = "Precision: the share of these answers that are right (the predictive value). "
    return "".join(
        [
            paragraph(RECALL + precision + AUC),
            of_table(tables["classes"]),
            paragraph(
                f"Probabilities {of}, beside the share of rows that turned out so. They can be trusted where "
                "the two are alike. Neighbouring probabilities are put together."
            ),
            of_table(tables["calibration"]),
        ]
    )


def subgroups(found: Findings) -> str:
    """Return the figures of subgroups, if there are some."""
    tables = found.evaluation_.tables()
    if "subgroups" not in tables:
        return ""
    known = found.subgroups
    name = "" if known is None or known.name is None else f": {brief(known.name)}"
    return section(
        f"By subgroup{name}",
        paragraph(
            "The answers to the rows of each subgroup alone. A small subgroup has a wide interval; where "
            "intervals overlap much, a difference can be chance."
        ),
        of_table(tables["subgroups"]),
        from_outer(found),
    )


def costs(found: Findings) -> str:
    """Return the costs that were given, and what answers cost."""
    matrix, mean = found.settings.cost_matrix, found.evaluation_.mean_cost
    if matrix is None or mean is None:
        return ""
    labels = [brief(one, 40) for one in shown_values(found.evaluation_.answers.classes)]
    cells = [[f"{cost:,.6g}" for cost in row] for row in zip(*matrix, strict=True)]
    columns = [Column(label, column, group="answered") for label, column in zip(labels, cells, strict=True)]
    majority = found.figure_of(sentences.MAJORITY)
    return section(
        "Costs",
        paragraph("What each answer costs, as it was given. Trees were grown and chosen by it."),
        of_table(Table("", [Column("true class", labels, align="left"), *columns])),
        paragraph(
            f"An answer costs {mean:.4g} on the mean; to answer the cheapest class always costs "
            f"{majority:.4g}."
        ),
        from_outer(found),
    )
