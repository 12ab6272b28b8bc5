"""The command line. This module is the entry point and imports nothing heavy by itself."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from muninn_cli.world import World

GARBAGE = 50_000
"""Objects made before Python looks for garbage; 700 by default."""


def main(argv: Sequence[str] | None = None, world: World | None = None) -> int:
    """Run one command and return its exit code; never raises, never leaves a trace.

    The imports stand inside so that Ctrl-C while they run is one line too.
    """
    try:
        from muninn_cli.cli.run import run

        return run(sys.argv[1:] if argv is None else argv, world)
    except KeyboardInterrupt:
        sys.stderr.write("muninn: interrupted\n")
        return 130


def process() -> NoReturn:
    """The program: one command, then the end of the process.

    A command lives for a tenth of a second: collecting garbage on the way and taking every module
    down at the end would be a fifth of it. All files are closed and all streams flushed by then.
    """
    _take_bytes_for_utf8()
    gc.set_threshold(GARBAGE)
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(code)


def _take_bytes_for_utf8() -> None:
    """Start Python anew where it was told to take names and arguments for ASCII."""
    if sys.getfilesystemencoding() == "ascii":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
