"""`treewright compare-pruning`: which pruning rule errs least."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._growth import (
    classifier,
    growth_option,
    refuse_numbers,
)
from treewright.cli._options import (
    SOURCE,
    given_options,
    options,
    search_option,
    takes_growing,
)
from treewright.cli._sections import Command
from treewright.cli._study_options import (
    Answers,
    answers,
    folds_option,
    loaded,
    repeats_option,
    seed_option,
)
from treewright.cli._table_columns import as_csv, records_as_json

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.studies import PruningComparison

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
    "compare-pruning",
    cls=Command,
    short_help="Compare pruning rules by their errors.",
    examples=(
        "treewright compare-pruning tic-tac-toe monks-1 monks-3",
        "treewright compare-pruning --paper --data sets --out ranks.png",
        "treewright compare-pruning --generator paper_table --sets 60x1000 --n-jobs -1",
    ),
)
@options(click.argument("data", nargs=-1), *SOURCE[1:])
@growth_option("id3", prunes=False)
@takes_growing
@options(
    search_option(
        "--paper",
        is_flag=True,
        help="Take the fourteen sets of the published tables, each in the version that was used there; the "
        "folder must have twelve of them. In place of DATA.",
    ),
    search_option(
        "--generator",
        type=click.Choice(["paper_text", "paper_table"]),
        metavar="NAME",
        help="Draw sets in place of DATA: training shares as the paper's text has them (paper_text), or half "
        "of that, which its table agrees with (paper_table).",
    ),
    search_option(
        "--sets",
        "n_sets",
        type=_Product(),
        metavar="N",
        otherwise="60x100",
        help="How many to draw, 60 combinations in turn. The published table has 60x1000.",
    ),
    search_option(
        "--rule",
        "rules",
        multiple=True,
        type=click.Choice(RULES),
        metavar="NAME",
        default=PAPER_RULES,
        otherwise=", ".join(PAPER_RULES),
        help=f"Rule to compare: {', '.join(RULES)}. error_based does not graft, ebp does. Repeatable.",
    ),
    search_option(
        "--reference",
        type=click.Choice(RULES),
        metavar="NAME",
        otherwise="the last rule",
        help="Rule that the others are compared with.",
    ),
    folds_option(10),
    repeats_option(3),
    seed_option("Draws folds, or sets."),
)
@answers("Draw the average ranks", "Write the results of every fold or set to a CSV file.")
def compare_pruning(
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
    answers: Answers,
    **source: Any,
) -> None:
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
    from treewright.studies import compare_pruning as compare

    _check_one_source(data, paper, generator)
    _refuse_idle(paper, generator)
    n_jobs = growing.pop("n_jobs", None)
    data_sets = None if generator else _published(source) if paper else loaded(data, source)
    for name, dataset in (data_sets or {}).items():
        refuse_numbers(growth, name, dataset)
    found = compare(
        data_sets,
        generator=generator,
        n_sets=n_sets,
        rules=rules,
        reference=reference,
        estimator=classifier(growth, growing),
        cv=None if generator else folds,
        repeats=None if generator else repeats,
        random_state=seed,
        n_jobs=n_jobs,
        progress=answers.progress,
    )
    answers.give(
        found,
        figure=found.plot,
        csv=lambda: as_csv(found.per_fold),
        document=lambda: _document(found),
    )


def _check_one_source(data: tuple[str, ...], paper: bool, generator: str | None) -> None:
    if bool(data) + paper + (generator is not None) != 1:
        raise click.UsageError("Give DATA, --paper or --generator, one of the three.")


def _refuse_idle(paper: bool, generator: str | None) -> None:
    """Refuse options that would be of no effect."""
    for option in given_options():
        name, reads = str(option.name), getattr(option, "section", "") == "Data"
        spelling = option.opts[0]
        if name == "n_sets" and generator is None:
            raise click.UsageError("--sets goes with --generator only; leave it out.")
        if generator is not None and (reads or name in ("folds", "repeats")):
            raise click.UsageError(
                f"{spelling} does not go with --generator, which draws sets; leave it out."
            )
        if paper and reads and name != "folder":
            raise click.UsageError(
                f"{spelling} does not go with --paper, which knows its sets; leave it out."
            )


def _published(source: dict[str, Any]) -> dict[str, Dataset]:
    from treewright.studies import published_sets

    return published_sets("pruning", data=source["folder"])


def _document(found: PruningComparison) -> str:
    """Return the comparison as JSON: its tables as lists of records; numbers that are none are null."""
    import treewright

    ranks = found.ranks()
    settings = {**found.settings, "estimator": repr(found.settings["estimator"])}
    settings["rules"] = {name: repr(rule) for name, rule in found.settings["rules"].items()}
    facts: dict[str, Any] = {
        "treewright": treewright.__version__,
        "settings": settings,
        "status": found.status,
        "seconds": found.elapsed,
        "friedman": {"statistic": _number(ranks.statistic), "p_value": _number(ranks.p_value)},
        "data_sets": records_as_json(found.data_sets),
        "summary": records_as_json(found.summary),
        "tests": records_as_json(ranks.tests),
    }
    return json.dumps(facts, ensure_ascii=False, allow_nan=False)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
