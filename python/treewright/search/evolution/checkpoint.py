"""The file of a run of `learn_pruner`: checked before the work, and named where it is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treewright._base.errors import FormatError

FORMAT = "treewright-evolution"
REFUSAL = "the checkpoint cannot be resumed: "
"""How the engine begins what it says of a checkpoint."""


def writable(place: Path | None) -> Path | None:
    """Return a path to which a checkpoint can be written, as far as that can be seen now."""
    if place is None:
        return None
    folder, reason = place.parent, None
    if place.is_dir():
        reason = "it is a folder"
    elif place.exists() and not place.is_file():
        reason = "it is no ordinary file"
    elif not folder.is_dir():
        reason = f"'{folder}' is no folder"
    elif not os.access(folder, os.W_OK | os.X_OK):
        reason = f"the folder '{folder}' is not writable"
    if reason is not None:
        raise OSError(f"the checkpoint '{place}' cannot be written ({reason}); choose another place")
    return place


def stored_state(source: Path) -> str:
    """Return the text of a checkpoint; whether it is one of this run is for the engine to say."""
    try:
        text = source.read_text("utf-8")
        stored = json.loads(text)
    except UnicodeDecodeError:
        raise _none(source, "it holds no text") from None
    except (ValueError, RecursionError):
        raise _none(source, "it is empty" if not text.strip() else "it is no JSON") from None
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        found = stored.get("format") if isinstance(stored, dict) else None
        raise _none(source, f"it is a '{found}'" if isinstance(found, str) else "it holds something else")
    return text


@contextmanager
def refusals_of(source: Path | None) -> Iterator[None]:
    """Name the file where the engine refuses a checkpoint."""
    try:
        yield
    except FormatError as error:
        detail = str(error)
        if source is None or not detail.startswith(REFUSAL):
            raise
        detail = detail.removeprefix(REFUSAL)
        if "of other data or parameters" in detail:
            raise FormatError(f"the checkpoint '{source}' cannot be resumed: {detail}") from None
        raise _none(source, detail) from None


def _none(source: Path, detail: str) -> FormatError:
    return FormatError(
        f"'{source}' is no checkpoint of learn_pruner ({detail}); "
        "give a file that an earlier run wrote as its checkpoint"
    )
