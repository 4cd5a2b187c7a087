"""The plan of the house, held against the source: who may import whom, and how large things may be.

It reads source text and imports nothing, so it sees imports inside functions and for type checkers too.
"""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "python" / "treewright"

FLOORS = (
    ("_base",),
    ("reporting", "data"),
    ("results",),
    ("trees",),
    ("selection", "search", "planes"),
    ("doctor", "explain", "studies"),
    ("exploration",),
    ("cli",),
)
"""Rooms by floor, the lowest first; a room may import the floors below it, and itself."""

FACADES = (
    "datasets",
    "distinct",
    "evolution",
    "exports",
    "fixed_depth",
    "optimal",
    "pruning",
    "rules",
    "tables",
)
"""Rooms that users name: one file each that holds no code."""

PUBLIC_ROOMS = ("doctor", "explain", "exploration", "planes", "reporting", "results", "studies", *FACADES)

FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

MOST_ANY = 50
"""It falls, and never rises: where Python has no type about a hundred would do."""
MOST_LINES = 480


def module_of(path: Path) -> str:
    """Name of the module in a file."""
    parts = ("treewright", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def parsed(path: Path) -> ast.Module:
    """Source of a file; read when a test asks for it, as every process collects this file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def trees() -> dict[str, ast.Module]:
    """Source of every module."""
    return {name: parsed(path) for name, path in MODULES.items()}


def room_of(module: str) -> str:
    """First part of a module's name below the package; empty for the package itself."""
    return module.split(".")[1] if "." in module else ""


def imports_of(name: str) -> Iterator[tuple[str, str]]:
    """Modules of the package that a module imports, wherever in the file, each with the name it takes."""
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(trees()[name]):
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            home = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                found = f"{home}.{alias.name}" if f"{home}.{alias.name}" in MODULES else home
                if found in MODULES:
                    yield found, alias.name
        elif isinstance(node, ast.Import):
            yield from ((alias.name, alias.name) for alias in node.names if alias.name in MODULES)


@cache
def imports() -> dict[str, list[tuple[str, str]]]:
    """List what every module imports."""
    return {name: list(imports_of(name)) for name in MODULES}


def is_facade(name: str) -> bool:
    return name.removeprefix("treewright.") in FACADES


TESTS = sorted(ROOT.parents[1].glob("tests/**/*.py"))


def inner_modules(tree: ast.Module) -> Iterator[str]:
    """Modules that a test imports though users do not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "treewright":
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            modules = {name if name in MODULES else str(node.module) for name in names}
        elif isinstance(node, ast.Import):
            modules = {alias.name for alias in node.names if alias.name.partition(".")[0] == "treewright"}
        else:
            continue
        public = {"treewright", *(f"treewright.{room}" for room in (*PUBLIC_ROOMS, "cli"))}
        yield from (module.removeprefix("treewright.") for module in modules - public)


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_tests_go_through_public_names_or_say_why(path: Path) -> None:
    words = " ".join((ast.get_docstring(parsed(path)) or "").split())
    assert not [module for module in inner_modules(parsed(path)) if f"`{module}`" not in words]


def test_every_file_has_a_room() -> None:
    rooms = {room_of(name) for name in MODULES} - {"", "__main__"}
    assert rooms == {*FLOOR_OF, *FACADES}
    assert len(FLOOR_OF) <= 14
    assert len(FLOORS) <= 9


def test_a_facade_holds_no_code() -> None:
    for name in filter(is_facade, MODULES):
        kinds = {type(node) for node in trees()[name].body}
        assert kinds <= {ast.Expr, ast.ImportFrom, ast.Assign}, name


def test_imports_run_down() -> None:
    for name, found in imports().items():
        room = room_of(name)
        if room not in FLOOR_OF or room == "cli":
            continue
        for target, _ in found:
            below = room_of(target)
            assert target == "treewright" or below in FLOOR_OF, f"{name} imports the façade {target}"
            is_down = below == "" or below == room or FLOOR_OF[below] < FLOOR_OF[room]
            assert is_down, f"{name} imports {target}, which does not lie below it"


def test_the_command_line_uses_public_names() -> None:
    public = {"treewright", *(f"treewright.{room}" for room in PUBLIC_ROOMS)}
    for name, found in imports().items():
        if room_of(name) == "cli":
            for target, _ in found:
                is_public = room_of(target) in ("cli", "_base") or target in public
                assert is_public, f"{name} imports {target}"


def test_no_room_imports_private_parts_of_another() -> None:
    for name, found in imports().items():
        for target, taken in found:
            if target == "treewright" or room_of(name) == room_of(target):
                continue
            inner = target.split(".")[2:]
            is_private = taken.startswith("_") or any(part.startswith("_") for part in inner)
            assert not is_private or taken == "_core", f"{name} imports {taken} of {target}"


def circles() -> Iterator[list[str]]:
    """Modules that import each other in a circle (Tarjan's strongly connected components)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[list[str]]:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for target in {target for target, _ in imports()[name]} - {"treewright"}:
            if target not in number:
                yield from visit(target)
                lowest[name] = min(lowest[name], lowest[target])
            elif target in stack:
                lowest[name] = min(lowest[name], number[target])
        if lowest[name] == number[name]:
            found = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(found) > 1:
                yield sorted(found)

    for name in MODULES:
        if name not in number:
            yield from visit(name)


def test_no_circle_of_modules() -> None:
    assert list(circles()) == []


def test_any_remains_where_python_has_no_type() -> None:
    found = [node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assert sum(node.id == "Any" for node in found) <= MOST_ANY


@pytest.mark.parametrize("path", [ROOT / "_core.pyi", *sorted(ROOT.rglob("*result*.py"))], ids=str)
def test_results_and_the_boundary_are_typed(path: Path) -> None:
    assert "dict[str, Any]" not in path.read_text(encoding="utf-8")


def test_files_are_read_in_one_sitting() -> None:
    long = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: n for name, n in long.items() if n > MOST_LINES} == {}


def function_lengths() -> list[int]:
    """Lines of every function without its docstring."""
    lengths = []
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                last = node.end_lineno or node.lineno
                lengths.append(last - body[0].lineno + 1 if body else 1)
    return sorted(lengths)


def test_functions_are_short() -> None:
    lengths = function_lengths()
    assert 4 <= statistics.median(lengths) <= 12
    assert lengths[int(len(lengths) * 0.99)] <= 45
