"""Reading the files of one vault, live and archived. Never fails: it says what it cannot read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory import Memory, Problem
from muninn_cli.core.memory_file import read
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.files import content_hash
from muninn_cli.store.index.schema import UNSETTLED
from muninn_cli.store.sync.plan import Found, settled_mtime
from muninn_cli.store.vault import ARCHIVE
from muninn_cli.store.walk import is_archived

if TYPE_CHECKING:
    from collections.abc import Collection

    from muninn_cli.store.archive import Kept
    from muninn_cli.store.vault import Vault


class Reading(NamedTuple):
    """A file as it was read; `memory` is None where it is none.

    `handle` is what the ledger calls an archived file, or empty; `origin` the path that its own
    id is made from: where it is or, if archived, was.
    """

    found: Found
    mtime_ns: int
    hash: bytes
    memory: Memory | None
    problems: tuple[Problem, ...]
    origin: str
    handle: str = ""


class Reader:
    """Reads the files of a vault; `nameless` are paths whose names are no Unicode."""

    def __init__(self, vault: Vault, nameless: Collection[str]) -> None:
        self._vault = vault
        self._nameless = nameless

    def read(self, found: Found) -> Reading | None:
        """The file as it is now; None where there is none any more."""
        if found.path in self._nameless:
            return _unreadable(found, found.stamp[1], "the name of the file is not UTF-8")
        mtime = settled_mtime(found.stamp[1])  # as it was before the file was read
        try:
            data = (self._vault.root / found.path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return _unreadable(found, UNSETTLED, f"cannot be read: {error.strerror}")
        kept = self._archived.get(found.path) if is_archived(found.folder) else None
        origin = kept.entry.path if kept else found.path
        memory = read(data, origin, self._vault.id_name)
        if not isinstance(memory, Memory):
            problem = Problem(0, memory.cause)
            return Reading(found, mtime, content_hash(data), None, (problem,), origin)
        problems = memory.problems + _name_problems(found)
        handle = kept.handle if kept and kept.entry.reason else ""
        return Reading(found, mtime, content_hash(data), memory, problems, origin, handle)

    @cached_property
    def _archived(self) -> dict[str, Kept]:
        """What lies in the archive, by path below the root."""
        return {f"{ARCHIVE}/{kept.entry.file}": kept for kept in VaultArchive(self._vault).kept()}


def _unreadable(found: Found, mtime_ns: int, cause: str) -> Reading:
    return Reading(found, mtime_ns, b"", None, (Problem(0, cause),), found.path)


def _name_problems(found: Found) -> tuple[Problem, ...]:
    """A line break or another control character in a name confuses every tool that lists it."""
    if all(char >= " " for char in found.stamp[0]):
        return ()
    return (Problem(0, "the name of the file holds a control character"),)
