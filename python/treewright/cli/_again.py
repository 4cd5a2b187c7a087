"""A command that a result holds, run again: as it was, or on some of the rows."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from treewright.cli._config import Line
from treewright.cli._documents import Document
from treewright.cli._model import read_model
from treewright.cli._running import INTERRUPTED, TERMINATED, quiet
from treewright.cli._source import INSTEAD, Instead, Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright import Dataset, Tree

    Rows = NDArray[np.int64]

LEARNING = ("fit", "select", "optimal", "table", "fixed-depth", "plane", "explore")
"""Commands that make a tree of DATA alone."""

PRUNING = "prune"
"""The command that goes on from such a tree."""

FILE_BEFORE = "tree"
"""Its argument."""

ELSEWHERE = (
    *("out", "save_model", "picture", "numbers", "as_json", "latex", "code", "all_path", "overwrite"),
    *("progress", "quiet", "config", "save_config", "checkpoint", "resume"),
)
"""Options that say where a result goes and how it is told, and change nothing of it."""


def steps_of(text: str) -> list[str]:
    """Part the command lines of a result, which semicolons join; quoted ones part nothing.

    >>> steps_of("treewright fit 'a; treewright b'; treewright prune tree.json")
    ["treewright fit 'a; treewright b'", 'treewright prune tree.json']
    """
    found, begin = [], 0
    for mark in re.finditer("; (?=treewright )", text):
        if _is_whole(text[begin : mark.start()]):
            found.append(text[begin : mark.start()])
            begin = mark.end()
    return [*found, text[begin:]]


def _is_whole(text: str) -> bool:
    try:
        return bool(shlex.split(text))
    except ValueError:  # a quotation is open
        return False


@dataclass(frozen=True)
class Again:
    """A command of the program, without what it writes and shows.

    `before` makes the file that it begins with: one that prunes a tree goes with the one that grew it.
    """

    command: click.Command
    name: str
    line: Line
    before: Again | None = None

    @classmethod
    def of(cls, text: str, place: str) -> Again:
        """Find the command of a line that a result holds, or of several."""
        found: Again | None = None
        for step in steps_of(text):
            found = cls._of_step(step, place, found)
        assert found is not None, "a text has a first step"
        return found

    @classmethod
    def _of_step(cls, text: str, place: str, before: Again | None) -> Again:
        words = shlex.split(text)[1:]
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
        return cls(command, name, line.without(*ELSEWHERE), before)

    @property
    def steps(self) -> list[Again]:
        """The commands in the order in which they run."""
        return [*(self.before.steps if self.before else []), self]

    def value_of(self, name: str) -> str | None:
        """Return the value of an argument or option; None where it is not given."""
        found = [given[0] for one, given in self.line.values.items() if one.name == name]
        return str(found[0]) if found else None

    def run(self, *words: str) -> int:
        """Run it with further words; nothing is said but what goes wrong."""
        if self.before is None:
            return self._run(self.line, words)
        with TemporaryDirectory() as folder:
            begin = Path(folder, PurePath(self.value_of(FILE_BEFORE) or "tree.json").name)
            self.before.run("--out", str(begin))
            values = {
                one: (str(begin),) if one.name == FILE_BEFORE else given
                for one, given in self.line.values.items()
            }
            return self._run(Line(self.command, values), words)

    def _run(self, line: Line, words: Sequence[str]) -> int:
        with quiet():
            try:
                code = self.command.main(
                    args=[*words, *line.words()],
                    prog_name=self.name,
                    standalone_mode=False,
                    parent=click.get_current_context().find_root(),
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
        token = INSTEAD.set(Instead(self.steps[0].value_of("data") or "", instead))
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
        before = self.before and self.before.with_files_beside(place)
        return replace(self, line=Line(self.command, values), before=before)


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
