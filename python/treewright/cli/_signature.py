"""Options from the signatures and docstrings of public objects.

Names, defaults, choices and help stand in the library and nowhere else. They are read from its source,
without importing it, so that a help screen does not wait for scikit-learn. What the command line has
otherwise stands in `treewright.cli._differences`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any

from treewright._base.wording import UNSET

Given = dict[str, Any]
"""Parameters by name, with values that click has checked or that the library will check."""


def given(**values: object) -> Given:
    """Return the parameters that were given, so that the library's defaults hold for the others."""
    return {name: value for name, value in values.items() if value is not None and value != ()}


_Told = tuple[str, bool, str, str]
"""Kind, whether it is a list, default and first paragraph."""

_PACKAGE = Path(__file__).parents[1]

_Object = ast.ClassDef | ast.FunctionDef


@dataclass(frozen=True)
class Parameter:
    """A parameter of a public object as its signature and docstring tell it."""

    name: str
    default: object
    """`UNSET` for a parameter without one, or with one that is no literal."""
    kind: str
    """What the docstring says after the colon, without the default; of a list what it says of an item."""
    is_list: bool
    usual: str
    """The default as the docstring tells it; empty where that is None."""
    text: str
    """The first paragraph of the description."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be, if the docstring opens with them, in braces; "none" stands for None."""
        words_alone, _, others = self.kind.partition("}")
        if not self.kind.startswith("{") or not (others == "" or others.startswith(" or ")):
            return ()
        words = ast.parse(words_alone + "}", mode="eval").body
        assert isinstance(words, ast.Set), "braces hold words"
        named = [str(word.value) for word in words.elts if isinstance(word, ast.Constant)]
        return (*named, *(["none"] if others == " or None" else []))

    @property
    def sentence(self) -> str:
        """The first sentence of the description, without what None means there."""
        end = self.text.find(". ")
        first = (self.text if end < 0 else self.text[:end]).rstrip(".")
        return "; ".join(part for part in first.split("; ") if not part.startswith("None")) + "."


@cache
def parameters_of(public_name: str) -> Mapping[str, Parameter]:
    """Return the parameters of ``treewright.Name``, ``treewright.room.Name`` or a method, in their order."""
    found = _definition(*public_name.rsplit(".", 1))
    told = dict(_told(ast.get_docstring(found) or ""))
    signature = found if isinstance(found, ast.FunctionDef) else _method(found, "__init__")
    defaults = _defaults(signature.args) if signature else _fields(found)
    return {
        name: _parameter(public_name, name, default, told[name]) for name, default in defaults if name in told
    }


def names_in(module: str) -> tuple[str, ...]:
    """Return the public names of a façade."""
    (names,) = (node.value for node in _source(module).body if isinstance(node, ast.Assign))
    return tuple(ast.literal_eval(names))


def _parameter(owner: str, name: str, default: object, told: _Told) -> Parameter:
    """Return a parameter; of one that is "as in" another object, what is said there."""
    reference = re.match("As (?:in|for) `([.\\w]+)`", told[3])
    if reference and not told[0]:
        home = "treewright" if reference[1][:1].isupper() else owner.rpartition(".")[0]
        return replace(parameters_of(f"{home}.{reference[1]}")[name], default=default)
    return Parameter(name, _literal(told[2]) if default is UNSET else default, *told)


def _literal(text: str) -> object:
    """Return the value that a text writes, `UNSET` if it writes none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return UNSET


def _method(found: _Object, name: str) -> ast.FunctionDef | None:
    methods = (node for node in found.body if isinstance(node, ast.FunctionDef))
    return next((method for method in methods if method.name == name), None)


def _definition(module: str, name: str) -> _Object:
    """Follow the imports of façades to where a name is defined; a class is the module of its methods."""
    home, _, owner = module.rpartition(".")
    if owner[:1].isupper():
        method = _method(_definition(home, owner), name)
        assert method is not None, f"{module} has no {name}"
        return method
    for node in ast.walk(_source(module)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return node
        if isinstance(node, ast.ImportFrom) and node.module and name in (one.name for one in node.names):
            return _definition(node.module, name)
    raise LookupError(f"{module} has no {name}")


@cache
def _source(module: str) -> ast.Module:
    rooms = module.split(".")[1:]
    home = _PACKAGE.joinpath(*rooms)
    path = home / "__init__.py" if home.is_dir() else home.with_name(f"{home.name}.py")
    return ast.parse(path.read_text(encoding="utf-8"))


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, object]]:
    """Yield parameters with their defaults."""
    plain = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults, *arguments.kw_defaults]
    for argument, default in zip([*plain, *arguments.kwonlyargs], defaults, strict=True):
        yield argument.arg, UNSET if default is None else _literal(ast.unparse(default))


def _fields(found: _Object) -> Iterator[tuple[str, object]]:
    """Yield the fields of a dataclass with their defaults."""
    for node in found.body:
        if isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target), UNSET if node.value is None else _literal(ast.unparse(node.value))


def _told(docstring: str) -> Iterator[tuple[str, _Told]]:
    """Yield the parameters of a numpydoc docstring by name."""
    head, body = "", list[str]()
    for line in _section(cleandoc(docstring).splitlines()):
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


def _entry(head: str, body: list[str]) -> Iterator[tuple[str, _Told]]:
    """Yield what one entry says of its parameters, which share a line."""
    names, _, kind = head.partition(" : ")
    kind, _, usual = kind.partition(", default=")
    item = re.sub("^(collection|sequence|iterable|list) of ", "", kind)
    text = " ".join(body[: body.index("")] if "" in body else body).strip()
    for name in names.split(", "):
        yield name, (item, item != kind, "" if usual == "None" else usual.strip('"'), text)
