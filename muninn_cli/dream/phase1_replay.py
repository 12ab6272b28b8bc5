"""Phase 1: what was recalled together since the last dream belongs together a little more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.associations import SHOWN_TOGETHER, replay, weight_at
from muninn_cli.core.changes import Associate, Ref
from muninn_cli.core.usage import is_ahead

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.tools import Tools


def strengthen(draft: Draft, tools: Tools) -> Draft:
    """Learn from the recalls of each vault since it last dreamed."""
    changes = [
        change for vault in draft.snapshot.vaults for change in _learned(vault, draft, tools)
    ]
    return draft.proposing(changes)


def _learned(vault: str, draft: Draft, tools: Tools) -> Iterator[Associate]:
    known = draft.snapshot.associations.get(vault, {})
    for (a, b), new in replay(known, _answers(vault, draft, tools)).items():
        before = known.get((a, b))
        old = weight_at(before, new.at) if before else 0.0
        yield Associate(vault, a, b, old, new.weight, new.at)


def _answers(
    vault: str, draft: Draft, tools: Tools
) -> Iterator[tuple[datetime, list[tuple[str, float]]]]:
    """What was shown together, without what is no memory any more."""
    facts, now = draft.snapshot.facts, draft.snapshot.now
    for recall in tools.recalls(vault):
        if not is_ahead(recall.at, now):
            first = recall.hits[:SHOWN_TOGETHER]
            yield recall.at, [hit for hit in first if Ref(vault, hit[0]) in facts]
