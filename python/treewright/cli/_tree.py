"""Trees and data sets as text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.numbers import for_json
from treewright.cli._lines import plural

if TYPE_CHECKING:
    from treewright import Dataset, Tree
    from treewright.distinct import DistinctTree


def line_of(names: list[str], *, with_tree: bool) -> Callable[[DistinctTree], str]:
    """Return what writes a tree as a line, with its nodes or without."""

    def as_json(tree: DistinctTree) -> str:
        text = json.dumps(facts_of(tree, names), ensure_ascii=False)
        return f'{text[:-1]}, "tree": {tree.tree.to_json()}}}' if with_tree else text

    return as_json


def facts_of(tree: DistinctTree, names: list[str]) -> dict[str, Any]:
    """Return what identifies a tree, the subsets that give it, and its errors.

    These subsets have all used features and any of the optional ones.
    """
    return {
        "used_features": [names[i] for i in tree.used_features],
        "optional_features": [names[i] for i in tree.equivalent_subsets.optional_features],
        "n_subsets": for_json(tree.n_subsets),
        "n_validation_errors": tree.n_validation_errors,
    }


def described(name: str, dataset: Dataset) -> str:
    """Say in two lines how large a data set is and what its classes are."""
    kinds = Counter(dataset.kinds)
    features = ", ".join(f"{kinds[kind]} {kind}" for kind in ("numeric", "nominal") if kinds[kind])
    n_missing = sum(dataset.core.n_missing)
    missing = f", {plural(n_missing, 'missing value')}" if n_missing else ""
    size = f"{plural(dataset.n_samples, 'row')}, {plural(dataset.n_features, 'feature')}"
    return f"{name}: {size} ({features}){missing}\nclasses: {_class_counts(dataset)}"


def _class_counts(dataset: Dataset, limit: int = 8) -> str:
    target, classes = labelled(dataset)
    counts = np.bincount(target, minlength=len(classes))
    shown = [f"{label} {count:,}" for label, count in zip(classes, counts, strict=True)]
    return (
        ", ".join(shown) if len(shown) <= limit else ", ".join([*shown[:limit], f"… ({len(shown)} in all)"])
    )


def data_facts(dataset: Dataset) -> dict[str, Any]:
    """Return the size, the features and the classes of a data set, for a program."""
    kinds = zip(dataset.feature_names, dataset.kinds, strict=True)
    return {
        "n_samples": dataset.n_samples,
        "features": [{"name": name, "kind": kind} for name, kind in kinds],
        "classes": labelled(dataset)[1],
    }


def parted(n_training: int, n_validation: int) -> str:
    """Say how many rows grew trees and how many judged them."""
    return f"{plural(n_training, 'row')} grew the trees, {plural(n_validation, 'validation row')} judged them"


def labelled(dataset: Dataset) -> tuple[NDArray[np.int32], list[Any]]:
    """Return the class codes and the classes of a data set that is known to have them."""
    assert dataset.target is not None, "a set to learn from is loaded with its target"
    assert dataset.classes is not None, "a target has classes"
    return dataset.target, dataset.classes.tolist()


def drawn(tree: Tree, depth: int, title: str) -> str:
    """Return the tree as text down to a depth, headed by its size, with a hint if more lies below."""
    size = (
        f"{plural(tree.n_nodes, 'node')}, {plural(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}"
    )
    lines = [title, size]
    if depth > 0:
        lines = [title, f"{size}; a leaf's (n/e): n rows, e of another class", ""]
        lines += [tree.export_text(max_depth=depth, show_errors=True).rstrip("\n")]
    n_hidden = tree.max_depth - depth
    if n_hidden > 0:
        hidden = "1 deeper level is" if n_hidden == 1 else f"{n_hidden:,} deeper levels are"
        lines += ["", f"{hidden} not shown; --show-depth {tree.max_depth} shows all."]
    return "\n".join(lines) + "\n"
