"""The steps of a search, as `treewright select` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from treewright.cli._lines import plural

if TYPE_CHECKING:
    from treewright.selection.stepwise import StepwiseSelector

_MOST_STEPS = 12
_WIDEST_NAME = 56


def steps_text(names: Sequence[str], selector: StepwiseSelector, *, is_plain: bool) -> str:
    """Return the features in the order in which they left or came, with the errors after each step.

    Parameters
    ----------
    names : sequence of str
        Names of all features.
    selector : StepwiseSelector
        A fitted one.
    is_plain : bool
        Whether every feature could leave on its own, so that errors alone ended the search.
    """
    history = selector.history_
    if len(history) == 1:
        return _nothing(selector, is_plain=is_plain)
    is_added = (history["added"][1:] >= 0).tolist()
    is_whole = history["n_features"][0] == len(names)
    start = [] if is_whole else [f"at the start, {plural(int(history['n_features'][0]), 'feature')}"]
    texts = [*start, *map("".join, zip(_signs(is_added), _moves(names, history[1:]), strict=True))]
    lines = _lines(history["step"][-len(texts) :], texts, history["errors"][-len(texts) :])
    return "\n".join([f"{_title(is_added)}, and the errors left:", "", *lines])


def _lines(steps: Iterable[int], texts: Sequence[str], errors: Iterable[float]) -> list[str]:
    """Put steps below one another, the middle of a long list left out."""
    width = max(map(len, texts))
    lines = [
        f"  {step:>3}  {text:{width}}  {n_errors:>6g}"
        for step, text, n_errors in zip(steps, texts, errors, strict=True)
    ]
    if len(lines) > _MOST_STEPS:
        lines[_MOST_STEPS - 3 : -2] = [f"    …  {len(lines) - _MOST_STEPS + 1} more"]
    return lines


def _signs(is_added: Sequence[bool]) -> list[str]:
    """Return what tells additions from removals, where there are both."""
    has_both = any(is_added) and not all(is_added)
    return [("+ " if added else "- ") if has_both else "" for added in is_added]


def _moves(names: Sequence[str], steps: Any) -> Iterator[str]:
    return (_changed(names, changed) for changed in steps["changed"])


def _title(is_added: Sequence[bool]) -> str:
    if all(is_added):
        return "Added"
    return "Added (+) and dropped (-)" if any(is_added) else "Dropped"


def _changed(names: Sequence[str], changed: Sequence[int]) -> str:
    """Name what a step moved: the first names, as many as fit, and how many more."""
    shown = [names[position] for position in changed]
    texts = [", ".join(shown), *(_and_more(shown, n) for n in range(len(shown) - 1, 0, -1))]
    return next((text for text in texts if len(text) <= _WIDEST_NAME), texts[-1])


def _and_more(shown: Sequence[str], n_shown: int) -> str:
    return f"{', '.join(shown[:n_shown])} and {len(shown) - n_shown:,} more"


def _nothing(selector: StepwiseSelector, *, is_plain: bool) -> str:
    if selector.search_.status != "complete":
        return "No step was taken before the search was ended."
    if is_plain:
        return "No feature was dropped: without any one of them the errors are no fewer."
    return "No step was taken: none that the options allow makes fewer errors."


def step_facts(names: Sequence[str], record: Any) -> dict[str, Any]:
    """Return a step for a program."""
    dropped, added = int(record["dropped"]), int(record["added"])
    return {
        "step": record["step"].item(),
        "dropped": None if dropped < 0 else names[dropped],
        "added": None if added < 0 else names[added],
        "changed": [names[position] for position in record["changed"]],
        "errors": record["errors"].item(),
        "n_features": record["n_features"].item(),
        "n_trees_built": record["n_trees_built"].item(),
        "seconds": record["seconds"].item(),
    }
