"""A text as it is compared: what it states, sentence by sentence, clause by clause.

Reading is the costly part and is done once a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.amounts import write_dates_alike
from muninn_cli.core.likeness.grammar import ENGLISH_VERBS, SPANISH_VERBS
from muninn_cli.core.likeness.lexicon import MARKERS, OPENING_FORMULAS
from muninn_cli.core.likeness.normal import Lexeme, is_structured, lex, normal_form
from muninn_cli.core.likeness.numerals import SPANISH
from muninn_cli.core.likeness.tokens import Kind, Token
from muninn_cli.core.likeness.values import tokens
from muninn_cli.core.stop_words import STOP_WORDS
from muninn_cli.core.words import Stems

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMULA = re.compile(rf"\s*{OPENING_FORMULAS}(?=\S)", re.IGNORECASE)
_SENTENCE_MARKS = frozenset(".!?;\n")
_CLAUSE_MARKS = frozenset(",&.!?;\n")
_SIGNIFICANT = frozenset(Kind) - {Kind.NEGATION, Kind.QUALIFIER}
_FUNCTION_WORDS = STOP_WORDS["en"] | STOP_WORDS["es"]
_ENGLISH = MARKERS["en"] | (ENGLISH_VERBS - SPANISH_VERBS)
_SPANISH = MARKERS["es"] | (SPANISH_VERBS - ENGLISH_VERBS) | (SPANISH.small.keys() - {"once"})
_ACCENTED = frozenset("áéíóúñ")

Clause = tuple[Token, ...]
Sentence = tuple[Clause, ...]


@dataclass(frozen=True, eq=False)
class Reading:
    """What a text states.

    `capitals` counts capitalised words inside sentences; `starts_small` and `shouts` tell a text
    whose first word has no capital, and one without a lower-case letter.
    """

    text: str
    tokens: tuple[Token, ...]
    capitals: int = 0
    starts_small: bool = False
    shouts: bool = False

    @cached_property
    def normal(self) -> str:
        """The normal form of the text."""
        return normal_form(self.text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What is stated, in order."""
        return texts(self.tokens)

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

    @cached_property
    def statements(self) -> tuple[Clause, ...]:
        """The tokens by sentence."""
        return tuple(tuple(chain.from_iterable(sentence)) for sentence in self.sentences)

    @cached_property
    def said(self) -> frozenset[tuple[str, ...]]:
        """What each sentence states."""
        return frozenset(map(texts, self.statements))


def content(stated: Iterable[Token]) -> list[Token]:
    """The tokens that name something: neither function words nor negations nor qualifiers."""
    return [t for t in stated if t.kind in _SIGNIFICANT and not is_function_word(t)]


def is_function_word(token: Token) -> bool:
    """Whether a token only holds a sentence together."""
    return token.text in _FUNCTION_WORDS and token.kind in {Kind.WORD, Kind.NAME}


def negations(stated: Iterable[Token]) -> list[Token]:
    """The tokens that deny."""
    return [token for token in stated if token.kind is Kind.NEGATION]


def texts(stated: Iterable[Token]) -> tuple[str, ...]:
    """What the tokens state, in order."""
    return tuple(token.text for token in stated)


def stems(token: Token) -> tuple[str, ...]:
    """The stems of a token's word, one a language; what is no word is its own stem."""
    return _stems().stems(token.text) if token.text.isalpha() else (token.text,)


@cache
def _stems() -> Stems:
    return Stems(("en", "es"))


def cut(stated: tuple[Token, ...], marks: frozenset[str]) -> list[tuple[Token, ...]]:
    """The runs of tokens that end with one of the marks."""
    runs, start = [], 0
    for position, token in enumerate(stated, start=1):
        if token.after and not marks.isdisjoint(token.after):
            runs.append(stated[start:position])
            start = position
    return [*runs, stated[start:]] if start < len(stated) else runs


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Read a text; the newest readings are kept."""
    formula = _FORMULA.match(text)
    plain = text[formula.end() :] if formula else text
    if any(map(str.isdigit, plain)):
        plain = write_dates_alike(plain)
    lexemes = lex(plain)
    return Reading(
        text=text,
        tokens=tuple(tokens(lexemes, spanish=_is_spanish(lexemes))),
        capitals=_capitals(lexemes),
        starts_small=bool(lexemes) and lexemes[0].core == lexemes[0].core.lower(),
        shouts=text.isupper(),
    )


def _is_spanish(lexemes: list[Lexeme]) -> bool:
    words = [lexeme.core.lower() for lexeme in lexemes]
    balance = sum((word in _SPANISH) - (word in _ENGLISH) for word in words)
    return balance > 0 or (balance == 0 and any(not _ACCENTED.isdisjoint(word) for word in words))


def _capitals(lexemes: list[Lexeme]) -> int:
    starts = [True, *(lexeme.ends_sentence for lexeme in lexemes)]
    return sum(
        not lexeme.exact and not start and lexeme.core != lexeme.core.lower()
        for lexeme, start in zip(lexemes, starts, strict=False)
    )
