"""`treewright predict`: classes for new rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._input import input_kept
from treewright.cli._model import read_predicting
from treewright.cli._option import Option
from treewright.cli._options import (
    FILE,
    data_argument,
    file_option,
    options,
    output_option,
    takes_reading_of_rows,
)
from treewright.cli._output import write_whole
from treewright.cli._running import note
from treewright.cli._source import Reading, is_file, refuse_repeated
from treewright.cli._text import as_csv, as_json, cost_of, cost_told, header

if TYPE_CHECKING:
    from treewright.cli._model import Predicting
    from treewright.datasets import Rows


OF_WEIGHTS = (
    "Note: classes have different weights, and probabilities are of weights; a tree fitted with "
    "--probability raw has those of numbers of rows."
)


@click.command(
    cls=Command,
    first=(
        "keep",
        "proba",
        "path",
        "target",
        "weight",
        "missing_values",
        "delimiter",
        "encoding",
        "out",
        "as_json",
    ),
    examples=(
        "treewright predict tree.json new.csv",
        "treewright predict tree.json new.csv --keep id --out predicted.csv",
        "treewright predict found.json test.csv --target class --proba --out p.csv",
    ),
)
@options(
    click.argument("model", type=FILE),
    data_argument(),
    takes_reading_of_rows,
    click.option(
        "--keep",
        cls=Option,
        section="Output",
        multiple=True,
        metavar="COL",
        help="Column of DATA to write before the predictions, as it stands there; such as an id. Repeatable.",
    ),
    output_option("--proba", is_flag=True, help="Add the probability of every class."),
    output_option(
        "--path",
        is_flag=True,
        help="Add the leaf of every row and its path, or the rule that holds.",
    ),
    file_option(
        "--out",
        "out",
        "Write the predictions to a file instead of printing them; as JSON if its name ends in .json.",
        endings=(".csv", ".txt", ".json"),
    ),
    output_option("--json", "as_json", is_flag=True, help="Write JSON instead of CSV."),
)
def predict(
    model: Path,
    data: str,
    reading: Reading,
    keep: tuple[str, ...],
    proba: bool,
    path: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Predict the class of every row of DATA with the model in MODEL.

    MODEL is a file that another command wrote with --out: JSON with a tree, planes, or a list of
    rules, or the page of `treewright explore`. Only the columns that it tests are read; they are
    found by name, in any order. A category that it does not know counts as missing. With --target,
    or with a named data set, the errors are counted, by --weight if it is given.

    Predictions are CSV, one row for each row of DATA. With --keep COL that column
    of DATA stands before them, as an id does.
    """
    tree = read_predicting(model)
    if reading.weight is not None and reading.target is None and is_file(data):
        raise click.UsageError("--weight says how much errors count, and needs --target COL to count them.")
    refuse_repeated("--keep", keep)
    with input_kept(data):
        rows = reading.rows(tree, data)
        kept = _kept(tree, data, reading, keep, rows.features.n_samples)
    if proba and _is_weighted(tree):
        note(OF_WEIGHTS)
    found = Predictions(tree, rows, kept, proba, path)
    is_json = as_json or (out is not None and out.suffix.lower() == ".json")
    text = found.document(model, data) if is_json else found.table()
    if out is None:
        click.echo(text, nl=is_json)
    else:
        write_whole(out, f"{text}\n" if is_json else text)
    if rows.labels is not None:
        note(found.judged(rows.labels))


def _is_weighted(tree: Predicting) -> bool:
    """Whether probabilities are shares of weights that classes have by `class_weight`."""
    from treewright import Tree

    held = tree if isinstance(tree, Tree) else tree.telling
    return held.class_factors is not None and held.probability == "weighted"


def _kept(
    tree: Predicting, data: str, reading: Reading, names: Sequence[str], n_rows: int
) -> dict[str, list[str]]:
    """Return the columns that are asked for, as they are written."""
    if not names:
        return {}
    from treewright.cli._columns import texts_of

    return texts_of(tree, data, reading, names, n_rows)


