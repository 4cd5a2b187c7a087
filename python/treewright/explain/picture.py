"""The path of a row as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.html import COLOURS, PLAIN, element, sentence

LINE, PAD, WIDEST = 30, 16, 110
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
    width = min(max(map(len, (head, *steps, *below))), WIDEST) * LETTER + 4 * PAD
    parts, top = [], float(PAD)
    for step in steps:
        parts.append(_box(step, top, width))
        parts.append(_arrow(top + LINE - 8, width))
        top += LINE + 6
    parts.append(_words(head, PAD * 2, top + 14))
    parts += _bar(shares, top + 22, width)
    top += 52
    for line in below:
        top += 20
        parts.append(_words(line, PAD * 2, top, soft=line is not below[0]))
    height = top + PAD
    back = element("rect", class_="back", width=f"{width:.0f}", height=f"{height:.0f}")
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}", "role": "img"}
    style = element("style", STYLE)
    box = f"0 0 {width:.0f} {height:.0f}"
    return element("svg", style, back, *parts, xmlns="http://www.w3.org/2000/svg", viewBox=box, **size)


def _shortened(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _words(text: str, x: float, y: float, *, soft: bool = False) -> str:
    told = sentence(_shortened(text))
    return element("text", told, x=f"{x:.0f}", y=f"{y:.0f}", class_="words soft" if soft else "words")


def _box(text: str, top: float, width: float) -> str:
    frame = element(
        "rect", x=PAD, y=f"{top:.0f}", width=f"{width - 2 * PAD:.0f}", height=LINE - 6, rx=4, class_="box"
    )
    return frame + element("title", sentence(text)) + _words(text, PAD * 2, top + 16)


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
