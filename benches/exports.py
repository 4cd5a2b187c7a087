"""Run every export of every kind of tree on every set of a folder, and record who says what.

Run ``python -m benches.exports RECORD.csv`` from the root of the repository, with ``TREEWRIGHT_DATA`` naming
the folder. A kind of tree that the record has for a set is left out, so a run that was ended goes on, and a
new kind is added to all sets. ``--set NAME`` runs one set. The exit code is 1 if any answer differs from
`Tree.predict`.

Trees are grown on up to 60 rows of a set, spread over it. Columns have hostile names: quotes, line ends,
code, right-to-left text. The rows are those, and again with one value in five taken out, one in ten not seen
before, and numbers right beside the cuts. A line is a set, a kind of tree, and a way to run an export: rows,
disagreements, why it was refused, seconds. Where a tree that shares rows is refused, a further line has
``missing="stop"``.
Tools that are not installed are left out: duckdb, quickjs or node, cc, onnxruntime, jpmml_evaluator (Java),
openpyxl and LibreOffice.
"""

from __future__ import annotations

import argparse
import csv
import io
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from evaluators import EVALUATORS, SOFFICE, calculated
from exported import (
    HOSTILE,
    KINDS,
    TWO_CLASSES,
    excel_rows,
    frame_of,
    hard_rows,
    loaded,
    rows_of_32_bits,
    stopping,
)
from test_exports import is_there
from treewright import Dataset, ExportError, Tree, TreewrightError
from treewright.datasets import catalogue

FIELDS = ("set", "kind", "way", "missing", "nodes", "rows", "disagreements", "refused", "seconds")
MOST_ROWS = 60
MOST_SECONDS = 1800
"""Of a set; what takes longer is recorded as such."""
NAMES = [name for name in HOSTILE if len(name) < 100 and name.isprintable() | ("\n" in name)]

Line = dict[str, Any]


def hostile(data: Dataset) -> Dataset:
    """Give the columns hostile names, no two alike: the number comes before or after."""
    frame = frame_of(data)
    names = [NAMES[i % len(NAMES)] for i in range(frame.shape[1])]
    frame.columns = [f"{i} {name}" if i % 2 else f"{name} {i}" for i, name in enumerate(names)]
    nominal = [name for name, levels in zip(frame, data.levels, strict=True) if levels is not None]
    return Dataset(frame, data.classes[data.target], categorical_features=nominal)


def lines_of(name: str, recorded: set[str]) -> Iterator[Line]:
    """Yield the lines of a set, of all kinds but those that are recorded."""
    data = hostile(loaded(name, MOST_ROWS))
    kinds = {**KINDS, **(TWO_CLASSES if len(data.classes) == 2 else {})}
    sheets: list[tuple[Line, Tree, Any, str]] = []
    for kind, grow in ((kind, grow) for kind, grow in kinds.items() if kind not in recorded):
        start = time.perf_counter()
        try:
            tree = grow(data)
        except TreewrightError as error:
            yield {"kind": kind, "way": "grow", "refused": str(error), "seconds": seconds_since(start)}
            continue
        frame = frame_of(data)[tree.feature_names]
        yield from of_tree({"kind": kind, "nodes": tree.n_nodes}, tree, frame, sheets)
    yield from of_sheets(sheets)


def of_tree(line: Line, tree: Tree, frame: Any, sheets: list[tuple[Line, Tree, Any, str]]) -> Iterator[Line]:
    """Yield the lines of a tree; what Excel is to calculate is kept for later."""
    rows = hard_rows(tree, frame)
    for way in filter(is_there, EVALUATORS):
        run = EVALUATORS[way][1]
        yield from of_way({**line, "way": way}, tree, rows, lambda t, r, run=run, **m: run(t, r, **m))
    if SOFFICE is not None:
        told: list[str] = []
        few = excel_rows(tree, frame).iloc[::4]

        def keep(tree: Tree, rows: Any, **options: Any) -> list[Any]:
            told.append(str(tree.export("excel", **options)))
            return tree.predict(rows).tolist()

        lines = list(of_way({**line, "way": "excel"}, tree, few, keep))
        yield from lines if not told else lines[:-1]
        if told:
            said = tree if lines[-1]["missing"] == "as_tree" else stopping(tree)
            sheets.append((lines[-1], said, few, told[0]))
    both = lambda t, r, **m: t.to_sklearn(**m).predict(r).tolist()  # noqa: E731
    yield from of_way({**line, "way": "sklearn, training rows"}, tree, frame, both)
    yield from of_way({**line, "way": "sklearn, 32 bits"}, tree, rows_of_32_bits(tree, frame), both)


