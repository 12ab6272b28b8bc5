"""A key under which texts with the same normal form are found together, in microseconds.

Letters and digits alone make it, so other texts may share it ("1.5" and "15"): whoever looks a
text up compares the normal forms of what is found.
"""

from __future__ import annotations

import re
import unicodedata

from muninn_cli.core.hashing import blake2b

_NO_LETTERS = r"[\W_]+"


def text_key(text: str) -> bytes:
    """16 bytes, equal for texts that differ only in case, spacing and punctuation."""
    letters = re.sub(_NO_LETTERS, "", unicodedata.normalize("NFKC", text).casefold())
    data = letters.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=16).digest()
