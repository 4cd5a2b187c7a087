"""What DATA on the command line means."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from treewright import Dataset

_FILE_ENDINGS = (".csv", ".csv.gz")


@dataclass(frozen=True)
class Source:
    """Labelled rows, as the command line names them."""

    data: str
    target: str | None
    folder: Path | None
    drop: tuple[str, ...]
    nominal: tuple[str, ...]
    numeric: tuple[str, ...]
    missing_values: tuple[str, ...]
    delimiter: str
    encoding: str

    def load(self) -> Dataset:
        """Read the file or load the named set."""
        from treewright import datasets

        if not is_file(self.data):
            return datasets.load(
                self.data,
                data=self.folder,
                target=self.target,
                kinds=self._kinds(),
                missing_values=self.missing_values,
                drop=self.drop,
            )
        return datasets.read_csv(
            self.data,
            target=self._target_of_file(),
            kinds=self._kinds(),
            missing_values=self.missing_values,
            drop=self.drop,
            delimiter=self.delimiter,
            encoding=self.encoding,
        )

    def _kinds(self) -> dict[str, str]:
        both = sorted(set(self.nominal).intersection(self.numeric))
        if both:
            raise click.UsageError(f"Column {both[0]!r} is named by --nominal and by --numeric.")
        return dict.fromkeys(self.nominal, "nominal") | dict.fromkeys(self.numeric, "numeric")

    def _target_of_file(self) -> str:
        if self.target is None:
            from treewright._base.wording import shortened
            from treewright.data.sources.csv import read_header

            names = read_header(self.data, delimiter=self.delimiter, encoding=self.encoding)
            raise click.UsageError(f"A file needs --target COL, one of its columns: {shortened(names)}.")
        return self.target


def is_file(data: str) -> bool:
    """Tell a path from the name of a set: it has a folder or an ending, or is there."""
    from treewright import datasets

    if os.sep in data or data.lower().endswith(_FILE_ENDINGS):
        return True
    return bool(Path(data).is_file() or Path(data).suffix) and data not in datasets.names()
