"""A memory: what one Markdown file says, as a value.

Nothing here reads or writes a file, and nothing here knows the time.
"""

from __future__ import annotations

from typing import NamedTuple

from muninn_cli.core.ids import SHORT_ID, derived_id, new_id, short_id, valid_id
from muninn_cli.core.terms import Kind, MemoryType, Source, Tier
from muninn_cli.core.times import When

__all__ = [
    "DEFAULT_IMPORTANCE",
    "SHORT_ID",
    "Kind",
    "Memory",
    "MemoryType",
    "Problem",
    "Source",
    "Tier",
    "derived_id",
    "new_id",
    "short_id",
    "valid_id",
]

DEFAULT_IMPORTANCE = {Tier.T0: 9, Tier.T1: 7, Tier.T2: 5, Tier.T3: 3}


class Problem(NamedTuple):
    """Something in a file that could not be read as meant: `line` counts from 1, 0 if unknown."""

    line: int
    cause: str

    @property
    def is_foreign(self) -> bool:
        """Whether a key has another program's meaning, as `type: report` or `importance: high`:
        no fault in a vault that is only registered."""
        return self.cause.startswith(("`type` ", "`tier` ", "`importance` "))


class Memory(NamedTuple):
    """One memory as its file states it.

    `editable` is false where the bytes must never be rewritten (front matter that does not
    parse, bytes that are not UTF-8). `written_id` is false for a derived id. `stated_title` is the
    title that counts where two memories are compared, "" where the file claims none.
    """

    id: str
    title: str
    body: str
    type: MemoryType = MemoryType.SEMANTIC
    tier: Tier = Tier.T2
    tags: tuple[str, ...] = ()
    source: str = ""
    category: str = ""
    summary: str = ""
    session: str = ""
    importance: int | None = None
    pinned: bool = False
    consolidate: bool = True
    created: When | None = None
    updated: When | None = None
    valid_from: When | None = None
    expires: When | None = None
    tier_since: When | None = None
    aliases: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    merged_from: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    written_id: bool = True
    stated_title: str = ""
    editable: bool = True
    problems: tuple[Problem, ...] = ()

    @property
    def weight(self) -> int:
        """Importance from 1 to 10: the file's, else the tier's default."""
        return DEFAULT_IMPORTANCE[self.tier] if self.importance is None else self.importance
