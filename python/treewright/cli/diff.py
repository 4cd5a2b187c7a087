"""`treewright diff`: what changed between two trees or results."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright._base.shown import shown_text
from treewright.cli._command import Command
from treewright.cli._documents import Document, changes, command_of, hash_of, read_document, version_of
from treewright.cli._header import file_facts
from treewright.cli._model import read_model
from treewright.cli._options import FILE, takes_output
from treewright.cli._output import Output
from treewright.cli._text import as_json, columns, filled, header, joined
from treewright.cli.rerun import listed_changes

if TYPE_CHECKING:
    from treewright import Tree

MOST_NODES = 10


@click.command(
    cls=Command,
    first=("out", "as_json"),
    examples=("treewright diff old.json new.json", "treewright diff tree.json pruned.json --json"),
)
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@takes_output("Write what is found to a JSON file.", "as_json")
def diff(old: Path, new: Path, output: Output) -> None:
    """Say what changed between two trees or results, OLD and NEW.

    Both are files that commands wrote with --out: JSON, or pages of `treewright explore`. Of trees
    the sizes and the tested features are compared, and the first nodes from the root on that test
    something else; of other results every value but times.
    """
    before, after = read_document(old), read_document(new)
    origin = list(_origins(before, after))
    origins = [dict(zip(("what", "old", "new"), one, strict=True)) for one in origin]
    if _has_tree(before) and _has_tree(after):
        trees = read_model(old), read_model(new)
        told, facts = _of_trees(*trees), _facts_of_trees(*trees)
    else:
        found = list(changes(before, after))
        told = [listed_changes(found) if found else "They hold the same."]
        facts = {"is_same": not found, "changes": [vars(change) for change in found]}
    output.give(
        document=lambda: as_json({**header("diff"), **_files(old, new), "origin": origins, **facts}),
        text=lambda: joined([*(filled(f"{what}: {one} -> {other}") for what, one, other in origin), *told]),
    )


def _files(old: Path, new: Path) -> Document:
    return {"old": file_facts(old), "new": file_facts(new)}


def _origins(before: Document, after: Document) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield what made the two, where that differs."""
    for what, of in (("command", command_of), ("release", version_of), ("data", hash_of)):
        one, other = of(before), of(after)
        if one != other:
            yield what, one, other


def _has_tree(document: Document) -> bool:
    return "nodes" in document or any(isinstance(document.get(name), dict) for name in ("tree", "refit_tree"))


def _facts_of_trees(before: Tree, after: Tree) -> Document:
    names = [set(_tested(tree)) for tree in (before, after)]
    return {
        "is_same": before == after,
        "sizes": {"old": _sizes(before), "new": _sizes(after)},
        "no_longer_tested": sorted(names[0] - names[1]),
        "newly_tested": sorted(names[1] - names[0]),
        "nodes": list(_facts_of_nodes(before, after)),
    }


def _of_trees(before: Tree, after: Tree) -> list[str]:
    if before == after:
        return ["The trees are the same."]
    facts = _facts_of_trees(before, after)
    old, new = facts["sizes"]["old"], facts["sizes"]["new"]
    sizes = [(name.replace("_", " "), f"{old[name]:,}", f"{new[name]:,}") for name in old]
    parts = [columns(["", "old", "new"], sizes)]
    for what in ("no_longer_tested", "newly_tested"):
        if facts[what]:
            parts.append(
                filled(f"{what.replace('_', ' ').capitalize()}: {', '.join(map(shown_text, facts[what]))}.")
            )
    nodes = facts["nodes"]
    if nodes:
        lines = [f"  {one['path'] or 'the root'}: {one['old']} -> {one['new']}" for one in nodes[:MOST_NODES]]
        more = [f"  ... {len(nodes) - MOST_NODES:,} more"] if len(nodes) > MOST_NODES else []
        parts.append("\n".join(["Nodes that differ, from the root on:", "", *lines, *more]))
    else:
        parts.append("Every node tests and answers the same; weights differ.")
    return parts


def _sizes(tree: Tree) -> dict[str, int]:
    return {
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "depth": tree.max_depth,
        "tested_features": len(tree.used_features),
    }


def _tested(tree: Tree) -> list[str]:
    return [tree.feature_names[position] for position in tree.used_features.tolist()]


def _facts_of_nodes(before: Tree, after: Tree) -> Iterator[Document]:
    """Yield nodes that differ, with the path to them in words; it is the same in both trees."""
    found = list(_nodes(before, after))
    paths = before.path_texts([node for node, _, _ in found])
    for path, (_, one, other) in zip(paths, found, strict=True):
        yield {"path": path, "old": one, "new": other}


def _nodes(before: Tree, after: Tree) -> Iterator[tuple[int, str, str]]:
    """Yield nodes at the same place that differ; what is below them is not compared."""
    waiting = deque([(0, 0)])
    while waiting:
        one, other = waiting.popleft()
        old, new = _said(before, one), _said(after, other)
        if old != new or before.n_children[one] != after.n_children[other]:
            yield one, old, new
            continue
        for branch in range(int(before.n_children[one])):
            waiting.append((int(before.first_child[one]) + branch, int(after.first_child[other]) + branch))


def _said(tree: Tree, node: int) -> str:
    """Say what a node tests or answers."""
    if not tree.n_children[node]:
        return f"answers {shown_text(tree.classes_[tree.node_class[node]])}"
    position, threshold = int(tree.feature[node]), float(tree.threshold[node])
    if position < 0:
        return "tests a plane"
    name = shown_text(tree.feature_names[position])
    return f"tests {name}" if threshold != threshold else f"tests {name} <= {threshold:.6g}"
