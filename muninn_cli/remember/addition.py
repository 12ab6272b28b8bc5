"""What is asked of `add`, and what it answers, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from muninn_cli.core.terms import MemoryType, Source, Tier

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Addition:
    """A text to remember; an empty title, category or session means none was given.

    `type` and `tier` are None where nothing was said.
    """

    text: str
    title: str = ""
    tier: Tier | None = None
    type: MemoryType = MemoryType.SEMANTIC
    tags: tuple[str, ...] = ()
    source: Source = Source.CLI
    category: str = ""
    importance: int | None = None
    session: str = ""
    pinned: bool = False


class Operation(StrEnum):
    """What became of a text: a new memory, part of one, or nothing since it was there."""

    ADDED = "added"
    MERGED = "merged"
    EXISTS = "exists"


class Pass(StrEnum):
    """What found a duplicate: the same normal form, or the nearest vector."""

    TEXT = "text"
    COSINE = "cosine"


@dataclass(frozen=True, slots=True)
class Match:
    """The memory that a text repeats; `cosine` is 1 for the same normal form."""

    id: str
    cosine: float
    by: Pass


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory near a text that is no duplicate of it; `differs` says why, or is empty."""

    id: str
    path: str
    title: str
    cosine: float
    differs: str


@dataclass(frozen=True, slots=True)
class Added:
    """The answer: the memory that now holds the text, its tier, and the rule that chose it.

    `path` is relative to the vault; `expires` is None for what never does; `written` are the
    paths of the vault that were written, for the commit; `notice` is what a person should know.
    """

    operation: Operation
    id: str
    path: str
    title: str
    tier: Tier
    rule: str
    expires: datetime | None
    match: Match | None = None
    similar: tuple[Similar, ...] = ()
    written: tuple[str, ...] = ()
    notice: str = ""
