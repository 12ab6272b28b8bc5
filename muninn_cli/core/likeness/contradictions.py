"""Contradictions: two texts about the same thing with another value.

Only finds candidates; it settles none. Two things that merely look alike (staging and production,
two people, two days) are no contradiction, and neither are two likes or two supported languages.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.opposites import SCOPE_NOUNS, STATES
from muninn_cli.core.likeness.reading import content, is_function_word, negations, read, texts
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented
from muninn_cli.core.likeness.updates import says_it_replaces, without_announcement, without_update
from muninn_cli.core.likeness.vetoes import MEASURES, NAMES, Text, unmatched, veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.core.likeness.reading import Clause, Reading

_OTHER_SENTENCES = 8
"""Texts that differ in more sentences than this on each side are about different things."""
_DIFFERING_WORDS = 4
_TIME_UNITS = listed("ns ms s min h day week month year")


_ISSUED = listed("""
    replace replaces replaced replacing supersedes superseded sustituye sustituyen sustituyó
    reemplaza reemplazan reemplazó
""")
_COPULAS = listed("is es son")
_ADDING = listed("""
    like likes love loves enjoy enjoys know knows speak speaks support supports include includes
    contain contains accept accepts allow allows offer offers provide provides add added adds buy
    bought sell sold visit visited meet met read reads write wrote fix fixed see saw watch watched
    eat ate study studied learn learned also too another other gusta gustan encanta conoce sabe
    habla soporta soportan incluye incluyen contiene acepta permite ofrece añade agrega compró
    compra vendió visitó conoció leyó escribió corrigió vio también tambien otro otra además
    ademas
""")


def contradicts(a: Text, b: Text) -> bool:
    """Whether two texts are about the same thing and state different values of it."""
    if veto(a, b) is None:
        return False
    topic = _shared_topic(a, b)
    if topic is None:
        return False
    pairs = _sentence_pairs(read(a.body or a.title), read(b.body or b.title))
    return any(_Conflict(x, y, topic).holds() for x, y in pairs)


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


def _sentence_pairs(a: Reading, b: Reading) -> Iterator[tuple[Clause, Clause]]:
    """Pairs of the sentences that only one of the texts has."""
    same = a.said & b.said
    left, right = [[x for x in side.statements if texts(x) not in same] for side in (a, b)]
    if min(len(left), len(right)) > _OTHER_SENTENCES:
        return iter(())
    return product(left, right)


class _Conflict:
    """Two sentences side by side: what they share, and what each states that the other does not."""

    def __init__(self, a: Clause, b: Clause, topic: frozenset[str]) -> None:
        self.told = any(says_it_replaces(_shown(side)) for side in (a, b))
        self.whole = a, b = without_announcement(a), without_announcement(b)
        self.a, self.b = without_update(a), without_update(b)
        self.left, self.right = unmatched(self.a, self.b)
        shared = _set(content(self.a)) & _set(content(self.b))
        sizes = [sum(t.kind is Kind.WORD for t in content(side)) for side in (self.a, self.b)]
        self.shared = len(shared | topic)
        self.alike = self.shared and 2 * self.shared >= min(sizes) + len(topic)

    def holds(self) -> bool:
        """Whether both say something of one thing that cannot hold together."""
        left, right = content(self.left), content(self.right)
        if self._is_replaced(left, right):
            return True
        if not self.alike or not self._same_subject() or _parted(self.left, self.right):
            return False
        if max(len(left), len(right)) > _DIFFERING_WORDS:
            return False
        if len(negations(self.left)) != len(negations(self.right)) and content(self.a):
            return len(left) + len(right) <= 1 or self.told
        pairs = [frozenset((x.text, y.text)) for x, y in product(left, right)]
        return (
            not STATES.isdisjoint(pairs)
            or self._other_measure(left, right)
            or self._other_name(left, right)
        )

    def _same_subject(self) -> bool:
        """Also "the lead is Ana" and "Luis is the lead": one of them is the other way round."""
        differs = (
            _subject_differs(self.whole[0], self.left),
            _subject_differs(self.whole[1], self.right),
        )
        return not any(differs) or (
            not all(differs) and all(_COPULAS & _set(side) for side in (self.a, self.b))
        )

    def _is_replaced(self, left: list[Token], right: list[Token]) -> bool:
        """One says all that the other says, and by name what took its place."""
        if not self.shared or not _ISSUED & (_set(self.a) | _set(self.b)):
            return False
        more, less = (left, right) if len(left) > len(right) else (right, left)
        return not [t for t in less if not t.verb] and any(t.kind in NAMES for t in more)

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
        if not all(map(_is_claim, self.whole)):
            return False
        sides = [
            [t for t in side if not t.verb and t.kind not in MEASURES] for side in (left, right)
        ]
        if not all(sides) or (max(map(len, sides)) > 2 and not self.told):
            return False
        named = all(any(t.kind in NAMES for t in side) for side in sides)
        return named or self.told or self.shared >= 2


def _shown(sentence: Clause) -> str:
    return " ".join(token.shown + token.after for token in sentence)


def _is_claim(sentence: Clause) -> bool:
    return any(token.verb or ":" in token.after or token.text == "=" for token in sentence)


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
