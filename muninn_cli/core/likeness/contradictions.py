"""Contradictions: two texts about the same thing with another value.

Only finds candidates; it settles none. Two things that merely look alike (staging and production,
two people, two days) are no contradiction, and neither are two likes or two supported languages.
"""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.opposites import SCOPE_NOUNS, STATES
from muninn_cli.core.likeness.reading import content, is_function_word, negations, read, texts
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented
from muninn_cli.core.likeness.vetoes import MEASURES, NAMES, Text, unmatched, veto

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.core.likeness.reading import Clause, Reading

_SENTENCES = 24
"""Sentences of a text that are compared with those of the other."""
_DIFFERING_WORDS = 4
_TIME_UNITS = listed("ns ms s min h day week month year")

_REPLACES = re.compile(
    r"\b(?:instead of|rather than|no longer|not anymore|any ?more|supersede[sd]?"
    r"|replac(?:es|ed|ing)"
    r"|(?:switch|mov|migrat|chang|renam|convert)(?:ed|ing) (?:\S+ ){0,3}?(?:to|from)|switched|moved"
    r"|from now on|as of|used to|previously|formerly|deprecated|correction|update[d:]"
    r"|(?<!right )(?<!until )(?<!for )(?<!by )(?<!just )(?<!up to )now(?! and then)"
    r"|ya no|en lugar de|en vez de|sustituy[eóe]\w*|sustituid[oa]s?|reemplaz\w+"
    r"|a partir de(?:l)?|desde ahora|de ahora en adelante|dej(?:ó|amos|aron|é) de"
    r"|ha(?:n|mos)? (?:pasado|cambiado|migrado)|(?:pas|cambi|migr)(?:a|amos|ó|aron|é) (?:de|a|al)"
    r"|antes era|obsolet[oa]|correcci[oó]n|actualizaci[oó]n:"
    r"|(?<!por )(?<!hasta )(?<!justo )ahora)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|no|nunca)\s+$|n't\s+$", re.IGNORECASE)
_NOT_NEGATING = re.compile(r"no longer|ya no|not any", re.IGNORECASE)

_UPDATING = listed("""
    now currently anymore more longer instead of rather than from switched moved changed migrated
    replaced replaces again already since today been have was were used to previously formerly
    ahora ya actualmente lugar vez en de cambio cambió pasó hoy desde era antes
""")
_OLD_VALUE_FOLLOWS = listed("instead rather lugar vez from desde")
_ADDING = listed("""
    like likes love loves enjoy enjoys know knows speak speaks support supports include includes
    contain contains accept accepts allow allows offer offers provide provides add added adds buy
    bought sell sold visit visited meet met read reads write wrote fix fixed see saw watch watched
    eat ate study studied learn learned also too another other gusta gustan encanta conoce sabe
    habla soporta soportan incluye incluyen contiene acepta permite ofrece añade agrega compró
    compra vendió visitó conoció leyó escribió corrigió vio también tambien otro otra además
    ademas
""")


def says_it_replaces(text: str) -> bool:
    """Whether a text says in plain words that it holds instead of what held before."""
    for match in _REPLACES.finditer(text):
        if _NOT_NEGATING.match(match[0]) or not _NEGATED.search(text[: match.start()]):
            return True
    return False


def contradicts(a: Text, b: Text) -> bool:
    """Whether two texts are about the same thing and state different values of it."""
    if veto(a, b) is None:
        return False
    topic = _shared_topic(a, b)
    if topic is None:
        return False
    told = any(says_it_replaces(text.body) for text in (a, b))
    pairs = _sentence_pairs(read(a.body or a.title), read(b.body or b.title))
    return any(_Conflict(x, y, topic, told).holds() for x, y in pairs)


def _shared_topic(a: Text, b: Text) -> frozenset[str] | None:
    """The content words both titles have; None where the titles name different things."""
    titles = [read(text.title).tokens if text.body else () for text in (a, b)]
    if not all(titles):
        return frozenset()
    left, right = map(content, unmatched(*titles))
    shared = _set(content(titles[0])) & _set(content(titles[1]))
    named = [any(t.kind is not Kind.WORD for t in side) for side in (left, right)]
    if (left and right and not shared) or all(named) or _parted(left, right):
        return None
    return shared


def _sentence_pairs(a: Reading, b: Reading) -> Iterable[tuple[Clause, Clause]]:
    """Pairs of sentences that have a content word in common and are not the same."""
    left, right = [list(islice(reading.statements, _SENTENCES)) for reading in (a, b)]
    same = {texts(x) for x in left} & {texts(y) for y in right}
    return (
        (x, y) for x, y in product(left, right) if texts(x) not in same and texts(y) not in same
    )


