"""Vetoes: why two texts never merge by themselves, at any cosine.

The rule is the other way round than one expects: two texts may merge only when every word of one
is in the other, in the same role; what differs must be spelling, articles, punctuation or an
order that cannot matter. A plain word in the place of another one ("purple", "cyan") is another
value. Nothing here knows meanings, so nothing here can be talked into a merge.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import product, zip_longest
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.normal import acronyms
from muninn_cli.core.likeness.opposites import opposite
from muninn_cli.core.likeness.reading import Reading, content, read, stems
from muninn_cli.core.likeness.roles import same_roles
from muninn_cli.core.likeness.tokens import Kind, Token, unaccented

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Text:
    """A memory as it is compared. An empty title is one that the body's first words gave."""

    title: str
    body: str


class Part(StrEnum):
    """Where two memories differ."""

    TITLE = "title"
    BODY = "body"


class Reason(StrEnum):
    """What differs, where it is no value of one `Kind`."""

    OPPOSITE = "opposite"
    ORDER = "order"
    WORDING = "wording"
    ADDITION = "addition"


_FOR_A_JUDGE = frozenset((Reason.WORDING, Reason.ADDITION))
_NEVER_ONE_SIDED = frozenset(
    (Kind.NEGATION, Kind.QUALIFIER, Kind.UNIT, Reason.OPPOSITE, Reason.ORDER)
)
MEASURES = (
    Kind.NUMBER,
    Kind.UNIT,
    Kind.DATE,
    Kind.TIME,
    Kind.WEEKDAY,
    Kind.MONTH,
    Kind.VERSION,
)
NAMES = (Kind.NAME, Kind.ADDRESS, Kind.PATH, Kind.CODE)
_TENSE = re.compile(r"(?:ed|er|est|ó|é|ía[ns]?|aba[ns]?|ar[oá][ns]?|ieron|aron|ará|erá|irá|emos)$")
"""Endings that tell past, future or comparison from the plain form."""
_WORD = re.compile(r"[^\W_]+")
_COMPARED = 12
"""Differing words of a side that are looked at and shown; more is another text anyway."""
_REPLACED_WORDS = 2
"""Where more plain words than this differ on a side it is another wording, not another value."""


@dataclass(frozen=True, slots=True)
class Veto:
    """Why two memories never merge by themselves: `left` and `right` are what each states.

    `crossable` vetoes keep a rule from merging, not a judge who has read both texts: other
    titles, another wording, or something that only one of the two adds.
    """

    kind: Kind | Reason
    left: str
    right: str
    part: Part = Part.BODY

    def __str__(self) -> str:
        """`number: 8080 / 8081`, a dash for what only one of them states."""
        return f"{self.kind}: {self.left or '-'} / {self.right or '-'}"

    @property
    def crossable(self) -> bool:
        """Whether a judge may merge all the same."""
        if self.part is Part.TITLE or self.kind in _FOR_A_JUDGE:
            return True
        return self.kind not in _NEVER_ONE_SIDED and not (self.left and self.right)


def veto(a: Text, b: Text) -> Veto | None:
    """Why two memories never merge by themselves, or None where they say the same."""
    title_a, body_a = _claim(a)
    title_b, body_b = _claim(b)
    found = differ(read(body_a), read(body_b), Part.BODY)
    if found or not title_a or not title_b:
        return found
    return differ(read(title_a), read(title_b), Part.TITLE)


def _claim(text: Text) -> tuple[str, str]:
    """The title where it is a claim of its own, and the body; a title alone is the body."""
    title, body = text.title.strip(), text.body.strip()
    if not body:
        return "", title
    if not title or _is_taken_from(title, body):
        return "", body
    return title, body


def _is_taken_from(title: str, body: str) -> bool:
    """Whether a title only repeats how the body begins, perhaps cut short with "…"."""
    head = _WORD.findall(title.casefold())
    start = _WORD.findall(body[: 2 * len(title) + 40].casefold())
    if start and start[0].isdigit() and head[:1] != start[:1]:
        start = start[1:]  # the number of a list
    if not head or len(start) < len(head) or head[:-1] != start[: len(head) - 1]:
        return False
    last = start[len(head) - 1]
    return last == head[-1] or (title.endswith(("…", "...")) and last.startswith(head[-1]))


