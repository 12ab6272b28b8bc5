"""What the index holds of one file: made from the file's memory alone, before anything is written.

Pure but for its use of the word table's cache: nothing here reads or writes the database.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.chunks import cut
from muninn_cli.core.hashing import blake2b
from muninn_cli.core.link_keys import names, targets
from muninn_cli.core.text_key import text_key
from muninn_cli.core.times import epoch
from muninn_cli.core.words import raw_words
from muninn_cli.store.index.schema import ALWAYS_HIDDEN
from muninn_cli.store.ledger import live_path
from muninn_cli.store.vault import ARCHIVE
from muninn_cli.store.walk import is_archived

if TYPE_CHECKING:
    from muninn_cli.core.memory import Memory, Problem
    from muninn_cli.core.times import When

FIRST_ONLY = ("tier_now", "until")
"""Columns of `memory` that a file only begins: later they follow from its usage."""

Row = dict[str, str | float | bytes | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file as it was read; `memory` is None where it cannot be read as one.

    `id` is what the index calls the memory, `memory.id` what the file says or its place gives.
    `mtime_ns` is UNSETTLED where the file may yet change under the same stamp.
    """

    num: int
    vault: int
    folder: str
    name: str
    mtime_ns: int
    size: int
    inode: int
    hash: bytes
    problems: tuple[Problem, ...]
    memory: Memory | None
    id: str = ""
    first_seen: float = 0.0
    tier_since: float | None = None

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}" if self.folder else self.name

    @property
    def is_doubled(self) -> bool:
        """Whether another memory holds the id that the file states."""
        return self.memory is not None and self.memory.written_id and self.memory.id != self.id


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk: its text, its words in order, and a hash that changes when its vector must."""

    text: str
    words: list[str]
    hash: bytes

    @property
    def asks(self) -> bool:
        return self.text.rstrip().endswith("?")


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of a memory's title and tags in order, and its chunks."""

    title: list[str]
    tags: list[str]
    pieces: tuple[Piece, ...]

    def all_words(self) -> tuple[list[str], ...]:
        return (self.title, self.tags, *(piece.words for piece in self.pieces))


def texts(memory: Memory) -> Texts:
    """Cut a memory into its chunks, and these into words."""
    return Texts(
        raw_words(memory.title),
        raw_words(" ".join(memory.tags)),
        tuple(_piece(memory.title, text) for text in cut(memory.title, memory.body)),
    )


def _piece(title: str, text: str) -> Piece:
    digest = blake2b(f"{title}\0{text}".encode(), digest_size=16).digest()
    return Piece(text, raw_words(text), digest)


def file_row(entry: Entry) -> Row:
    """The row of `file`, by column."""
    problems = [(problem.line, problem.cause) for problem in entry.problems]
    return {
        "num": entry.num,
        "vault": entry.vault,
        "folder": entry.folder,
        "name": entry.name,
        "mtime_ns": entry.mtime_ns,
        "size": entry.size,
        "inode": entry.inode,
        "hash": entry.hash,
        "readable": entry.memory is not None,
        "problems": json.dumps(problems) if problems else "[]",
    }


def memory_row(entry: Entry, memory: Memory) -> Row:
    """The row of `memory`, by column; hidden until its expiry is known."""
    superseded_by = memory.superseded_by if memory.superseded_by != entry.id else ""
    return {
        "num": entry.num,
        "vault": entry.vault,
        "id": entry.id,
        "stated_id": memory.id if memory.written_id else "",
        "path": entry.path,
        "archived": is_archived(entry.folder),
        "title": memory.title,
        "type": memory.type,
        "tier": memory.tier,
        "tags": json.dumps(memory.tags) if memory.tags else "[]",
        "source": memory.source,
        "session": memory.session,
        "importance": memory.weight,
        "pinned": memory.pinned,
        "consolidate": memory.consolidate and not entry.is_doubled,
        "editable": memory.editable,
        "superseded_by": superseded_by,
        "created": _seconds(memory.created),
        "created_shown": _bare_date(memory.created),
        "valid_from": _seconds(memory.valid_from),
        "floor": _seconds(memory.expires),
        "tier_since": entry.tier_since,
        "first_seen": entry.first_seen,
        "text_key": text_key(memory.body if memory.body.strip() else memory.title),
        "tier_now": memory.tier,
        "until": ALWAYS_HIDDEN,
    }


def keys(entry: Entry, memory: Memory) -> tuple[frozenset[str], frozenset[str]]:
    """What the memory answers to, and what it links to; in the archive it keeps its old name."""
    path = entry.path
    if is_archived(entry.folder):
        path = live_path(path.removeprefix(f"{ARCHIVE}/"))
    return names(memory, path) | {entry.id.lower()}, targets(memory, path)


def _seconds(when: When | None) -> float | None:
    return None if when is None else epoch(when.instant)


def _bare_date(when: When | None) -> str:
    """The date as written, where it is one without a time; of ten characters only that has a -."""
    return when.text if when and len(when.text) == len("2026-03-28") and "-" in when.text else ""
