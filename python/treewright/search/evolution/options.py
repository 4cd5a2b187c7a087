"""Parameters that runs share: seeds, and the file that keeps a run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sklearn.utils import check_random_state

from treewright._base.checkpoint import hindrance
from treewright._base.errors import ParameterError
from treewright._base.params import flag, is_whole, whole_number
from treewright._base.wording import NONE_OR, Param

BEYOND_BUDGET = 2**62
"""More programs than any run will make."""

MOST_SEED = 2**63 - 1


def checked_seed(random_state: Any) -> int:
    """Return a seed: the number that is given, or one that is drawn."""
    if is_whole(random_state):
        if random_state > MOST_SEED:
            raise ParameterError(
                "random_state", random_state, "is too large", f"a seed is at most {MOST_SEED}"
            )
        return whole_number("random_state", random_state, least=0, remedy="a seed is not negative")
    try:
        drawing = check_random_state(random_state)
    except ValueError:
        raise ParameterError(
            "random_state",
            random_state,
            ("must be ", NONE_OR, f"an int from 0 to {MOST_SEED}, or a RandomState"),
        ) from None
    return int(drawing.randint(2**31 - 1))


def checkpoint_place(checkpoint: Any, resume: object) -> Path | None:
    """Return the file of a run, to which it can be written as far as that can be seen now."""
    is_resumed = flag("resume", resume)
    if checkpoint is None:
        if is_resumed:
            raise ParameterError(
                "resume", True, ("goes with ", Param("checkpoint"), ", the file to go on from"), "give both"
            )
        return None
    if not isinstance(checkpoint, str | os.PathLike) or not os.fspath(checkpoint):
        raise ParameterError("checkpoint", checkpoint, "is no path", "give the name of a file")
    place = Path(checkpoint)
    if (reason := hindrance(place)) is not None:
        raise OSError(f"the checkpoint '{place}' cannot be written ({reason}); choose another place")
    return place