def differ(a: Reading, b: Reading, part: Part) -> Veto | None:
    """What two readings state differently, or None."""
    if a.text == b.text or a.words == b.words or a.normal == b.normal:
        return None
    if _differ_in_case_alone(a, b):
        return None
    left, right = unmatched(a.tokens, b.tokens)
    if left or right:
        return Veto(*_explain(left, right), part)
    if same_roles(a, b):
        return None
    moved = next((x, y) for x, y in zip(a.tokens, b.tokens, strict=True) if x.text != y.text)
    return Veto(Reason.ORDER, moved[0].shown, moved[1].shown, part)


def _differ_in_case_alone(a: Reading, b: Reading) -> bool:
    """The case of code counts, unless one of the texts was written without regard to case.

    What is as short as a flag (-d, -D) keeps its case where only first words tell them apart.
    """
    if a.shouts != b.shouts or bool(a.capitals) != bool(b.capitals):
        told_apart = not (a.starts_small or b.starts_small) and acronyms(a.text) != acronyms(b.text)
        return not told_apart and a.normal.casefold() == b.normal.casefold()
    if a.starts_small == b.starts_small or a.capitals:
        return False
    return all(
        x == y or (len(x) > 2 and x.casefold() == y.casefold())
        for x, y in zip_longest(a.normal.split(" "), b.normal.split(" "), fillvalue="")
    )


def unmatched(a: Iterable[Token], b: Iterable[Token]) -> tuple[list[Token], list[Token]]:
    """The tokens of each side that the other does not state as often."""
    a, b = list(a), list(b)
    return _beyond(a, b), _beyond(b, a)


def _beyond(mine: list[Token], theirs: list[Token]) -> list[Token]:
    left = Counter(token.text for token in theirs)
    found = []
    for token in mine:
        if left[token.text] > 0:
            left[token.text] -= 1
        else:
            found.append(token)
    return found


def _explain(left: list[Token], right: list[Token]) -> tuple[Kind | Reason, str, str]:
    """The weightiest difference, as kind and what each side says."""
    if len(_of(left, Kind.NEGATION)) != len(_of(right, Kind.NEGATION)):
        return Kind.NEGATION, _shown(_of(left, Kind.NEGATION)), _shown(_of(right, Kind.NEGATION))
    for x, y in product(left[:_COMPARED], right[:_COMPARED]):
        if opposite(unaccented(x.text), unaccented(y.text)):
            return Reason.OPPOSITE, x.shown, y.shown
    sides = [(_of(left, *family), _of(right, *family)) for family in (MEASURES, NAMES)]
    sides.append((_of(left, *MEASURES, *NAMES), _of(right, *MEASURES, *NAMES)))
    for mine, theirs in sides:
        if mine and theirs:
            return mine[0].kind, _shown(mine), _shown(theirs)
    words = _of(left, Kind.WORD), _of(right, Kind.WORD)
    bounds = _of(left, Kind.QUALIFIER), _of(right, Kind.QUALIFIER)
    reworded = max(map(len, words)) > _REPLACED_WORDS
    if any(bounds) and not reworded:
        return Kind.QUALIFIER, _shown(bounds[0]), _shown(bounds[1])
    for mine, theirs in sides:
        if mine or theirs:
            return (*mine, *theirs)[0].kind, _shown(mine), _shown(theirs)
    return _explain_words(left, right, reworded=reworded)


def _explain_words(
    left: list[Token], right: list[Token], *, reworded: bool
) -> tuple[Kind | Reason, str, str]:
    shown = _shown(left), _shown(right)
    named = content(left), content(right)
    if not left or not right:
        return Reason.ADDITION, *shown
    if reworded or (any(named) and (not all(named) or _share_stems(*named))):
        return Reason.WORDING, *shown
    return Kind.WORD, *shown


def _share_stems(left: list[Token], right: list[Token]) -> bool:
    """Whether the words of both sides are forms of the same words in the same tense."""
    if len(left) != len(right):
        return False
    sides = [sorted((stems(token), token.text) for token in side) for side in (left, right)]
    return all(
        not set(x).isdisjoint(y) and bool(_TENSE.search(one)) == bool(_TENSE.search(other))
        for (x, one), (y, other) in zip(*sides, strict=True)
    )


def _of(stated: list[Token], *kinds: Kind) -> list[Token]:
    return [token for token in stated if token.kind in kinds]


def _shown(stated: list[Token]) -> str:
    return " ".join(token.shown for token in stated[:_COMPARED])
