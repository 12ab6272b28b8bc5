"""Contradictions: two texts about the same thing with another value.

Only finds candidates; it settles none. Two things that merely look alike (staging and production,
two people, two days) are no contradiction, and neither are two likes or two supported languages.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.likeness.grammar import POINTERS
from muninn_cli.core.likeness.lexicon import listed
from muninn_cli.core.likeness.opposites import SCOPE_NOUNS, STATES
from muninn_cli.core.likeness.reading import content, negations, read, texts
from muninn_cli.core.likeness.sentences import differs_in_subject, is_claim, is_talk, place
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented
from muninn_cli.core.likeness.updates import (
    left_behind,
    says_it_replaces,
    without_announcement,
    without_update,
)
from muninn_cli.core.likeness.vetoes import MEASURES, NAMES, Text, unmatched, veto

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.core.likeness.reading import Clause, Reading

_OTHER_SENTENCES = 8
"""Texts that differ in more sentences than this on each side are about different things."""
_DIFFERING_WORDS = 4


_ISSUED = listed("""
    replace replaces replaced replacing supersedes superseded sustituye sustituyen sustituyó
    reemplaza reemplazan reemplazó
""")
_COPULAS = listed("is es son")
_FAMILY = {Kind.VERSION: Kind.NUMBER, Kind.WEEKDAY: Kind.DATE, Kind.MONTH: Kind.DATE}
"""Kinds of which one may take the other's place."""
_PLACES = listed("in on at by with for from en con por para")
_ADDING = listed("""
    like likes love loves enjoy enjoys know knows speak speaks support supports include includes
    contain contains accept accepts allow allows offer offers provide provides add added adds buy
    bought sell sold visit visited meet met read reads write wrote fix fixed see saw watch watched
    eat ate study studied learn learned also too another other gusta gustan encanta conoce sabe
    habla soporta soportan incluye incluyen contiene acepta permite ofrece añade agrega compró
    compra vendió visitó conoció leyó escribió corrigió vio también tambien otro otra además
    ademas
""")

_HAPPENED = listed("""
    bought called paid ran met visited sold sent ordered booked drove flew slept compré compró llamé
    llamó pagué pagó vendí vendió visité visitó envié envió pedí pidió reservé reservó corrí corrió
""")
"""What happened twice happened on two days, and not the same number of times."""


def contradicts(a: Text, b: Text) -> bool:
    """Whether two texts are about the same thing and state different values of it."""
    return veto(a, b) is not None and conflict(a, b)


def conflict(a: Text, b: Text) -> bool:
    """The same of two texts between which a veto is known to stand."""
    topic = _shared_topic(a, b)
    if topic is None:
        return False
    pairs = _sentence_pairs(read(a.body or a.title), read(b.body or b.title))
    conflicts = (_Conflict(x, y, topic.words) for x, y in pairs)
    return any((topic.is_one or each.told) and each.holds() for each in conflicts)


class _Topic(NamedTuple):
    """The content words both titles have; not `is_one` where each has others of its own as well:
    gamma distribution and normal distribution are two things, unless a text says otherwise."""

    words: frozenset[str]
    is_one: bool = True


def _shared_topic(a: Text, b: Text) -> _Topic | None:
    """What both texts are about; None where the titles name different things."""
    titles = [read(text.title).tokens if text.body else () for text in (a, b)]
    if not all(titles):
        return _Topic(frozenset())
    left, right = map(content, unmatched(*titles))
    shared = _set(content(titles[0])) & _set(content(titles[1]))
    named = [any(t.kind is not Kind.WORD for t in side) for side in (left, right)]
    if (left and right and not shared) or all(named) or _parted(left, right):
        return None
    return _Topic(shared, is_one=not (left and right))


