"""How a tree was found: kept as it is in ``fit``, and written into the tree when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator

from treewright import _core
from treewright._base.origin import parameters_of, told
from treewright._base.wording import COMMAND
from treewright.data.dataset import Dataset
from treewright.data.source import Derivation
from treewright.results import HoldsTables


@dataclass(frozen=True, eq=False)
class Origin(HoldsTables):
    """What found a tree, of which parameters, in which data, and what is proven of it."""

    found_by: str
    parameters: Mapping[str, object]
    data: Mapping[str, str]
    reading: Mapping[str, object] | None
    proven: Mapping[str, object]
    command: str | None
    derived: Sequence[Derivation] = ()

    @classmethod
    def of(
        cls,
        found_by: str,
        parameters: Mapping[str, object],
        dataset: Dataset | None = None,
        proven: Mapping[str, object] | None = None,
    ) -> Origin:
        """Keep what there is to tell; the data are not held."""
        source = None if dataset is None else dataset.source
        data = {} if dataset is None else {"hash": dataset.content_hash}
        if source is not None:
            data = {"name": str(told(source.name)), **data}
        reading = None if source is None else source.reading
        derived = () if source is None else source.derived
        return cls(found_by, parameters, data, reading, proven or {}, COMMAND.get(), derived)

    @classmethod
    def of_model(cls, model: BaseEstimator, dataset: Dataset) -> Origin:
        """Keep what there is to tell of a fitted estimator, and of its search if it has one."""
        proven = proven_by(getattr(model, "search_", None))
        return cls.of(type(model).__name__, parameters_of(model), dataset, proven)

    def told_to(self, tree: _core.Tree) -> _core.Tree:
        """Return the engine's tree with all this in it."""
        from treewright import __version__

        facts: dict[str, object] = {"command": self.command, "class": self.found_by}
        facts |= {"parameters": self.parameters, "version": __version__}
        facts |= {"data": self.data, "proven": self.proven}
        provenance = json.dumps({name: fact for name, fact in facts.items() if fact})
        return tree.with_origin(provenance, self._reading(tree.names))

    def _reading(self, names: Sequence[str]) -> str | None:
        """Return how the file was read, and features of these names derived, as JSON."""
        if self.reading is None:
            return None
        columns = [one.told(names.index(one.name)) for one in self.derived if one.name in names]
        return json.dumps({"options": told(self.reading), **({"columns": columns} if columns else {})})


def proven_by(search: Any) -> dict[str, object]:
    """Return how a search ended, and its bound; the time that it took is left out."""
    facts = {name: getattr(search, name, None) for name in ("status", "cost", "bound")}
    return {name: told(fact) for name, fact in facts.items() if fact is not None}


@dataclass(frozen=True, eq=False)
class PrunedBy:
    """The rule that pruned a tree which was there already; how that was found stays."""

    rule: Mapping[str, object]
    command: str | None

    @classmethod
    def of(cls, rule: BaseEstimator) -> PrunedBy:
        """Keep the rule as it is now."""
        return cls({"class": type(rule).__name__, **parameters_of(rule)}, COMMAND.get())

    def told_to(self, tree: _core.Tree) -> _core.Tree:
        """Return the engine's tree with the rule among its parameters, the command behind the one before."""
        facts = json.loads(tree.provenance or "{}")
        facts["parameters"] = {**facts.get("parameters", {}), "pruning": self.rule}
        commands = [command for command in (facts.get("command"), self.command) if command]
        if commands:
            facts["command"] = "; ".join(commands)
        return tree.with_origin(json.dumps(facts))
