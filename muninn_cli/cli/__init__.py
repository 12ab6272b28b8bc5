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

    from muninn_cli.store.scout import Scout
    from muninn_cli.world import World

GARBAGE = 50_000
"""Objects made before Python looks for garbage; 700 by default."""

READING = frozenset({"search", "show", "list"})
"""Commands that look at the vaults before anything else, and write into none."""


def main(argv: Sequence[str] | None = None, world: World | None = None) -> int:
    """Run one command and return its exit code; never raises, never leaves a trace.

    The imports stand inside so that Ctrl-C while they run is one line too.
    """
    argv = sys.argv[1:] if argv is None else argv
    try:
        scout = _scout(argv) if world is None else None
        from muninn_cli.cli.run import run

        return run(argv, world, scout)
    except KeyboardInterrupt:
        sys.stderr.write("muninn: interrupted\n")
        return 130


def _scout(argv: Sequence[str]) -> Scout | None:
    """Have the vaults walked while the command is loaded: both take about as long."""
    if not argv or argv[0] not in READING:
        return None
    from muninn_cli.store.scout import send_scout
    from muninn_cli.world import World

    return send_scout(World.real())


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
