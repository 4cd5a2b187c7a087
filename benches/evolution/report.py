"""Tables and records of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..python import machine
from .outcome import Outcome
from .scores import Speed
from .searches import Reached, Searches


def speeds_text(speeds: Sequence[Speed]) -> Iterator[str]:
    """Yield the table of whole scores."""
    yield f"{'whole scores':<22}{'ms a formula':>14}{'nodes decided/s':>18}{'slower':>16}"
    for speed in speeds:
        ratio = speeds[0].decisions / speed.decisions
        yield f"{speed.tool:<22}{1e3 * speed.seconds:>14.3f}{speed.decisions:>18.3g}{ratio:>14.1f} x"


def runs_text(found: dict[str, Searches]) -> Iterator[str]:
    """Yield the table of searches."""
    yield f"{'':<22}{'':>8}{'':>10}{'programs':>10}{'node decisions/s':>22}{'':>11}{'median errors in %':>23}"
    heads = f"{'programs':>10}{'/CPU s':>10}{'effective':>11}{'made':>11}{'slower':>11}"
    yield f"{'evolution':<22}{'CPU s':>8}{heads}{'training':>13}{'others':>10}{'training, each search':>25}"
    for tool, searches in found.items():
        total, errors = searches.total, searches.median
        ratio = found["treewright"].total.effective / total.effective
        each = " ".join(f"{one.train:.3f}" for one in searches.reached)
        yield (
            f"{tool:<22}{total.seconds:>8.1f}{total.n_programs:>10,}{total.programs_per_second:>10,.0f}"
            f"{total.effective:>11.3g}{total.decided:>11.3g}{ratio:>9.1f} x"
            f"{errors.train:>13.3f}{errors.other:>10.3f}{each:>25}"
        )


def rules_text(rules: dict[str, Reached]) -> Iterator[str]:
    """Yield what rules of the books reach."""
    for name, errors in rules.items():
        yield f"{name:<83}{errors.train:>13.3f}{errors.other:>10.3f}"


def formulas_text(found: dict[str, Searches]) -> Iterator[str]:
    """Yield the best formula of every tool in training."""
    for searches in found.values():
        best = searches.total
        yield f"{best.tool} {best.version}: {best.formula}"
        yield f"    ({best.note})"


def lines(
    speeds: Sequence[Speed],
    found: dict[str, Searches],
    rules: dict[str, Reached],
    problems: dict[str, str],
    corpus: str,
) -> list[dict[str, Any]]:
    """Return a record: a line for everything measured."""
    versions = {tool: searches.total.version for tool, searches in found.items()}
    ours = found["treewright"]
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
    for searches in found.values():
        each = zip(searches.outcomes, searches.reached, ours.outcomes, strict=False)
        rows += [_run_line("one search", *one) for one in each]
        rows.append(_run_line("all searches, median errors", searches.total, searches.median, ours.total))
    rows += [{"case": "rule", "tool": name, **_errors(errors)} for name, errors in rules.items()]
    rows += [
        {"case": "all searches, median errors", "tool": tool, "problem": text}
        for tool, text in problems.items()
    ]
    fields = dict.fromkeys(name for row in rows for name in row)
    common = {"corpus": corpus, "load": machine.load(), **machine.facts()}
    return [{**dict.fromkeys(fields, ""), **row, **common} for row in rows]


def _run_line(case: str, outcome: Outcome, errors: Reached, ours: Outcome) -> dict[str, Any]:
    return {
        "case": case,
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
