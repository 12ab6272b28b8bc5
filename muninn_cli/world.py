"""Everything of the outside enters here: environment, clock, chance, streams, place.

No other module reads os.environ, the clock, randomness or the standard streams; a test hands
in a world of its own.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


class World(NamedTuple):
    """What the machine and the person give: `now` is an aware instant in UTC."""

    env: Mapping[str, str]
    folder: str
    now: Callable[[], datetime]
    randomness: Callable[[int], bytes]
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    host: str
    pid: int

    @classmethod
    def real(cls) -> World:
        """The world this process runs in."""
        _fill_closed_streams()
        return cls(
            env=os.environ,
            folder=_working_folder(),
            now=lambda: datetime.now(UTC),
            randomness=os.urandom,
            stdin=_stream(sys.stdin, 0, "replace"),
            stdout=_stream(sys.stdout, 1, "backslashreplace"),
            stderr=_stream(sys.stderr, 2, "backslashreplace"),
            host=os.uname().nodename,
            pid=os.getpid(),
        )

    @property
    def cwd(self) -> Path:
        """The current folder; pathlib is imported here, since `muninn --help` needs none."""
        from pathlib import Path

        return Path(self.folder)

    @property
    def user_home(self) -> Path | None:
        """The person's home folder, absolute; None where the environment names none."""
        from pathlib import Path

        home = self.env.get("HOME")
        return Path(self.folder, home) if home else None


def _fill_closed_streams() -> None:
    """Open the null device where stdin, stdout or stderr is closed.

    Otherwise the next file opened, perhaps the index, would become descriptor 1.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _stream(stream: TextIO | None, descriptor: int, errors: str) -> TextIO:
    """The stream, never failing on a character its encoding lacks; the null device if closed."""
    if stream is None:
        return open(descriptor, "r+", encoding="utf-8", errors=errors, closefd=False)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors=errors)
    return stream


def _working_folder() -> str:
    """The current folder; where it was deleted, the place it had."""
    try:
        return os.getcwd()  # noqa: PTH109  (no pathlib: see World.cwd)
    except FileNotFoundError:
        return os.environ.get("PWD", "/")
