"""What a sync did, what it could not read, and what a person should know of it.

Named tuples: every search makes these types, and a frozen dataclass takes ten times as long.
"""

from __future__ import annotations

from typing import NamedTuple


class FileProblem(NamedTuple):
    """Something in a file that could not be read as meant; `line` counts from 1, 0 if unknown."""

    vault: str
    path: str
    line: int
    cause: str


class VaultFailure(NamedTuple):
    """Why a vault, or a folder of it, was left as the index had it."""

    vault: str
    cause: str
    hint: str = ""


class SyncReport(NamedTuple):
    """Counts of files; `problems` are those of the files that were read.

    Unless `complete`, the index could not be brought up to date, and `notices` says why: answers
    then come from its last committed state.
    """

    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    problems: tuple[FileProblem, ...] = ()
    failures: tuple[VaultFailure, ...] = ()
    notices: tuple[str, ...] = ()
    complete: bool = True
