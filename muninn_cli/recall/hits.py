"""Hits: rows of the index as they are shown, and their one shape in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.times import rfc3339
from muninn_cli.recall.query import Hit
from muninn_cli.store.index.filters import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muninn_cli.store.index.rows import Row


def hit_of(
    row: Row,
    snippet: str = "",
    score: float | None = None,
    cosine: float | None = None,
    parts: Mapping[str, float] | None = None,
    *,
    contradicted_by: str = "",
) -> Hit:
    """A row as it is shown."""
    return Hit(
        num=row.num,
        id=row.id,
        vault_id=row.vault_id,
        vault=row.vault_name,
        path=row.path,
        title=row.title,
        tier=row.tier,
        type=row.type,
        tags=row.tags,
        state=row.state,
        created=row.created_shown or (rfc3339(row.created) if row.created else ""),
        expires=None if row.state is State.ARCHIVED else row.expires,
        snippet=snippet,
        score=score,
        cosine=cosine,
        parts=parts,
        contradicted_by=contradicted_by,
    )


def hit_json(hit: Hit, *, explain: bool = False) -> dict[str, object]:
    """A hit as every list prints it; the parts of its score only where they are asked for."""
    shown: dict[str, object] = {
        "id": hit.id,
        "vault": hit.vault,
        "path": hit.path,
        "title": hit.title,
        "tier": hit.tier.value,
        "type": hit.type,
        "tags": list(hit.tags),
        "score": _rounded(hit.score),
        "cosine": _rounded(hit.cosine),
        "snippet": hit.snippet,
        "created": hit.created or None,
        "expires": rfc3339(hit.expires) if hit.expires else None,
        "state": hit.state.value,
    }
    if hit.contradicted_by:
        shown["contradicted_by"] = hit.contradicted_by
    if explain and hit.parts is not None:
        shown["parts"] = {name: _rounded(part) for name, part in hit.parts.items()}
    return shown


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
