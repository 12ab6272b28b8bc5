"""Which of several memories that say the same stays: the survivor rule. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.times import epoch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.dream.snapshot import Facts


def survivor(memories: Iterable[Facts]) -> Facts:
    """The most durable tier, then pinned, then most recalled, then newest."""
    return min(memories, key=_rank)


def _rank(facts: Facts) -> tuple[str, bool, int, float, str]:
    newest = epoch(facts.said_at or facts.first_seen)
    return facts.tier.value, not facts.pinned, -facts.usage.recalls, -newest, facts.ref.id
