"""`treewright evaluate`: how good a saved tree is, on new rows or by cross-validation of what made it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._header import model_facts, rows_facts
from treewright.cli._input import input_kept
from treewright.cli._model import read_model
from treewright.cli._option import Option
from treewright.cli._options import (
    FILE,
    data_argument,
    file_option,
    options,
    takes_output,
    takes_reading_of_rows,
)
from treewright.cli._output import Output, write_whole
from treewright.cli._running import note
from treewright.cli._signature import Given
from treewright.cli._source import Reading, is_file
from treewright.cli._text import as_json, filled, header, joined, screen_width

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.cli._folds import Judged
    from treewright.studies import Evaluation


Facts = dict[str, object]

_cv_option = partial(click.option, cls=Option, section="Cross-validation")


@click.command(
    cls=Command,
    first=(
        *("target", "by", "weight", "missing_values", "cv", "repeats", "row_group", "time_column"),
        *("sensitivity", "save_model", "out", "as_json"),
    ),
    examples=(
        "treewright evaluate tree.json new.csv --by sex",
        "treewright evaluate tree.json table.csv --cv 10 --repeats 5",
        "treewright evaluate tree.json visits.csv --cv 10 --row-group patient",
    ),
)
@options(
    click.argument("model", type=FILE),
    data_argument(),
    takes_reading_of_rows,
    click.option(
        "--by",
        cls=Option,
        section="Data",
        metavar="COL",
        help="Column of DATA whose values part the rows into subgroups; of many numbers, quarters.",
    ),
    _cv_option(
        "--cv",
        type=click.IntRange(min=2),
        metavar="N",
        help="Cross-validation with N folds: the command that made the model is run again without each fold.",
    ),
    _cv_option(
        "--repeats",
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Number of repetitions of --cv. Each has other folds.",
    ),
    _cv_option(
        "--row-group", metavar="COL", help="With --cv, column whose rows of one value stay in one fold."
    ),
    _cv_option(
        "--time-column",
        metavar="COL",
        help="With --cv, column of times; a model learns from the rows before its fold.",
    ),
    _cv_option(
        "--seed", type=click.IntRange(0, 2**32 - 1), default=0, metavar="N", help="Random seed of the folds."
    ),
    _cv_option(
        "--sensitivity",
        type=click.FloatRange(0, 1, min_open=True),
        metavar="SHARE",
        help=(
            "With --cv and two classes, decide so that this share of the positive one is found, by a "
            "threshold that is chosen inside of every fold."
        ),
    ),
    _cv_option(
        "--positive",
        metavar="LABEL",
        otherwise="the second class",
        help="The class that --sensitivity is about.",
    ),
    file_option(
        "--save-model",
        "save_model",
        "Write the model with the threshold of --sensitivity to a file.",
        endings=(".json",),
    ),
)
@takes_output("Write the figures to a JSON file.", "as_json", "progress")
def evaluate(
    model: Path,
    data: str,
    reading: Reading,
    by: str | None,
    cv: int | None,
    save_model: Path | None,
    output: Output,
    **chosen: object,
) -> int:
    """Evaluate the tree in MODEL on the rows of DATA, or the command that made it by cross-validation.

    Printed are the confusion matrix, the error with its interval, recall and
    precision of each class, the area under the ROC curve, and probabilities
    beside what turned out.

    On rows that the tree has learned from, errors are too few: give rows that it
    has not seen, or --cv. A result that holds several trees is evaluated by the
    one that `treewright predict` uses. The class is in the column that the tree
    learned it from, or in that of --target.
    """
    tree, folds = read_model(model), Given(chosen)
    with input_kept(data):
        if cv is None:
            _refuse_alone(save_model, folds)
            (found, facts), judged = _on_rows(tree, data, reading, by), None
        else:
            from treewright.cli._folds import Folds, judge

            judged = judge(model, tree, data, reading, by, Folds(n=cv, **folds), output.progress)
            found, facts = judged.evaluation, judged.data
    if judged is not None and save_model is not None:
        write_whole(save_model, judged.kept_in(tree).to_json())
    title = f"{model.name} on {data}" if judged is None else judged.title
    width = min(screen_width(), 100)
    output.give(
        document=lambda: _document(model, tree, facts, found, judged),
        text=lambda: joined(
            [filled(title), found.to_text(width), *([] if judged is None else judged.sentences)]
        ),
    )
    return 0 if judged is None else judged.exit_code


def _refuse_alone(save_model: Path | None, folds: Given) -> None:
    given = [
        name for name in ("row_group", "time_column", "sensitivity", "positive") if folds[name] is not None
    ]
    if given or save_model is not None or folds["repeats"] > 1:
        name = given[0] if given else "save_model" if save_model is not None else "repeats"
        raise click.UsageError(f"--{name.replace('_', '-')} goes with --cv N, which makes the folds.")


def _on_rows(tree: Tree, data: str, reading: Reading, by: str | None) -> tuple[Evaluation, Facts]:
    """Evaluate a tree on rows, and tell of these; say where it has learned from them."""
    from treewright.cli._columns import is_training_data, subgroups_of
    from treewright.studies import evaluate_answers

    if is_file(data) and reading.target is None:
        reading = replace(reading, target=reading.learned_by(tree).target)
    rows = reading.rows(tree, data)
    if rows.labels is None:
        raise click.UsageError(f"The rows of {data} need --target COL, the column that holds their class.")
    is_known = is_training_data(tree, data, reading)
    if is_known:
        note(
            "Note: the tree was made from these rows, so its errors on them are too few; give rows that it "
            "has not seen, or --cv 10."
        )
    found = evaluate_answers(
        tree.classes_.tolist(),
        rows.labels,
        tree.predict(rows.features).tolist(),
        tree.predict_proba(rows.features),
        sample_weight=rows.weights,
        by=None if by is None else subgroups_of(data, _as_learned(reading, tree), by, len(rows.labels)),
        cost_matrix=tree.cost_matrix,
    )
    return found, {**rows_facts(data, rows), "made_the_model": is_known}


def _as_learned(reading: Reading, tree: Tree) -> Reading:
    """Return a reading by which missing values are written as in the file that a tree is from."""
    return replace(reading, missing_values=reading.missing_values or reading.learned_by(tree).missing_values)


def _document(model: Path, tree: Tree, data: Facts, found: Evaluation, judged: Judged | None) -> str:
    facts = {
        **header("evaluation", [data]),
        "model": model_facts(model, tree),
        "cross_validation": None if judged is None else judged.facts,
        **found.to_dict(),
    }
    return as_json(facts)
