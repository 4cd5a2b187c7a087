"""Weka's J48 as an outside check: a table goes out as ARFF, a printed tree and its size come back.

Looks for ``weka.jar`` where Debian's package puts it; ``TREEWRIGHT_WEKA`` names another place.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from treewright import Dataset, Tree

JAR = Path(os.environ.get("TREEWRIGHT_WEKA", "/usr/share/java/weka.jar"))

BRANCH = re.compile(r"(?P<bars>(?:\|   )*)a(?P<feature>\d+) = v(?P<level>\d+)(?:: c(?P<leaf>\d+) .*)?$")
LONE_LEAF = re.compile(r": c(?P<leaf>\d+) ")
SIZE = re.compile(r"Size of the tree :\s*(\d+)")


def why_absent() -> str | None:
    """Say what is not there to run Weka with; None if all is."""
    if shutil.which("java") is None:
        return "no java is on the path"
    return None if JAR.is_file() else f"there is no {JAR}; install weka or name its jar in TREEWRIGHT_WEKA"


def run_j48(arff: Path, *options: str) -> str:
    """Print the tree that J48 grows from a file."""
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", str(JAR), "weka.classifiers.trees.J48"]
    command += ["-t", str(arff), "-no-cv", "-v", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def size(printed: str) -> int:
    """Read the number of nodes that J48 prints below a tree."""
    found = SIZE.search(printed)
    assert found, printed
    return int(found[1])


def write_arff(data: Dataset, path: Path) -> None:
    """Write a nominal table with its names and values numbered: no name needs a quote then."""
    columns = [data.column(feature) for feature in range(data.n_features)]
    lines = ["@relation table"]
    for feature, levels in enumerate(data.levels):
        lines.append(f"@attribute a{feature} {{{_numbered('v', len(levels))}}}")
    lines += [f"@attribute class {{{_numbered('c', len(data.classes))}}}", "@data"]
    names = [np.char.add("v", column.astype(str)) for column in columns]
    names.append(np.char.add("c", data.target.astype(str)))
    lines += [",".join(row) for row in zip(*names, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _numbered(letter: str, n: int) -> str:
    return ",".join(f"{letter}{code}" for code in range(n))


@dataclass
class _Node:
    feature: int | None = None
    leaf: int = 0
    children: list[_Node] = field(default_factory=list)


def read_tree(printed: str, data: Dataset) -> Tree:
    """Read a printed tree of the table that `write_arff` wrote; its nodes have no weights yet."""
    root = _Node()
    open_nodes = [root]
    for line in printed.splitlines():
        lone, branch = LONE_LEAF.match(line), BRANCH.match(line)
        if lone:
            root.leaf = int(lone["leaf"])
        if not branch:
            continue
        depth = len(branch["bars"]) // 4
        parent = open_nodes[depth]
        assert parent.feature in (None, int(branch["feature"]))
        assert len(parent.children) == int(branch["level"])
        parent.feature = int(branch["feature"])
        parent.children.append(_Node(leaf=int(branch["leaf"] or 0)))
        open_nodes[depth + 1 :] = [parent.children[-1]]
    return _as_tree(root, data)


def _as_tree(root: _Node, data: Dataset) -> Tree:
    nodes, first_child = [root], []
    for node in nodes:
        first_child.append(len(nodes) if node.children else None)
        nodes += node.children
    n_classes = len(data.classes)
    document = {
        "format": "treewright-tree",
        "version": 1,
        "routing": "distribute",
        "schema": {
            "features": [
                {"name": name, "levels": levels}
                for name, levels in zip(data.feature_names, data.levels, strict=True)
            ],
            "classes": data.classes.tolist(),
        },
        "nodes": {
            "kind": ["value" if node.children else "leaf" for node in nodes],
            "test": [node.feature for node in nodes],
            "threshold": [None] * len(nodes),
            "first_child": first_child,
            "n_children": [len(node.children) for node in nodes],
            "class": [node.leaf for node in nodes],
            "weight": [0.0] * len(nodes),
            "class_weights": [[0.0] * n_classes] * len(nodes),
        },
        "planes": [],
    }
    return Tree.from_json(json.dumps(document))


def filled(data: Dataset) -> Dataset:
    """Put the most frequent level, the first among equals, in the place of every missing value."""
    columns: dict[str, Sequence[object]] = {}
    for feature, (name, levels) in enumerate(zip(data.feature_names, data.levels, strict=True)):
        codes = data.column(feature)
        most_frequent = np.bincount(codes[codes >= 0], minlength=len(levels)).argmax()
        columns[name] = [levels[code] for code in np.where(codes < 0, most_frequent, codes)]
    return Dataset.from_columns(columns, data.classes[data.target])
