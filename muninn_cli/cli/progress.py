"""A bar on stderr for long work: on a terminal only, and only after half a second."""

from __future__ import annotations

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
        filled = _WIDTH * min(done, total) // total
        bar = "#" * filled + "-" * (_WIDTH - filled)
        self._stream.write(f"{_CLEAR}{self._label} [{bar}] {done}/{total}")
        self._stream.flush()

    def clear(self) -> None:
        """Leave the line as it was before."""
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()


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