class _Conflict:
    """Two sentences side by side: what they share, and what each states that the other does not."""

    def __init__(self, a: Clause, b: Clause, topic: frozenset[str], told: bool) -> None:
        self.a, self.b = _without_update(a), _without_update(b)
        self.told = told
        self.left, self.right = unmatched(self.a, self.b)
        shared = _set(content(self.a)) & _set(content(self.b))
        sizes = [sum(t.kind is Kind.WORD for t in content(side)) for side in (self.a, self.b)]
        self.shared = len(shared | topic)
        self.alike = self.shared and 2 * self.shared >= min(sizes) + len(topic)

    def holds(self) -> bool:
        """Whether both say something of one thing that cannot hold together."""
        if not self.alike or not self._same_subject() or _parted(self.left, self.right):
            return False
        left, right = content(self.left), content(self.right)
        if max(len(left), len(right)) > _DIFFERING_WORDS:
            return False
        if len(negations(self.left)) != len(negations(self.right)):
            return len(left) + len(right) <= 1 or self.told
        pairs = [frozenset((x.text, y.text)) for x, y in product(left, right)]
        return (
            not STATES.isdisjoint(pairs)
            or self._other_measure(left, right)
            or self._other_name(left, right)
        )

    def _same_subject(self) -> bool:
        return not _subject_differs(self.a, self.left) and not _subject_differs(self.b, self.right)

    def _other_measure(self, left: list[Token], right: list[Token]) -> bool:
        """Another number, date or time in the same place."""
        sides = [[t for t in side if t.kind in MEASURES] for side in (left, right)]
        if not all(sides):
            return False
        places = [
            _place(side, stated[0]) for side, stated in zip((self.a, self.b), sides, strict=True)
        ]
        kinds = {t.kind for side in sides for t in side} - {Kind.UNIT}
        same_place = all(
            x == y or (self.told and not (x and y)) for x, y in zip(*places, strict=True)
        )
        return same_place and (len(kinds) == 1 or self.told)

    def _other_name(self, left: list[Token], right: list[Token]) -> bool:
        """Another name, or another plain word, where only one can be true."""
        if not left or not right or not _ADDING.isdisjoint(texts((*self.a, *self.b))):
            return False
        sides = [
            [t for t in side if not t.verb and t.kind not in MEASURES] for side in (left, right)
        ]
        if not all(sides) or (max(map(len, sides)) > 2 and not self.told):
            return False
        named = all(any(t.kind in NAMES for t in side) for side in sides)
        return named or self.told or self.shared >= 2


def _without_update(sentence: Clause) -> Clause:
    """The sentence as if nothing had been before: "now … instead of X", "from X to Y" go."""
    kept: list[Token] = []
    skipping = ""
    for token in sentence:
        word = unaccented(token.text)
        if word in _OLD_VALUE_FOLLOWS:
            skipping = word
        elif skipping == "from" and word in {"to", "a", "al"}:
            skipping = ""
        if not skipping and word not in _UPDATING:
            kept.append(token)
        if "," in token.after:
            skipping = ""
    return tuple(kept)


def _subject_differs(sentence: Clause, differing: list[Token]) -> bool:
    """Whether one of the differing words stands before the verb, the colon or the first value."""
    subject: list[Token] = []
    for token in sentence:
        if token.verb and subject:
            break
        subject.append(token)
        if ":" in token.after:
            break
    else:
        subject = content(sentence)[:1]
    return not _set(content(differing)).isdisjoint(_set(subject))


def _parted(left: list[Token], right: list[Token]) -> bool:
    """Whether a difference tells two things apart: staging and production."""
    words = (unaccented(t.text) for t in (*left, *right) if t.kind is not Kind.UNIT)
    return not SCOPE_NOUNS.isdisjoint(words)


def _place(sentence: Clause, value: Token) -> tuple[str, str]:
    """What labels a value: the word before it and the one after it, where they are content."""
    at = sentence.index(value)
    before = sentence[at - 1] if at else None
    after = sentence[at + 1] if at + 1 < len(sentence) and not value.after else None
    return _label(before), _label(after)


def _label(token: Token | None) -> str:
    if token is None or token.verb or is_function_word(token):
        return ""
    if token.kind is Kind.UNIT:
        return "time" if token.text in _TIME_UNITS else token.text
    return token.text if token.kind is Kind.WORD else ""


def _set(stated: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.text for token in stated)
