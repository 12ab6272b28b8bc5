"""What the doctor finds, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: where, why, and what to do about it.

    `code` is a stable name. `path` is relative to the vault, absolute where there is none; `line`
    counts from 1, 0 where it has no meaning. `mend` is what `--fix` would do, None where a person
    has to. Findings that one act mends share that act.
    """

    code: str
    vault: str
    path: str
    cause: str
    line: int = 0
    hint: str = ""
    mend: Callable[[], None] | None = field(default=None, compare=False)

    @property
    def place(self) -> str:
        """Where it is, as people read it."""
        path = f"{self.vault}/{self.path}" if self.vault and self.path else self.vault or self.path
        return f"{path}:{self.line}" if self.line else path


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts: files on disk, and what the index holds; the engine, empty where there is no index.

    `changed` says that files or state have changed since the last sync, which is no fault: the
    next command that reads takes it in.
    """

    files: int = 0
    indexed: int = 0
    fulltext: int = 0
    vectors: int = 0
    engine: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found, in the order of places; `notices` are no faults."""

    findings: tuple[Finding, ...]
    facts: Facts
    notices: tuple[str, ...] = ()
