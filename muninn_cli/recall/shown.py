"""What was shown to somebody who asked, as events for the usage logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.events import Recall
from muninn_cli.store.index.filters import State

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from muninn_cli.recall.query import Hit


def recall_events(hits: Iterable[Hit], now: datetime, via: str) -> dict[str, Recall]:
    """One recall for each vault, by vault id: its hits in order with their scores.

    Archived memories are left out: to look at one does not bring it back. What was looked up
    by name has the score 1.
    """
    shown: dict[str, list[tuple[str, float]]] = {}
    for hit in hits:
        if hit.state is not State.ARCHIVED:
            score = 1.0 if hit.score is None else hit.score
            shown.setdefault(hit.vault_id, []).append((hit.id, score))
    return {vault: Recall(now, tuple(pairs), via) for vault, pairs in shown.items()}
