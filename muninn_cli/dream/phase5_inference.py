"""Phase 5: what two memories have in common with a third lets them have something in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.associations import infer, weight_at
from muninn_cli.core.changes import Associate, Ref

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.tools import Tools

LEAST_GAIN = 0.01
"""An inference is renewed only when it would weigh more by this: it fades between dreams."""


def infer_associations(draft: Draft, tools: Tools) -> Draft:  # noqa: ARG001
    """Infer associations inside each vault, among what stays."""
    vaults = draft.snapshot.vaults
    return draft.proposing(each for vault in vaults for each in _inferred(vault, draft))


def _inferred(vault: str, draft: Draft) -> Iterator[Associate]:
    now = draft.snapshot.now
    known = {
        pair: association
        for pair, association in draft.associations.get(vault, {}).items()
        if all(Ref(vault, memory_id) in draft.staying for memory_id in pair)
    }
    for (a, b), new in infer(known, now).items():
        before = known.get((a, b))
        old = weight_at(before, now) if before else 0.0
        if new.weight - old >= LEAST_GAIN:
            yield Associate(vault, a, b, old, new.weight, now, inferred=True)
