"""Review: what waits for a person, and what happens when they accept or dismiss it.

Only what still stands is listed: every memory live, every text as it was. What is accepted is a
run of its own and can be undone; of another vault's memory nothing but its id is ever written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.changes import (
    ClusterReason,
    Judge,
    Merge,
    Supersede,
    involved,
)
from muninn_cli.core.terms import Kind
from muninn_cli.dream.applying.apply import apply
from muninn_cli.dream.applying.noting import note_undoable
from muninn_cli.dream.known import Known
from muninn_cli.dream.plan import Judged, Plan, Subject
from muninn_cli.dream.state import dismissals, judged_clusters, note_dismissed, note_judged
from muninn_cli.dream.suggestions import CONNECTION, Open, open_suggestions
from muninn_cli.dream.survivors import survivor, titles_lost
from muninn_cli.errors import ConflictError, NotFoundError, UsageError
from muninn_cli.store.files import content_hash
from muninn_cli.store.reading import edited, opened_at
from muninn_cli.store.steps import Batch, EditFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from muninn_cli.core.changes import Change
    from muninn_cli.dream.opening import Opened
    from muninn_cli.dream.snapshot import Facts
    from muninn_cli.paths import Home
    from muninn_cli.store.runs import Runs

COMMAND = "review accept"
NEAR_DUPLICATE = ClusterReason.NEAR_DUPLICATE.value
CONTRADICTION = ClusterReason.CONTRADICTION.value
_OPENNESS = (Kind.LEGAL, Kind.PERSONAL, Kind.WORK, Kind.PROJECT, Kind.GLOBAL)
"""Kinds of vault, the most private first."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What came of an acceptance: its run, and the files touched by vault id."""

    run: str
    paths: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Review:
    """What may be decided over memories as they are now."""

    opened: Opened
    home: Home
    runs: Runs
    now: datetime

    def listed(self) -> list[Open]:
        """What waits for a person, by number."""
        dismissed = {key for key, _ in dismissals(self.home.dismissed)}
        judged = judged_clusters(self.home.judged)
        return [
            each
            for each in open_suggestions(self.home.suggestions)
            if each.key not in dismissed
            and not (each.is_cluster and each.cluster in judged)
            and self._stands(each)
        ]

    def facts(self, item: Open) -> list[Facts]:
        """What is known of its memories."""
        return [self.opened.snapshot.facts[ref] for ref in item.refs]

    def needs_choice(self, item: Open) -> bool:
        """Whether nothing tells which of its memories holds."""
        return item.what is None and item.kind == CONTRADICTION

    def _offers_choice(self, item: Open) -> bool:
        """Whether a person may say which of its memories stays or holds."""
        return item.is_cluster or isinstance(item.what, Merge | Supersede)

    def stays(self, item: Open) -> str:
        """The id of the memory that stays or wins where no other is chosen; empty for none."""
        match item.what:
            case Merge(survivor=stays) | Supersede(new=stays):
                return stays
            case None if item.kind == NEAR_DUPLICATE:
                return survivor(self.facts(item)).ref.id
        return ""

    def accept(self, number: int, keep: str | None) -> Accepted:
        """Carry out what is proposed; `keep` is the id of the memory that is to stay or to win.

        Raises NotFoundError, UsageError where a choice is missing or has no meaning, and
        ConflictError where a file has just changed: then nothing is changed here.
        """
        item = self._find(number)
        if keep is not None and not self._offers_choice(item):
            raise UsageError(f"--keep {keep}: there is nothing to choose under {number}")
        accepted = (
            self._connect(item)
            if item.kind == CONNECTION
            else self._carry_out(self._changes(item, keep))
        )
        self._settle(item)
        return accepted

    def dismiss(self, number: int) -> Open:
        """Say no: not proposed again until one of the texts changes."""
        item = self._find(number)
        self._settle(item)
        return item

    def _find(self, number: int) -> Open:
        found = next((each for each in self.listed() if each.number == number), None)
        if found is None:
            raise NotFoundError(f"nothing under number {number} waits for you", "muninn review")
        return found

    def _stands(self, item: Open) -> bool:
        known = self.opened.snapshot.facts
        if not all(ref in known and known[ref].live for ref in item.refs):
            return False
        return frozenset(known[ref].text for ref in item.refs) == item.hashes

    def _settle(self, item: Open) -> None:
        note_dismissed(self.home.dismissed, [(item.key, item.refs)], self.now)
        if item.is_cluster:
            note_judged(self.home.judged, [Judged(item.refs, item.cluster)], self.now)

    def _changes(self, item: Open, keep: str | None) -> tuple[Change, ...]:
        chosen = self._chosen(item, keep)
        match item.what:
            case Merge() as merge:
                return (self._merge(item, chosen, merge),)
            case Supersede(vault=vault, old=old, new=new, reason=reason):
                winner = chosen.ref.id if chosen else new
                loser = old if winner == new else new
                return (Supersede(vault, loser, winner, reason, Judge.PERSON),)
            case None if item.kind == NEAR_DUPLICATE:
                return (self._merge(item, chosen, None),)
            case None:
                return self._resolved(item, chosen)
            case other:
                return (other,)

    def _chosen(self, item: Open, keep: str | None) -> Facts | None:
        """The memory that a person wants to keep: its id, or the end of it."""
        if keep is None:
            return None
        found = [facts for facts in self.facts(item) if facts.ref.id == keep]
        found = found or [f for f in self.facts(item) if f.ref.id.lower().endswith(keep.lower())]
        if len(found) != 1:
            raise UsageError(f"--keep {keep}: not one of {_ids(item)}")
        return found[0]

    def _merge(self, item: Open, chosen: Facts | None, proposed: Merge | None) -> Merge:
        everyone = {facts.ref.id: facts for facts in self.facts(item)}
        stays = chosen or (everyone[proposed.survivor] if proposed else survivor(everyone.values()))
        losers = [facts for facts in everyone.values() if facts is not stays]
        same = proposed is not None and proposed.survivor == stays.ref.id
        return Merge(
            stays.ref.vault,
            stays.ref.id,
            tuple(facts.ref.id for facts in losers),
            "accepted",
            Judge.PERSON,
            proposed.content if proposed and same else None,
            titles_lost(stays, losers),
        )

    def _resolved(self, item: Open, chosen: Facts | None) -> tuple[Change, ...]:
        if chosen is None:
            raise UsageError(
                "say which of them holds", f"muninn review accept {item.number} --keep ID"
            )
        return tuple(
            Supersede(ref.vault, ref.id, chosen.ref.id, "accepted", Judge.PERSON)
            for ref in item.refs
            if ref != chosen.ref
        )

    def _carry_out(self, changes: tuple[Change, ...]) -> Accepted:
        known = self.opened.snapshot.facts
        refs = dict.fromkeys(ref for change in changes for ref in involved(change))
        subjects = tuple(
            Subject(ref, facts.title, facts.path, facts.hash, facts.text)
            for ref in refs
            if (facts := known[ref])
        )
        plan = Plan(self.now, (), (), 0, changes, subjects, whole=False)
        applied = apply(
            plan,
            vaults=self.opened.vaults,
            known=Known(self.opened.connection),
            runs=self.runs,
            command=COMMAND,
            now=self.now,
            time=self.now,
        )
        if applied.plan.left_out:
            if applied.plan.run:
                self.runs.undo(applied.plan.run, self.now)
            raise ConflictError(applied.plan.left_out[0].detail, "try again")
        note_undoable(applied.plan, self.home, self.now)
        return Accepted(applied.plan.run, applied.paths)

    def _connect(self, item: Open) -> Accepted:
        """Write the id of one memory into `related` of the other, in the less private vault."""
        from_, to = sorted(self.facts(item)[:2], key=_openness, reverse=True)
        vault = self.opened.vaults[from_.ref.vault]
        file = opened_at(from_.path, from_.ref.id, vault)
        if content_hash(file.data).hex() != from_.hash:
            raise ConflictError(f"{vault.name}/{from_.path} has just changed", "try again")
        related = tuple(dict.fromkeys((*file.memory.related, to.ref.id)))
        new = edited(file, {"related": related})
        step = EditFile(vault.id, from_.ref.id, from_.path, content_hash(file.data), new)
        batch = Batch(f"connect {from_.ref.id} with {to.ref.id}", (step,))
        receipt = self.runs.perform(COMMAND, [batch], self.now)
        if receipt.dropped:
            raise ConflictError(receipt.dropped[0].why, "try again")
        return Accepted(receipt.run, receipt.paths)


def _openness(facts: Facts) -> int:
    return _OPENNESS.index(facts.vault.kind)


def _ids(item: Open) -> str:
    return ", ".join(ref.id for ref in item.refs)
