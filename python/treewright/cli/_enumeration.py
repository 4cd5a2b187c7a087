"""What `treewright enumerate` found, as text for a person and as JSON for a program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import counted_noun, for_json
from treewright.cli._lines import (
    filled,
    listed,
    plural,
)
from treewright.cli._tree import (
    data_facts,
    described,
    drawn,
    parted,
)
from treewright.cli._tree_lines import facts_of
from treewright.results import COUNT_MESSAGES, MESSAGES

if TYPE_CHECKING:
    from treewright.search.distinct.count import DistinctTreeCount
    from treewright.search.distinct.problem import Problem
    from treewright.trees.distinct_tree import DistinctTree

FORMAT = "treewright-enumeration"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Found:
    """All that the command prints.

    Attributes
    ----------
    name : str
        What the data were called.
    problem : Problem
        Data and rows.
    settings : dict
        Parameters that the trees depend on.
    count : DistinctTreeCount
        How many trees there are.
    best : sequence of DistinctTree
        The best ones, the best first.
    """

    name: str
    problem: Problem
    settings: dict[str, Any]
    count: DistinctTreeCount
    best: Sequence[DistinctTree]

    def text(self, depth: int) -> str:
        """Return the report that is printed, trees down to a depth."""
        parts = [described(self.name, self.problem.dataset), self._rows(), str(self.count)]
        parts += self._best_trees(depth)
        return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"

    def _rows(self) -> str:
        n_validation = len(self.problem.validation_part)
        if not n_validation:
            return "All rows grew the trees."
        return f"{parted(len(self.problem.training_part), n_validation)}."

    def _best_trees(self, depth: int) -> Iterator[str]:
        if not self.best:
            return
        head = "The best tree" if len(self.best) == 1 else f"The {len(self.best):,} best trees"
        so_far = "" if self.count.status == "complete" else " found so far"
        chosen = "The validation rows chose among all trees: expect more errors on new rows."
        yield filled(f"{head}{so_far}, by errors on the validation rows. {chosen}")
        for rank, tree in enumerate(self.best, start=1):
            yield drawn(tree.tree, depth, self._title(rank, tree))

    def _title(self, rank: int, tree: DistinctTree) -> str:
        errors, n_features = tree.n_validation_errors or 0, len(tree.used_features)
        rate = f"{errors / len(self.problem.validation_part):.1%}"
        wrong = "1 error" if errors == 1 else f"{errors:,g} errors"
        counts = f"{wrong} ({rate}), {plural(n_features, 'feature')} tested"
        head = f"{rank}. {counts}, given by {counted_noun(tree.n_subsets, 'subset')}"
        names = self.problem.dataset.feature_names
        used = [listed([names[i] for i in tree.used_features]), ""] if n_features else []
        return "\n".join([head, "", *used]).rstrip("\n") + "\n"

    def document(self) -> str:
        """Return the report as JSON, the best trees in it."""
        import treewright

        dataset, count = self.problem.dataset, self.count
        facts = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "treewright": treewright.__version__,
            "data": {"name": self.name, **data_facts(dataset)},
            "settings": self.settings,
            "search": {
                "n_validation_rows": len(self.problem.validation_part),
                "status": count.status,
                "message": (MESSAGES if self.best else COUNT_MESSAGES)[count.status],
                "seconds": count.elapsed,
                "n_trees_built": count.n_built,
                "validation_rows": self.problem.validation_part.tolist(),
            },
            "n_distinct": count.n_distinct,
            "by_n_features": list(count.by_n_features),
            "certificate": for_json(count.certificate),
            "n_subsets": for_json(count.n_subsets),
            "best": [self._ranked(tree) for tree in self.best],
        }
        return json.dumps(facts, ensure_ascii=False) + "\n"

    def _ranked(self, tree: DistinctTree) -> dict[str, Any]:
        return {**facts_of(tree, self.problem.dataset.feature_names), "tree": json.loads(tree.tree.to_json())}