@dataclass(frozen=True)
class Predictions:
    """Answers to rows, and what is written beside them."""

    tree: Predicting
    rows: Rows
    kept: Mapping[str, Sequence[str]]
    proba: bool
    path: bool

    @cached_property
    def answers(self) -> list[object]:
        """The class of every row."""
        return list(self.tree.predict(self.rows.features).tolist())

    @cached_property
    def probabilities(self) -> list[list[float]]:
        """The probabilities of every row, if they are asked for."""
        if not self.proba:
            return [[]] * len(self.answers)
        return list(self.tree.predict_proba(self.rows.features).tolist())

    @cached_property
    def leaves(self) -> list[tuple[int, str] | None]:
        """The leaf of every row and the way to it, if they are asked for."""
        if not self.path:
            return [None] * len(self.answers)
        nodes = self.tree.apply(self.rows.features).tolist()
        texts = self.tree.path_texts(nodes)
        return list(zip(nodes, texts, strict=True))

    def table(self) -> str:
        """Return all as CSV."""
        from treewright import Tree

        told = [f"probability of {label}" for label in self.tree.classes_] if self.proba else []
        place = "leaf" if isinstance(self.tree, Tree) else "rule"
        heads = [*self.kept, "prediction", *told, *((place, "path") if self.path else ())]
        refuse_repeated("The heading of the predictions", heads)
        first = 0 if place == "leaf" else 1
        rows = (
            [*kept, answer, *shares, *((leaf[0] + first, leaf[1]) if leaf else ())]
            for kept, answer, shares, leaf in self._rows()
        )
        return as_csv(heads, rows)

    def document(self, model: Path, data: str) -> str:
        """Return all as JSON."""
        from treewright.cli._header import model_facts, rows_facts

        rows = [
            {
                "kept": dict(zip(self.kept, kept, strict=True)),
                "prediction": answer,
                "probabilities": shares if self.proba else None,
                "leaf": None if leaf is None else leaf[0],
                "path": None if leaf is None else leaf[1],
            }
            for kept, answer, shares, leaf in self._rows()
        ]
        labels = self.rows.labels
        facts = {
            "model": model_facts(model, self.tree),
            "classes": self.tree.classes_.tolist(),
            "rows": rows,
            "errors": None if labels is None else self._errors(labels),
        }
        return as_json({**header("predictions", [rows_facts(data, self.rows)]), **facts})

    def judged(self, labels: Sequence[object]) -> str:
        """Say how many predictions are wrong, or what these weigh."""
        wrong, total = self._wrong(labels)
        told = f"{wrong:,} of {total:,} predictions are wrong ({wrong / total:.2%})"
        if self.rows.weights is not None:
            told = f"predictions of weight {wrong:,.10g} of {total:,.10g} are wrong ({wrong / total:.2%})"
        cost = cost_told(self.tree, labels, self.answers, self.rows.weights)
        return told + (f"; the answers {cost}" if cost else "")

    def _rows(self) -> Iterator[tuple[tuple[str, ...], object, list[float], tuple[int, str] | None]]:
        """Yield all that is told of every row."""
        return zip(self._beside(), self.answers, self.probabilities, self.leaves, strict=True)

    def _beside(self) -> Iterator[tuple[str, ...]]:
        """Yield what is kept of every row."""
        return zip(*self.kept.values(), strict=True) if self.kept else iter([()] * len(self.answers))

    def _wrong(self, labels: Sequence[object]) -> tuple[float, float]:
        is_wrong = [guess != label for guess, label in zip(self.answers, labels, strict=True)]
        weights = self.rows.weights
        if weights is None:
            return sum(is_wrong), len(is_wrong)
        return math.fsum(weights[is_wrong]), math.fsum(weights)

    def _errors(self, labels: Sequence[object]) -> dict[str, object]:
        wrong, total = self._wrong(labels)
        known = set(self.tree.classes_.tolist())
        has_cost = self.tree.cost_matrix is not None and known.issuperset(labels)
        cost = cost_of(self.tree, labels, self.answers, self.rows.weights) if has_cost else None
        return {"wrong": wrong, "of": total, "cost": cost}
