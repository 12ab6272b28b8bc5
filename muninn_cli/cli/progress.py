"""A bar on stderr for long work: on a terminal only, and only after half a second."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

PATIENCE = 0.5
"""Seconds that pass before anything is shown."""

BETWEEN = 0.1
"""Seconds between two drawings."""

_WIDTH = 30
_COLUMNS = 80
_CLEAR = "\r\x1b[K"


class Bar:
    """Draws what is done of a total; call it as often as you like."""

    def __init__(self, label: str, stream: TextIO, seconds: Callable[[], float]) -> None:
        self._label = label
        self._stream = stream
        self._seconds = seconds
        self._next = seconds() + PATIENCE
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = self._seconds()
        if now < self._next or total <= 0:
            return
        self._next = now + BETWEEN
        self._drawn = True
        self._stream.write(_CLEAR + self._line(done, total))
        self._stream.flush()

    def _line(self, done: int, total: int) -> str:
        """The bar, never wider than the terminal: a line that wraps cannot be cleared."""
        counts = f"{done}/{total}"
        width = min(_WIDTH, _columns(self._stream) - len(self._label) - len(counts) - 5)
        if width < 1:
            return counts
        filled = width * min(done, total) // total
        return f"{self._label} [{'#' * filled}{'-' * (width - filled)}] {counts}"

    def clear(self) -> None:
        """Leave the line as it was before."""
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


@contextmanager
def bar(
    label: str, stream: TextIO, *, shown: bool, seconds: Callable[[], float] | None = None
) -> Iterator[Callable[[int, int], None]]:
    """What to tell `done, total` while the work goes on; silent where no bar is to be shown."""
    if not shown:
        yield _ignore
        return
    from time import monotonic

    drawing = Bar(label, stream, seconds or monotonic)
    try:
        yield drawing
    finally:
        drawing.clear()


def _ignore(_done: int, _total: int) -> None:
    return
