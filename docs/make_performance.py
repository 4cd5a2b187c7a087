"""Write docs/performance.md from the records of the benches.

Run it as ``python docs/make_performance.py`` after a bench has written a new record; `RECORDS` names them.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean, geometric_mean, median

PAGE = Path(__file__).with_name("performance.md")
FOLDER = Path(__file__).parents[1] / "benches" / "record"

RECORDS = {
    "peers": "2026-11-28-amd-epyc-2-cores.csv",
    "evolution": "2026-11-28-amd-epyc-2-cores-evolution.csv",
    "same": "2026-11-28-same-answer.csv",
    "ranks": "2026-11-29-selection-options.csv",
    "exports": "2026-11-30-exports.csv",
    "optimal": "2026-11-30-optimal-peers.csv",
    "optimal-avx512": "2026-11-30-optimal-peers-avx512.csv",
    "large": "2026-11-30-optimal-large.csv",
}

OPENING = """# Performance: recorded figures

What the benches measured, from their records in the repository. Seconds are those of the processor, on two
cores of an AMD EPYC that others used too: compare them only with each other. `benches/README.md` says how
each is measured, and how to run it on your machine. Made by `python docs/make_performance.py`; a test holds
this page against the records.
"""

WORK = {
    "grow-letter": "full tree, letter: 20 000 × 16 numbers, 26 classes",
    "grow-adult": "full tree, adult: 48 842 × 14, mixed",
    "grow-200000x50": "full tree, generated: 200 000 × 50 numbers",
    "eliminate-ionosphere": "backward elimination to its stop, ionosphere: 351 × 34",
    "eliminate-sonar": "the same, sonar: 208 × 60",
    "eliminate-musk1": "the same, musk1: 476 × 166",
    "eliminate-madelon": "the same, madelon: 2 600 × 500",
    "eliminate-adult": "the same, adult: 48 842 × 14",
    "eliminate-letter": "the same, letter: 20 000 × 16",
    "eliminate-musk2": "the same, musk2: 6 598 × 166",
}


def record(name: str) -> list[dict[str, str]]:
    """Return the rows of a record."""
    with (FOLDER / RECORDS[name]).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table whose columns, but for the first, are numbers."""
    heads = list(heads)
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def seconds(text: str) -> str:
    """Return seconds with two digits that count."""
    value = float(text)
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def peers() -> str:
    """Return growing and backward elimination beside other packages."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in record("peers"):
        if row["case"] in WORK and row["cpu_seconds"]:
            found[row["case"]][row["tool"]] = seconds(row["cpu_seconds"])
    tools = ["treewright", "scikit-learn", "ydf", "c50py", "mlxtend", "treewright-retrain"]
    rows = [[work, *(found[case].get(tool, "–") for tool in tools)] for case, work in WORK.items()]
    heads = ["CPU seconds", *tools[:-1], "treewright, every tree anew"]
    return f"""## Growing a tree, and backward elimination

{table(heads, rows)}

Backward elimination skips features that the tree does not test, and rebuilds only what a dropped feature
changes ([how](elimination.md)); the last column is the same search without that. Record:
`{RECORDS["peers"]}`.
"""


def same() -> str:
    """Return how elimination compares with its black-box form, set by set."""
    rows = record("same")
    equal = sum(row["same"] == "True" for row in rows)
    slow = [row for row in rows if float(row["seconds_retrain"]) >= 0.1]
    ratios = [float(row["seconds_retrain"]) / float(row["seconds_incremental"]) for row in slow]
    return f"""## The same answer, faster

On {equal} of {len(rows)} data sets the fast backward elimination drops the same features with the same errors
as the plain one. Where the plain one takes 0.1 s or more ({len(slow)} sets), it takes
{median(ratios):.1f} times as long in the median, {max(ratios):.0f} times at most.
Record: `{RECORDS["same"]}`.
"""


def ranks() -> str:
    """Return errors, leaves and features of feature selection, over data sets."""
    by_method: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in record("ranks"):
        by_method[row["method"]].append(row)
    n_sets = max(len(rows) for rows in by_method.values())
    complete = {method: rows for method, rows in by_method.items() if len(rows) == n_sets}
    lines = [
        [
            f"`{method}`",
            f"{100 * fmean(float(row['error']) for row in rows):.2f}",
            *(f"{fmean(float(row[what]) for row in rows):.1f}" for what in ("leaves", "features")),
        ]
        for method, rows in complete.items()
    ]
    return f"""## Errors and sizes of selected trees

Means over {n_sets} data sets, errors on rows that no choice has seen:

{table(["command", "error in %", "leaves", "features"], lines)}

Record: `{RECORDS["ranks"]}`.
"""


def evolution() -> str:
    """Return programs a second beside two packages for genetic programming."""
    best: dict[str, list[float]] = defaultdict(list)
    for row in record("evolution"):
        if row["case"] == "whole scores":
            best[row["tool"]].append(float(row["programs_per_cpu_second"]))
    rows = [[tool, f"{median(values):.0f}"] for tool, values in best.items()]
    return f"""## Evolving pruning rules

Whole scores of random formulas on 960 trees, a CPU second:

{table(["tool", "formulas"], rows)}

A search by treewright judges most programs on an eighth of the trees, and makes more.
Record: `{RECORDS["evolution"]}`.
"""


def exports() -> str:
    """Return how often exported trees answered otherwise than `predict`."""
    rows = [row for row in record("exports") if not row["refused"]]
    wrong = sum(int(row["disagreements"] or 0) for row in rows)
    answers = sum(int(row["rows"] or 0) for row in rows)
    sets, ways = ({row[what] for row in rows} for what in ("set", "way"))
    return f"""## Exports answer as `predict`

