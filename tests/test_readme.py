"""The README, the documentation and the guide do what they say.

In a Markdown file three kinds of block are alive, in their order and in one working folder: ``csv NAME`` is
written to that file, ``console`` runs its commands (`$ treewright …`) and ``python`` its doctests. What is
printed must be what the page shows; `...` stands for anything, and seconds are not compared.

Inner names, as in unit tests: `cli._running`: parts of the command line are tested without a
process.
"""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest

from treewright.cli import treewright
from treewright.cli._running import exit_code

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("tests/guide/*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"(under )?\b\d+\.\d+ s\b")


@dataclass(frozen=True)
class Block:
    info: str
    body: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = BLOCK.finditer(text)
    return [Block(match["info"], match["body"], text[: match.start()].count("\n") + 1) for match in found]


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with what it is to print; a backslash continues a command."""
    for part in re.split(r"^\$ ", block.body.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.rstrip("\n")


def run(command: str) -> str:
    """Run a treewright command in this process and return all that it prints."""
    name, *arguments = shlex.split(command)
    assert name == "treewright", f"{command!r}: only treewright runs in documentation"
    printed = StringIO()
    with patch.object(sys, "argv", [name, *arguments]), redirect_stdout(printed), redirect_stderr(printed):
        exit_code(treewright)
    return printed.getvalue().rstrip("\n")


def run_console(page: Path, block: Block, names: dict[str, object]) -> None:
    for command, expected in commands(block):
        wanted, got = (SECONDS.sub("# s", text) for text in (expected, run(command)))
        if not doctest.OutputChecker().check_output(wanted + "\n", got + "\n", doctest.ELLIPSIS):
            place = f"{page.name}, line {block.line}: $ {command}"
            pytest.fail(f"{place}\n--- shown:\n{wanted}\n--- printed:\n{got}")


def run_python(page: Path, block: Block, names: dict[str, object]) -> None:
    example = doctest.DocTestParser().get_doctest(block.body, names, page.name, str(page), block.line)
    report = StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(example, out=report.write, clear_globs=False)
    names.update(example.globs)
    assert runner.summarize(verbose=False).failed == 0, report.getvalue()


def write_file(page: Path, block: Block, names: dict[str, object]) -> None:
    Path(block.info.split()[1]).write_text(block.body, encoding="utf-8")


LIVE: dict[str, Callable[[Path, Block, dict[str, object]], None]] = {
    "console": run_console,
    "csv": write_file,
    "python": run_python,
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_does_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("TREEWRIGHT_DATA", raising=False)
    names: dict[str, object] = {}
    for block in blocks(page):
        act = LIVE.get(block.info.split()[0])
        if act is not None:
            act(page, block, names)


def test_readme_has_the_two_commands() -> None:
    shell = [block.body.strip() for block in blocks(ROOT / "README.md") if block.info == "sh"]
    assert shell == ["pip install . && treewright explore wine", "pip install '.[test]' && pytest"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
