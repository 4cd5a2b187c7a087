"""The report of an exploration: as text, and as facts for a program."""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version

import treewright.exploration.sentences as sentences
from treewright.exploration.choice import ANY_SIZE, DOUBLE, HALF, LIMITS, PRICED, at_most
from treewright.exploration.comparison import written
from treewright.exploration.findings import Choice, Findings
from treewright.exploration.judging import Part
from treewright.reporting import Column, Table
from treewright.reporting.table import in_markdown

PRINTED_DEPTH = 6
"""Levels of the tree that are printed."""


@dataclass(frozen=True)
class Verbatim:
    """Text whose lines stand as they are."""

    text: str


Piece = str | Table | Verbatim
"""A paragraph, a table, or lines as they are."""


def report(found: Findings, width: int, *, details: bool = True) -> str:
    """Return the report as text."""
    return "\n\n".join(_as_text(piece, width) for piece in _pieces(found, details=details))


def markdown_report(found: Findings) -> str:
    """Return the report as Markdown."""
    return "\n\n".join(_as_markdown(piece) for piece in _pieces(found, details=True)) + "\n"


def _as_text(piece: Piece, width: int) -> str:
    if isinstance(piece, Table):
        return piece.to_text(width).lstrip("\n")
    return piece.text if isinstance(piece, Verbatim) else textwrap.fill(piece, width)


def _as_markdown(piece: Piece) -> str:
    if isinstance(piece, Table):
        return piece.to_markdown().lstrip("\n")
    if isinstance(piece, Verbatim):
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", piece.text)), 3)
        return f"{fence}text\n{piece.text}\n{fence}"
    return in_markdown(piece)


def _pieces(found: Findings, *, details: bool) -> Iterator[Piece]:
    """Yield what the report says, in its order; the details are what a screen has no room for."""
    yield sentences.opening(found)
    yield sentences.recommended(found)
    tree = found.tree_.export_text(max_depth=PRINTED_DEPTH, max_branches=30, show_errors=True)
    yield Verbatim(tree.rstrip("\n"))
    yield sentences.counts_told(found)
    yield sentences.promise(found)
    yield from filter(None, [sentences.beyond_limit(found)])
    yield sentences.beside_majority(found)
    if found.ceiling:
        yield sentences.beside_ceiling(found)
    remarks_at = "they are listed below" if details else "treewright describe lists them"
    careful = list(sentences.cautions(found, remarks_at))
    if careful:
        yield "Be careful:"
        yield Verbatim("\n".join(_item(one) for one in careful))
    yield from (families_table(found), choices_table(found), front_table(found))
    if details:
        yield from _details(found)
    yield from _closing(found)


def _details(found: Findings) -> Iterator[Piece]:
    n = found.evaluation_.n_samples
    yield (
        f"Right and wrong answers on the outer folds: {n:,} rows, each answered by a tree that was chosen "
        "and "
        "grown without it."
    )
    yield from found.evaluation_.tables().values()
    remarks = found.description.remarks
    if remarks:
        yield "Worth a look in the data:"
        yield Verbatim("\n".join(_item(f"{one}.") for one in remarks))


def _item(text: str) -> str:
    return textwrap.fill(
        f"- {text}", 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _closing(found: Findings) -> Iterator[Piece]:
    yield sentences.steadiness(found)
    gone = list(sentences.left_out(found))
    if gone:
        yield "Left out:"
        yield Verbatim("\n".join(_item(f"{one}.") for one in gone))
    yield sentences.time_taken(found)


def families_table(found: Findings, *, titles: bool = False) -> Table:
    """List what every family errs, with a choice of its own; by the names of --family, and by titles, too."""
    table, is_cost = found.families_, sentences.is_cost(found)
    names = table["family"].tolist()
    named = [Column("--family", names, align="left")]
    if titles:
        named = [Column("family", [found.title_of(name) for name in names], align="left"), *named]
    ends = zip(table["low"].tolist(), table["high"].tolist(), strict=True)
    differences = zip(table["difference_low"].tolist(), table["difference_high"].tolist(), strict=True)
    return Table(
        "Families, each with a choice of its own in every fold; errors in % on the outer folds, differences "
        "to the recommended procedure over the same folds",
        [
            *named,
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


WORDS = {PRICED: "recommended", HALF: "half the price", DOUBLE: "twice the price", ANY_SIZE: "any size"}


def choices_table(found: Findings) -> Table:
    """List what other prices and sizes choose."""
    chosen = found.choices()
    names = {**WORDS, **{at_most(most): f"at most {most} leaves" for most in LIMITS}}
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


def front_table(found: Findings) -> Table:
    """List the front."""
    table, is_cost = found.front_, sentences.is_cost(found)
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
                sentences.measure(found),
                [written(value, is_cost=is_cost) for value in front["error"].tolist()],
            ),
            Column(
                "95 %",
                [f"{written(low, is_cost=is_cost)}-{written(high, is_cost=is_cost)}" for low, high in ends],
            ),
        ],
    )


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
        "by": None if found.subgroups is None else found.subgroups.name,
        "choices": chosen,
        "families": found.families_.records(),
        "comparison": [asdict(one) for one in found.compare().rows],
        "is_better_than_majority": sentences.is_better(found),
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
