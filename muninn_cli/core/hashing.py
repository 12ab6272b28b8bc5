"""The hash of contents and listings, loaded without OpenSSL.

`hashlib` always loads it: two milliseconds of every search. (`random` of the standard library
does the same with its own hash.)
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # Python built without its own hashes
    from hashlib import blake2b

__all__ = ["blake2b"]
