"""`treewright study pruning`: which pruning rule errs least."""

from __future__ import annotations

import math
from typing import Any

import click

from treewright.cli._growth import classifier, growth_option, refuse_numbers
from treewright.cli._options import given_options, options, takes_growing
from treewright.cli._sections import Command
from treewright.cli.study.options import (
    PAPER,
    Run,
    data_sets,
    fold_options,
    refuse_reading,
    repeatable,
    seed_option,
    study_option,
    takes_data_sets,
    takes_run,
)

RULES = (
    *("none", "observed", "naive", "error_based", "ebp", "tuned", "published", "published_slack"),
    *("pessimistic", "reduced_error", "cost_complexity", "minimum_error"),
)
PAPER_RULES = ("none", "naive", "error_based", "tuned", "published")


class _Product(click.ParamType[int]):
    """A number, or a product such as 60x1000."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number that a text says."""
        parts = str(value).lower().split("x")
        if not all(part.isdecimal() and int(part) for part in parts):
            self.fail(f"{value!r} is no number and no product such as 60x1000.", param, ctx)
        return math.prod(map(int, parts))


@click.command(
    "pruning",
    cls=Command,
    short_help="Compare pruning rules by their errors.",
    examples=(
        "treewright study pruning tic-tac-toe monks-1 monks-3",
        "treewright study pruning --paper --data sets --plot ranks.png",
        "treewright study pruning --generator paper_table --sets 60x1000 --n-jobs -1",
    ),
)
@takes_data_sets(required=False)
@growth_option("id3", prunes=False)
@takes_growing
@options(
    PAPER,
    study_option(
        "--generator",
        type=click.Choice(["paper_text", "paper_table"]),
        metavar="NAME",
        help="Draw sets in place of DATA: training shares as the paper's text has them (paper_text), or half "
        "of that, which its table agrees with (paper_table).",
    ),
    study_option(
        "--sets",
        "n_sets",
        type=_Product(),
        metavar="N",
        otherwise="60x100",
        help="How many to draw, 60 combinations in turn. The published table has 60x1000.",
    ),
    repeatable(
        "--rule",
        "rules",
        click.Choice(RULES),
        "NAME",
        default=PAPER_RULES,
        otherwise=", ".join(PAPER_RULES),
        help=f"Rule to compare: {', '.join(RULES)}. error_based does not graft, ebp does. Repeatable.",
    ),
    study_option(
        "--reference",
        type=click.Choice(RULES),
        metavar="NAME",
        otherwise="the last rule",
        help="Rule that the others are compared with.",
    ),
    *fold_options(10, 3),
    seed_option("Draws folds, or sets."),
)
@takes_run
def pruning(
    data: tuple[str, ...],
    growth: str,
    growing: dict[str, Any],
    paper: bool,
    generator: str | None,
    n_sets: int | None,
    rules: tuple[str, ...],
    reference: str | None,
    folds: int,
    repeats: int,
    seed: int,
    run: Run,
    **source: Any,
) -> int:
    """Compare pruning rules: errors, sizes, ranks and their tests.

    On every fold of a repeated, stratified cross-validation one tree is
    grown, each rule prunes it, and the rows held out judge. Rules are ranked
    by their errors; marks say which are better or worse than the reference
    by more than chance (Friedman, Holm).

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists. The options under Data go for each. With
    --n-jobs folds run side by side, generated sets on so many threads. Trees
    grow as ID3's, which means --min-samples-split 1, --min-samples-leaf 0 and
    --missing value, unless the options under Growing say otherwise.
    """
    from treewright.studies import compare_pruning

    _check_one_source(data, paper, generator, n_sets)
    drawn: dict[str, Any] = {"generator": generator, "n_sets": n_sets}
    found = None
    if generator is None:
        drawn = {"cv": folds, "repeats": repeats}
        found = data_sets("pruning", data, paper, source, seed)
        for name, dataset in found.items():
            refuse_numbers(growth, name, dataset)
    return run(
        compare_pruning,
        found,
        rules=rules,
        reference=reference,
        estimator=classifier(growth, growing),
        random_state=seed,
        **drawn,
    )


def _check_one_source(data: tuple[str, ...], paper: bool, generator: str | None, n_sets: int | None) -> None:
    """Refuse several sources, and options that would be of no effect beside one."""
    if bool(data) + paper + (generator is not None) != 1:
        raise click.UsageError("Give DATA, --paper or --generator, one of the three.")
    if generator is None:
        if n_sets is not None:
            raise click.UsageError("--sets goes with --generator only; leave it out.")
        return
    refuse_reading("--generator, which draws sets")
    for option in given_options():
        if option.name in ("folds", "repeats"):
            raise click.UsageError(
                f"{option.opts[0]} does not go with --generator, which draws sets; leave it out."
            )
