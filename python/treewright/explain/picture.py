"""The path of a row as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from treewright._base.html import COLOURS, PLAIN, element, sentence

LINE, PAD, WIDEST = 30, 16, 110
MORE, MOST_LINES = 17, 4
"""Height of a further line of a text, and the most lines: of a longer text the beginning and the end."""
LETTER = 8.0
"""Width of a letter of the text, and a little more."""

STYLE = (
    ".words{font:13px ui-monospace,monospace;fill:#1b1f24}.soft{fill:#5c6670}"
    ".box{fill:#f4f6f8;stroke:#5c6670}.line{stroke:#5c6670;stroke-width:1.5}.back{fill:#fff}"
    "@media (prefers-color-scheme:dark){.words{fill:#e6e8ea}.soft{fill:#9aa5b1}.box{fill:#1f242a;"
    "stroke:#9aa5b1}.line{stroke:#9aa5b1}.back{fill:#15181c}}"
)


def picture(
    head: str, steps: Sequence[str], shares: Sequence[tuple[str, float]], below: Sequence[str]
) -> str:
    """Draw boxes for steps, one below the other, a bar of class shares, and lines of text."""
    told = [_in_lines(text) for text in (head, *below)]
    steps_told = [_in_lines(step) for step in steps]
    width = max(len(line) for lines in (*told, *steps_told) for line in lines) * LETTER + 4 * PAD
    parts, top = [], float(PAD)
    for step, lines in zip(steps, steps_told, strict=True):
        more = MORE * (len(lines) - 1)
        parts.append(_box(step, lines, top, width))
        parts.append(_arrow(top + LINE - 8 + more, width))
        top += LINE + 6 + more
    parts.append(_words(told[0], PAD * 2, top + 14))
    top += MORE * (len(told[0]) - 1)
    parts += _bar(shares, top + 22, width)
    top += 52
    for place, lines in enumerate(told[1:]):
        top += 20
        parts.append(_words(lines, PAD * 2, top, soft=place > 0))
        top += MORE * (len(lines) - 1)
    height = top + PAD
    back = element("rect", class_="back", width=f"{width:.0f}", height=f"{height:.0f}")
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}", "role": "img"}
    style = element("style", STYLE)
    box = f"0 0 {width:.0f} {height:.0f}"
    return element("svg", style, back, *parts, xmlns="http://www.w3.org/2000/svg", viewBox=box, **size)


def _in_lines(text: str) -> list[str]:
    """Return a text in lines; the end, where the value of the row stands, is always there."""
    if len(text) <= WIDEST:
        return [text]
    lines = wrap(text, WIDEST, break_on_hyphens=False) or [""]
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[: MOST_LINES - 2], "…", text[-WIDEST:].partition(" ")[2] or text[-WIDEST:]]


def _words(lines: Sequence[str], x: float, y: float, *, soft: bool = False) -> str:
    look = "words soft" if soft else "words"
    return "".join(
        element("text", sentence(line), x=f"{x:.0f}", y=f"{y + MORE * place:.0f}", class_=look)
        for place, line in enumerate(lines)
    )


def _box(text: str, lines: Sequence[str], top: float, width: float) -> str:
    size = {"width": f"{width - 2 * PAD:.0f}", "height": LINE - 6 + MORE * (len(lines) - 1)}
    frame = element(
        "rect", element("title", sentence(text)), x=PAD, y=f"{top:.0f}", rx=4, class_="box", **size
    )
    return frame + _words(lines, PAD * 2, top + 16)


def _arrow(top: float, width: float) -> str:
    x = f"{width / 2:.0f}"
    return element("line", x1=x, x2=x, y1=f"{top + 2:.0f}", y2=f"{top + 14:.0f}", class_="line")


def _bar(shares: Sequence[tuple[str, float]], top: float, width: float) -> list[str]:
    """Draw a bar of the shares of classes; what a part is stands in its title."""
    fills = COLOURS if 1 < len(shares) <= len(COLOURS) else (PLAIN,)
    left, whole, parts = float(PAD), width - 2 * PAD, []
    for place, (label, share) in enumerate(shares):
        size = {"x": f"{left:.1f}", "y": f"{top:.0f}", "width": f"{share * whole:.1f}", "height": 14}
        title = element("title", sentence(f"{label}: {share:.1%}"))
        if share > 0:
            parts.append(element("rect", title, fill=fills[place % len(fills)], stroke="#fff", **size))
        left += share * whole
    return parts
