"""Values: what each word of a text stands for, in English and Spanish, in one spelling.

Owns the reading of numbers, dates, times, weekdays, months, versions, units, amounts, names,
addresses, paths and identifiers. Two tokens state the same when their `text` is equal; `kind`
only says what sort of thing it is. What could be read in two ways keeps its own spelling.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.likeness import lexicon, numerals
from muninn_cli.core.likeness.grammar import DETERMINERS, VERBS
from muninn_cli.core.likeness.normal import Lexeme, fold_case
from muninn_cli.core.likeness.opposites import NEGATIONS, QUALIFIERS

if TYPE_CHECKING:
    from collections.abc import Iterator


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


_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?(?:t[\d:.]+z?)?$|\d{1,4}/\d{1,2}/\d{1,4}$", re.I)
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?([ap])\.?m$|(\d{1,2}):(\d\d)$")
_HALVES = {"am": "am", "pm": "pm", "a.m": "am", "p.m": "pm"}
_VERSION = re.compile(r"v(\d[\w.+-]*)$")
_NUMBER = re.compile(r"([$€£¥])?([+-]?\d(?:[\d.,]*\d)?)-?(°?[^\W\d_]+|%|°|[$€£¥])?$")
_DOTTED = re.compile(r"\d+(?:\.\d+){2,}[\w.+-]*$")
_ORDINAL_ENDINGS = frozenset("st nd rd th ro ra do da er to ta vo va mo ma".split())
_ADDRESS = re.compile(
    r"\w+://|[^@\s]+@[^@\s]+\.\w|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$|(?:\d+\.){3}\d+", re.IGNORECASE
)
_ACCENTS = str.maketrans("áéíóúü", "aeiouu")
_TELLING_ACCENT = re.compile(r"[áéíóú]$|rá[ns]$")
"""Trabajó is not trabajo, and si is not sí; inside a word an accent tells nothing apart."""

_MONTH = "|".join(sorted(lexicon.MONTHS, key=len, reverse=True))
_WRITTEN_DATE = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?[ ]+(?:of[ ]+|de[ ]+)?(?P<m1>{_MONTH})\b\.?"
    rf"|(?P<m2>{_MONTH})\b\.?[ ]+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%:]|[.,]\d))"
    r"(?:,?[ ]+(?:of[ ]+|del?[ ]+)?(?P<y>\d{4})\b)?",
    re.IGNORECASE,
)
_ALSO_WORDS = frozenset(("may", "march", "mar", "ago"))


def write_dates_alike(text: str) -> str:
    """`28 March 2026`, `March 28, 2026` and `28 de marzo de 2026` as 2026-03-28, in place."""
    return _WRITTEN_DATE.sub(_as_iso, text)


def _as_iso(match: re.Match[str]) -> str:
    month, day, year = match["m1"] or match["m2"], match["d1"] or match["d2"], match["y"]
    if month in _ALSO_WORDS and not year:
        return match[0]
    return f"{year or '0000'}-{lexicon.MONTHS[month.lower()]}-{day.zfill(2)}"


def unaccented(word: str) -> str:
    """The word without the accents of Spanish; ñ is a letter of its own."""
    return word if word.isascii() else word.translate(_ACCENTS)


def tokens(lexemes: list[Lexeme], *, spanish: bool) -> list[Token]:
    """What the lexemes state, in order, without articles and words that state nothing."""
    reader = _Reader([part for lexeme in lexemes for part in _split(lexeme)], spanish=spanish)
    while reader.at < len(reader.lexemes):
        reader.step()
    return reader.found


def _split(lexeme: Lexeme) -> Iterator[Lexeme]:
    """Take contractions and compounds of plain words apart: don't, near-duplicate."""
    core = lexeme.core
    if lexeme.exact or core.isalnum():
        parts = lexicon.CONTRACTIONS.get(core.casefold(), core) if core.isalpha() else core
    elif "'" in core:
        parts = _expand(core)
    elif core[0] != "-" and core.replace("-", "").isalpha() and core not in lexicon.SPELLINGS:
        parts = core.replace("-", " ")
    else:
        parts = core
    if parts is core:
        yield lexeme
        return
    words = parts.split()
    yield from (Lexeme(word) for word in words[:-1])
    yield Lexeme(words[-1], after=lexeme.after)


