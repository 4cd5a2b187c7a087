"""Trees of tables that know how they were found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright import _core
from treewright._base.origin import told
from treewright.results import SearchResult
from treewright.search.tables.from_data import Samples
from treewright.trees.origin import Origin, proven_by
from treewright.trees.tree import Tree

GRAPH, TABLE = "SubtableGraph", "DecisionTable"
LEAST = {"status": "optimal"}
"""What is proven of the trees of a complete graph."""


def answered(core: _core.Tree, samples: Samples | None) -> Tree:
    """Return a tree of a table; where this was made of samples, the nodes count them."""
    return Tree(core if samples is None else samples.counted_in(core))


def found_tree(
    core: _core.Tree,
    samples: Samples | None,
    method: str,
    proven: Mapping[str, object] | None = None,
    **given: Any,
) -> Tree:
    """Return a tree that a method of a table or a graph found, with what it was given."""
    parameters = {name: told(value) for name, value in given.items()}
    return answered(core, samples)._found_by(Origin.of(method, parameters, proven=proven))


def kept(result: SearchResult[Tree], **given: Any) -> SearchResult[Tree]:
    """Return the result of `DecisionTable.minimum_tree`; its tree knows what was asked for."""
    if result.tree is not None:
        parameters = {name: told(value) for name, value in given.items()}
        result.tree._found_by(Origin.of(f"{TABLE}.minimum_tree", parameters, proven=proven_by(result)))
    return result
