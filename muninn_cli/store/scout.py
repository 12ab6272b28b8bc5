"""A scout: a second process that walks the vaults while this one is still loading its modules.

It can say one thing, that a vault is as the index has it; whoever hears anything else walks for
himself. It opens no file, writes none, and ends as soon as nobody listens.
"""

from __future__ import annotations

import marshal
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from muninn_cli.config import read_config
from muninn_cli.errors import MuninnError
from muninn_cli.paths import find_home
from muninn_cli.store.registry import registered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.world import World

    Digests = Mapping[str, bytes]
    """The digest of each folder of a vault that holds files, by its path below the root."""

WORTH_IT = 4 << 20
"""Bytes of an index from which on a walk takes longer than to start a process: some 1,000 files."""


def send_scout(world: World) -> Scout | None:
    """Send one to all vaults on the list; None where that is not worth it, or anything is wrong."""
    try:
        home = find_home(world.env, world.user_home, world.cwd)
        if home.index_db.stat().st_size < WORTH_IT:
            return None
        vaults = registered(read_config(home.config), home, world.user_home)
        return Scout([vault.root for vault in vaults])
    except (MuninnError, OSError):
        return None  # the command will meet the same, and say so


class Scout:
    """One walk over some roots, begun when it is made."""

    def __init__(self, roots: Sequence[Path]) -> None:
        """Raises OSError where no process can be started."""
        self._answer, report = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            try:
                for stream in (0, 1, 2):
                    os.close(stream)  # others may wait to see them closed
                os.close(self._answer)  # else nobody would notice that nobody listens
                _walk(roots, report)
            finally:
                os._exit(0)
        os.close(report)

    def digests(self) -> dict[Path, Digests]:
        """What was found below each root; nothing at all where a folder could not be listed.

        Waits for the walk to end. Good for one look alone: later ones are told nothing.
        """
        if not self._process:
            return {}
        with os.fdopen(self._answer, "rb") as answer:
            found = heard(answer)
        os.waitpid(self._process, 0)
        self._process = 0
        return found


def _walk(roots: Sequence[Path], report: int) -> None:
    """All that the second process does."""
    from muninn_cli.core.listing import digest
    from muninn_cli.store.walk import walk_vault

    with os.fdopen(report, "wb", buffering=0) as file:
        for root in roots:
            for folder in walk_vault(root):
                if folder.failure:
                    return
                if folder.files:
                    marshal.dump((str(root), folder.path, digest(folder.files)), file)
        marshal.dump(None, file)


def heard(answer: BinaryIO) -> dict[Path, Digests]:
    """What a report says; nothing where it ends before its time."""
    found: dict[Path, dict[str, bytes]] = {}
    try:
        while (entry := marshal.load(answer)) is not None:
            root, path, listing = entry
            found.setdefault(Path(root), {})[path] = listing
    except (EOFError, ValueError, TypeError):
        return {}
    return dict(found)
