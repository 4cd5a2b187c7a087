"""What JSON documents tell of files besides data to learn from: rows for a tree, models and results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from treewright.cli._text import as_json

if TYPE_CHECKING:
    from treewright.cli._model import Predicting
    from treewright.datasets import Rows

PIECE = 2**20


def rows_facts(name: str, rows: Rows) -> dict[str, object]:
    """Return what rows are called, and a hash of what a tree sees of them, of their classes and weights."""
    from treewright import Dataset

    seen = rows.features
    if rows.labels is not None:
        seen = Dataset(seen, list(map(str, rows.labels)), sample_weight=rows.weights)
    return {"name": PurePath(name).name, "hash": seen.content_hash, "n_samples": rows.features.n_samples}


def file_facts(path: Path) -> dict[str, object]:
    """Return the name of a file and the hash of its bytes."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
    return {"name": path.name, "hash": f"sha256:{digest.hexdigest()}"}


def model_facts(path: Path, tree: Predicting) -> dict[str, object]:
    """Return the same of a saved tree, and how that was found."""
    return {**file_facts(path), "provenance": tree.provenance}


def below(head: Mapping[str, object], text: str) -> str:
    """Return a JSON object that the library wrote below a header, which tells it better what both tell."""
    facts = json.loads(text)
    return as_json({**head, **{name: value for name, value in facts.items() if name not in head}})
