"""Where a data set comes from: what it is called, and how its file was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

HASH = "treewright-64"
"""The method of the hash of a data set; `docs/tree.md` says what it takes in."""


class Derivation(Protocol):
    """How a feature is made of a column of a file."""

    @property
    def name(self) -> str:
        """Name of the feature."""

    @property
    def source(self) -> str:
        """The column of the file."""

    @property
    def since(self) -> str | None:
        """The date from which it counts; None where it does not count."""

    def date(self, number: float) -> str:
        """Return the last date that is not above a number that counts from the first."""

    def told(self, feature: int) -> dict[str, object]:
        """Return it as a tree keeps it, whose feature has this position."""


@dataclass(frozen=True)
class Source:
    """Where a data set comes from.

    Attributes
    ----------
    name : str
        The name of a set, or of a file without its folder.
    reading : mapping or None
        How its file was read, by the parameters of `read_csv`; None where there is no file.
    derived : sequence
        Features that the file does not have as they are.
    told : str or None
        The same in one line of words; None where there is no file, or a plain one: commas, UTF-8, a header.
    """

    name: str
    reading: Mapping[str, object] | None = None
    derived: Sequence[Derivation] = ()
    told: str | None = None


def written_hash(fingerprint: int) -> str:
    """Write the hash of a data set, with its method.

    >>> written_hash(255)
    'treewright-64:00000000000000ff'
    """
    return f"{HASH}:{fingerprint:016x}"
