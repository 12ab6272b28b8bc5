"""Values: what each word of a text stands for, in English and Spanish, in one spelling.

Owns the reading of numbers, dates, times, weekdays, months, versions, units, amounts, names,
addresses, paths and identifiers. Two tokens state the same when their `text` is equal; `kind`
only says what sort of thing it is. What could be read in two ways keeps its own spelling.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from muninn_cli.core.likeness import amounts, lexicon, numerals
from muninn_cli.core.likeness.grammar import DETERMINERS, VERB_CUES, VERBS
from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.normal import Lexeme, fold_case
from muninn_cli.core.likeness.opposites import NEGATIONS, QUALIFIERS
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented

if TYPE_CHECKING:
    from collections.abc import Iterator

_BRITISH = re.compile(r"([iy])s(e|es|ed|ing|ation|ations)$")
_LONGEST_NUMBER = 16
"""Words of a number: two hundred and five million ..."""
_HELPERS = listed("is was has does goes lets needs wants likes helps")
_TELLING_ACCENT = re.compile(r"[áéíóú]$|rá[ns]$")
"""Trabajó is not trabajo, and si is not sí; inside a word an accent tells nothing apart."""


def tokens(lexemes: list[Lexeme], *, spanish: bool) -> list[Token]:
    """What the lexemes state, in order, without articles and words that state nothing."""
    reader = _Reader([part for lexeme in lexemes for part in _split(lexeme)], spanish=spanish)
    while reader.at < len(reader.lexemes):
        reader.step()
    return reader.found


def _split(lexeme: Lexeme) -> Iterator[Lexeme]:
    """Take contractions and compounds of plain words apart: don't, near-duplicate."""
    parts = _apart(lexeme.core).split() if not lexeme.exact else ()
    if len(parts) < 2:
        yield lexeme
        return
    yield from map(Lexeme, parts[:-1])
    yield Lexeme(parts[-1], lexeme.after)


def _apart(core: str) -> str:
    if core.isalpha():
        return lexicon.CONTRACTIONS.get(core.lower(), core)
    if "'" in core:
        return _expand(core)
    if core.replace("-", "").isalpha() and core[0] != "-":
        return lexicon.SPELLINGS.get(core.lower()) or core.replace("-", " ")
    return core


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
            self._read_exact(lexeme.core)
        elif word in self.joins:
            self._mark("&")
        elif word.isalpha() or word in lexicon.SPELLINGS:
            self._read_word(lexeme, word)
        elif any(map(str.isdigit, word)):
            self._read_digits(word)
        else:
            self._read_other(word)
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
        end, last = self.at + 1, min(len(self.words), self.at + _LONGEST_NUMBER)
        while end < last and not self.lexemes[end - 1].after:
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
        known = word in VERBS or key in VERBS or previous in VERB_CUES
        verb = known and previous not in DETERMINERS and ":" not in lexeme.after
        if verb and self.found and _was_noun(self.found[-1]):
            self.found[-1] = self.found[-1]._replace(verb=False)
        self._add(self._kind(lexeme, key), text, verb=verb)

    def _kind(self, lexeme: Lexeme, key: str) -> Kind:
        capital = lexeme.core[0].isupper()
        if key in NEGATIONS:
            kind = Kind.NEGATION
        elif key in lexicon.WEEKDAYS or (capital and key in lexicon.WEEKDAY_SHORT):
            kind = Kind.WEEKDAY
        elif key in lexicon.FULL_MONTHS and (capital or key != "march"):
            kind = Kind.MONTH
        elif key in QUALIFIERS:
            kind = Kind.QUALIFIER
        elif not capital and not lexeme.core.islower():
            kind = Kind.CODE
        elif capital and not self.shouts and (not self._starts_sentence() or self._is_subject()):
            kind = Kind.NAME
        else:
            kind = Kind.WORD
        return kind

    def _is_subject(self) -> bool:
        """Whether a verb in the third person follows: Ana works."""
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        return following in VERBS and following.endswith(("s", "a", "e", "ed", "ó"))

    def _read_digits(self, word: str) -> None:
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else ""
        if following in amounts.HALF_DAYS and not self.lexemes[self.at].after:
            clock = amounts.read_clock(word + amounts.HALF_DAYS[following])
            if clock:
                self._add(Kind.TIME, clock)
                self.at += 1
                return
        spanish = self.numerals is numerals.SPANISH
        for kind, text in amounts.read_digits(word, spanish=spanish):
            self._add(kind, text)

    def _read_other(self, word: str) -> None:
        """Read a word with marks in it, or a sign."""
        if word in lexicon.UNITS and self._is_after_number():
            self._add(Kind.UNIT, lexicon.UNITS[word])
        elif word in NEGATIONS or word.startswith("~~"):
            self._add(Kind.NEGATION, word)
        elif word in QUALIFIERS or not any(map(str.isalnum, word)):
            self._add(Kind.QUALIFIER, word)
        elif amounts.is_address(word):
            self._add(Kind.ADDRESS, word.rstrip("/"))
        else:
            plain = word.replace("'", "").replace("-", "").isalpha()
            self._add(Kind.WORD if plain else Kind.CODE, lexicon.SPELLINGS.get(word, word))

    def _read_exact(self, core: str) -> None:
        kind = Kind.NEGATION if core in NEGATIONS else amounts.read_exact(core)
        self._add(kind, lexicon.SPELLINGS.get(core, core))


def _was_noun(token: Token) -> bool:
    """Whether what looked like a verb was a plural before a verb: tests live, deploys run."""
    return token.verb and not token.after and token.text[-1] == "s" and token.text not in _HELPERS


def _plain(word: str) -> str:
    return word if word.isascii() or _TELLING_ACCENT.search(word) else unaccented(word)


def _american(word: str) -> str:
    """`-ise` and `-yse` as -ize and -yze: organise, analysing, normalisation."""
    return _BRITISH.sub(r"\1z\2", word) if len(word) > 6 else word
