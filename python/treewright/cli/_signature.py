"""Options from the signatures and docstrings of public objects.

Names, defaults, choices and help stand in the library and nowhere else. They are read from its source,
without importing it, so that a help screen does not wait for scikit-learn. What the command line has
otherwise stands in `treewright.cli._differences`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from inspect import cleandoc

from treewright._base.wording import UNSET

_Object = ast.ClassDef | ast.FunctionDef


@dataclass(frozen=True)
class Parameter:
    """A parameter of a public object as its signature and docstring tell it."""

    name: str
    default: object
    """`UNSET` for a parameter without one, or with one that is no literal."""
    kind: str
    """What the docstring says after the colon, without the default."""
    text: str
    """The first paragraph of the description."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be, if the docstring lists them in braces and nothing else."""
        words_alone, _, others = self.kind.partition("}")
        if not self.kind.startswith("{") or others not in ("", " or None"):
            return ()
        words = ast.parse(words_alone + "}", mode="eval").body
        assert isinstance(words, ast.Set), "braces hold words"
        return tuple(str(word.value) for word in words.elts if isinstance(word, ast.Constant))

    @property
    def sentence(self) -> str:
        """The first sentence of the description, without what None means there."""
        end = self.text.find(". ")
        first = (self.text if end < 0 else self.text[:end]).rstrip(".")
        return "; ".join(part for part in first.split("; ") if not part.startswith("None ")) + "."


@cache
def parameters_of(public_name: str) -> Mapping[str, Parameter]:
    """Return the parameters of ``treewright.Name`` or ``treewright.room.Name``, in their order."""
    found = _definition(*public_name.rsplit(".", 1))
    signature = _init(found) if isinstance(found, ast.ClassDef) else found
    told = dict(_told(ast.get_docstring(found) or ""))
    return {
        name: Parameter(name, default, *told[name])
        for name, default in _defaults(signature.args)
        if name in told
    }


def _definition(module: str, name: str) -> _Object:
    """Follow the imports of façades to where a name is defined."""
    for node in ast.walk(_source(module)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return node
        if isinstance(node, ast.ImportFrom) and node.module and name in (one.name for one in node.names):
            return _definition(node.module, name)
    raise LookupError(f"{module} has no {name}")


@cache
def _source(module: str) -> ast.Module:
    folder = files("treewright")
    for part in module.split(".")[1:]:
        folder = folder / part
    path = folder / "__init__.py" if folder.is_dir() else files("treewright").joinpath(*_file(module))
    return ast.parse(path.read_text(encoding="utf-8"))


def _file(module: str) -> list[str]:
    *rooms, last = module.split(".")[1:]
    return [*rooms, f"{last}.py"]


def _init(found: ast.ClassDef) -> ast.FunctionDef:
    return next(node for node in found.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, object]]:
    """Yield parameters with their defaults."""
    plain = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults, *arguments.kw_defaults]
    for argument, default in zip([*plain, *arguments.kwonlyargs], defaults, strict=True):
        try:
            yield argument.arg, UNSET if default is None else ast.literal_eval(default)
        except ValueError:
            yield argument.arg, UNSET


def _told(docstring: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the parameters of a numpydoc docstring: name, and its kind and first paragraph."""
    lines = iter(_section(cleandoc(docstring).splitlines()))
    head, body = "", list[str]()
    for line in lines:
        if line and not line.startswith(" "):
            yield from _entry(head, body)
            head, body = line, []
        else:
            body.append(line.strip())
    yield from _entry(head, body)


def _section(lines: list[str]) -> list[str]:
    """Return the lines of the section Parameters."""
    if "Parameters" not in lines:
        return []
    start = lines.index("Parameters") + 2
    ends = (at - 1 for at in range(start, len(lines)) if lines[at] and set(lines[at]) == {"-"})
    return lines[start : next(ends, len(lines))]


def _entry(head: str, body: list[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield what one entry says of its parameters, which share a line."""
    names, colon, kind = head.partition(" : ")
    if colon:
        kind = kind.partition(", default=")[0]
        paragraph = " ".join(body).split("  ")[0] if "" not in body else " ".join(body[: body.index("")])
        for name in names.split(", "):
            yield name, (kind, paragraph.strip())
