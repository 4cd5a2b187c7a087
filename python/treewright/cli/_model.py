"""The file that `fit` or `select` wrote, as a tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.cli._selection import FORMAT, FORMAT_VERSION

if TYPE_CHECKING:
    from treewright.trees.tree import Tree


_OF_TEXTS = "; give the text that Tree.to_json() returned"
"""The remedy where a text is no tree: here it came from a file."""


def read_model(path: Path) -> Tree:
    """Return the tree in a model file; of a selection the one grown on all rows."""
    from treewright._base.errors import FormatError
    from treewright.trees.tree import Tree

    try:
        text = path.read_text(encoding="utf-8")
        return Tree.from_json(_tree_of_selection(text) or text)
    except (UnicodeDecodeError, FormatError) as error:
        reason = str(error).removesuffix(_OF_TEXTS)
        raise FormatError(
            f"{path} holds no tree ({reason}); give a file that `treewright fit --out` or "
            "`select --out` wrote"
        ) from error


def _tree_of_selection(text: str) -> str | None:
    from treewright._base.errors import FormatError

    try:
        facts = json.loads(text)
    except ValueError as error:
        raise FormatError(f"not JSON: {error}") from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        return None
    if facts.get("version") != FORMAT_VERSION:
        raise FormatError(f"version {facts.get('version')}, this release reads {FORMAT_VERSION}")
    return json.dumps(facts.get("refit_tree"))
