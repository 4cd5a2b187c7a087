"""`treewright fixed-depth`: the best few questions to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

import click

from treewright._base.wording import shortened
from treewright.cli._command import Command, Option
from treewright.cli._options import (
    options,
    output_option,
    parameter_options,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._signature import given
from treewright.cli._source import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright import Dataset, FixedDepthTreeClassifier, Tree


def _read_costs(ctx: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Decimal]:
    """Read costs: a column, an equals sign, a number, exactly as it is written."""
    costs: dict[str, Decimal] = {}
    for text in texts:
        name, sign, cost = text.rpartition("=")
        try:
            exact = Decimal(cost)
        except InvalidOperation:
            sign = ""
        if name in costs and sign:
            raise click.BadParameter(f"{name!r} has two costs; give each column one.", ctx, parameter)
        if not sign or not name:
            raise click.BadParameter(
                f"{text!r} must be a column and what it costs, as in 'age=2.5'.", ctx, parameter
            )
        costs[name] = exact
    return costs


FIXED_DEPTH = "treewright.FixedDepthTreeClassifier"


@click.command(
    "fixed-depth",
    cls=Command,
    short_help="Find the best tree of fixed depth under naive Bayes.",
    examples=(
        "treewright fixed-depth tic-tac-toe",
        "treewright fixed-depth table.csv --target class --depth cv --out tree.json",
        "treewright fixed-depth table.csv --target class --cost scan=9.5 --budget 10",
    ),
)
@takes_data()
@options(
    *parameter_options(
        FIXED_DEPTH, "max_depth", "class_prior", "value_prior", "n_bins", "binning", section="Growing"
    ).values(),
    click.option(
        "--cost",
        "costs",
        cls=Option,
        section="Growing",
        parameter="feature_costs",
        multiple=True,
        metavar="COL=COST",
        callback=_read_costs,
        help="What it costs to ask for a column; columns not named cost nothing. Repeatable.",
    ),
    *parameter_options(FIXED_DEPTH, "cost_budget", "unseen", section="Growing").values(),
    *parameter_options(FIXED_DEPTH, "time_limit", section="Search").values(),
    output_option("--unknown", is_flag=True, help="Also say what to answer where a question has no answer."),
)
@takes_output(
    "Write all of it to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    picture="Draw which last question is best for every probability of the class, where there are two: a "
    ".png, .pdf or .svg file.",
)
def fixed_depth(
    data: str,
    reading: Reading,
    costs: dict[str, Decimal],
    unseen: str | None,
    unknown: bool,
    output: Output,
    **growing: object,
) -> None:
    """Find the decision tree of a given depth that is optimal under naive Bayes.

    Each question is for the value of one column, and which comes next depends
    on the answers; in the end a class is named. Of all such trees this is one
    that is right most often if columns are independent within each class, as
    naive Bayes takes them to be. Missing values are left out of counts.
    """
    from treewright import FixedDepthTreeClassifier

    if unknown and unseen == "skip":
        raise click.UsageError(
            "--unknown goes with --unseen stop: with skip the answer is averaged over all that may follow."
        )
    dataset = reading.load(data)
    asked = given(**growing, unseen=unseen, feature_costs=_in_order(costs, dataset))
    model = FixedDepthTreeClassifier(**asked).fit(dataset)
    if output.picture is not None and len(model.classes_) != 2:
        raise click.UsageError(f"--plot needs two classes; DATA has {len(model.classes_)}.")
    output.give(
        document=lambda: _document(data, dataset, model),
        text=lambda: _text(data, dataset, model, unknown),
        plot=lambda: model.opt_feature_list_.plot(),
        use=f"The tree is in {{out}}; {IS_USED}",
    )


def _in_order(costs: dict[str, Decimal], dataset: Dataset) -> list[Decimal] | None:
    """Return one cost a column."""
    unknown = sorted(set(costs).difference(dataset.feature_names))
    if unknown:
        raise click.UsageError(
            f"--cost names {unknown[0]!r}, which is no column to ask for; there are "
            f"{shortened(dataset.feature_names)}."
        )
    return [costs.get(name, Decimal(0)) for name in dataset.feature_names] if costs else None


def _text(name: str, dataset: Dataset, model: FixedDepthTreeClassifier, tells_unknown: bool) -> str:
    """Return the report: data, what the tree is worth, the questions."""
    from treewright.cli._text import described, joined

    questions = Questions(model.tree_, model.bin_edges_, tells_unknown)
    return joined([described(name, dataset), _worth(model), "\n".join(questions.lines())])


def _worth(model: FixedDepthTreeClassifier) -> str:
    """Say what the tree is worth, and how sure that is."""
    from treewright.cli._text import filled, plural, seconds

    search, depth = model.search_, model.depth_
    chosen = ", chosen by cross-validation" if model.max_depth == "cv" else ""
    budget = "" if model.cost_budget is None else f", within a budget of {model.cost_budget:.15g}"
    worth = (
        f"At most {plural(depth, 'question')}{chosen}{budget}. Right for "
        f"{100 * model.training_accuracy_:.1f}% of these rows; "
        f"{100 * model.expected_accuracy_:.1f}% expected under naive Bayes"
    )
    proven = ", the most there is" if search.status == "optimal" else ""
    bound = 1 - (search.bound or 0)
    rest = "" if proven else f" {search.message} No tree is right for more than {100 * bound:.1f}%."
    return filled(f"{worth}{proven} (found in {seconds(search.elapsed)}).{rest}")


def _document(name: str, dataset: Dataset, model: FixedDepthTreeClassifier) -> str:
    """Return the result as JSON, the tree with thresholds in place of bins."""
    from treewright.cli._text import document

    search = model.search_
    facts = {
        "depth": model.depth_,
        "expected_accuracy": model.expected_accuracy_,
        "training_accuracy": model.training_accuracy_,
        "search": {
            "status": search.status,
            "cost": search.cost,
            "bound": search.bound,
            "n_searched": search.n_searched,
            "seconds": search.elapsed,
        },
        "tree": model.threshold_tree(),
    }
    return document("fixed-depth", name, dataset, facts)


INDENT = "   "

Alike = tuple[int, int, tuple["Alike", ...]]
"""A feature (-1: none), the class that is told at the node (-1: none), what follows from each value."""


@dataclass(frozen=True)
class Questions:
    """A tree, where its numbers are cut, and whether to say what follows from no answer."""

    tree: Tree
    edges: Sequence[NDArray[np.float64] | None]
    tells_unknown: bool

    def lines(self) -> list[str]:
        """Return the questions, one answer a line."""
        if not self.tree.n_children[0]:
            return [f"Ask nothing; the answer is {self._verdict([0])}."]
        return [self._question(0), *self._answers([0], INDENT)]

    def _question(self, node: int) -> str:
        name, cuts = self.tree.feature_names[self.tree.feature[node]], self._cuts(node)
        if cuts is None or len(cuts) != 1:
            return f"{name}?"
        return f"{name} above {self._levels(node)[1].removeprefix('above ')}?"

    def _answers(self, nodes: Sequence[int], indent: str) -> Iterator[str]:
        """Yield a line for every group of answers, and what is below it; `nodes` go on all alike."""
        for branches in self._groups(nodes[0]):
            answers = self._answers_to(nodes[0])
            answer = ", ".join(answers[branch] for branch in branches)
            below = [int(self.tree.first_child[node]) + branch for branch in branches for node in nodes]
            if self.tree.n_children[below[0]]:
                yield f"{indent}{answer}: {self._question(below[0])}"
                yield from self._answers(below, indent + INDENT)
            else:
                yield f"{indent}{answer}: {self._verdict(below)}"
        if self.tells_unknown:
            yield f"{indent}(not known: {self._verdict(nodes)})"

    def _groups(self, node: int) -> list[list[int]]:
        """Put answers together after which all goes on alike."""
        first, groups = int(self.tree.first_child[node]), dict[Alike, list[int]]()
        for branch in range(int(self.tree.n_children[node])):
            groups.setdefault(self._course(first + branch), []).append(branch)
        return list(groups.values())

    def _course(self, node: int) -> Alike:
        """Return all that is asked and answered from a node on, as what compares."""
        first, n_children = int(self.tree.first_child[node]), int(self.tree.n_children[node])
        told = int(self.tree.node_class[node]) if self.tells_unknown or not n_children else -1
        below = tuple(self._course(child) for child in range(first, first + n_children))
        return int(self.tree.feature[node]), told, below

    def _verdict(self, nodes: Sequence[int]) -> str:
        """Say the most probable class once one of the nodes is reached, and how probable it is."""
        weights = self.tree.class_weights[list(nodes)].sum(axis=0)
        if not weights.any():
            return str(self.tree.classes_[self.tree.node_class[nodes[0]]])
        place = int(weights.argmax())
        return f"{self.tree.classes_[place]} ({100 * weights[place] / weights.sum():.0f} %)"

    def _answers_to(self, node: int) -> Sequence[str]:
        cuts = self._cuts(node)
        return ("no", "yes") if cuts is not None and len(cuts) == 1 else self._levels(node)

    def _cuts(self, node: int) -> NDArray[np.float64] | None:
        return self.edges[int(self.tree.feature[node])]

    def _levels(self, node: int) -> list[str]:
        return [str(level) for level in self.tree.levels[int(self.tree.feature[node])] or []]
