"""Ctrl-C on the command line: the first one asks for what was found so far."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Any

from treewright.cli._exit import DONE, INTERRUPTED

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.results import Callback, Progress


def fitted(model: Any, dataset: Dataset) -> int:
    """Fit an estimator that keeps its best at Ctrl-C; return how the command ends."""
    try:
        model.fit(dataset)
    except KeyboardInterrupt:
        if not hasattr(model, "search_"):
            raise
        return INTERRUPTED
    return DONE


class FirstCtrlC:
    """While it is entered, the first Ctrl-C asks the work to stop; the second one interrupts it.

    Attributes
    ----------
    is_pressed : bool
        Whether the work is to stop.
    """

    def __init__(self) -> None:
        self.is_pressed = False

    def after(self, callback: Callback) -> Callback:
        """Return a callback that calls another and then says whether to stop."""

        def watch(progress: Progress) -> bool:
            return bool(callback(progress)) or self.is_pressed

        return watch

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        return INTERRUPTED if self.is_pressed else DONE

    def __enter__(self) -> FirstCtrlC:
        self._is_heard = threading.current_thread() is threading.main_thread()
        if self._is_heard:
            self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_heard:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, *_: object) -> None:
        self.is_pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
