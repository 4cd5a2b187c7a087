"""The file that long work writes now and then, so that it can go on where it was: one format, one reader.

    {"format": "treewright-checkpoint", "version": 1, "work": "compare_planes", "design": {...}, "state": ...}

`work` is the function, `design` what its result depends on, by the names of its parameters, and `state` what
it has done so far. Both hold what JSON holds, and besides numpy arrays and numbers that are not finite.
"""

from __future__ import annotations

import base64
import glob
import json
import math
import os
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from treewright._base.errors import FormatError, ParameterError
from treewright._base.params import flag
from treewright._base.wording import Param, Sentence

FORMAT, VERSION = "treewright-checkpoint", 1

MOST_OF_TIME = 0.05
"""Share of the time that writing may take."""

PART = ".tmp"
"""End of the name of a file that is being written."""

DATA = "data"
"""The part of a design whose values are digests, which tell a reader nothing."""

PathLike = str | os.PathLike[str]


@dataclass(eq=False)
class Checkpoint:
    """The file of one piece of work; a state of other work, or of another design, is refused."""

    place: Path
    work: str
    design: Mapping[str, object]
    _next: float = field(default=-math.inf, init=False)
    """When writing is worth its time again."""

    @classmethod
    def of(
        cls, path: PathLike | None, resume: object, *, work: str, design: Callable[[], Mapping[str, object]]
    ) -> Checkpoint | None:
        """Return the checkpoint that `checkpoint` and `resume` of a user ask for, None without a path."""
        place = checked_place(path, resume)
        return None if place is None else cls(place, work, design())

    def load(self) -> object | None:
        """Return the state of an earlier run; None if there is no file yet."""
        if not self.place.exists():
            return None
        stored = read(self.place)
        if stored["work"] != self.work:
            raise self._refusal(f"it is one of {stored['work']}, not of {self.work}")
        self._compare(stored["design"])
        return stored["state"]

    def keep(self, state: Callable[[], object]) -> None:
        """Write the state if enough time has passed since the last time."""
        if time.monotonic() >= self._next:
            self.write(state())

    def write(self, state: object) -> None:
        """Write the state now: a reader sees the old file or the new one, never a part."""
        began = time.monotonic()
        header = {"format": FORMAT, "version": VERSION, "work": self.work}
        write_whole(self.place, encoded({**header, "design": self.design, "state": state}).encode())
        ended = time.monotonic()
        self._next = ended + (ended - began) / MOST_OF_TIME

    def _compare(self, stored: object) -> None:
        """Refuse a state of another design, and say which part of it is another."""
        own = decoded(encoded(self.design))
        assert isinstance(own, dict), "a design is a mapping"
        if not isinstance(stored, dict) or stored.keys() != own.keys():
            raise self._refusal("it is of another version of treewright")
        for name, value in own.items():
            if encoded(stored[name]) != encoded(value):  # so that NaN is itself
                raise self._refusal(*_difference(name, stored[name], value))

    def _refusal(self, *reason: Sentence) -> FormatError:
        parts = [part for text in reason for part in (text if isinstance(text, tuple) else (text,))]
        return FormatError(f"the checkpoint '{self.place}' cannot be resumed: ", *parts)


def checked_place(path: PathLike | None, resume: object) -> Path | None:
    """Return where to write a checkpoint, as far as that can be said before the work."""
    goes_on = flag("resume", resume)
    if path is None:
        if goes_on:
            raise ParameterError("resume", True, "has no file to go on from", ("give ", Param("checkpoint")))
        return None
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise ParameterError("checkpoint", path, "is no path", "give the name of a file")
    place = Path(path)
    reason = hindrance(place)
    if reason is not None:
        raise OSError(f"the checkpoint '{place}' cannot be written ({reason}); choose another place")
    if place.exists() and not goes_on:
        remedy: Sentence = ("go on from it with ", Param("resume", True), ", or name another")
        raise ParameterError("checkpoint", str(place), "is there already", remedy)
    return place


