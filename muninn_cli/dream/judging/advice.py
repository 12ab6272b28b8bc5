"""What a model's answer comes to once it has been checked: advice, and what was dropped of it.

Advice is not a plan. Whoever applies it still knows what a model does not: dates, tiers, pins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from muninn_cli.core.changes import Ref


@dataclass(frozen=True, slots=True)
class MergeAdvice:
    """Memories of one vault that say the same.

    `may_survive` are the ids that may stay: with `content`, a new body that keeps what all of
    them say, any; without, those whose own text keeps it.
    """

    vault: str
    ids: tuple[str, ...]
    may_survive: tuple[str, ...]
    content: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Two memories of one vault contradict each other, and the text shows which is newer."""

    vault: str
    newer: str
    older: str
    reason: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something about memories that only a person may carry out."""

    refs: tuple[Ref, ...]
    text: str


@dataclass(frozen=True, slots=True)
class StabilityAdvice:
    """The stability a memory should have, in days, within the limits of one dream."""

    ref: Ref
    days: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """A part of an answer that does not count, and why; both are one line, safe to show."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Advice:
    """All that counts in one answer or in several, and what of them was dropped."""

    merges: tuple[MergeAdvice, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    stability: tuple[StabilityAdvice, ...] = ()
    narrative: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def __add__(self, other: Advice) -> Advice:
        return Advice(
            self.merges + other.merges,
            self.verdicts + other.verdicts,
            self.suggestions + other.suggestions,
            self.stability + other.stability,
            self.narrative + other.narrative,
            self.dropped + other.dropped,
        )


class Roles:
    """What memories already have a part in: each is merged once, or superseded once, not both.

    One memory may supersede several, and a chain of verdicts is sound; a cycle is not.
    """

    def __init__(self, advice: Advice) -> None:
        self._merged: set[Ref] = set()
        self._newer: dict[Ref, Ref] = {}
        for merge in advice.merges:
            self.merge([Ref(merge.vault, id_) for id_ in merge.ids])
        for verdict in advice.verdicts:
            self.supersede(Ref(verdict.vault, verdict.newer), Ref(verdict.vault, verdict.older))

    def merge(self, refs: Iterable[Ref]) -> str:
        """Note a merge; returns why it cannot be, empty if it can."""
        refs = tuple(refs)
        if taken := [ref for ref in refs if ref in self._merged or self._in_verdict(ref)]:
            return f"{taken[0].id} already has a part in another item"
        self._merged.update(refs)
        return ""

    def supersede(self, newer: Ref, older: Ref) -> str:
        """Note a verdict; returns why it cannot be, empty if it can."""
        for ref in (newer, older):
            if ref in self._merged:
                return f"{ref.id} already has a part in another item"
        if older in self._newer:
            return f"{older.id} is superseded already"
        if older in self._line_from(newer):
            return "it would close a circle"
        self._newer[older] = newer
        return ""

    def _in_verdict(self, ref: Ref) -> bool:
        return ref in self._newer or ref in self._newer.values()

    def _line_from(self, ref: Ref) -> list[Ref]:
        line = [ref]
        while line[-1] in self._newer:
            line.append(self._newer[line[-1]])
        return line
