"""A text as it is compared: what it states, sentence by sentence, clause by clause.

Reading is the costly part and is done once a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from muninn_cli.core.likeness.lexicon import MARKERS, OPENING_FORMULAS
from muninn_cli.core.likeness.normal import Lexeme, is_structured, lex, normal_form
from muninn_cli.core.likeness.values import Token, tokens, write_dates_alike

_FORMULA = re.compile(rf"\s*{OPENING_FORMULAS}(?=\S)", re.IGNORECASE)
_SENTENCE_MARKS = frozenset(".!?;\n")
_CLAUSE_MARKS = frozenset(",&.!?;\n")

Clause = tuple[Token, ...]
Sentence = tuple[Clause, ...]


@dataclass(frozen=True, eq=False)
class Reading:
    """What a text states. `capitals` counts capitalised words inside sentences; `shouts` is a
    text without a lower-case letter."""

    text: str
    tokens: tuple[Token, ...]
    spanish: bool
    capitals: int
    shouts: bool

    @cached_property
    def normal(self) -> str:
        """The normal form of the text."""
        return normal_form(self.text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What is stated, in order."""
        return tuple(token.text for token in self.tokens)

    @cached_property
    def structured(self) -> bool:
        """Whether the text has headings, lists or tables."""
        return is_structured(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The tokens by sentence and clause."""
        return tuple(
            tuple(cut(sentence, _CLAUSE_MARKS)) for sentence in cut(self.tokens, _SENTENCE_MARKS)
        )


def cut(stated: tuple[Token, ...], marks: frozenset[str]) -> list[tuple[Token, ...]]:
    """The runs of tokens that end with one of the marks."""
    runs, start = [], 0
    for position, token in enumerate(stated, start=1):
        if token.after and not marks.isdisjoint(token.after):
            runs.append(stated[start:position])
            start = position
    return [*runs, stated[start:]] if start < len(stated) else runs


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """Read a text; the newest readings are kept."""
    formula = _FORMULA.match(text)
    plain = text[formula.end() :] if formula else text
    if any(map(str.isdigit, plain)):
        plain = write_dates_alike(plain)
    lexemes = lex(plain)
    spanish = _is_spanish(lexemes)
    return Reading(
        text=text,
        tokens=tuple(tokens(lexemes, spanish=spanish)),
        spanish=spanish,
        capitals=_capitals(lexemes),
        shouts=text.isupper(),
    )


def _is_spanish(lexemes: list[Lexeme]) -> bool:
    words = [lexeme.core.lower() for lexeme in lexemes]
    english = sum(word in MARKERS["en"] for word in words)
    spanish = sum(word in MARKERS["es"] or not {"ñ", "ó", "í"}.isdisjoint(word) for word in words)
    return spanish > english


def _capitals(lexemes: list[Lexeme]) -> int:
    starts = [True, *(lexeme.ends_sentence for lexeme in lexemes)]
    return sum(
        not lexeme.exact and not start and lexeme.core != lexeme.core.lower()
        for lexeme, start in zip(lexemes, starts, strict=False)
    )
