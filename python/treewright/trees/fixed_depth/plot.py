"""The picture of a tree of fixed depth: its questions from left to right, and how probable a class is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treewright.reporting.matplotlib_glue import axes
from treewright.trees.fixed_depth.questions import Questions, Step

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOUR = (0.835, 0.369, 0.0)
"""Of a probability of 1; one of 0 is white."""
OF_LETTER, OF_LINE = 0.075, 0.42
"""Inches that a letter and the end of a path take."""
GAP = 0.5
"""Inches between the columns."""
MOST_ENDS = 400
"""Ends of paths in a picture; of a larger tree the deepest questions are left out."""
LONGEST = 40
"""Letters of a text; longer ones are cut."""


@dataclass(eq=False)
class Box:
    """A question or a class in the picture: two lines of text, and the answer that leads here."""

    answer: str
    lines: tuple[str, str]
    share: float
    column: int
    height: float
    below: list[Box] = field(default_factory=list)

    def all(self) -> Iterator[Box]:
        """Yield this box and all to the right of it."""
        yield self
        for box in self.below:
            yield from box.all()


def plot_questions(questions: Questions, label: object, ax: Axes | None) -> Axes:
    """Draw the questions; with the class `label` its probability, else that of the most probable class."""
    place = None if label is None else questions.tree.classes_.tolist().index(label)
    first = questions.steps()
    root = _Boxes(questions, place, _columns(first)).of(first, 0)
    boxes = list(root.all())
    widths = [
        OF_LETTER * max(len(line) for box in boxes if box.column == column for line in box.lines) + 0.15
        for column in range(max(box.column for box in boxes) + 1)
    ]
    answers = [
        OF_LETTER * max((len(box.answer) for box in boxes if box.column == column), default=0) + GAP
        for column in range(len(widths))
    ]
    lefts = [sum(widths[:column]) + sum(answers[1 : column + 1]) for column in range(len(widths))]
    width, height = lefts[-1] + widths[-1], max(box.height for box in boxes) + OF_LINE
    ax = axes(ax, "plot", width=max(width, 3.0), height=height + 0.5)
    ax.set_xlim(0, width)
    ax.set_ylim(height - OF_LINE / 2, -OF_LINE / 2)
    ax.set_axis_off()
    told = "the most probable class" if label is None else _cut_short(str(label))
    ax.set_title(f"probability of {told}, under naive Bayes", fontsize="medium")
    for box in boxes:
        _draw(ax, box, lefts, widths)
    return ax


@dataclass
class _Boxes:
    """Makes boxes of questions, ends of paths below one another."""

    questions: Questions
    place: int | None
    n_columns: int
    n_ends: int = 0

    def of(self, step: Step, column: int) -> Box:
        is_last = column + 1 == self.n_columns
        below = [] if is_last else [self.of(answer, column + 1) for answer in step.below]
        height = (below[0].height + below[-1].height) / 2 if below else self._next_height()
        shares = self.questions.shares(step.nodes)
        classes = self.questions.tree.classes_
        place = int(shares.argmax()) if self.place is None else self.place
        told = (
            int(self.questions.tree.node_class[step.nodes[0]]) if not shares.any() else int(shares.argmax())
        )
        answer, share = str(classes[told]), float(shares[place])
        named = "" if place == told and not step.question else f"{classes[place]} "
        lines = step.question or answer, f"{named}{100 * share:.0f} %"
        return Box(_cut_short(step.answer), _both(lines), share, column, height, below)

    def _next_height(self) -> float:
        self.n_ends += 1
        return (self.n_ends - 1) * OF_LINE


def _columns(first: Step) -> int:
    """Return how many columns can be drawn: all, unless there are too many ends."""
    steps, n_ends, n_columns = [first], 0, 0
    while steps and n_ends + len(steps) <= MOST_ENDS:
        n_ends += sum(not step.below for step in steps)
        steps, n_columns = [answer for step in steps for answer in step.below], n_columns + 1
    return max(n_columns, 1)


def _both(lines: tuple[str, str]) -> tuple[str, str]:
    return _cut_short(lines[0]), _cut_short(lines[1])


def _draw(ax: Axes, box: Box, lefts: Sequence[float], widths: Sequence[float]) -> None:
    """Draw a box, and the lines to those that follow, the answers on them."""
    left, right = lefts[box.column], lefts[box.column] + widths[box.column]
    shade = tuple(1 - box.share * (1 - part) * 0.75 for part in COLOUR)
    edge = "0.55" if box.below else "black"
    ax.text(
        left + 0.08,
        box.height,
        "\n".join(box.lines),
        verticalalignment="center",
        fontsize=8,
        linespacing=1.15,
        bbox={"facecolor": shade, "edgecolor": edge, "boxstyle": "round,pad=0.25", "linewidth": 0.9},
    )
    for below in box.below:
        start = lefts[below.column]
        turn = right + 0.12
        ax.plot(
            [left + 0.1, turn, turn, start],
            [box.height, box.height, below.height, below.height],
            color="0.55",
            linewidth=0.9,
            zorder=0,
        )
        ax.text(
            turn + 0.06,
            below.height - 0.03,
            below.answer,
            fontsize=8,
            color="0.25",
            verticalalignment="bottom",
        )


def _cut_short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
