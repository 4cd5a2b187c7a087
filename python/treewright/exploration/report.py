"""The report of an exploration: as text, and as facts for a program."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import version

from treewright._base.shown import shown_values
from treewright.exploration.choice import DOUBLE, HALF, LIMITS, PRICED, at_most
from treewright.exploration.comparison import Compared, written
from treewright.exploration.findings import Choice, Findings
from treewright.exploration.judging import Part
from treewright.reporting import Column, Table

PRINTED_DEPTH = 6
"""Levels of the tree that are printed."""

MAJORITY = "majority"


def report(found: Findings, width: int) -> str:
    """Return the report as text."""
    tables = [_families(found), _choices(found), _front(found)]
    parts = [
        *(textwrap.fill(text, width) for text in _opening(found)),
        _tree(found),
        *(textwrap.fill(text, width) for text in _promise(found)),
        *(table.to_text(width) for table in tables),
        *(textwrap.fill(text, width) for text in _closing(found)),
    ]
    return "\n\n".join(part for part in parts if part)


def _opening(found: Findings) -> Iterator[str]:
    data, settings, folding = found.dataset, found.settings, found.folding
    n_classes = 0 if data.classes is None else len(data.classes)
    times = f"{settings.repeats} x {settings.cv}" if settings.repeats > 1 else f"{settings.cv}"
    yield (
        f"{data.n_samples:,} rows, {data.n_features:,} features, {n_classes} classes; {times} outer folds, "
        f"{folding.words}, and {settings.inner_cv} inner folds in each, by which everything is chosen."
    )
    choice, part = found.choice_, found.part_of(found.choice_)
    yield (
        f"Recommended: {choice.words}; {_plural(int(part.n_leaves[choice.place]), 'leaf', 'leaves')}, "
        f"{_plural(len(part.used[choice.place]), 'feature')}, {part.questions[choice.place]:.2g} questions a "
        f"row on the mean. It is the one of least {_measure(found)} on the inner folds plus {_price(found)} "
        "for every doubling of the leaves."
    )


def _measure(found: Findings) -> str:
    return "cost" if _is_cost(found) else "error"


def _price(found: Findings) -> str:
    price = found.settings.size_price
    return f"{price:.3g} of a wrong answer's mean cost" if _is_cost(found) else f"{100 * price:.3g} points"


def _tree(found: Findings) -> str:
    return found.tree_.export_text(max_depth=PRINTED_DEPTH, max_branches=30, show_errors=True).rstrip("\n")


def _promise(found: Findings) -> Iterator[str]:
    error, evaluation = found.error_, found.evaluation_
    cost = "" if evaluation.mean_cost is None else f" An answer costs {evaluation.mean_cost:.4g} on the mean."
    yield (
        f"Trees chosen this way have {_name(found)} of {error.value:.1%} ({error.low:.1%} to "
        f"{error.high:.1%} with 95 % confidence) on rows that no choice has seen.{cost}"
    )
    yield _beside_majority(found)
    if found.ceiling:
        yield _beside_ceiling(found)


def compared_with(found: Findings, name: str) -> Compared:
    """Return the comparison with one family."""
    return found.compare(name).rows[0]


def _beside_majority(found: Findings) -> str:
    one = compared_with(found, MAJORITY)
    if one.low > 0:
        return f"The majority class alone: {_rate(found, one.error)}."
    return (
        "Nothing was found that is surely better than the majority class alone, with "
        f"{_rate(found, one.error)}: the interval of the difference holds 0. "
        "A metric of balanced_error, or a cost matrix, lets rare classes count."
    )


def _beside_ceiling(found: Findings) -> str:
    rows = [compared_with(found, name) for name in found.ceiling]
    best = min(rows, key=lambda one: one.error)
    more = best.difference > 0
    ends = (best.low, best.high) if more else (-best.high, -best.low)
    low, high = (written(end, is_cost=_is_cost(found)) for end in ends)
    apart = written(abs(best.difference), is_cost=_is_cost(found))
    unit = "" if _is_cost(found) else " points"
    return (
        f"A black box ({best.title}): {_rate(found, best.error)} on {best.n_folds} of these folds, "
        f"{apart}{unit} {'more' if more else 'less'} than the tree there ({low} to {high})."
    )


def _is_cost(found: Findings) -> bool:
    return found.settings.cost_matrix is not None


def _name(found: Findings) -> str:
    return "a balanced error" if found.settings.metric != "error" else "an error"


def _rate(found: Findings, value: float) -> str:
    return f"{value:.4g} an answer" if _is_cost(found) else f"{_name(found)} of {value:.1%}"


def _families(found: Findings) -> Table:
    table, is_cost = found.families_, _is_cost(found)
    titles = [found.title_of(name) for name in table["family"].tolist()]
    ends = zip(table["low"].tolist(), table["high"].tolist(), strict=True)
    differences = zip(table["difference_low"].tolist(), table["difference_high"].tolist(), strict=True)
    return Table(
        "Families, each with a choice of its own in every fold; errors in % on the outer folds, differences "
        "to the recommended procedure over the same folds",
        [
            Column("family", titles, align="left"),
            Column("leaves", [_number(size) for size in table["mean_size"].tolist()]),
            Column("error", [written(value) for value in table["error"].tolist()]),
            Column("95 %", [f"{written(low)}-{written(high)}" for low, high in ends]),
            Column("difference", [written(value, is_cost=is_cost) for value in table["difference"].tolist()]),
            Column(
                "95 %",
                [
                    f"{written(low, is_cost=is_cost)} to {written(high, is_cost=is_cost)}"
                    for low, high in differences
                ],
            ),
        ],
    )


WORDS = {PRICED: "recommended", HALF: "half the price", DOUBLE: "twice the price"}


def _choices(found: Findings) -> Table:
    chosen = found.choices()
    names = {**WORDS, **{at_most(most): f"{most} leaves" for most in LIMITS}}
    parts = [(one, found.part_of(one)) for one in chosen.values()]
    errors = [found.evaluation_of(name).error for name in chosen]
    return Table(
        "What else could be chosen; errors in % on the outer folds of trees chosen so",
        [
            Column("choice", [names[name] for name in chosen], align="left"),
            Column("tree", [one.words for one in chosen.values()], align="left"),
            Column("leaves", [str(part.n_leaves[one.place]) for one, part in parts]),
            Column("error", [written(error.value) for error in errors]),
            Column("95 %", [f"{written(error.low)}-{written(error.high)}" for error in errors]),
        ],
    )


def _front(found: Findings) -> Table:
    table = found.front_
    front = table[table["is_on_front"]]
    names = zip(front["family"].tolist(), front["candidate"].tolist(), strict=True)
    ends = zip(front["low"].tolist(), front["high"].tolist(), strict=True)
    return Table(
        "The front: what errs less than everything smaller, on the inner folds of all rows; these figures "
        "are a little too low, as they are the best of many",
        [
            Column("tree", [f"{found.title_of(name)}: {one}" for name, one in names], align="left"),
            Column("leaves", [str(n) for n in front["n_leaves"].tolist()]),
            Column("features", [str(n) for n in front["n_features"].tolist()]),
            Column("questions", [f"{n:.2f}" for n in front["questions"].tolist()]),
            Column(
                _measure(found),
                [written(value, is_cost=_is_cost(found)) for value in front["error"].tolist()],
            ),
            Column(
                "95 %",
                [
                    f"{written(low, is_cost=_is_cost(found))}-{written(high, is_cost=_is_cost(found))}"
                    for low, high in ends
                ],
            ),
        ],
    )


def _closing(found: Findings) -> Iterator[str]:
    one = found.stability_
    second = ""
    if one.second is not None:
        second = f"; {one.second_chosen:.0%} chose the second best, {found.title_of(one.second)}"
    yield (
        f"Of {one.n_folds} outer folds {one.same_root:.0%} ask the same feature first as the recommended "
        f"tree, {one.same_features:.0%} ask for the same features, {one.same_family:.0%} chose the same "
        f"family{second}."
    )
    if found.rare_classes:
        labels = ", ".join(shown_values(found.rare_classes))
        yield f"Fewer rows than folds have: {labels}. Trees of some folds have not seen them."
    for gone in found.dropped_:
        yield f"Left out: {gone.title}: {gone.reason}."
    yield from _time(found)


def _time(found: Findings) -> Iterator[str]:
    limit = found.settings.time_limit
    over = ", longer than the time limit, for what is judged in any case" if found.is_over else ""
    asked = "no limit" if limit is None else f"a limit of {limit:g} s"
    ends = {"complete": "", "time_limit": "; the limit left families out", "stopped": "; it was stopped"}
    yield f"It took {found.elapsed_:.1f} s, with {asked}{over}{ends[found.status_]}."


def facts_of(found: Findings) -> dict[str, object]:
    """Return everything for a program."""
    chosen = {
        name: {**_choice_facts(found, one), "outer": asdict(found.evaluation_of(name).error)}
        for name, one in found.choices().items()
    }
    facts = {
        "treewright": version("treewright"),
        "settings": asdict(found.settings),
        "folds": found.folding.words,
        "tree": json.loads(found.tree_.to_json()),
        "recommended": _choice_facts(found, found.choice_),
        "evaluation": found.evaluation_.to_dict(),
        "choices": chosen,
        "families": found.families_.records(),
        "comparison": [asdict(one) for one in found.compare().rows],
        "is_better_than_majority": compared_with(found, MAJORITY).low > 0,
        "front": found.front_.records(),
        "stability": asdict(found.stability_),
        "rare_classes": list(found.rare_classes),
        "dropped": [asdict(one) for one in found.dropped_],
        "status": found.status_,
        "is_over_time": found.is_over,
        "elapsed": found.elapsed_,
    }
    plain = _plain(facts)
    assert isinstance(plain, dict), "facts have names"
    return plain


def _choice_facts(found: Findings, choice: Choice) -> dict[str, object]:
    part: Part = found.part_of(choice)
    place = choice.place
    return {
        "family": choice.family,
        "title": choice.title,
        "candidate": choice.candidate,
        "size": int(part.sizes[place]),
        "n_leaves": int(part.n_leaves[place]),
        "features": [found.dataset.feature_names[i] for i in part.used[place]],
        "questions": float(part.questions[place]),
        "inner_error": float(part.losses[place] / part.whole),
    }


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1f}"


def _plural(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
