"""Read ``tests/cases/*.toml``: small tables with known answers."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

from reference.table import Column, Growing, Table, Value

Case = dict[str, Any]
_FOLDER = Path(__file__).parent.parent / "cases"


def read_cases(name: str) -> Case:
    """Read one file of cases, named without its ending."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def table_of(case: Case) -> Table:
    """Table of a case."""
    columns = tuple(
        Column(
            tuple(_value(column, value) for value in column["values"]),
            len(column["levels"]) if "levels" in column else None,
        )
        for column in case["columns"]
    )
    weights = tuple(map(float, case["weights"])) if "weights" in case else None
    target = tuple(case["classes"].index(label) for label in case["target"])
    return Table(columns, target, len(case["classes"]), weights)


def row_of(case: Case, values: list[Any]) -> tuple[Value, ...]:
    """One sample of a case."""
    return tuple(_value(column, value) for column, value in zip(case["columns"], values, strict=True))


def _value(column: dict[str, Any], value: Any) -> Value:
    if "levels" in column:
        levels = column["levels"]
        return levels.index(value) if value in levels else None
    return None if math.isnan(value) else float(value)


def growing_of(case: Case) -> Growing:
    """Growing parameters of a case."""
    return Growing(**case.get("growing", {}))


def feature_of(case: Case, name: str) -> int:
    """Position of a named feature of a case."""
    return [column["name"] for column in case["columns"]].index(name)
