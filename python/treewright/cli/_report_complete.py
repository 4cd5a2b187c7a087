"""What a complete search proved and found, as `treewright select` prints it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import for_json
from treewright.cli._lines import (
    filled,
    hanging,
    plural,
    seconds,
)
from treewright.cli._tree_lines import facts_of

if TYPE_CHECKING:
    from treewright.selection.complete import CompleteSearchSelector
    from treewright.trees.distinct_tree import DistinctTree

_LARGEST_WRITTEN_OUT = 30
"""Powers of two beyond this are told as such."""


def proof_text(selector: CompleteSearchSelector) -> str:
    """Say what is proven of the answer, and how many trees tie with it."""
    sentences = [_proof(selector), *_ties(selector)]
    return "\n".join(map(filled, sentences))


def _proof(selector: CompleteSearchSelector) -> str:
    found, most = selector.search_, selector.max_features
    bound, gap = found.bound or 0, found.gap or 0
    none = "no subset" if most is None else f"no subset whose tree tests at most {plural(most, 'feature')}"
    if found.status == "optimal":
        return f"Proven: {none} does better."
    fewest = (
        f"makes fewer than {_errors(bound)}, {gap:,g} fewer than this one" if gap else "makes fewer errors"
    )
    if found.status == "complete":
        return f"Proven: {none} {fewest}."
    if not gap:
        return f"Proven: {none} {fewest}. Not proven: that none as good tests fewer features."
    proven = f" Proven: {none} {fewest}." if bound else ""
    return f"Not proven: there may be a better subset.{proven}"


def _ties(selector: CompleteSearchSelector) -> Iterator[str]:
    """Say how many trees are as good, if they were counted."""
    n_ties = selector.n_ties_
    if n_ties is None:
        return
    if not selector.search_.success:
        yield f"At least {plural(n_ties, 'distinct tree makes', 'distinct trees make')} so few errors."
    elif n_ties == 1:
        yield "No other tree makes so few errors."
    else:
        yield (
            f"{n_ties:,} distinct trees make so few errors; of those that test the fewest features it is "
            "the one whose features come first."
        )


def _errors(number: float) -> str:
    return "1 error" if number == 1 else f"{number:,g} errors"


def complete_work(selector: CompleteSearchSelector) -> str:
    """Say how many trees were built, and for how many subsets."""
    built = plural(selector.n_trees_built_, "tree")
    return (
        f"{built} built for {_power(selector.n_features_in_)} subsets in {seconds(selector.search_.elapsed)}"
    )


def best_text(names: Sequence[str], selector: CompleteSearchSelector) -> str:
    """List the best trees, if more than one was asked for."""
    best = selector.best_trees_
    if selector.top_k == 1:
        return ""
    so_far = "" if selector.search_.success else " found so far"
    head = "The best tree" if len(best) == 1 else f"The {len(best):,} best trees"
    title = f"{head}{so_far}; subsets are those that give the tree:"
    return "\n".join(
        [title, "", "  errors  tested   subsets  features", *(_row(names, tree) for tree in best)]
    )


def _row(names: Sequence[str], tree: DistinctTree) -> str:
    subsets = _power(tree.n_subsets.bit_length() - 1)
    counts = f"{tree.n_validation_errors:>8,g}{len(tree.used_features):>8,}{subsets:>10}  "
    return hanging(counts, [names[i] for i in tree.used_features] or ["none"])


def _power(exponent: int) -> str:
    return f"{2**exponent:,}" if exponent <= _LARGEST_WRITTEN_OUT else f"2^{exponent}"


def proof_facts(selector: CompleteSearchSelector) -> dict[str, Any]:
    """Return what is proven, for a program."""
    return {
        "bound": selector.search_.bound,
        "gap": selector.search_.gap,
        "n_subsets": for_json(2**selector.n_features_in_),
        "n_ties": selector.n_ties_,
    }


def best_facts(names: list[str], selector: CompleteSearchSelector) -> list[dict[str, Any]]:
    """Return the best trees, for a program."""
    return [
        {**facts_of(tree, names), "tree": json.loads(tree.tree.to_json())} for tree in selector.best_trees_
    ]
