"""Which groups of calls there are, and how their ids are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from importlib import import_module

Case = Callable[[], object]

# The slowest first, so that two processes end at about the same time.
GROUPS = (
    "plots",
    "studies",
    "planes",
    "command_studies",
    "command_engines",
    "evolution",
    "command_trees",
    "programs",
    "tables",
    "distinct",
    "intake",
    "growing",
    "pruning",
    "fixed_depth",
    "selection",
    "minimal",
    "trees",
    "refusals",
    "command_refusals",
    "complete",
)


def cases_of(group: str) -> dict[str, Case]:
    """Return the calls of a group by their full ids."""
    module = import_module(f"benches.snapshot.calls.{group}")
    return {f"{module.NAME}/{name}": call for name, call in module.CASES.items()}


def is_asked(name: str, pattern: str | None) -> bool:
    """Tell whether an id contains the pattern, or matches it where that has a star."""
    if pattern is None:
        return True
    return fnmatchcase(name, pattern) if "*" in pattern else pattern in name


def all_cases(pattern: str | None) -> Iterator[str]:
    """Yield the ids that are asked for."""
    for group in GROUPS:
        yield from (name for name in cases_of(group) if is_asked(name, pattern))