def of_way(line: Line, tree: Tree, rows: Any, run: Callable[..., list[Any]]) -> Iterator[Line]:
    """Yield a line: disagreements, or why it is refused; then one with ``missing="stop"`` if that helps."""
    for missing in ("as_tree", "stop"):
        start = time.perf_counter()
        expected = (tree if missing == "as_tree" else stopping(tree)).predict(rows).tolist()
        found, reason = None, ""
        try:
            found = run(tree, rows, missing=missing)
        except ExportError as error:
            reason = str(error)
        wrong = "" if found is None else sum(a != b for a, b in zip(found, expected, strict=True))
        facts = {"missing": missing, "rows": len(rows), "disagreements": wrong, "refused": reason}
        yield {**line, **facts, "seconds": seconds_since(start)}
        if "shares a row" not in reason:
            return


def of_sheets(sheets: list[tuple[Line, Tree, Any, str]]) -> Iterator[Line]:
    """Calculate all formulas of a set at once."""
    start = time.perf_counter()
    found = calculated([(formulas, rows) for _, _, rows, formulas in sheets]) if sheets else []
    each = seconds_since(start) / max(len(sheets), 1)
    for (line, tree, rows, _), answers in zip(sheets, found, strict=True):
        wrong = sum(a != b for a, b in zip(answers, tree.predict(rows).tolist(), strict=True))
        yield {**line, "disagreements": wrong, "seconds": round(each, 2)}


def seconds_since(start: float) -> float:
    return round(time.perf_counter() - start, 2)


def within_time(name: str, recorded: set[str]) -> list[Line]:
    """Run a set; what fails or takes too long has one line that says so."""

    def late(*_: object) -> None:
        raise TimeoutError(f"took more than {MOST_SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(MOST_SECONDS)
    try:
        return [{"set": name, **line} for line in lines_of(name, recorded)]
    except Exception as error:  # the other sets go on
        return [{"set": name, "refused": f"failed: {type(error).__name__}: {error}"}]
    finally:
        signal.alarm(0)


def written(lines: list[Line]) -> str:
    """Write lines as CSV, with a heading."""
    text = io.StringIO()
    table = csv.DictWriter(text, FIELDS, lineterminator="\n")
    table.writeheader()
    table.writerows(lines)
    return text.getvalue()


def main() -> int:
    """Run what is not in the record yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record", help="file to go on with; - prints")
    parser.add_argument("--set", help="one set only")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.record == "-":
        print(written(within_time(asked.set, set())), end="")
        return 0
    path = Path(asked.record)
    lines = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    entries = sorted((entry for entry in catalogue() if entry.source == "folder"), key=lambda e: e.n_samples)
    for name in [asked.set] if asked.set else [entry.name.removeprefix("folder:") for entry in entries]:
        recorded = {line["kind"] for line in lines if line["set"] == name}
        if new := within_time(name, recorded):
            lines = [line for line in lines if line["set"] != name or line["kind"]] + new
            whole = path.with_suffix(".part")
            whole.write_text(written(lines), encoding="utf-8")
            whole.replace(path)
            print(name, len(lines), flush=True)
    n_different = sum(int(line["disagreements"] or 0) for line in lines)
    failed = [line["set"] for line in lines if not line.get("way")]
    print(f"{len(lines)} lines, {n_different} disagreements, not finished: {failed or 'none'}")
    return int(n_different > 0 or bool(failed))


if __name__ == "__main__":
    sys.exit(main())
