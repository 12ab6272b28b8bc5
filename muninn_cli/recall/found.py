"""A search by another part of muninn: which memories a person would be shown. Notes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.changes import Ref
from muninn_cli.recall.query import Query
from muninn_cli.recall.search import search
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import vault_numbers

if TYPE_CHECKING:
    from muninn_cli.config.settings import SearchSettings
    from muninn_cli.recall.query import Tools


def found_in(
    vault: str, text: str, limit: int, settings: SearchSettings, tools: Tools
) -> list[Ref]:
    """The live memories of a vault (its id) that are shown for a question, best first."""
    filters = Filters(vault_numbers(tools.connection, [vault]))
    query = Query(text, filters, limit=limit, weights=settings.weights, rerank=settings.rerank)
    return [Ref(hit.vault_id, hit.id) for hit in search(query, tools).hits]
