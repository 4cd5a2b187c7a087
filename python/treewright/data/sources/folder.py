"""A folder of `NAME.csv.gz` files, described by its `index.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from treewright._base.errors import DataError
from treewright.data.intake.column import Kind
from treewright.data.sources.csv import TextTable, read_text
from treewright.data.sources.read import to_dataset

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

VARIABLE = "TREEWRIGHT_DATA"
INDEX = "index.json"


@dataclass(frozen=True)
class Folder:
    """A folder of data sets.

    Its `index.json` holds under "datasets" a list of objects with "name", "file" and "columns", each column
    an object with "name" and "kind" ("numeric" or "nominal"). The last column is the class, unless "target"
    names another.
    """

    path: Path

    @cached_property
    def entries(self) -> dict[str, dict[str, Any]]:
        """What the index says of each set, by name."""
        index = self.path / INDEX
        try:
            described = json.loads(index.read_text(encoding="utf-8"))["datasets"]
            return {entry["name"]: entry for entry in described if entry["file"] and entry["columns"]}
        except OSError as error:
            raise DataError(
                f"{self.path} is no folder of data sets: {INDEX} cannot be read ({error.strerror}); "
                f"name another folder with data= or the variable {VARIABLE}"
            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"{index}: {error!r} while reading the index; it must be JSON with a list 'datasets' of "
                "objects that have 'name', 'file' and 'columns'"
            ) from error

    def kinds(self, name: str) -> dict[str, Kind]:
        """Return the kind of each column of a set, the class included."""
        return {column["name"]: cast(Kind, column["kind"]) for column in self.entries[name]["columns"]}

    def target(self, name: str) -> str:
        """Return the column that holds the class: the last, unless the index says otherwise."""
        return str(self.entries[name].get("target", list(self.kinds(name))[-1]))

    def read(self, name: str) -> TextTable:
        """Return the fields of a set."""
        return read_text(self.path / self.entries[name]["file"])

    def load(
        self,
        name: str,
        *,
        target: str | None,
        kinds: Mapping[str, str],
        missing_values: Collection[str] | None,
        drop: Collection[str],
    ) -> Dataset:
        """Read a set; what is given wins over what the index says."""
        declared = self.kinds(name)
        return to_dataset(
            self.read(name),
            target=self.target(name) if target is None else target,
            kinds={**declared, **kinds},
            missing_values=missing_values,
            drop=drop,
        )


def find_folder(data: str | os.PathLike[str] | None) -> Folder | None:
    """Return the folder that `data` or the environment names, None if neither does."""
    named = data if data is not None else os.environ.get(VARIABLE) or None
    return None if named is None else Folder(Path(named))
