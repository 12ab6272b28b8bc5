"""What a search is asked and what it answers, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from muninn_cli.core.terms import Tier
    from muninn_cli.core.words import Stems
    from muninn_cli.embedding import Embedder
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.filters import Filters, State

DEFAULT_WEIGHTS = (0.7, 0.3)
"""Semantic and full text; with these the rerank weighs by coverage, with others as they say."""
DEFAULT_LIMIT = 10


class Mode(StrEnum):
    """Which legs answer."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    FULLTEXT = "fulltext"


class Query(NamedTuple):
    """A question and how to answer it.

    `min_cosine` leaves out what is less like the question. `rerank` is about hybrid alone.
    """

    text: str
    filters: Filters
    mode: Mode = Mode.HYBRID
    limit: int = DEFAULT_LIMIT
    weights: tuple[float, float] = DEFAULT_WEIGHTS
    rerank: bool = True
    min_cosine: float | None = None

    @property
    def reranks(self) -> bool:
        """Whether the fused candidates are put in a new order."""
        return self.rerank and self.mode is Mode.HYBRID

    @property
    def fixed_weight(self) -> float | None:
        """The weight of the cosine in the rerank, None where it follows from the question."""
        semantic, fulltext = self.weights
        total = semantic + fulltext
        return None if self.weights == DEFAULT_WEIGHTS or not total else semantic / total


class Tools(NamedTuple):
    """What a search works with. The embedder is opened only where a vector is needed."""

    connection: Connection
    embedder: Callable[[], Embedder]
    stems: Stems
    stop_words: frozenset[str]
    now: datetime


class Hit(NamedTuple):
    """A memory that is shown. `num` is its number in the index, good until the next sync.

    `score` and `cosine` are None where nothing was asked; `parts` say what the score is made of.
    `contradicted_by` is the id of a newer memory that states another value, unsettled so far.
    `created` is as written, or RFC 3339, or empty; `expires` is None for what does not expire.
    """

    num: int
    id: str
    vault_id: str
    vault: str
    path: str
    title: str
    tier: Tier
    type: str
    tags: tuple[str, ...]
    state: State
    created: str
    expires: datetime | None
    snippet: str = ""
    score: float | None = None
    cosine: float | None = None
    parts: Mapping[str, float] | None = None
    contradicted_by: str = ""


class Answer(NamedTuple):
    """Hits, best first, and what a person should know about them."""

    hits: tuple[Hit, ...]
    notices: tuple[str, ...] = ()
