"""What a sync did, what it could not read, and what a person should know of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Something in a file that could not be read as meant; `line` counts from 1, 0 if unknown."""

    vault: str
    path: str
    line: int
    cause: str


@dataclass(frozen=True, slots=True)
class VaultFailure:
    """Why a vault, or a folder of it, was left as the index had it."""

    vault: str
    cause: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
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
