"""Every JSON document of the command line is as `docs/results.schema.json` says, and as nothing else.

Each command runs on a small table and is checked against the schema; each of its objects is then given a key
that it may not have, and loses one that it must have.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from commands import Run
from result_cases import CASES, DATA, FILES, commands
from treewright.cli import treewright

DOCS = Path(__file__).parents[1] / "docs"
SCHEMAS = {
    name: json.loads((DOCS / name).read_text(encoding="utf-8"))
    for name in ("results.schema.json", "tree.schema.json")
}
REGISTRY: Any = Registry().with_resources(  # type: ignore[var-annotated]
    [(name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()]
)
RESULTS = Draft202012Validator(SCHEMAS["results.schema.json"], registry=REGISTRY)


@pytest.fixture
def results(run: Run) -> Run:
    for name, line in FILES.items():
        run(*line, "--out", name, "--quiet")
    return run


def refusals(document: object) -> list[str]:
    return [f"{list(one.absolute_path)}: {one.message}" for one in RESULTS.iter_errors(document)]


def test_schemas_are_schemas() -> None:
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


def test_every_command_with_json_is_here() -> None:
    has_json = {name for name, one in commands(treewright) if any("--json" in p.opts for p in one.params)}
    assert has_json == set(CASES), "add its documents to docs/results.schema.json, and its options above"


@pytest.mark.parametrize("command", CASES)
def test_documents_are_as_the_schema_says(results: Run, command: str) -> None:
    written = "written.json"
    for options in CASES[command]:
        ended = results(*command.split(), *options, "--json")
        document = json.loads(ended.out)
        assert refusals(document) == [], options
        assert_header(document)
        for changed, what in misspelt(document):
            assert refusals(changed), (options, what)
    takes_out = any("--out" in one.opts for one in dict(commands(treewright))[command].params)
    if takes_out:
        results(*command.split(), *options, "--out", written)
        assert refusals(json.loads(Path(written).read_text(encoding="utf-8"))) == []


def assert_header(document: dict[str, Any]) -> None:
    """Check that release, command and data are told, in the document or its provenance."""
    origin = document.get("provenance", document)
    assert origin["command"].startswith("treewright ")
    told = origin["data"] if isinstance(origin["data"], list) else [origin["data"]]
    assert all(":" in one["hash"] and "/" not in one["name"] for one in told)


OPEN = {
    *("settings", "parameters", "proven", "options", "reading", "rule", "weights", "kept", "averages"),
    "n_optimal",
}
"""Objects whose keys are names of parameters, columns or methods."""


def misspelt(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the document with another key in one of its objects, once for each place."""
    seen = set()
    for path in objects(document, ()):
        place = tuple("*" if isinstance(step, int) else step for step in path)
        if place in seen or set(place) & OPEN or (place[-1:] == ("best",) and "means" in document):
            continue
        seen.add(place)
        changed = copy.deepcopy(document)
        inner: Any = changed
        for step in path:
            inner = inner[step]
        if inner:
            name = next(iter(inner))
            inner[f"{name}_"] = inner.pop(name)
            yield changed, "/".join(place)


def objects(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all objects."""
    if isinstance(value, dict):
        yield path
        for name, part in value.items():
            yield from objects(part, (*path, name))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from objects(part, (*path, at))


def test_a_missing_key_is_refused(results: Run) -> None:
    document = json.loads(results("enumerate", *DATA, "--top", 1, "--json").out)
    for name in document:
        assert refusals({key: value for key, value in document.items() if key != name})
    assert refusals({**document, "format": "treewright-table"})
    assert refusals({**document, "format": "treewright-tables"})
    assert refusals({**document, "version": 2})
    assert refusals({**document, "data": [{**document["data"][0], "hash": "x"}]})


def test_lines_of_a_file_of_trees(run: Run) -> None:
    line = Draft202012Validator({"$ref": "results.schema.json#/$defs/distinct_tree"}, registry=REGISTRY)
    for more in ([], ["--with-trees"]):
        run("enumerate", *DATA, "--all", "t.jsonl", "--overwrite", *more)
        first, *others = Path("t.jsonl").read_text(encoding="utf-8").splitlines()
        assert refusals(json.loads(first)) == []
        for text in others:
            line.validate(json.loads(text))
        assert not line.is_valid({**json.loads(others[0]), "n_subset": 1})