{len(rows):,} exported trees of {len(sets)} data sets, {len(ways)} ways (languages, databases and evaluators),
{answers:,} answers compared: {wrong} differ. Record: `{RECORDS["exports"]}`; see [exports](exports.md).
"""


def optimal() -> str:
    """Return seconds and errors of optimal trees beside other packages, on numbers and on 0/1 columns."""
    found = _by_case("optimal")
    bits = {key: row for key, row in found.items() if "pystreed" in row}
    summed = [
        [
            f"depth {depth}, a leaf costs {penalty}",
            *_beside([row for key, row in bits.items() if key[1:] == (depth, penalty)]),
        ]
        for depth, penalty in sorted({key[1:] for key in bits})
    ]
    heads = [
        "0/1 columns",
        "sets",
        "geometric mean",
        "largest",
        "proved by treewright alone",
        "by pystreed alone",
    ]
    return f"""## Optimal trees

Fewest errors, and CPU seconds from the data set to the tree; (>) where a search was ended by its limit:

{_numbers(found)}

The same on another machine, whose processor has AVX-512:

{_numbers(_by_case("optimal-avx512"))}

On the sets of 0/1 columns beside pystreed, where both proved their tree, seconds of treewright
divided by those of pystreed:

{table(heads, summed)}

Where both proved their tree, the least cost is {_agreement(bits.values())}.
Records: `{RECORDS["optimal"]}` and `{RECORDS["optimal-avx512"]}`, by
`python -m benches.optimal_peers`.

{large()}
What optimal trees err on new rows is [on their page](optimal.md#on-new-rows).
"""


Cases = dict[tuple[str, str, str], dict[str, dict[str, str]]]
"""Rows by set, depth and price of a leaf, and by tool."""


def _by_case(name: str) -> Cases:
    found: Cases = defaultdict(dict)
    for row in record(name):
        found[row["set"], row["depth"], row["penalty"]][row["tool"]] = row
    return found


def _numbers(found: Cases) -> str:
    """Return errors and seconds on the sets of numbers, and how many times faster than the better peer."""
    tools = ["treewright", "pycontree", "pytrees"]
    lines = [
        [f"{name}, depth {depth}", *(_told(row.get(tool)) for tool in tools), _times_faster(row)]
        for (name, depth, _), row in found.items()
        if "pycontree" in row
    ]
    return table(["numbers", *tools, "times faster than the better peer"], lines)


def _times_faster(row: dict[str, dict[str, str]]) -> str:
    """Return the least seconds of the peers that proved their tree, divided by ours."""
    peers = [float(one["seconds"]) for tool, one in row.items() if tool != "treewright" and _is_proved(one)]
    return f"{min(peers) / float(row['treewright']['seconds']):.1f}" if peers else "–"


def _is_proved(row: dict[str, str]) -> bool:
    return row["status"] == "optimal"


def large() -> str:
    """Return what is proven on large sets, by one thread and by two."""
    rows = record("large")
    lines = [
        [
            f"{row['set']}, {int(row['rows']):,} x {row['features']}",
            row["classes"],
            row["threads"],
            f"{float(row['errors']):.10g}",
            "proven" if row["status"] == "optimal" else f"at least {float(row['bound']):.10g}",
            seconds(row["wall_seconds"]),
            seconds(row["cpu_seconds"]),
            f"{float(row['peak_mb']):.0f} MB",
        ]
        for row in rows
    ]
    heads = ["large sets", "classes", "threads", "errors", "fewest", "seconds", "CPU seconds", "memory"]
    return f"""Depth {rows[0]["depth"]} on larger sets: mixed and with missing values (adult), of many classes
(letter) and of many columns (covtype-10k). Memory is what the search took above the loaded data set. The
machine had other work, so that seconds by the wall clock are more than alone:

{table(heads, lines)}

Record: `{RECORDS["large"]}`, by `python -m benches.optimal_large`."""


def _told(row: dict[str, str] | None) -> str:
    if row is None or not row["errors"]:
        return "–"
    return f"{row['errors']} in {seconds(row['seconds'])}{'' if row['status'] == 'optimal' else ' (>)'}"


def _agreement(rows: Iterable[dict[str, dict[str, str]]]) -> str:
    """Return whether two proofs are of the same cost, everywhere."""
    both = [
        row for row in rows if all(row[tool]["status"] == "optimal" for tool in ("treewright", "pystreed"))
    ]
    differ = sum(float(row["treewright"]["objective"]) != float(row["pystreed"]["objective"]) for row in both)
    return f"the same in all {len(both)} cases" if not differ else f"another in {differ} of {len(both)} cases"


def _beside(rows: list[dict[str, dict[str, str]]]) -> list[str]:
    """Return how many sets both proved, the mean and largest ratio of seconds, what one proved alone."""
    proved = [{tool: row[tool]["status"] == "optimal" for tool in ("treewright", "pystreed")} for row in rows]
    ratios = [
        float(row["treewright"]["seconds"]) / float(row["pystreed"]["seconds"])
        for row, by in zip(rows, proved, strict=True)
        if all(by.values())
    ]
    alone = [sum(by[tool] and not all(by.values()) for by in proved) for tool in ("treewright", "pystreed")]
    return [str(len(ratios)), f"{geometric_mean(ratios):.2f}", f"{max(ratios):.2f}", *map(str, alone)]


CLOSING = """## Other benches

`python -m benches.speed` holds enumeration, complete search, decision tables and branch and bound against the
seconds that they promise, `benches.fixed_depth` and `benches.planes` do the same for fixed-depth trees and
planes.
"""


def page() -> str:
    """Return the page as text."""
    return "\n".join([OPENING, peers(), same(), ranks(), evolution(), exports(), optimal(), CLOSING])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
