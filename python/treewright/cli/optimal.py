"""`treewright optimal`: the tree of least training error within a depth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._growing import takes_classes
from treewright.cli._labels import with_labels
from treewright.cli._option import Option
from treewright.cli._options import (
    check_resume,
    options,
    parameter_options,
    resume_options,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._running import FirstCtrlC, ProgressLine, note
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading
from treewright.cli._text import (
    described,
    document,
    filled,
    joined,
    plural,
    screen_width,
    search_facts,
    seconds,
)

if TYPE_CHECKING:
    from treewright import Dataset, OptimalTreeClassifier
    from treewright.results import Progress

OPTIMAL = "treewright.OptimalTreeClassifier"


@click.command(
    "optimal",
    cls=Command,
    first=(
        "target",
        "drop",
        "max_depth",
        "leaf_penalty",
        "max_leaf_nodes",
        "min_samples_leaf",
        "nominal_splits",
        "path",
        "time_limit",
        "picture",
        "out",
        "as_json",
    ),
    examples=(
        "treewright optimal iris --depth 2",
        "treewright optimal table.csv --target class --leaf-penalty 2 --out tree.json",
        "treewright optimal table.csv --target class --depth 4 --time-limit 60",
        "treewright optimal table.csv --target class --checkpoint run.json --resume",
        "treewright optimal iris --path --plot path.png",
    ),
)
@takes_data()
@options(
    *parameter_options(
        OPTIMAL,
        "max_depth",
        "leaf_penalty",
        "max_leaf_nodes",
        "min_samples_leaf",
        "nominal_splits",
        section="Growing",
    ).values(),
    takes_classes,
    click.option(
        "--path",
        cls=Option,
        section="Growing",
        is_flag=True,
        help="Find the best tree for every price of a leaf, for every depth up to --depth.",
    ),
    *parameter_options(
        OPTIMAL, "time_limit", "node_limit", "memory_limit", "n_jobs", section="Search"
    ).values(),
    *resume_options().values(),
)
@takes_output(
    "Write the result to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    "progress",
    picture="Draw cost and bound by time, or the path of --path: a .png, .pdf or .svg file.",
)
def optimal(
    data: str,
    reading: Reading,
    answering: Given,
    path: bool,
    checkpoint: Path | None,
    resume: bool,
    output: Output,
    **growing: object,
) -> int:
    """Find the decision tree with the fewest errors of all trees of a depth.

    Every threshold of every numeric column is tried, and every value of every
    other one. The tree is proven to be the best, or, where a limit ends the
    search, no tree is better than the bound that is printed. With
    --cost-matrix it has the least cost of wrong answers; with --leaf-penalty
    every leaf must save so many errors; --path shows the trees of all prices.
    """
    from treewright import OptimalTreeClassifier

    if path and (growing["max_depth"] == "cv" or growing["leaf_penalty"] is not None):
        raise click.UsageError("--path has every price and depth: leave out --leaf-penalty and --depth cv.")
    if path and checkpoint is not None:
        raise click.UsageError("--checkpoint keeps one search, and --path is many: leave out one of them.")
    check_resume(checkpoint, resume)
    dataset = reading.load(data)
    asked = given(**growing) | with_labels(answering, dataset)
    if path:
        return _path(data, dataset, asked, output)
    asked |= given(checkpoint=checkpoint)
    with FirstCtrlC() as stop, SearchLine(output.progress) as line:
        model = OptimalTreeClassifier(**asked, resume=resume, callback=stop.after(line)).fit(dataset)
    output.give(
        document=lambda: _document(data, dataset, model),
        text=lambda: joined([described(data, dataset), _worth(model), model.tree_.export_text().rstrip()]),
        plot=lambda: model.search_.plot(),
        use=f"The tree is in {{out}}; {IS_USED}",
    )
    if checkpoint is not None and not model.search_.success:
        note("To continue, repeat the command with --resume.")
    return stop.exit_code


def _path(data: str, dataset: Dataset, asked: Given, output: Output) -> int:
    """Find the trees of all prices and depths, and answer."""
    from treewright import OptimalTreeClassifier
    from treewright.optimal import optimal_path

    depth = asked.pop("max_depth", 3)
    with FirstCtrlC() as stop, SearchLine(output.progress) as line:
        model = OptimalTreeClassifier(**asked, callback=stop.after(line))
        path = optimal_path(dataset, max_depth=depth, model=model)
    output.give(
        document=lambda: document(
            "optimal-path",
            data,
            dataset,
            {"depth": depth, "status": path.status, "path": path.table, "trees": list(path.trees)},
        ),
        text=lambda: joined([described(data, dataset), path.to_text(screen_width())]),
        plot=path.plot,
    )
    return stop.exit_code


class SearchLine(ProgressLine):
    """Shows the best cost and the bound, which meet at the end."""

    def _described(self, progress: Progress) -> str:
        if progress.text is not None:
            return f"{progress.text}: {progress.done:,} searches done, {progress.elapsed:.1f} s"
        best = "" if progress.best is None else f"best {progress.best:.10g}, "
        bound = "" if progress.bound is None else f"at least {progress.bound:.10g}, "
        return f"{best}{bound}{progress.done:,} sets, {progress.elapsed:.1f} s"


def _worth(model: OptimalTreeClassifier) -> str:
    """Say what the tree is worth, and how sure that is."""
    search, has_costs = model.search_, model.tree_.cost_matrix is not None
    what = "cost of wrong answers" if has_costs else "training errors"
    leaves = f", {search.cost:.10g} with {_price(model)} for each leaf" if model.leaf_penalty_ else ""
    is_proven = search.success or search.gap == 0
    proven = ", proven the least" if is_proven else ""
    rest = "" if search.success else f" {search.message}"
    bound = "" if is_proven else f" No tree has less than {search.bound:.10g}."
    return filled(
        f"Depth at most {model.depth_}{_choice(model)}: {what} {search.loss:.10g}{leaves}{proven} "
        f"(found in {seconds(search.elapsed)}).{rest}{bound}"
    )


def _choice(model: OptimalTreeClassifier) -> str:
    """Say by how many folds the depth or the price was chosen."""
    if model.cv_results_ is None:
        return ""
    folds = set(model.cv_results_["n_folds"].tolist()) or {0}
    n_folds = folds.pop()
    return f", chosen by {plural(n_folds, 'fold')}" if n_folds else ", not chosen for want of time"


def _price(model: OptimalTreeClassifier) -> str:
    """Say what a leaf costs: in mean rows, and what that is where rows have weights."""
    penalty, price = model.leaf_penalty_, model.search_.leaf_price
    return f"{penalty:.10g}" if price == penalty else f"{price:.10g} ({penalty:.10g} mean rows)"


def _document(name: str, dataset: Dataset, model: OptimalTreeClassifier) -> str:
    """Return the result as JSON."""
    facts = {
        "depth": model.depth_,
        "leaf_penalty": model.leaf_penalty_,
        "leaf_price": model.search_.leaf_price,
        "loss": model.search_.loss,
        "instruction_set": model.search_.instruction_set,
        "search": search_facts(model.search_),
        "tree": model.tree_,
    }
    return document("optimal", name, dataset, facts)
