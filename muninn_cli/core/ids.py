"""Ids of memories: how they are made, told from other texts, and shown."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from muninn_cli.core.hashing import blake2b

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ID = r"[A-Za-z0-9_-]{1,64}\Z"
SHORT_ID = 8
"""Characters of an id shown to people: its end, since a ULID begins with its clock."""


def valid_id(text: str) -> bool:
    """Whether a text may be an id: ids become file names."""
    return bool(re.match(_ID, text))


def short_id(memory_id: str) -> str:
    """The end of an id, as shown to people."""
    return memory_id[-SHORT_ID:]


def new_id(milliseconds: int, randomness: bytes) -> str:
    """A ULID from milliseconds since 1970 and ten random bytes (https://github.com/ulid/spec)."""
    return _base32(milliseconds, 10) + _base32(int.from_bytes(randomness, "big"), 16)


@lru_cache(maxsize=4096)
def derived_id(vault_name: str, path: str) -> str:
    """The id of a file that states none: `d` and 25 characters made from its place.

    `path` is relative to the vault, with `/`; it is compared in NFC.
    """
    text = f"{vault_name}\0{unicodedata.normalize('NFC', path)}"
    digest = blake2b(text.encode("utf-8", "surrogateescape")).digest()
    return "d" + _base32(int.from_bytes(digest[:16], "big") >> 3, 25)


def _base32(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, 32)
        digits.append(_CROCKFORD[digit])
    return "".join(reversed(digits))
