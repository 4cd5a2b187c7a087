"""Texts that write dates, times and durations, read as numpy has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from treewright.data.types import AnyArray

_DAYS = (
    *("%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y%m%d"),
    *("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%d-%b-%Y"),
)
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f")
FORMATS = tuple(day + clock for day in _DAYS for clock in _CLOCKS)
"""Formats that are known besides ISO 8601."""
_DURATION = re.compile(r"(?:(-?\d+) days?,? )?(-)?(\d+):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?")
_UNITS = ("D", "m", "s", "ms", "us")


@dataclass(frozen=True)
class Times:
    """Dates or durations in microseconds, NaT where missing, and how they were read.

    `unit` is the coarsest of numpy's units that holds all; `format` is None where it is ISO 8601 or a
    duration.
    """

    values: AnyArray
    unit: str
    format: str | None = None

    @property
    def are_durations(self) -> bool:
        """Whether they are lengths of time, not points."""
        return self.values.dtype.kind == "m"


class UnreadableError(Exception):
    """A text is no date: `text` is the first such, `formats` two ways of reading all where there are."""

    def __init__(self, text: str, formats: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.text, self.formats = text, formats


def read_times(texts: Sequence[str], format: str | None = None) -> Times:  # noqa: A002
    """Read texts that all write dates in one way, or durations.

    >>> read_times(["01.03.2021", "15.03.2021"]).format
    '%d.%m.%Y'
    >>> read_times(["2021-03-01"]).values
    array(['2021-03-01T00:00:00.000000'], dtype='datetime64[us]')
    """
    if format is not None:
        return _dates(texts, format)
    if texts and all(_DURATION.fullmatch(text.strip()) for text in texts):
        return _times(np.array([_duration(text) for text in texts], "timedelta64[us]"))
    fitting = [None] if all(map(_iso, texts)) else [one for one in FORMATS if _fits(texts, one)]
    if not fitting:
        raise UnreadableError(next((text for text in texts if not _is_date(text)), texts[0]))
    read = [_dates(texts, one) for one in fitting]
    other = next((one for one in read[1:] if (one.values != read[0].values).any()), None)
    if other is not None:
        raise UnreadableError(texts[0], [str(read[0].format), str(other.format)])
    return read[0]


def _dates(texts: Sequence[str], format: str | None) -> Times:  # noqa: A002
    found = []
    for text in texts:
        value = _iso(text) if format is None else _parsed(text, format)
        if value is None:
            raise UnreadableError(text, [] if format is None else [format])
        found.append(value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value)
    return _times(np.array(found, "datetime64[us]"), format)


def _times(values: AnyArray, format: str | None = None) -> Times:  # noqa: A002
    known = values[~np.isnat(values)]
    kind = known.dtype.kind
    unit = next(one for one in _UNITS if (known.astype(f"{kind}8[{one}]") == known).all())
    return Times(values, unit, format)


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip()) if "-" in text else None
    except ValueError:
        return None


def _parsed(text: str, format: str) -> datetime | None:  # noqa: A002
    try:
        return datetime.strptime(text.strip(), format)
    except ValueError:
        return None


def _fits(texts: Sequence[str], format: str) -> bool:  # noqa: A002
    return all(_parsed(text, format) is not None for text in texts)


def _is_date(text: str) -> bool:
    return _iso(text) is not None or any(_parsed(text, one) is not None for one in FORMATS)


def _duration(text: str) -> timedelta:
    found = _DURATION.fullmatch(text.strip())
    assert found is not None, "every text was looked at before"
    days, minus, hours, minutes, seconds, fraction = found.groups()
    clock = timedelta(
        hours=int(hours),
        minutes=int(minutes),
        seconds=int(seconds or 0),
        microseconds=int((fraction or "0").ljust(6, "0")),
    )
    return timedelta(days=int(days or 0)) + (-clock if minus else clock)
