"""Finding what a new text repeats: by its normal form first, then by the nearest vectors.

Only reads. A pair that differs in a value is no duplicate at any cosine.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING

from muninn_cli.core.chunks import cut
from muninn_cli.core.likeness import Text, alike, merge_bound, normal_form, veto
from muninn_cli.core.terms import Tier
from muninn_cli.core.text_key import text_key
from muninn_cli.core.times import epoch
from muninn_cli.errors import NotFoundError, UnreadableError
from muninn_cli.remember.addition import Match, Pass, Similar
from muninn_cli.store.index.filling import embedded_text
from muninn_cli.store.index.neighbours import near_text, own_vectors, same_text
from muninn_cli.store.reading import opened_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from muninn_cli.core.likeness import Bounds, Veto
    from muninn_cli.core.memory import Memory
    from muninn_cli.embedding import Embedder
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.neighbours import Neighbour
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.vault import Vault

SIMILAR_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A text that is about to be added."""

    title: str
    body: str
    tier: Tier

    def differs_from(self, memory: Memory) -> Veto | None:
        """Why the two are not one memory."""
        return veto(Text(self.title, self.body), Text(memory.stated_title, memory.body))


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where duplicates are looked for: one vault, and its number in the index."""

    vault: Vault
    number: int
    connection: Connection
    embedder: Embedder
    bounds: Bounds
    similar_at: float
    now: datetime


@dataclass(frozen=True, slots=True)
class Double:
    """A memory that says what the newcomer says."""

    neighbour: Neighbour
    opened: Opened
    match: Match

    @property
    def identical(self) -> bool:
        """Whether the normal forms are the same, so that nothing is lost without the text."""
        return self.match.by is Pass.TEXT

    @property
    def as_similar(self) -> Similar:
        """The same where nothing may be merged."""
        one = self.neighbour
        return Similar(one.id, one.path, one.title, self.match.cosine, "")


@dataclass(frozen=True, slots=True)
class Findings:
    """The duplicate, if there is one, and what is merely near."""

    double: Double | None
    similar: tuple[Similar, ...] = ()


def find_double(newcomer: Newcomer, shelf: Shelf) -> Findings:
    """Look in both passes; the second one runs only where the first found nothing."""
    same = same_text(shelf.connection, shelf.number, text_key(newcomer.body))
    form = normal_form(newcomer.body) if same else ""
    for neighbour in same:
        found = _opened(neighbour, shelf.vault)
        if found is None or normal_form(found.memory.body) != form:
            continue
        if newcomer.differs_from(found.memory) is None:
            return Findings(Double(neighbour, found, Match(neighbour.id, 1.0, Pass.TEXT)))
    return _near(newcomer, shelf)


def _near(newcomer: Newcomer, shelf: Shelf) -> Findings:
    vectors = _vectors(newcomer, shelf.embedder)
    if not vectors:
        return Findings(None)
    similar: list[Similar] = []
    for neighbour, cosine in _by_likeness(vectors, shelf):
        found = _opened(neighbour, shelf.vault)
        if found is None:
            continue
        difference = newcomer.differs_from(found.memory)
        bound = merge_bound(newcomer.tier, Tier(neighbour.tier), shelf.bounds)
        if difference is None and cosine >= bound and len(vectors) == 1:
            match = Match(neighbour.id, round(cosine, 4), Pass.COSINE)
            return Findings(Double(neighbour, found, match))
        differs = str(difference) if difference else ""
        near = (neighbour.id, neighbour.path, neighbour.title, round(cosine, 4), differs)
        similar.append(Similar(*near))
    return Findings(None, tuple(similar[:SIMILAR_SHOWN]))


def _by_likeness(vectors: Sequence[bytes], shelf: Shelf) -> Iterator[tuple[Neighbour, float]]:
    """The memories at least as alike as `similar_at`, the most alike first."""
    near = near_text(shelf.connection, shelf.number, vectors, epoch(shelf.now))
    scored = [(_likeness(vectors, own_vectors(shelf.connection, one.num)), one) for one in near]
    for cosine, neighbour in sorted(scored, key=lambda pair: -pair[0]):
        if cosine >= shelf.similar_at:
            yield neighbour, cosine


def _likeness(left: Sequence[bytes], right: Sequence[bytes]) -> float:
    if not right:
        return 0.0
    numbers = [array("f", vector) for vector in right]
    rows = [array("f", vector) for vector in left]
    return alike([[_cosine(one, other) for other in numbers] for one in rows])


def _cosine(one: array[float], other: array[float]) -> float:
    return float(sum(map(mul, one, other)))


def _vectors(newcomer: Newcomer, embedder: Embedder) -> list[bytes]:
    chunks = cut(newcomer.title, newcomer.body)
    vectors = embedder.encode([embedded_text(newcomer.title, chunk) for chunk in chunks])
    return [vector for vector in vectors if vector is not None]


def _opened(neighbour: Neighbour, vault: Vault) -> Opened | None:
    """A memory as its file is now; None where it has gone or is no text any more."""
    try:
        return opened_at(neighbour.path, neighbour.id, vault)
    except (NotFoundError, UnreadableError):
        return None
