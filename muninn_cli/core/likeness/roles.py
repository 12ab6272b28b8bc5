"""Who does what to whom: whether two orders of the same words say the same.

Only orders that cannot change a role are alike: a subordinate clause in front or at the end,
whole clauses with a verb each, sentences that do not point at one another, and the items of a
plain list. Everything else counts as another claim.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.grammar import OPENERS, POINTERS, RANKED, SUBORDINATORS
from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.core.likeness.reading import Clause, Reading, Sentence

Words = tuple[str, ...]

_LISTED = frozenset({Kind.NAME, Kind.NUMBER, Kind.CODE, Kind.ADDRESS, Kind.PATH, Kind.WEEKDAY})

_LINKS = listed("for in on at to with by under para en con por")
_DAYS = frozenset({Kind.WEEKDAY, Kind.DATE, Kind.MONTH, Kind.TIME})


def same_roles(a: Reading, b: Reading) -> bool:
    """Whether two texts of the same words keep every word in its role."""
    if a.words == b.words:
        return True
    if a.structured or b.structured or len(a.words) != len(b.words):
        return False
    return _arrangement(a) == _arrangement(b) or _fronted(a, b) or _fronted(b, a)


def _fronted(a: Reading, b: Reading) -> bool:
    """Whether one clause only has its own end in front: "In May we move", "We move in May"."""
    if len(a.sentences) > 1 or len(b.sentences) > 1 or len(a.sentences[0] + b.sentences[0]) > 2:
        return False
    return any(
        b.words[at:] + b.words[:at] == a.words
        for at, token in enumerate(b.tokens)
        if at and _opens(token)
    )


@lru_cache(maxsize=256)
def _arrangement(reading: Reading) -> tuple[Words, ...]:
    """The claims of a text in an order of their own, as far as their order says nothing."""
    claims = [_claims(sentence) for sentence in reading.sentences]
    free = [claim for group in claims for claim in sorted(group)]
    if len(reading.sentences) > 1 and _may_move(reading.sentences):
        free.sort()
    return tuple(free)


def _claims(sentence: Sentence) -> list[Words]:
    """The claims of one sentence; one claim of all its words where nothing may move."""
    whole = [_words(token for clause in sentence for token in clause)]
    if len(sentence) == 1:
        return whole
    if _has_fronted_clause(sentence):
        return [_words((*sentence[1], *sentence[0]))]
    return _list_claim(sentence) or _phrase_claim(sentence) or _clause_claims(sentence) or whole


def _words(stated: Iterable[Token]) -> Words:
    return tuple(token.text for token in stated)


def _has_fronted_clause(sentence: Sentence) -> bool:
    first = sentence[0]
    if len(sentence) != 2 or not _opens(first[0]) or "," not in first[-1].after:
        return False
    return first[0].text in SUBORDINATORS or not any(token.verb for token in first[1:])


def _opens(token: Token) -> bool:
    return token.text in OPENERS or token.kind in _DAYS


def _list_claim(sentence: Sentence) -> list[Words]:
    """`Ports: 80 and 443`, `Ana and Luis met Bob`: items of one kind, their order free."""
    head, items = sentence[0], [clause[0] for clause in sentence[1:]]
    if not all(len(clause) == 1 for clause in sentence[1:-1]) or _is_ranked(sentence):
        return []
    if not any("&" in clause[-1].after or ":" in t.after for clause in sentence for t in clause):
        return []  # "in Madrid, Spain" is one place
    if len(sentence[-1]) == 1 and len(head) > 1 and _is_list([*head[-1:], *items], head[-2]):
        return [(*_words(head[:-1]), *sorted(_words([head[-1], *items])))]
    if len(head) == 1 and all(item.kind is Kind.NAME for item in items) and _capital(head[0]):
        return [(*sorted(_words([head[0], *items])), *_words(sentence[-1][1:]))]
    return []


def _phrase_claim(sentence: Sentence) -> list[Words]:
    """`Use Redis for caching and Postgres for storage`: phrases that are built alike."""
    phrases = list(sentence[1:])
    length = len(phrases[0])
    if length >= len(sentence[0]) or _is_ranked(sentence):
        return []
    head, phrases = sentence[0][:-length], [sentence[0][-length:], *phrases]
    frames = {tuple(t.text if t.text in _LINKS else "" for t in phrase) for phrase in phrases}
    if len(frames) != 1 or not any(next(iter(frames))) or any(map(_is_clause, phrases)):
        return []
    return [(*_words(head), *(word for phrase in sorted(map(_words, phrases)) for word in phrase))]


def _is_clause(phrase: Clause) -> bool:
    return any(t.verb and t.text not in _LINKS and not t.text.endswith("ing") for t in phrase)


def _is_list(items: list[Token], before: Token) -> bool:
    kinds = {item.kind for item in items}
    if len(kinds) != 1 or not kinds <= _LISTED:
        return False
    plural = before.text.endswith("s") and before.kind is Kind.WORD and not before.verb
    return plural or (kinds <= {Kind.NAME, Kind.CODE} and ":" not in before.after)


def _is_ranked(sentence: Sentence) -> bool:
    return any(unaccented(token.text) in RANKED for clause in sentence for token in clause)


def _capital(token: Token) -> bool:
    return token.shown[0].isupper()


def _clause_claims(clauses: Sentence) -> list[Words]:
    """Each clause as a claim of its own, with the subject or key of the first where it has none."""
    if any(map(_points_back, clauses)):
        return []
    if all(map(_is_full, clauses)) and len(set(map(_starts_with_verb, clauses))) == 1:
        return [_words(clause) for clause in clauses]
    return _shared_subject_claims(clauses)


def _shared_subject_claims(clauses: Sentence) -> list[Words]:
    """`The API uses JWT and runs on 80`: the subject belongs to every verb."""
    first, others = clauses[0], clauses[1:]
    verbs = [position for position, token in enumerate(first) if token.verb]
    if not verbs or not all(map(_is_full, clauses)) or not all(map(_starts_with_verb, others)):
        return []
    subject = first[: verbs[0]]
    return [_words(first), *(_words((*subject, *clause)) for clause in others)]


def _may_move(sentences: tuple[Sentence, ...]) -> bool:
    """Whether sentences say the same in any order: each is full, none points at another.

    Three and more must all begin with a verb, or none: a sentence without its own subject takes
    that of the one before it.
    """
    if any(_points_back(clause) for sentence in sentences for clause in sentence):
        return False
    openings = [sentence[0] for sentence in sentences]
    if not all(_is_full(s[0]) or _has_fronted_clause(s) for s in sentences):
        return False
    return len(sentences) == 2 or len(set(map(_starts_with_verb, openings))) == 1


def _is_full(clause: Clause) -> bool:
    if len(clause) < 2 or clause[0].text in SUBORDINATORS:
        return False
    return any(token.verb or ":" in token.after for token in clause)


def _starts_with_verb(clause: Clause) -> bool:
    return clause[0].verb


def _points_back(clause: Clause) -> bool:
    return any(token.text in POINTERS for token in clause)
