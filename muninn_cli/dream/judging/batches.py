"""From clusters to requests: what fits, in batches of one trust, within a budget of tokens.

Only estimates are made here; what a request really cost is the provider's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from muninn_cli.core.changes import Cluster, Member

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb of the vendors for English; other languages take some more tokens."""
BATCH_TOKENS = 6_000
"""Texts of one request: what small local models still read with care."""
PROMPT_TOKENS = 900
"""The instructions that come with every request."""
MEMBER_TOKENS = 40
"""The frame around one memory: fence, id, title line."""
NO_BUDGET = "the token budget of one dream is spent (dream.max_tokens)"


@dataclass(frozen=True, slots=True)
class Batch:
    """Clusters that go into one request; all of the same vaults."""

    clusters: tuple[Cluster, ...]
    tokens: int

    @property
    def vaults(self) -> frozenset[str]:
        """The ids of the vaults whose texts the request would carry."""
        return _vaults(self.clusters)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A cluster that no model judged, and why."""

    cluster: Cluster
    why: str


@dataclass(frozen=True, slots=True)
class Batches:
    """What is to be asked, and the clusters that will not be."""

    batches: tuple[Batch, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def tokens(self) -> int:
        """The estimate for all requests and their answers."""
        return sum(batch.tokens for batch in self.batches)


def estimate(text: str) -> int:
    """About how many tokens a text is: a quarter of its characters."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def batch(clusters: Iterable[Cluster], budget: int) -> Batches:
    """Batch clusters in their order. `budget` are tokens.

    Vaults are never mixed but in a connection, so that one vault's trust holds up no other. A
    cluster larger than `BATCH_TOKENS` is a batch of its own.
    """
    batches: list[list[Cluster]] = []
    latest: dict[frozenset[str], list[Cluster]] = {}
    skipped: list[Skipped] = []
    left = budget
    for cluster in clusters:
        filled = latest.get(_vaults([cluster]), [])
        if filled and _text_tokens([*filled, cluster]) > BATCH_TOKENS:
            filled = []
        cost = _cost([*filled, cluster]) - _cost(filled)
        if why := _unfit(cluster, cost, left):
            skipped.append(Skipped(cluster, why))
            continue
        left -= cost
        if not filled:
            latest[_vaults([cluster])] = filled
            batches.append(filled)
        filled.append(cluster)
    return Batches(tuple(Batch(tuple(each), _cost(each)) for each in batches), tuple(skipped))


def _unfit(cluster: Cluster, cost: int, left: int) -> str:
    if len({member.ref.id for member in cluster.members}) < len(cluster.members):
        return "the same id is in two vaults, and an answer could not tell them apart"
    if cost > left:
        return NO_BUDGET
    return ""


def _cost(clusters: Sequence[Cluster]) -> int:
    """Prompt and answer; an answer is at most about as long as the texts it is about."""
    return PROMPT_TOKENS + 2 * _text_tokens(clusters) if clusters else 0


def _text_tokens(clusters: Sequence[Cluster]) -> int:
    return sum(
        MEMBER_TOKENS + estimate(member.title) + estimate(member.text)
        for member in _members(clusters)
    )


def _vaults(clusters: Iterable[Cluster]) -> frozenset[str]:
    return frozenset(member.ref.vault for member in _members(clusters))


def _members(clusters: Iterable[Cluster]) -> Iterable[Member]:
    return (member for cluster in clusters for member in cluster.members)
