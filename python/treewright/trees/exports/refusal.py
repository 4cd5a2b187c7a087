"""What a format cannot say, as errors that name the reason."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._base.errors import ExportError
from treewright._base.shown import shown_text
from treewright._base.wording import Sentence, parts_of
from treewright.data.intake.labels import Label


def refusal(target: str, reason: str, remedy: Sentence = "") -> ExportError:
    """Return the error that says what a format cannot say, and what to do."""
    return ExportError(f"{target} {reason}", *(("; ", *parts_of(remedy)) if remedy else ()))


def shortened(text: str, limit: int = 40) -> str:
    """Return a text as a message shows it."""
    shown = shown_text(text)
    return shown if len(shown) <= limit else f"{shown[:limit]}… ({len(text):,} characters)"


def as_texts(labels: Sequence[Label], target: str, what: str) -> list[str]:
    """Return labels as texts, where a format has nothing but texts; refuse two that look alike."""
    texts = [str(label) for label in labels]
    seen: dict[str, Label] = {}
    for text, label in zip(texts, labels, strict=True):
        if text in seen:
            reason = f"knows values by their text, and {what} has {seen[text]!r} beside {label!r}"
            raise refusal(target, reason, "rename one of them")
        seen[text] = label
    return texts


def are_alike(labels: Sequence[Label]) -> bool:
    """Whether labels are all texts, all numbers or all booleans."""
    return len({"number" if type(label) in (int, float) else type(label).__name__ for label in labels}) < 2
