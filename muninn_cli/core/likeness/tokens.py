"""Tokens: the things a text states, one by one."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

_ACCENTS = str.maketrans("áéíóúü", "aeiouu")


class Kind(StrEnum):
    """What sort of thing a token states."""

    WORD = "word"
    NAME = "name"
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    TIME = "time"
    WEEKDAY = "weekday"
    MONTH = "month"
    VERSION = "version"
    ADDRESS = "address"
    PATH = "path"
    CODE = "code"
    NEGATION = "negation"
    QUALIFIER = "qualifier"


class Token(NamedTuple):
    """One thing stated: `text` is its one spelling, `shown` how it was written.

    `after` is the punctuation that follows, with `&` for "and"; `verb` says whether the word
    stands where a verb can stand.
    """

    kind: Kind
    text: str
    shown: str
    after: str = ""
    verb: bool = False


def unaccented(word: str) -> str:
    """The word without the accents of Spanish; ñ is a letter of its own."""
    return word if word.isascii() else word.translate(_ACCENTS)
