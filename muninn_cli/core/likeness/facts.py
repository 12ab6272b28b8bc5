"""Whether a text still states what a sentence said: for the rehearsal and for merged texts.

Knows no meanings: a paraphrase may count as a loss, a loss never as kept.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.reading import (
    Reading,
    is_function_word,
    negations,
    read,
    stems,
    texts,
)
from muninn_cli.core.likeness.roles import same_roles
from muninn_cli.core.likeness.tokens import Kind, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.core.likeness.reading import Clause

_TOGETHER = 3
"""Sentences in a row that may share out what one sentence said."""
_BOUNDS = listed("must may can should only if all every some more most less until")
"""Function words that bound a claim."""


def keeps_facts(answer: str, sentence: str) -> bool:
    """Whether a text still states a sentence: its values, names, negations, significant words."""
    return not lost_facts(answer, sentence)


def lost_facts(answer: str, sentence: str) -> tuple[str, ...]:
    """What a text no longer states of a sentence, as the sentence wrote it; () where it does.

    Looks for the passage of the text, up to three sentences in a row, that keeps most. Where the
    sentence of it that is closest denies more or less than was denied, that is a loss too.
    """
    told = read(answer)
    lost: list[str] = []
    for statement in read(sentence).statements:
        if texts(statement) not in told.said:
            lost += _least_lost(statement, told)
    return tuple(lost)


def _least_lost(asked: Clause, told: Reading) -> tuple[str, ...]:
    wanted = _significant(asked)
    least = tuple(token.shown for token in asked)
    for passage in _passages(told):
        lost = _lost(wanted, asked, passage)
        if len(lost) < len(least):
            least = lost
        if not least:
            break
    return least


def _passages(reading: Reading) -> Iterator[tuple[Clause, ...]]:
    """Single sentences first, then runs of them."""
    statements = reading.statements
    for length in range(1, _TOGETHER + 1):
        for start in range(len(statements) - length + 1):
            yield statements[start : start + length]


def _lost(wanted: list[Token], asked: Clause, passage: tuple[Clause, ...]) -> tuple[str, ...]:
    stated = {token.text for sentence in passage for token in sentence}
    missing = [token for token in wanted if token.text not in stated]
    if missing:
        roots = {root for sentence in passage for token in sentence for root in stems(token)}
        missing = [token for token in missing if not _is_word_form(token, roots)]
    closest = max(passage, key=lambda sentence: len(set(texts(wanted)) & set(texts(sentence))))
    denied, denies = (Counter(texts(negations(side))) for side in (asked, closest))
    changed = (denied - denies) + (denies - denied)
    if not missing and not changed and _other_roles(asked, closest):
        return tuple(token.shown for token in wanted)
    return (*(token.shown for token in missing), *changed.elements())


def _other_roles(asked: Clause, sentence: Clause) -> bool:
    """Whether a sentence has the very same words, but who does what to whom has changed."""
    if sorted(texts(sentence)) != sorted(texts(asked)):
        return False
    return not same_roles(*(Reading("", side) for side in (asked, sentence)))


def _is_word_form(token: Token, roots: set[str]) -> bool:
    return token.kind is Kind.WORD and not roots.isdisjoint(stems(token))


def _significant(stated: Iterable[Token]) -> list[Token]:
    return [
        token
        for token in stated
        if token.kind is not Kind.NEGATION
        and (token.text in _BOUNDS or not is_function_word(token))
    ]