def _expand(core: str) -> str:
    known = lexicon.CONTRACTIONS.get(core.casefold())
    if known:
        return known
    word, _, ending = core.rpartition("'")
    if ending.lower() == "t" and word[-1:].lower() == "n":
        return f"{word[:-1]} not"
    if ending.lower() == "s" and word:
        return f"{word} is" if word.lower() in lexicon.IS_SHORTENED_AFTER else f"{word} 's"
    full = lexicon.SHORT_ENDINGS.get("'" + ending.lower())
    return f"{word} {full}" if full and word else core


class _Reader:
    """Walks over lexemes once: `at` is the next one, `found` what those before it state."""

    def __init__(self, lexemes: list[Lexeme], *, spanish: bool) -> None:
        self.lexemes = lexemes
        self.words = [_plain(fold_case(lexeme)) for lexeme in lexemes]
        self.numerals = numerals.SPANISH if spanish else numerals.ENGLISH
        self.articles = lexicon.ARTICLES["es" if spanish else "en"]
        self.joins = {"y", "e", "&"} if spanish else {"and", "&"}
        self.shouts = not any(lexeme.core.islower() for lexeme in lexemes)
        self.at = 0
        self.found: list[Token] = []

    def step(self) -> None:
        """Read the next lexeme, and those that belong to its value."""
        lexeme, word = self.lexemes[self.at], self.words[self.at]
        before = len(self.found)
        if lexeme.exact:
            self._add(*_read_exact(lexeme.core))
        elif word in self.joins:
            self._mark("&")
        elif word.isalpha():
            self._read_word(lexeme, word)
        elif any(map(str.isdigit, word)):
            self._read_digits(word)
        else:
            self._add(*_read_other(lexeme.core, word, self._is_after_number()))
        if len(self.found) > before or self.lexemes[self.at].after:
            self._mark(self.lexemes[self.at].after)
        self.at += 1

    def _add(self, kind: Kind, text: str, *, verb: bool = False) -> None:
        self.found.append(Token(kind, text, self.lexemes[self.at].core, "", verb))

    def _mark(self, after: str) -> None:
        if self.found and after:
            self.found[-1] = self.found[-1]._replace(after=self.found[-1].after + after)

    def _read_word(self, lexeme: Lexeme, word: str) -> None:
        if word in lexicon.FILLERS or (word in self.articles and self._is_article(lexeme, word)):
            return
        if self._is_after_number() and word in lexicon.UNITS:
            self._add(Kind.UNIT, lexicon.UNITS[word])
        elif not self._read_number_words(word):
            self._classify(lexeme, word)

    def _is_article(self, lexeme: Lexeme, word: str) -> bool:
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        if not following or lexeme.after or following in lexicon.ARTICLE_COUNTS_BEFORE:
            return False
        if word == "los" and following in lexicon.INVARIABLE_WEEKDAYS:
            return False
        is_letter = len(word) == 1 and self._starts_sentence()
        return self.shouts or is_letter or not lexeme.core.isupper()

    def _starts_sentence(self) -> bool:
        return self.at == 0 or self.lexemes[self.at - 1].ends_sentence

    def _is_after_number(self) -> bool:
        last = self.found[-1] if self.found else None
        return last is not None and last.kind is Kind.NUMBER and not last.after

    def _read_number_words(self, word: str) -> bool:
        ordinal = self.numerals.ordinals.get(word)
        if ordinal:
            self._add(Kind.NUMBER, f"#{ordinal}")
            return True
        if word not in self.numerals.small and word not in self.numerals.scales:
            return False
        end = self.at + 1
        while end < len(self.words) and not self.lexemes[end - 1].after:
            end += 1
        value, count = numerals.read_words(self.words[self.at : end], 0, self.numerals)
        if not count:
            return False
        self._add(Kind.NUMBER, str(value))
        self.at += count - 1
        return True

    def _classify(self, lexeme: Lexeme, word: str) -> None:
        previous = self.words[self.at - 1] if self.at else ""
        key = unaccented(word)
        text = lexicon.SPELLINGS.get(word) or lexicon.WEEKDAY_SHORT.get(word) or _american(word)
        verb = (word in VERBS or key in VERBS) and previous not in DETERMINERS
        self._add(self._kind(lexeme, key), text, verb=verb)

    def _kind(self, lexeme: Lexeme, key: str) -> Kind:
        capital = lexeme.core[0].isupper()
        if key in NEGATIONS:
            return Kind.NEGATION
        if key in lexicon.WEEKDAYS or (capital and key in lexicon.WEEKDAY_SHORT):
            return Kind.WEEKDAY
        if key in lexicon.FULL_MONTHS and (capital or key != "march"):
            return Kind.MONTH
        if key in QUALIFIERS:
            return Kind.QUALIFIER
        if capital and not self.shouts and (not self._starts_sentence() or self._is_subject()):
            return Kind.NAME
        return Kind.WORD

    def _is_subject(self) -> bool:
        """Whether a verb in the third person follows: Ana works."""
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        return following in VERBS and following.endswith(("s", "a", "e", "ed", "ó"))

    def _read_digits(self, word: str) -> None:
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        if following in _HALVES and not self.lexemes[self.at].after:
            clock = _CLOCK.match(word + _HALVES[following])
            if clock:
                self._add(Kind.TIME, _on_24_hours(clock))
                self.at += 1
                return
        for kind, text in _read_number(word, spanish=self.numerals is numerals.SPANISH):
            self._add(kind, text)


