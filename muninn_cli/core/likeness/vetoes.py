"""Vetoes: why two texts never merge by themselves, at any cosine.

The rule is the other way round than one expects: two texts may merge only when every word of one
is in the other, in the same role; what differs must be spelling, articles, punctuation or an
order that cannot matter. A plain word in the place of another one ("purple", "cyan") is another
value. Nothing here knows meanings, so nothing here can be talked into a merge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from muninn_cli.core.likeness.grammar import OPENERS, POINTERS
from muninn_cli.core.likeness.opposites import opposite
from muninn_cli.core.likeness.reading import Reading, read
from muninn_cli.core.likeness.roles import same_roles
from muninn_cli.core.likeness.values import Kind, Token, unaccented

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


@dataclass(frozen=True, slots=True)
class Veto:
    """Why two memories never merge by themselves: `left` and `right` are what each states.

    `crossable` vetoes keep a rule from merging, not a judge who has read both texts: other
    titles, other wording, or something that only one of them adds.
    """

    kind: Kind | Reason
    left: str
    right: str
    part: Part = Part.BODY

    @property
    def crossable(self) -> bool:
        """Whether a judge may merge all the same."""
        if self.part is Part.TITLE or self.kind in {Reason.WORDING, Reason.ADDITION}:
            return True
        return self.kind not in _NEVER_ONE_SIDED and not (self.left and self.right)


_NEVER_ONE_SIDED = frozenset((Kind.NEGATION, Kind.QUALIFIER, Reason.OPPOSITE, Reason.ORDER))
_VALUE_KINDS = tuple(kind for kind in Kind if kind not in {Kind.WORD, Kind.NEGATION})
_SWAPPED_WORDS = 2
"""More plain words than this that differ on a side are another wording, not another value."""


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
    """Whether a title only repeats how the body begins, perhaps cut short."""
    head = read(title.rstrip("….")).words
    start = read(body[: 2 * len(title) + 40]).words[: len(head)]
    if head[:-1] != start[:-1] or len(start) < len(head):
        return False
    return not head or start[-1].startswith(head[-1])


def differ(a: Reading, b: Reading, part: Part) -> Veto | None:
    """What two readings state differently, or None."""
    if a.text == b.text or a.words == b.words or a.normal == b.normal:
        return None
    left, right = _unmatched(a, b)
    if not left and not right:
        if same_roles(a, b) or a.folded_words == b.folded_words:
            return None
        return Veto(Reason.ORDER, *_first_difference(a, b), part)
    kind, left_shown, right_shown = _explain(left, right)
    return Veto(kind, left_shown, right_shown, part)
