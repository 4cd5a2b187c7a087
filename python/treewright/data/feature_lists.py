"""Lists of features as users write them: positions, names, or a boolean mask."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import is_whole
from treewright._base.wording import UNSET, Param, shortened

Place = tuple[int, ...]
"""Where in a parameter something stands: ``(0, 1)`` for ``name[0][1]``."""

REMEDY = "list features by position or name, or give a boolean mask with one entry a feature"


class FeatureLists:
    """Reads lists of the features of one table, whose names are given."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._position_of = {name: position for position, name in enumerate(names)}

    def features(self, name: str, value: object, at: Place = ()) -> list[int]:
        """Return the positions, ascending, of the features that a parameter lists; None lists none.

        What is no list of features, each once, is refused; `at` is its place in the parameter.
        """
        items = _items(name, value, at)
        if items and all(isinstance(item, bool | np.bool_) for item in items):
            return self._listed_by_mask(name, items, at)
        found: set[int] = set()
        for i, item in enumerate(items):
            position = self._position(name, item, (*at, i))
            if position in found:
                repeats = f"repeats {self.shown(position)}"
                raise ParameterError(name, UNSET, repeats, "name every feature once", at=(*at, i))
            found.add(position)
        return sorted(found)

    def groups(self, name: str, value: object) -> list[list[int]]:
        """Return groups of features, each read as `features` does, none empty, no two with one in common."""
        groups = [self.features(name, group, (i,)) for i, group in enumerate(_items(name, value, ()))]
        home: dict[int, int] = {}
        for i, group in enumerate(groups):
            if not group:
                raise ParameterError(name, UNSET, "has no feature", "leave the group out", at=(i,))
            for position in group:
                if home.setdefault(position, i) != i:
                    raise self._overlap(name, home[position], i, position)
        return groups

    def shown(self, position: int) -> str:
        """Name a feature in a message."""
        return f"feature {self._names[position]!r} (position {position})"

    def _listed_by_mask(self, name: str, mask: list[object], at: Place) -> list[int]:
        if len(mask) != len(self._names):
            raise ParameterError(
                name,
                UNSET,
                (f"is a mask of {len(mask)} entries, but ", Param("X"), f" has {len(self._names)} features"),
                "give one entry a feature",
                at=at,
            )
        return [position for position, is_listed in enumerate(mask) if is_listed]

    def _position(self, name: str, item: object, at: Place) -> int:
        if isinstance(item, str):
            return self._position_of_name(name, str(item), at)
        if not is_whole(item):
            raise ParameterError(name, item, "is neither a position nor a name", REMEDY, at=at)
        n_features = len(self._names)
        if not 0 <= item < n_features:
            no_feature = ("is no feature of ", Param("X"), f", which has {n_features}")
            remedy = f"positions run from 0 to {n_features - 1}"
            raise ParameterError(name, item, no_feature, remedy, at=at)
        return int(item)

    def _position_of_name(self, name: str, feature: str, at: Place) -> int:
        if feature in self._position_of:
            return self._position_of[feature]
        likely = get_close_matches(feature, self._names, n=1)
        hint = f"did you mean {likely[0]!r}?" if likely else f"its features are {shortened(self._names, 8)}"
        raise ParameterError(name, feature, ("is no feature of ", Param("X")), hint, at=at)

    def _overlap(self, name: str, earlier: int, later: int, position: int) -> ParameterError:
        return ParameterError(
            name,
            UNSET,
            ("and ", Param(name, at=(later,)), f" both have {self.shown(position)}"),
            "make one group of the two, or leave the feature in only one of them",
            at=(earlier,),
        )


def _items(name: str, value: object, at: Place) -> list[object]:
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    if plain is None:
        return []
    if isinstance(plain, str):
        raise ParameterError(name, plain, "is one text", f"give a list: [{plain!r}]", at=at)
    if not isinstance(plain, Collection):
        raise ParameterError(name, plain, "is no list", REMEDY, at=at)
    return list(plain)
