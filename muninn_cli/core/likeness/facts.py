"""Whether a text still states what a sentence said: for the rehearsal and for merged texts.

Knows no meanings: a paraphrase may count as a loss, a loss never as kept.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.reading import is_function_word, negations, read, stems, texts
from muninn_cli.core.likeness.tokens import Kind, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.core.likeness.reading import Clause, Reading

_TOGETHER = 3
"""Sentences in a row that may share out what one sentence said."""
_BOUNDS = listed("must may can should only if all every some more most less until")
"""Function words that bound a claim."""


def keeps_facts(answer: str, sentence: str) -> bool:
    """Whether a text still states a sentence: its values, names, negations, significant words."""
    return not lost_facts(answer, sentence)


def lost_facts(answer: str, sentence: str) -> tuple[str, ...]:
    """What a text no longer states of a sentence, as the sentence wrote it; () where it does.

    Looks for the passage of the text, up to three sentences in a row, that keeps most. A passage
    that denies more or less than the sentence states something else: that is a loss too.
    """
    asked, told = read(sentence), read(answer)
    if _said(asked) <= _said(told):
        return ()
    wanted = _significant(asked.tokens)
    best = tuple(token.shown for token in asked.tokens) or (sentence,)
    for passage in _passages(told, len(asked.statements)):
        lost = _lost(wanted, asked, passage)
        if len(lost) < len(best):
            best = lost
        if not best:
            break
    return best


@lru_cache(maxsize=1024)
def _said(reading: Reading) -> frozenset[tuple[str, ...]]:
    return frozenset(map(texts, reading.statements))


def _passages(reading: Reading, at_least: int) -> Iterator[Clause]:
    """Single sentences first, then runs of them."""
    statements = reading.statements
    for length in range(1, max(_TOGETHER, at_least) + 1):
        for start in range(len(statements) - length + 1):
            yield tuple(chain.from_iterable(statements[start : start + length]))


def _lost(wanted: list[Token], asked: Reading, passage: Clause) -> tuple[str, ...]:
    stated = {token.text for token in passage}
    missing = [token for token in wanted if token.text not in stated]
    if missing:
        roots = {root for token in passage for root in stems(token)}
        missing = [token for token in missing if not _is_word_form(token, roots)]
    denied = [Counter(texts(negations(side))) for side in (asked.tokens, passage)]
    more, less = denied[1] - denied[0], denied[0] - denied[1]
    return (*(token.shown for token in missing), *more.elements(), *less.elements())


def _is_word_form(token: Token, roots: set[str]) -> bool:
    return token.kind is Kind.WORD and not roots.isdisjoint(stems(token))


def _significant(stated: Iterable[Token]) -> list[Token]:
    return [
        token
        for token in stated
        if token.kind is not Kind.NEGATION
        and (token.text in _BOUNDS or not is_function_word(token))
    ]
