"""How to use the tree, how it was made, and what the words mean."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import treewright.exploration.sentences as sentences
from treewright._base.errors import TreewrightError
from treewright._base.html import element
from treewright._base.wording import COMMAND
from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import brief, code, facts, folded, lines, paragraph, section, told

TREE = "treewright-tree"
"""What the part of a page is called that holds the tree."""
LONGEST_SQL = 40_000
"""Characters of SQL that are shown."""


def use(found: Findings, *, holds_tree: bool) -> str:
    """Return how rows are answered."""
    file = "report.html" if holds_tree else "tree.json"
    where = (
        "This file holds the tree. Here it is called report.html, and new.csv is a table with the same "
        "columns."
        if holds_tree
        else "The tree is too large for this file; `treewright explore … --save-model tree.json` writes it."
    )
    ways = {
        "Answer new rows": f"treewright predict {file} new.csv --proba",
        "Explain an answer": f"treewright explain {file} --row new.csv",
        "Measure the error on new rows": f"treewright evaluate {file} new.csv --target COL",
        "Draw the tree, to fold and search": f"treewright draw {file} --out tree.html",
        "A formula for a spreadsheet": f"treewright export {file} --to excel",
    }
    return section(
        "How to use the tree",
        paragraph(where),
        facts([(what, code(line)) for what, line in ways.items()]),
        *_sql(found),
    )


def _sql(found: Findings) -> Iterator[str]:
    try:
        text = found.tree_.export("sql")
    except TreewrightError as error:
        yield paragraph(f"The tree cannot be written in SQL: {brief(str(error), 300)}.")
        return
    assert isinstance(text, str), "SQL is text"
    if len(text) > LONGEST_SQL:
        command = code("treewright export report.html --to sql")
        yield element("p", told("The tree is too long to show in SQL; "), command, told(" writes it."))
        return
    yield folded("The tree in SQL, an expression over the columns of a table", lines(text.rstrip("\n")))


def made(found: Findings) -> str:
    """Return command, data, settings, versions and time."""
    command, (rows, columns) = COMMAND.get(), found.dataset.shape
    source, settings = found.dataset.source, found.settings
    name = "" if source is None or source.name is None else f"{brief(str(source.name))}, "
    folds = (
        f"{_times(found)} outer folds, {found.folding.words}; {settings.inner_cv} inner folds in each; "
        "random "
        f"seed {settings.random_state}"
    )
    most = settings.max_leaf_nodes
    pairs = {
        "data": f"{name}{rows:,} rows, {columns:,} features, hash {found.dataset.content_hash}",
        "folds": folds,
        "what counts": _counted(found),
        "price of a doubling": sentences.price(found),
        "largest tree": "no limit" if most is None else f"{most} leaves",
        "families": ", ".join(settings.families),
        "time": sentences.time_taken(found),
        "versions": ", ".join(_versions()),
        "written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    }
    first = code(command) if command else code("treewright.explore(…)") + told(", from Python")
    again = (
        "The same command with the same data, version and seed gives the same tree and the same figures, "
        "for every number of threads, as long as no time limit is hit."
    )
    return section(
        "How this was made",
        facts([("command", first), *((one, told(text)) for one, text in pairs.items())]),
        paragraph(again),
    )


def _times(found: Findings) -> str:
    settings = found.settings
    return f"{settings.repeats} x {settings.cv}" if settings.repeats > 1 else f"{settings.cv}"


def _counted(found: Findings) -> str:
    if sentences.is_cost(found):
        return "the cost of answers"
    return "wrong answers" if found.settings.metric == "error" else "wrong answers, every class alike"


def _versions() -> Iterator[str]:
    for name in ("treewright", "scikit-learn", "numpy"):
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
    yield f"Python {platform.python_version()}"


WORDS = {
    "row, feature, class": (
        "A row is one example, such as a patient; a feature is one of its columns; the class is what is to "
        "be told."
    ),
    "leaf": "An end of the tree, with an answer. The number of leaves is the size of the tree.",
    "error": "The share of rows whose answer is wrong.",
    "point": "A hundredth: from 5% to 7% it is two points.",
    "outer folds": (
        "The rows are parted, ten times as a rule. Each time one part is set aside, everything is chosen "
        "from the others, and the part says how often that errs."
    ),
    "inner folds": "The same within the rows that are not set aside. By them a tree is chosen.",
    "interval of 95 %": "A range that holds the true value in 95 of 100 cases.",
    "black box": (
        "A model of many trees that no one can read. It shows what could be told from the data at best."
    ),
    "front": "Trees than which no smaller one errs less.",
}


def words() -> str:
    """Return what the words of the page mean."""
    return section("Words on this page", facts([(word, told(text)) for word, text in WORDS.items()], "words"))


def embedded(found: Findings) -> str:
    """Return the tree as a part of a page that `treewright predict` finds."""
    text = json.dumps(json.loads(found.tree_.to_json()), ensure_ascii=True, separators=(",", ":"))
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{TREE}">{safe}</script>'
