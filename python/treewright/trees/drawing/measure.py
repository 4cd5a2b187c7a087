"""How wide texts are, and texts that are cut so that they have room.

Widths are those of DejaVu Sans, which is as wide as any usual sans-serif font and matplotlib's own, so that a
text has room whatever font the reader has.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

_PLAIN = (
    *(32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64),
    *(34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69),
    *(63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28),
    *(97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84),
)
"""Widths of the letters from the blank to the tilde, in hundredths of the font size."""

_WIDTHS = {chr(32 + place): width for place, width in enumerate(_PLAIN)}
BOLD = 1.13
"""So much wider are bold letters, at the most, in a text of some length."""
OTHER, WIDE = 70, 110
"""Of a letter that is not listed, and of one that East Asian fonts set wide."""

LEAST_ALIKE = 11
"""Letters that have room anywhere; a text of so many, or more, can be shortened."""

MARKS = "_-/.,;:"
"""Behind these a word can be broken."""

ENDS = 300
"""So many letters at the beginning and at the end of a long text can stand in lines."""

MOST_LETTERS = 1000
"""Of a text that is shown on hover; a picture of a thousand such nodes is a megabyte."""


def _width_of(letter: str) -> int:
    return WIDE if unicodedata.east_asian_width(letter) in "WF" else OTHER


@lru_cache(maxsize=4096)
def hundredths(text: str) -> int:
    """Return the width of a text in hundredths of the font size."""
    found = _WIDTHS
    return sum([found.get(letter) or _width_of(letter) for letter in text])


def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width of a text in a font size."""
    return hundredths(text) * size * (BOLD if is_bold else 1.0) / 100


def cut_to(text: str, width: float, size: float, *, is_bold: bool = False) -> str:
    """Return a text that is at most so wide, an ellipsis at the end of one that is cut.

    >>> cut_to("petal width", 200, 12), cut_to("petal width in centimetres", 80, 12)
    ('petal width', 'petal width…')
    """
    if len(text) < 200 and width_of(text, size, is_bold=is_bold) <= width:
        return text
    room = width * 100 / (size * (BOLD if is_bold else 1.0)) - OTHER
    for place, letter in enumerate(text):
        room -= _WIDTHS.get(letter) or _width_of(letter)
        if room < 0:
            return f"{text[:place].rstrip()}…"
    return text


def cut_within(text: str, width: float, size: float) -> str:
    """Return a text that is at most so wide, its middle left out: names often begin alike.

    >>> cut_within("laboratory value: creatinine", 100, 12)
    'labora…atinine'
    """
    if len(text) < 200 and width_of(text, size) <= width:
        return text
    end = cut_to(text[:-MOST_LETTERS:-1], width / 2, size)[-2::-1]
    return f"{cut_to(text, width / 2, size)}{end}"


def in_lines(text: str, width: float, size: float, most: int, *, is_bold: bool = False) -> list[str]:
    """Return a text in at most so many lines; of a longer one the first line, and the last ones.

    >>> in_lines("laboratory value on the first day: creatinine", 100, 10, 3)
    ['laboratory value on', 'the first day:', 'creatinine']
    >>> in_lines("od280/od315_of_diluted_wines", 120, 10, 2)
    ['od280/od315_of_', 'diluted_wines']
    >>> in_lines("laboratory value on the first day: creatinine", 100, 10, 2)
    ['laboratory value…', 'creatinine']
    """
    if len(text) < 200 and width_of(text, size, is_bold=is_bold) <= width:
        return [text]
    known = text if len(text) <= 2 * ENDS else f"{text[:ENDS]} {text[-ENDS:]}"
    room = width / BOLD if is_bold else width
    pieces = [piece for line in wrapped(known, room, size) for piece in _broken(line, room, size)]
    if len(pieces) <= most:
        return pieces
    first = cut_to(f"{pieces[0]} {pieces[1]}…", room - size * OTHER / 100, size)
    first = first if first.endswith("…") else f"{first}…"
    return [first, *pieces[len(pieces) - most + 1 :]] if most > 1 else [first]


def told_apart(texts: Sequence[str], shorten: Callable[[str], object]) -> dict[str, str]:
    """Return a number for each of the texts that look alike when they are shortened.

    >>> told_apart(["a long text", "a last text", "b"], lambda text: text[0])
    {'a long text': ' (1)', 'a last text': ' (2)'}
    """
    long = [place for place, text in enumerate(texts) if len(text) >= LEAST_ALIKE]
    looks = {place: shorten(texts[place]) for place in long}
    n_alike = Counter(looks.values())
    return {texts[place]: f" ({place + 1})" for place in long if n_alike[looks[place]] > 1}


def _broken(text: str, width: float, size: float) -> Iterator[str]:
    """Break a text within words, behind a mark such as an underscore if one is near."""
    room = width * 100 / size
    left, start, behind = room, 0, 0
    for place, letter in enumerate(text):
        wide = _WIDTHS.get(letter) or _width_of(letter)
        if wide > left and place > start:
            end = behind if behind - start > (place - start) / 3 else place
            yield text[start:end]
            left, start = room - hundredths(text[end:place]), end
        left -= wide
        if letter in MARKS:
            behind = place + 1
    yield text[start:]


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return a text in lines that are at most so wide, broken at blanks.

    >>> wrapped("0.25*age + 0.5*height", 80, 10)
    ['0.25*age +', '0.5*height']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width_of(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def on_hover(text: str) -> str:
    """Return a text as far as it is worth reading on hover."""
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}… ({len(text):,} characters)"
