"""Features that a parameter lists, by position, by name or by a mask."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import is_whole

REMEDY = "list features by position or name, or give a boolean mask with one entry a feature"


class FeatureLists:
    """Reads lists of the features of one table.

    Parameters
    ----------
    names : sequence of str
        Names of all features, no two alike.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._position_of = {name: position for position, name in enumerate(names)}

    def features(self, name: str, value: Any) -> list[int]:
        """Return the positions, ascending, of the features that the parameter `name` lists; None lists none.

        Raises
        ------
        ParameterError
            If `value` is no list, or an item of it is no feature or comes twice.
        """
        items = _items(name, value)
        if items and all(isinstance(item, bool | np.bool_) for item in items):
            return self._listed_by_mask(name, items)
        found: set[int] = set()
        for i, item in enumerate(items):
            position = self._position(f"{name}[{i}]", item)
            if position in found:
                raise ParameterError(f"{name}[{i}] repeats {self.shown(position)}; name every feature once")
            found.add(position)
        return sorted(found)

    def groups(self, name: str, value: Any) -> list[list[int]]:
        """Return groups of features, each read as `features` does, no two with one in common.

        Raises
        ------
        ParameterError
            If a group is no list of features, has none, or has one of an earlier group.
        """
        groups = [self.features(f"{name}[{i}]", group) for i, group in enumerate(_items(name, value))]
        home: dict[int, int] = {}
        for i, group in enumerate(groups):
            if not group:
                raise ParameterError(f"{name}[{i}] has no feature; leave the group out")
            for position in group:
                if home.setdefault(position, i) != i:
                    raise self._overlap(name, home[position], i, position)
        return groups

    def shown(self, position: int) -> str:
        """Name a feature in a message."""
        return f"feature {self._names[position]!r} (position {position})"

    def _listed_by_mask(self, name: str, mask: list[Any]) -> list[int]:
        if len(mask) != len(self._names):
            raise ParameterError(
                f"{name} is a mask of {len(mask)} entries, but X has {len(self._names)} features; "
                "give one entry a feature"
            )
        return [position for position, is_listed in enumerate(mask) if is_listed]

    def _position(self, where: str, item: Any) -> int:
        """Return the position of one feature; `where` is its place in the parameter."""
        if isinstance(item, str):
            return self._position_of_name(where, str(item))
        if not is_whole(item):
            raise ParameterError(f"{where}={item!r} is neither a position nor a name; {REMEDY}")
        n_features = len(self._names)
        if not 0 <= item < n_features:
            raise ParameterError(
                f"{where}={item} is no feature of X, which has {n_features}; "
                f"positions run from 0 to {n_features - 1}"
            )
        return int(item)

    def _position_of_name(self, where: str, name: str) -> int:
        if name in self._position_of:
            return self._position_of[name]
        likely = get_close_matches(name, self._names, n=1)
        hint = f"did you mean {likely[0]!r}?" if likely else f"its features are {_some(self._names)}"
        raise ParameterError(f"{where}={name!r} is no feature of X; {hint}")

    def _overlap(self, name: str, earlier: int, later: int, position: int) -> ParameterError:
        return ParameterError(
            f"{name}[{earlier}] and {name}[{later}] both have {self.shown(position)}; "
            "make one group of the two, or leave the feature in only one of them"
        )


def _items(name: str, value: Any) -> list[Any]:
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    if plain is None:
        return []
    if isinstance(plain, str):
        raise ParameterError(f"{name}={plain!r} is one text; give a list: [{plain!r}]")
    if not isinstance(plain, Collection):
        raise ParameterError(f"{name}={plain!r} is no list; {REMEDY}")
    return list(plain)


def _some(names: Sequence[str], limit: int = 8) -> str:
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown}, … {len(names)} in all"