def _sentence_pairs(a: Reading, b: Reading) -> Iterable[tuple[_Sentence, _Sentence]]:
    """Pairs of the sentences that only one of the texts has, but for talk."""
    same = a.said & b.said
    left, right = [[x for x in side.statements if texts(x) not in same] for side in (a, b)]
    if min(len(left), len(right)) > _OTHER_SENTENCES:
        return ()
    return product(_told(left), _told(right))


def _told(sentences: Iterable[Clause]) -> list[_Sentence]:
    return [each for each in map(_sentence, sentences) if not is_talk(each.whole)]


class _Sentence(NamedTuple):
    """A sentence as it is compared; `stated` is what it says holds now, `told` that it replaces.

    `words` are those of its content, `size` how many of these are plain ones.
    """

    whole: Clause
    stated: Clause
    told: bool
    words: frozenset[str]
    size: int


def _sentence(sentence: Clause) -> _Sentence:
    whole = without_announcement(sentence)
    stated = without_update(whole)
    own = content(stated)
    size = sum(token.kind is Kind.WORD for token in own)
    return _Sentence(whole, stated, says_it_replaces(_shown(sentence)), _set(own), size)


class _Conflict:
    """Two sentences side by side: what they share, and what each states that the other does not."""

    def __init__(self, a: _Sentence, b: _Sentence, topic: frozenset[str]) -> None:
        self.told = a.told or b.told
        self.whole = a.whole, b.whole
        self.a, self.b = a.stated, b.stated
        self.topic = topic
        shared = a.words & b.words
        self.own = len(shared)
        self.shared = len(shared | topic)
        self.alike = self.shared and 2 * self.shared >= min(a.size, b.size) + len(topic)

    @cached_property
    def left(self) -> list[Token]:
        return self._unmatched[0]

    @cached_property
    def right(self) -> list[Token]:
        return self._unmatched[1]

    @cached_property
    def _unmatched(self) -> tuple[list[Token], list[Token]]:
        return unmatched(self.a, self.b)

    def holds(self) -> bool:
        """Whether both say something of one thing that cannot hold together."""
        if not (self.alike or self.told):
            return False
        left, right = content(self.left), content(self.right)
        if self._is_replaced(left, right) or self._is_left_behind() or self._is_taken_back():
            return True
        if not self.alike or not self._same_subject() or _parted(self.left, self.right):
            return False
        if max(len(left), len(right)) > _DIFFERING_WORDS:
            return False
        if len(negations(self.left)) != len(negations(self.right)) and content(self.a):
            few = self.told or (self._one_denies() and len(left) + len(right) <= 1)
            return few and not (left and right)
        pairs = [frozenset((x.text, y.text)) for x, y in product(left, right)]
        return (
            not STATES.isdisjoint(pairs)
            or self._other_measure(left, right)
            or self._other_name(left, right)
        )

    def _same_subject(self) -> bool:
        """Also "the lead is Ana" and "Luis is the lead": one of them is the other way round.

        And "port 80 is open" beside "it now listens on port 90".
        """
        differing = [
            differs_in_subject(side, stated)
            for side, stated in zip(self.whole, (self.left, self.right), strict=True)
        ]
        if all(differing) or not any(differing):
            return not any(differing)
        turned = all(_COPULAS & _set(side) for side in (self.a, self.b))
        return turned or (self.told and all(t.kind in MEASURES for side in differing for t in side))

    def _is_replaced(self, left: list[Token], right: list[Token]) -> bool:
        """One says all that the other says, and by name what took its place."""
        if not self.shared or not _ISSUED & (_set(self.a) | _set(self.b)):
            return False
        more, less = (left, right) if len(left) > len(right) else (right, left)
        named = (*NAMES, Kind.VERSION)
        return not [t for t in less if not t.verb] and any(t.kind in named for t in more)

    def _is_left_behind(self) -> bool:
        """ "We use Jenkins" beside "We switched from Jenkins to Actions": it says nothing else."""
        for new, old in (self.whole, self.whole[::-1]):
            gone = _set(left_behind(new))
            claimed = _set(t for t in content(old) if not t.verb)
            known = claimed <= gone | _set(new) | self.topic
            if gone and gone <= claimed and known and is_claim(old):
                return not negations((*old, *new))
        return False

    def _is_taken_back(self) -> bool:
        """ "Ana works at Acme" beside "Ana no longer works at Acme, …", whatever comes after it."""
        for new, old in ((self.a, self.b), (self.b, self.a)):
            denials = negations(new)
            said = tuple(token for token in new if token not in denials)
            if denials and content(old) and not negations(old):
                return self.told and texts(said[: len(old)]) == texts(old)
        return False

    def _other_measure(self, left: list[Token], right: list[Token]) -> bool:
        """Another number, date or time in the same place."""
        sides = [[t for t in side if t.kind in MEASURES] for side in (left, right)]
        if not all(sides) or (not self.told and _HAPPENED & _set((*self.a, *self.b))):
            return False
        places = [
            place(side, stated[0]) for side, stated in zip((self.a, self.b), sides, strict=True)
        ]
        labelled = bool(places[0][0] & places[1][0])
        if _add_both(left, right, MEASURES, verbs=not labelled):
            return False
        same_place = all(
            x == y or x & y or (self.told and not (x and y)) for x, y in zip(*places, strict=True)
        )
        kinds = {_FAMILY.get(t.kind, t.kind) for side in sides for t in side} - {Kind.UNIT}
        return same_place and len(kinds) == 1

    def _one_denies(self) -> bool:
        """«I won't quit, no matter what» only denies once more what "I won't quit" denies."""
        return not all(map(negations, (self.a, self.b)))

    def _other_name(self, left: list[Token], right: list[Token]) -> bool:
        """Another name, or another plain word, where only one can be true."""
        if not left or not right or not _ADDING.isdisjoint(texts((*self.a, *self.b))):
            return False
        if not all(map(is_claim, self.whole)):
            return False
        names = [[t for t in side if t.kind in NAMES] for side in (left, right)]
        if all(names):
            few = self.told or max(map(len, names)) <= 2
            return few and self._sameplace(names) and not _add_both(left, right, NAMES)
        words = [[t for t in side if not t.verb] for side in (left, right)]
        if self.told and self.own and not _add_both(left, right, (Kind.WORD,)):
            return all(words) and max(map(len, words)) == 1
        return self._is_one_word_other(left, right)

    def _sameplace(self, names: list[list[Token]]) -> bool:
        """Not in English and on GitHub."""
        before = {
            side[at - 1].text
            for side, stated in zip((self.a, self.b), names, strict=True)
            if (at := side.index(stated[0]))
        }
        return len(before & _PLACES) < 2

    def _is_one_word_other(self, left: list[Token], right: list[Token]) -> bool:
        """The same sentence with one plain word in the place of another: purple, cyan.

        What points at something said before is about one thing only where the titles name it.
        """
        if max(map(len, (self.left, self.right, left, right))) > 1 or self.shared < 2:
            return False
        if any(token.verb for token in (*left, *right)):
            return False
        points = not POINTERS.isdisjoint(texts((*self.a, *self.b)))
        return not points or (bool(self.topic) and not self.own)


def _add_both(
    left: list[Token], right: list[Token], kinds: tuple[Kind, ...], *, verbs: bool = True
) -> bool:
    """Whether both sides differ in more than values of these kinds: then they are about two
    things. Verbs may differ where the values have one label."""
    return all(
        any(t.kind not in kinds and (verbs or not t.verb) for t in side) for side in (left, right)
    )


def _shown(sentence: Clause) -> str:
    return " ".join(token.shown + token.after for token in sentence)


def _parted(left: list[Token], right: list[Token]) -> bool:
    """Whether a difference tells two things apart: staging and production."""
    words = (unaccented(t.text) for t in (*left, *right) if t.kind is not Kind.UNIT)
    return not SCOPE_NOUNS.isdisjoint(words)


def _set(stated: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.text for token in stated)
