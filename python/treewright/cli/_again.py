"""A command that a result holds, run again: as it was, or on some of the rows."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from treewright.cli._config import Line
from treewright.cli._documents import Document
from treewright.cli._running import INTERRUPTED, TERMINATED, quiet
from treewright.cli._source import INSTEAD, Reading, read_model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright import Dataset, Tree

    Rows = NDArray[np.int64]

LEARNING = ("fit", "select", "optimal", "table", "fixed-depth", "plane")
"""Commands that make a tree of DATA alone."""

ELSEWHERE = (
    *("out", "picture", "numbers", "as_json", "latex", "code", "all_path", "overwrite"),
    *("progress", "quiet", "config", "save_config", "checkpoint", "resume"),
)
"""Options that say where a result goes and how it is told, and change nothing of it."""


@dataclass(frozen=True)
class Again:
    """A command of the program, without what it writes and shows."""

    command: click.Command
    name: str
    line: Line

    @classmethod
    def of(cls, text: str, place: str) -> Again:
        """Find the command of a line that a result holds."""
        first, *more = re.split("; (?=treewright )", text)
        if more:
            last = shlex.split(more[-1])[1]
            raise click.UsageError(
                f"{place} was made by `treewright {last}` from another result, not from rows alone; "
                "`treewright fit --prune RULE` grows and prunes in one."
            )
        words = shlex.split(first)[1:]
        ctx = click.get_current_context().find_root()
        command: click.Command = ctx.command
        path = []
        while isinstance(command, click.Group) and words:
            path.append(words.pop(0))
            inner = command.get_command(ctx, path[-1])
            if inner is None:
                raise click.UsageError(f"{place}: its command {text!r} is not known.")
            command = inner
        name = " ".join(path)
        line = Line.of(command, click.Context(command, info_name=f"treewright {name}"), words)
        return cls(command, name, line.without(*ELSEWHERE))

    def run(self, *words: str) -> int:
        """Run it with further words; nothing is said but what goes wrong."""
        with quiet():
            try:
                code = self.command.main(
                    args=[*words, *self.line.words()],
                    prog_name=f"treewright {self.name}",
                    standalone_mode=False,
                )
            except click.Abort:
                raise KeyboardInterrupt from None
        if code in (INTERRUPTED, TERMINATED):  # what it has found so far is not what it finds
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0

    def document(self) -> Document:
        """Run it and return its result."""
        told = io.StringIO()
        with redirect_stdout(told):
            self.run("--json")
        found: Document = json.loads(told.getvalue())
        return found

    def tree_of(self, instead: Callable[[Reading, str], Dataset]) -> Tree:
        """Run it on other data, and return the tree that it makes."""
        token = INSTEAD.set(instead)
        try:
            with TemporaryDirectory() as folder:
                path = Path(folder, "tree.json")
                self.run("--out", str(path))
                return read_model(path)
        finally:
            INSTEAD.reset(token)

    def with_files_beside(self, place: Path) -> Again:
        """Return the command with files that are not here taken from the folder of a result."""
        values = {
            one: tuple(_beside(word, place.parent) for word in given)
            for one, given in self.line.values.items()
        }
        return replace(self, line=Line(self.command, values))


def _beside(word: str | bool, folder: Path) -> str | bool:
    if not isinstance(word, str) or not word or Path(word).exists() or not (folder / word).is_file():
        return word
    return str(folder / word)


class DataRead(Exception):  # noqa: N818 - it is no error: it stops a command once its data are known
    """The data set that a command reads, and how."""

    def __init__(self, dataset: Dataset, reading: Reading) -> None:
        super().__init__("the data are known")
        self.dataset, self.reading = dataset, reading


def data_of(again: Again, data: str, reading: Reading) -> tuple[Dataset, Reading]:
    """Read DATA as a command reads its own; what another reading says wins."""

    def read(own: Reading, _: str) -> Dataset:
        how = own.or_else(reading)
        raise DataRead(how.load_plain(data), how)

    try:
        again.tree_of(read)
    except DataRead as found:
        return found.dataset, found.reading
    raise click.UsageError(f"`treewright {again.name}` reads no DATA, so it cannot be run on parts of them.")


def tree_of_rows(again: Again, dataset: Dataset, rows: Rows | Sequence[int]) -> Tree:
    """Make the tree of some rows."""
    return again.tree_of(lambda *_: dataset[rows])
