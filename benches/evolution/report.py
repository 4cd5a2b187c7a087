"""Tables and records of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..python import machine
from .outcome import Outcome
from .scorer import Scorer
from .scores import Speed


@dataclass(frozen=True)
class Reached:
    """Errors in percent of all test rows: in training, and on the other trees."""

    train: float
    other: float


def reached(outcome: Outcome, corpora: Sequence[Scorer]) -> Reached:
    """Judge the best formula of a run on both corpora."""
    with np.errstate(all="ignore"):
        return Reached(*(100 * corpus.rate(outcome.estimate(corpus.c, corpus.n)) for corpus in corpora))


def speeds_text(speeds: Sequence[Speed]) -> Iterator[str]:
    """Yield the table of whole scores."""
    yield f"{'whole scores':<22}{'ms a formula':>14}{'nodes decided/s':>18}{'slower':>16}"
    for speed in speeds:
        ratio = speeds[0].decisions / speed.decisions
        yield f"{speed.tool:<22}{1e3 * speed.seconds:>14.3f}{speed.decisions:>18.3g}{ratio:>14.1f} x"


def runs_text(outcomes: Sequence[Outcome], found: Sequence[Reached]) -> Iterator[str]:
    """Yield the table of runs."""
    yield f"{'':<22}{'':>8}{'':>10}{'programs':>10}{'node decisions/s':>22}{'':>13}{'errors in %':>21}"
    heads = f"{'programs':>10}{'/CPU s':>10}{'effective':>11}{'made':>11}{'slower':>13}"
    yield f"{'evolution':<22}{'CPU s':>8}{heads}{'training':>11}{'others':>10}"
    for outcome, errors in zip(outcomes, found, strict=True):
        ratio = outcomes[0].effective / outcome.effective
        yield (
            f"{outcome.tool:<22}{outcome.seconds:>8.1f}{outcome.n_programs:>10,}"
            f"{outcome.programs_per_second:>10,.0f}{outcome.effective:>11.3g}{outcome.decided:>11.3g}"
            f"{ratio:>11.1f} x{errors.train:>11.3f}{errors.other:>10.3f}"
        )


def rules_text(rules: dict[str, Reached]) -> Iterator[str]:
    """Yield what rules of the books reach."""
    for name, errors in rules.items():
        yield f"{name:<84}{errors.train:>12.3f}{errors.other:>10.3f}"


def formulas_text(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the formulas that the runs found."""
    for outcome in outcomes:
        yield f"{outcome.tool} {outcome.version}: {outcome.formula}"
        yield f"    ({outcome.note})"


def lines(
    speeds: Sequence[Speed],
    outcomes: Sequence[Outcome],
    found: Sequence[Reached],
    rules: dict[str, Reached],
    problems: dict[str, str],
    corpus: str,
) -> list[dict[str, Any]]:
    """Return a record: a line for everything measured."""
    versions = {outcome.tool: outcome.version for outcome in outcomes}
    rows = [
        {
            "case": "whole scores",
            "tool": speed.tool,
            "version": versions.get(speed.tool, ""),
            "cpu_seconds": _short(speed.seconds * speed.n_formulas),
            "programs": speed.n_formulas,
            "programs_per_cpu_second": _short(1 / speed.seconds),
            "node_decisions_effective": _short(speed.decisions),
            "ours_times_this": _short(speeds[0].decisions / speed.decisions),
        }
        for speed in speeds
    ]
    rows += [_run_line(outcome, outcomes[0], errors) for outcome, errors in zip(outcomes, found, strict=True)]
    rows += [{"case": "rule", "tool": name, **_errors(errors)} for name, errors in rules.items()]
    rows += [{"case": "evolution", "tool": tool, "problem": text} for tool, text in problems.items()]
    fields = dict.fromkeys(name for row in rows for name in row)
    common = {"corpus": corpus, "load": machine.load(), **machine.facts()}
    return [{**dict.fromkeys(fields, ""), **row, **common} for row in rows]


def _run_line(outcome: Outcome, ours: Outcome, errors: Reached) -> dict[str, Any]:
    return {
        "case": "evolution",
        "tool": outcome.tool,
        "version": outcome.version,
        "cpu_seconds": _short(outcome.seconds),
        "programs": outcome.n_programs,
        "programs_per_cpu_second": _short(outcome.programs_per_second),
        "node_decisions_effective": _short(outcome.effective),
        "node_decisions_made": _short(outcome.decided),
        "ours_times_this": _short(ours.effective / outcome.effective),
        "judged": outcome.n_judged,
        **_errors(errors),
        "settings": outcome.settings,
        "formula": outcome.formula,
        "note": outcome.note,
    }


def _errors(errors: Reached) -> dict[str, str]:
    return {"training_percent": f"{errors.train:.3f}", "other_percent": f"{errors.other:.3f}"}


def _short(value: float) -> str:
    return f"{value:.4g}"
