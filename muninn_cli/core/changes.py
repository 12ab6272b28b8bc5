"""What a dream proposes: closed unions of frozen values that say what would change and why.

A change is a proposal, not an act: only `dream.applying.apply` carries changes out. Ids are those
of one vault; a `Ref` names a memory across vaults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from muninn_cli.core.terms import Tier


class Ref(NamedTuple):
    """A memory across vaults: the vault's id, then the memory's."""

    vault: str
    id: str


class Judge(StrEnum):
    """Who decided a change."""

    RULE = "rule"
    MODEL = "model"
    PERSON = "person"


class ClusterReason(StrEnum):
    """Why memories are shown to a judge together."""

    NEAR_DUPLICATE = "near-duplicate"
    CONTRADICTION = "contradiction"
    CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Member:
    """A memory as a judge sees it: title and text.

    `hash` changes when the title or the text does, and with nothing else of the file.
    """

    ref: Ref
    title: str
    text: str
    hash: str
    stability: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that only a judge can settle; never of a legal vault.

    Members are of one vault, except in a connection.
    """

    reason: ClusterReason
    members: tuple[Member, ...]

    @property
    def key(self) -> str:
        """Names the cluster by its members' texts: it changes when a member changes."""
        return " ".join(sorted(member.hash for member in self.members))


@dataclass(frozen=True, slots=True)
class Merge:
    """`losers` say what `survivor` says; `content` is its new body, None to keep its own."""

    vault: str
    survivor: str
    losers: tuple[str, ...]
    reason: str
    by: Judge
    content: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Supersede:
    """`new` contradicts `old` and wins: `old` points to it and is hidden."""

    vault: str
    old: str
    new: str
    reason: str
    by: Judge


@dataclass(frozen=True, slots=True)
class ChangeTier:
    """A promotion, one step up; `since` becomes `tier_since`."""

    vault: str
    id: str
    old: Tier
    new: Tier
    since: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class SetStability:
    """A new stability in days, between 14 and 365."""

    vault: str
    id: str
    old: float
    new: float
    reason: str


@dataclass(frozen=True, slots=True)
class Associate:
    """A learned or inferred association of two memories of one vault: `new` is its weight at `at`,
    `old` what it had before, faded to the same instant."""

    vault: str
    a: str
    b: str
    old: float
    new: float
    at: datetime
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Archive:
    """A memory leaves sight: `reason` is `expired` or `budget`."""

    vault: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Suggest:
    """A change only a person may carry out: `what` is proposed, None for a connection.

    `hashes` are those of the memories of `refs`, in their order (see `Member`).
    """

    refs: tuple[Ref, ...]
    hashes: tuple[str, ...]
    text: str
    what: Merge | Supersede | Archive | ChangeTier | None = None


Change = Merge | Supersede | ChangeTier | SetStability | Associate | Archive | Suggest


class ChangeKey(NamedTuple):
    """How a person's no is remembered: what kind of change, and the hashes of what it was about.

    The hashes are those of `Member`: a no holds until one of the texts changes.
    """

    kind: str
    hashes: frozenset[str]


def involved(change: Change) -> tuple[Ref, ...]:
    """The memories a change is about; their files must still be what the plan saw."""
    match change:
        case Merge(vault=vault, survivor=survivor, losers=losers):
            return (Ref(vault, survivor), *(Ref(vault, loser) for loser in losers))
        case Supersede(vault=vault, old=old, new=new):
            return (Ref(vault, old), Ref(vault, new))
        case Associate(vault=vault, a=a, b=b):
            return (Ref(vault, a), Ref(vault, b))
        case Suggest(refs=refs):
            return refs
        case ChangeTier() | SetStability() | Archive():
            return (Ref(change.vault, change.id),)


def key_of(change: Change, hash_of: Callable[[Ref], str]) -> ChangeKey | None:
    """The key of a change; None for what only usage knows, which nobody can dismiss.

    A suggestion has the key of what it proposes.
    """
    proposed: Change | None = change.what if isinstance(change, Suggest) else change
    match proposed:
        case None:
            kind = "connection"
        case Merge():
            kind = "merge"
        case Supersede():
            kind = "supersede"
        case ChangeTier():
            kind = "tier"
        case Archive():
            kind = "archive"
        case _:
            return None
    return ChangeKey(kind, frozenset(map(hash_of, involved(change))))
