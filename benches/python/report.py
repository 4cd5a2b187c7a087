"""What is printed of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .cases import Case
from .figures import Figure
from .floors import Verdict, ratio_of

HEAD = ("tool", "cpu s", "least", "most", "runs", "in yardsticks", "ours / this", "peak MB", "above copy MB")


def case_text(case: Case, figures: Mapping[str, Figure], yardstick: Figure) -> str:
    """Return the table of one case, its counters and problems below."""
    unit = yardstick.cpu_seconds
    title = f"{case.name}   (yardstick {'not measured' if unit is None else f'{unit:.4f} s'})"
    rows = [HEAD, *(_row(tool, figures, unit) for tool in figures)]
    notes = [f"  {tool}: {figure.problem or _counters(figure)}" for tool, figure in figures.items()]
    return "\n".join([title, *_aligned(rows), *notes])


def verdicts_text(verdicts: Sequence[tuple[Case, Verdict]]) -> str:
    """Return the table of limits, and how many hold."""
    words = {True: "holds", False: "MISSED", None: "-"}
    rows = [("case", "limit", "measured", "")]
    rows += [(case.name, v.limit, v.measured, words[v.holds]) for case, v in verdicts]
    held, missed, open_ = (sum(v.holds is word for _, v in verdicts) for word in (True, False, None))
    summary = f"{held} of {len(verdicts)} limits hold, {missed} are missed, {open_} could not be measured"
    return "\n".join([*_aligned(rows), summary])


def _row(tool: str, figures: Mapping[str, Figure], unit: float | None) -> tuple[str, ...]:
    figure = figures[tool]
    seconds, extremes = figure.cpu_seconds, figure.cpu_range
    if seconds is None or extremes is None:
        return (tool, "none", *[""] * (len(HEAD) - 2))
    return (
        tool,
        f"{seconds:.4f}",
        f"{extremes[0]:.4f}",
        f"{extremes[1]:.4f}",
        str(len(figure.runs)),
        f"{seconds / unit:.2f}" if unit else "",
        _number(ratio_of(figures, tool), ".3f"),
        _number(figure.peak_megabytes, ".1f"),
        _number(figure.megabytes_above_copy, ".1f"),
    )


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _counters(figure: Figure) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in figure.counters.items())


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Set rows in columns, the first to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