def read(place: Path) -> dict[str, object]:
    """Return what a checkpoint holds, whatever work it is of; refuse what is none that can be read."""
    text = ""
    try:
        text = place.read_text("utf-8")
        stored = decoded(text)
    except UnicodeDecodeError:
        raise _foreign(place, "it holds no text") from None
    except (ValueError, RecursionError):
        raise _foreign(place, "it is no JSON" if text.strip() else "it is empty") from None
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        raise _foreign(place, "it holds something else")
    if stored.get("version") != VERSION:
        found = stored.get("version")
        raise _foreign(place, f"it is one of format {found!r}, and format {VERSION} is read")
    if missing := {"work", "design", "state"} - stored.keys():
        raise _foreign(place, f"it has no {min(missing)}")
    return stored


def write_whole(place: Path, content: bytes) -> None:
    """Write a file beside `place`, then give it that name; what is no ordinary file is written to."""
    place = place.resolve()
    if place.exists() and not place.is_file():
        place.write_bytes(content)
        return
    _clear(place)
    temporary = place.with_name(f".{place.name}.{os.getpid()}{PART}")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(place)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@cache
def _clear(place: Path) -> None:
    """Remove what runs that were killed left beside a file, once in a process."""
    for part in place.parent.glob(f".{glob.escape(place.name)}.*{PART}"):
        writer = part.name.removesuffix(PART).rpartition(".")[2]
        if writer.isdecimal() and not _is_running(int(writer)):
            part.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    """Whether another process runs; where that cannot be asked, True."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return process != os.getpid()


def encoded(value: object) -> str:
    """Return the text of a value: JSON, in which arrays and NaN have a form of their own."""
    return json.dumps(_storable(value), ensure_ascii=False, allow_nan=False)


def decoded(text: str) -> object:
    """Undo `encoded`; tuples come back as lists."""
    found: object = json.loads(text, object_hook=_restored)
    return found


def _storable(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _storable(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(part) for part in value]
    if isinstance(value, np.ndarray):
        packed = base64.b64encode(zlib.compress(np.ascontiguousarray(value).tobytes(), 1)).decode()
        return {"array": packed, "type": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, np.generic):
        return _storable(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def _restored(value: dict[str, object]) -> object:
    if value.keys() == {"float"}:
        return float(str(value["float"]))
    if value.keys() == {"array", "type", "shape"}:
        content = zlib.decompress(base64.b64decode(str(value["array"])))
        shape = value["shape"]
        assert isinstance(shape, list), "a shape is a list"
        return np.frombuffer(content, dtype=np.dtype(str(value["type"]))).reshape(shape)
    return value


def _difference(name: str, stored: object, own: object) -> tuple[Sentence, ...]:
    """Say how a part of a design differs."""
    if isinstance(stored, dict) and isinstance(own, dict):
        if name == DATA:
            both = [key for key in own if key in stored and stored[key] != own[key]]
            return (f"the data set '{both[0]}' is another one" if both else "it is of other data sets",)
        for key in own:
            if stored.get(key) != own[key]:
                return ("it is of ", Param(f"{name}__{key}", stored.get(key)), f", not {own[key]!r}")
    return ("it is of ", Param(name, stored), f", not {own!r}")


def hindrance(place: Path) -> str | None:
    """Return why no file can be written, as far as that can be seen now."""
    folder = place.parent
    if place.is_dir():
        return "it is a folder"
    if place.exists() and not place.is_file():
        return "it is no ordinary file"
    if not folder.is_dir():
        return f"'{folder}' is no folder"
    return None if os.access(folder, os.W_OK | os.X_OK) else f"the folder '{folder}' is not writable"


def _foreign(place: Path, detail: str) -> FormatError:
    return FormatError(
        f"'{place}' is no checkpoint ({detail}); give a file that an earlier run wrote as its checkpoint"
    )
