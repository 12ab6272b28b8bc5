"""A memory: what one Markdown file says, as a value.

Nothing here reads or writes a file, and nothing here knows the time.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple

from muninn_cli.core.times import When

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ID = r"[A-Za-z0-9_-]{1,64}\Z"
SHORT_ID = 8
"""Characters of an id shown to people: its end, since a ULID begins with its clock."""


class Tier(StrEnum):
    """How long a memory lives unused; T0 for ever, T3 the shortest."""

    T0 = "T0"
    T1 = "T1"
    T2 = "T2"
    T3 = "T3"


class MemoryType(StrEnum):
    """What kind of knowledge a memory holds."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Source(StrEnum):
    """Who wrote a memory."""

    CLI = "cli"
    AGENT = "agent"
    IMPORT = "import"
    DREAM = "dream"


class Kind(StrEnum):
    """What a vault is for; decides who may see it."""

    LEGAL = "legal"
    WORK = "work"
    PERSONAL = "personal"
    PROJECT = "project"
    GLOBAL = "global"


DEFAULT_IMPORTANCE = {Tier.T0: 9, Tier.T1: 7, Tier.T2: 5, Tier.T3: 3}


class Problem(NamedTuple):
    """Something in a file that could not be read as meant: `line` counts from 1, 0 if unknown."""

    line: int
    cause: str


class Memory(NamedTuple):
    """One memory as its file states it.

    `editable` is false where the bytes must never be rewritten (front matter that does not
    parse, bytes that are not UTF-8). `written_id` is false for a derived id, `written_title` where
    the title is only the name of the file.
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
    written_title: bool = True
    editable: bool = True
    problems: tuple[Problem, ...] = ()

    @property
    def stated_title(self) -> str:
        """The title where the text states one; a file's name claims nothing."""
        return self.title if self.written_title else ""

    @property
    def weight(self) -> int:
        """Importance from 1 to 10: the file's, else the tier's default."""
        return DEFAULT_IMPORTANCE[self.tier] if self.importance is None else self.importance


def valid_id(text: str) -> bool:
    """Whether a text may be an id: ids become file names."""
    return bool(re.match(_ID, text))


def short_id(memory_id: str) -> str:
    """The end of an id, as shown to people."""
    return memory_id[-SHORT_ID:]


def new_id(milliseconds: int, randomness: bytes) -> str:
    """A ULID from milliseconds since 1970 and ten random bytes (https://github.com/ulid/spec)."""
    return _base32(milliseconds, 10) + _base32(int.from_bytes(randomness, "big"), 16)


def derived_id(vault_name: str, path: str) -> str:
    """The id of a file that states none: `d` and 25 characters made from its place.

    `path` is relative to the vault, with `/`; it is compared in NFC.
    """
    import hashlib  # here alone: it loads OpenSSL, two milliseconds

    text = f"{vault_name}\0{unicodedata.normalize('NFC', path)}"
    digest = hashlib.blake2b(text.encode("utf-8", "surrogateescape")).digest()
    return "d" + _base32(int.from_bytes(digest[:16], "big") >> 3, 25)


def _base32(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, 32)
        digits.append(_CROCKFORD[digit])
    return "".join(reversed(digits))