def _plain(word: str) -> str:
    return word if word.isascii() or _TELLING_ACCENT.search(word) else word.translate(_ACCENTS)


def _american(word: str) -> str:
    """`-ise` and `-yse` as -ize and -yze: organise, analysing, normalisation."""
    if len(word) < 7 or "s" not in word[-7:]:
        return word
    return _BRITISH.sub(r"\1z\2", word)


_BRITISH = re.compile(r"([iy])s(e|es|ed|ing|ation|ations)$")


def _read_exact(core: str) -> tuple[Kind, str]:
    if _DATE.match(core):
        return Kind.DATE, core
    if "/" in core or "\\" in core:
        return Kind.PATH, core
    if core in NEGATIONS:
        return Kind.NEGATION, core
    return Kind.CODE, lexicon.SPELLINGS.get(core, core)


def _read_other(core: str, word: str, after_number: bool) -> tuple[Kind, str]:
    if after_number and word in lexicon.UNITS:
        return Kind.UNIT, lexicon.UNITS[word]
    if _ADDRESS.match(word):
        return Kind.ADDRESS, word.rstrip("/")
    if "/" in word or "\\" in word:
        return Kind.PATH, word
    if word in NEGATIONS or word.startswith("~~"):
        return Kind.NEGATION, word
    if word in QUALIFIERS or not any(map(str.isalnum, word)):
        return Kind.QUALIFIER, word
    return Kind.CODE if "_" in word or "." in word else Kind.WORD, lexicon.SPELLINGS.get(word, word)


def _read_number(word: str, *, spanish: bool) -> list[tuple[Kind, str]]:
    """What a word with digits states: a date, a time, a version, or a number and its unit."""
    if _DATE.match(word):
        return [(Kind.DATE, word)]
    clock = _CLOCK.match(word)
    if clock:
        return [(Kind.TIME, _on_24_hours(clock))]
    version = _VERSION.match(word)
    if version:
        return [(Kind.WORD, "version"), (Kind.VERSION, version[1])]
    number = _NUMBER.match(word)
    if number:
        return _read_amount(word, number, spanish=spanish)
    if _ADDRESS.match(word):
        return [(Kind.ADDRESS, word.rstrip("/"))]
    if _DOTTED.match(word):
        return [(Kind.VERSION, word)]
    return [(Kind.PATH if "/" in word else Kind.CODE, word)]


def _read_amount(word: str, number: re.Match[str], *, spanish: bool) -> list[tuple[Kind, str]]:
    sign, digits, ending = number.groups()
    value = numerals.read_digits(digits, spanish=spanish)
    if not sign and ending in _ORDINAL_ENDINGS:
        return [(Kind.NUMBER, f"#{value}")]
    unit = lexicon.UNITS.get(unaccented(ending), ending if ending == "M" else "") if ending else ""
    if ending and not unit:
        return [(Kind.CODE, word)]
    if value.count(".") > 1:
        kind = Kind.ADDRESS if value.count(".") == 3 else Kind.VERSION
        return [(kind, value)]
    stated = [(Kind.NUMBER, value)]
    if sign or unit:
        stated.append((Kind.UNIT, unit or lexicon.UNITS[sign]))
    return stated


def _on_24_hours(clock: re.Match[str]) -> str:
    hour, minute, half, hour24, minute24 = clock.groups()
    if half is None:
        return f"{int(hour24):02}:{minute24}"
    return f"{int(hour) % 12 + (12 if half == 'p' else 0):02}:{minute or '00'}"
