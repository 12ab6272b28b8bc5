"""Which of several memories that say the same stays: the survivor rule. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.changes import Judge, Merge
from muninn_cli.core.times import epoch
from muninn_cli.dream.snapshot import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from muninn_cli.dream.snapshot import Facts


def survivor(memories: Iterable[Facts]) -> Facts:
    """The most durable tier, then pinned, then most recalled, then newest."""
    return min(memories, key=_rank)


def merges(memories: Sequence[Facts], reason: str) -> Iterator[Merge]:
    """The merges that leave one of these memories by rule.

    What a dream may change itself is merged first, apart from what only a person may.
    """
    free = [facts for facts in memories if facts.reach is Reach.FREE]
    held = [facts for facts in memories if facts.reach is Reach.SUGGEST]
    if len(free) > 1:
        yield _merge(free, reason)
    if held:
        rest = [*held, survivor(free)] if free else held
        if len(rest) > 1:
            yield _merge(rest, reason)


def titles_lost(stays: Facts, others: Iterable[Facts]) -> tuple[str, ...]:
    """The titles that go with a merge, for the aliases of what stays."""
    titles = dict.fromkeys(facts.title for facts in others)
    return tuple(title for title in titles if title.casefold() != stays.title.casefold())


def _merge(memories: Sequence[Facts], reason: str) -> Merge:
    stays = survivor(memories)
    others = [facts for facts in memories if facts is not stays]
    losers = tuple(facts.ref.id for facts in others)
    aliases = titles_lost(stays, others)
    return Merge(stays.ref.vault, stays.ref.id, losers, reason, Judge.RULE, aliases=aliases)


def _rank(facts: Facts) -> tuple[str, bool, int, float, str]:
    newest = epoch(facts.said_at or facts.first_seen)
    return facts.tier.value, not facts.pinned, -facts.usage.recalls, -newest, facts.ref.id
