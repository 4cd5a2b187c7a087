"""Blocks of the documentation that `test_readme` does not run are read: no page shows what cannot be.

A command of treewright is parsed with its options and values, a program is checked for its types, JSON and
TOML are read, and a reference of BibTeX has its fields. A block of a kind that nothing here reads fails.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from treewright import ParameterError
from treewright.cli import treewright
from treewright.evolution import Program

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (treewright [a-z].*(?:\n        .*)*)", re.MULTILINE)
RUN = re.compile(r"console|python|csv \S+")
"""Kinds of block that `test_readme` runs."""

OTHERS = ("pip", "cargo", "python", "python3", "pytest", "ruff", "sphinx-build", "eval", "treewright")
"""Programs beside treewright that commands in blocks call."""

TYPES = """
type list = Nil | Cons of int * list
type tree = Leaf | Node of tree * int * tree
"""
"""What programs are written for that a page shows without their types, as the search prints them."""


def blocks() -> Iterator[tuple[str, str, str]]:
    """Yield page, kind and text of every block that is not run."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in FENCE.finditer(text):
            if not RUN.fullmatch(found["info"]):
                yield page.name, found["info"].strip(), found["body"]
        for found in INDENTED.finditer(FENCE.sub("", text)):
            yield page.name, "", found[1]


def context_of(command: click.Command, parent: click.Context | None = None) -> click.Context:
    """Make a context as a call does: a command keeps the option of help of its first one."""
    return click.Context(command, parent=parent, **command.context_settings)


def parsed(line: str) -> click.Command:
    """Parse a command of treewright as its command line does, and return the command that it calls."""
    _, *words = shlex.split(line, comments=True)
    command: click.Command = treewright
    context = None
    while isinstance(command, click.Group):
        _, found, words = command.resolve_command(context_of(command, context), words)
        assert found is not None
        context, command = context_of(command, context), found
    command.make_context(command.name, words, parent=context)
    return command


def commands(body: str) -> list[str]:
    """Return commands, each on one line."""
    joined = re.sub(r"\s*\\?\n\s+(?=\S)", " ", body)
    return [line.strip() for line in joined.splitlines() if line.strip()]


def read_shell(body: str) -> None:
    for line in commands(body):
        if line.startswith("treewright "):
            parsed(line)
        else:
            assert re.sub(r"^[A-Z_]+=\S+ ", "", line).split()[0] in OTHERS, line


def read_text(body: str) -> None:
    """Read what has no kind: programs and commands; the gallery and pseudo-code are held elsewhere."""
    if body.startswith("fun "):
        Program(TYPES + body)
    elif body.startswith("cargo run"):
        for name in re.findall(r"--example (\S+)", body):
            assert (ROOT / "rust/core/examples" / name / "main.rs").exists(), name


def read_program(body: str) -> None:
    Program(body if "fun " in body else f"{body}\nfun same(x: int): int = x")


def read_references(body: str) -> None:
    for entry in re.findall(r"^@\w+\{.*?^\}", body, re.MULTILINE | re.DOTALL):
        assert re.match(r"@(software|article|inproceedings|misc)\{[a-z0-9]+,\n", entry)
        fields = dict(re.findall(r"^  (\w+) *= \{(.*)\},$", entry, re.MULTILINE))
        assert {"title", "author"} <= set(fields), entry
        assert entry.count("{") == entry.count("}")


READERS: dict[str, Callable[[str], object]] = {
    "": read_shell,
    "bash": read_shell,
    "sh": read_shell,
    "bibtex": read_references,
    "json": json.loads,
    "ml": read_program,
    "py": lambda body: compile(body, "page", "exec"),
    "text": read_text,
    "toml": tomllib.loads,
}
"""What reads a kind of block; directives of Sphinx are read by its build."""


@pytest.mark.parametrize("kind", READERS)
def test_blocks_that_are_not_run_are_right(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets").mkdir()  # the folder of data sets that pages speak of
    bodies = [(page, body) for page, found, body in blocks() if found == kind]
    assert bodies
    for page, body in bodies:
        try:
            READERS[kind](body)
        except (click.UsageError, ParameterError, ValueError, AssertionError) as fault:
            pytest.fail(f"{page}: {fault}\n{body}")


def test_every_block_is_of_a_kind_that_is_run_or_read() -> None:
    kinds = {info for _, info, _ in blocks()}
    assert {info for info in kinds if not info.startswith("{")} <= set(READERS)


@pytest.mark.parametrize(
    "line",
    ["treewright fit wine --no-such-option", "treewright prun t.json", "treewright fit wine --max-depth x"],
)
def test_a_wrong_command_is_found(line: str) -> None:
    with pytest.raises(click.UsageError):
        parsed(line)


def test_options_that_sentences_name_are_there() -> None:
    n_found = 0
    for page in PAGES:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for line in re.findall(r"`treewright ([a-z][^`]*)`", text):
            words = shlex.split(line.replace("…", ""))
            command: click.Command = treewright
            while isinstance(command, click.Group) and words and words[0] not in ("NAME", "COMMAND"):
                found = command.get_command(context_of(command), words.pop(0))
                assert found is not None, f"{page.name}: treewright {line}"
                command = found
            known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
            asked = {word.partition("=")[0] for word in words if word.startswith("-")}
            assert asked <= known, f"{page.name}: treewright {line} has no {asked - known}"
            n_found += 1
    assert n_found > 100
