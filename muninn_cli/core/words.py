"""Words: how a text falls into words, which words carry no content, and what their stems are.

Index, query and word table all go through here, so that what one writes the others find.
No text makes anything here fail: lone surrogates, NUL and marks without a letter are no words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from muninn_cli.core.stop_words import CONTENT_WORDS, STOP_WORDS
from muninn_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Language codes (ISO 639-1) that `search.languages` may name, with their Snowball algorithms."""

_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003fffd"
)
"""Han, Hiragana, Katakana and Hangul: scripts whose words are not set apart by spaces, or that
put endings on them without one."""
_FIRST_CJK = "\u1100"
_CACHED = 1 << 16
_LONG = 10_000
"""Characters of a text that may be one word (base64): no word of it is kept in memory."""
_FIRST_ACCENT_CLASS = 10
"""Marks of the classes below are part of the letter: nukta, kana voicing mark, virama."""
_UNSEEN = {0x00AD, 0x200C, 0x200D, 0x2060, 0xFEFF}
"""Soft hyphen, joiners and byte order mark stand inside a word without parting it."""


class _Breaks(dict[int, str]):
    """For `str.translate`: a space for every character that is no part of a word."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        if code in _UNSEEN or category == "Me" or _is_variation_selector(code):
            part = ""  # a keycap or an emoji's selector hangs on the digit or letter before it
        elif char.isalnum() or category in {"Mn", "Mc"}:
            part = char
        else:
            part = " "
        self[code] = part
        return part


@cache
def cjk_runs() -> re.Pattern[str]:
    """The pattern of a run of CJK; compiled when first met, which most texts never do."""
    return re.compile(f"([{_CJK}]+)")


def _is_variation_selector(code: int) -> bool:
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF


_BREAKS = _Breaks()


def fold(text: str) -> str:
    """The text in lower case without accents: what a person types who is in a hurry."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFD", text.casefold())
    kept = (char for char in letters if unicodedata.combining(char) < _FIRST_ACCENT_CLASS)
    return unicodedata.normalize("NFC", "".join(kept))


def words(text: str) -> list[str]:
    """The words of a text in order, folded; `[fold(word) for word in raw_words(text)]`."""
    return [_fold_word(word) for word in raw_words(text)]


@lru_cache(maxsize=_CACHED)
def _fold_word(word: str) -> str:
    return fold(word)


def raw_words(text: str) -> list[str]:
    """The words of a text in order, in lower case, with their accents (stems need them).

    A word is a run of letters and digits; a run of CJK is its overlapping pairs of characters.
    """
    lower = unicodedata.normalize("NFC", text).lower()
    split = _split_run if len(text) > _LONG else _known_split_run
    return list(chain.from_iterable(map(split, lower.split())))


def _split_run(run: str) -> tuple[str, ...]:
    """The words of what stands between two spaces."""
    found: list[str] = []
    for word in run.translate(_BREAKS).split():
        if word.isalnum() and max(word) < _FIRST_CJK:
            found.append(word)
        else:
            found += _split_scripts(word)
    return tuple(found)


_known_split_run = lru_cache(maxsize=_CACHED)(_split_run)


def _split_scripts(word: str) -> list[str]:
    return [each for part in cjk_runs().split(word) for each in _split_part(part)]


def _split_part(part: str) -> list[str]:
    if not any(map(str.isalnum, part)):
        return []  # nothing, or marks without a letter
    if not cjk_runs().match(part) or len(part) == 1:
        return [part]
    return [part[start : start + 2] for start in range(len(part) - 1)]


class Stems:
    """The stems of words in the languages a person searches in."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        """Raise UsageError for a language that is not in LANGUAGES."""
        import Stemmer

        check_languages(languages)
        self.languages = languages
        self._stemmers = [Stemmer.Stemmer(LANGUAGES[language]) for language in languages]
        self._known: dict[str, tuple[str, ...]] = {}

    def stems(self, word: str) -> tuple[str, ...]:
        """The folded stems of a word of `raw_words`, each once, in the order of the languages.

        Without a language the folded word is its own stem.
        """
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._find(word)
        return known

    def _find(self, word: str) -> tuple[str, ...]:
        if not self._stemmers:
            return (fold(word),)
        found = (fold(stemmer.stemWord(word)) for stemmer in self._stemmers)
        return tuple(dict.fromkeys(found))


def check_languages(languages: Iterable[str]) -> None:
    """Raise UsageError for a language that is not in LANGUAGES."""
    for language in languages:
        if language not in LANGUAGES:
            message = f"search.languages: no stemmer for {language!r}"
            raise UsageError(message, f"use one of {', '.join(LANGUAGES)}")


@cache
def stop_words(languages: tuple[str, ...]) -> frozenset[str]:
    """The folded words of these languages that say nothing about what a text is about.

    A word that has content in another of the languages ("son", "sea") is not among them.
    """
    stop = {word for language in languages for word in STOP_WORDS.get(language, ())}
    for language in languages:
        stop -= CONTENT_WORDS.get(language, frozenset())
    return frozenset(stop)
