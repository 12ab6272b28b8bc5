"""The command line. This module is the entry point and imports nothing heavy by itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from muninn_cli.world import World


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
