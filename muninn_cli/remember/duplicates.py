"""Finding what a new text repeats: by its normal form first, then by the nearest vectors.

Only reads. A pair that differs in a value is no duplicate at any cosine.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import islice, starmap
from operator import mul
from typing import TYPE_CHECKING

from muninn_cli.core.chunks import cut
from muninn_cli.core.likeness import alike, merge_bound, normal_form, stated, veto
from muninn_cli.core.terms import Tier
from muninn_cli.core.text_key import text_key
from muninn_cli.core.times import epoch
from muninn_cli.errors import MuninnError, NotFoundError, UnreadableError
from muninn_cli.remember.addition import Match, Pass, Similar
from muninn_cli.store.index.filling import embedded_text
from muninn_cli.store.index.neighbours import near_text, own_vectors, same_text
from muninn_cli.store.index.search import embedder_id
from muninn_cli.store.reading import opened_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.core.likeness import Bounds, Veto
    from muninn_cli.core.memory import Memory
    from muninn_cli.embedding import Embedder
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.index.neighbours import Neighbour
    from muninn_cli.store.reading import Opened
    from muninn_cli.store.vault import Vault

SIMILAR_SHOWN = 5
BEGINNING = 4000
"""Characters of a text that tell whether a title says more than the text does."""
FEW_PAIRS = 2000
"""Up to so many cosines plain Python is as fast as loading numpy."""
BY_WORDS = "duplicates were looked for by their words alone."
OTHER_EMBEDDER = f"The vectors are of another embedder: {BY_WORDS}"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A text that is about to be added."""

    title: str
    body: str
    tier: Tier

    def differs_from(self, memory: Memory) -> Veto | None:
        """Why the two are not one memory. Of one very text only the titles can differ."""
        mine, theirs = self.body, memory.body
        if mine.strip() == theirs.strip():
            mine = theirs = mine[:BEGINNING]
        return veto(stated(self.title, mine), stated(memory.stated_title, theirs))


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where duplicates are looked for: one vault, and its number in the index.

    `embedder` opens the embedder, and raises MuninnError where there is none.
    """

    vault: Vault
    number: int
    connection: Connection
    embedder: Callable[[], Embedder]
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
    """The duplicate, if there is one, and what is merely near.

    `notice` says why the second pass could not look, or is empty.
    """

    double: Double | None
    similar: tuple[Similar, ...] = ()
    notice: str = ""


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
    try:
        embedder = shelf.embedder()
    except MuninnError as error:
        return Findings(None, notice=f"{error.message}: {BY_WORDS}")
    if embedder_id(shelf.connection) not in {"", embedder.id}:
        return Findings(None, notice=OTHER_EMBEDDER)
    return _alike(newcomer, shelf, embedder)


def _alike(newcomer: Newcomer, shelf: Shelf, embedder: Embedder) -> Findings:
    chunks = cut(newcomer.title, newcomer.body)
    near = _by_likeness(_vectors(newcomer.title, chunks, embedder), shelf)
    if len(chunks) > 1:  # so long a text never merges by likeness
        return Findings(None, tuple(starmap(_similar, islice(near, SIMILAR_SHOWN))))
    similar: list[Similar] = []
    for neighbour, cosine in near:
        found = _opened(neighbour, shelf.vault)
        if found is None:
            continue
        difference = newcomer.differs_from(found.memory)
        if difference is None and cosine >= merge_bound(
            newcomer.tier, Tier(neighbour.tier), shelf.bounds
        ):
            match = Match(neighbour.id, round(cosine, 4), Pass.COSINE)
            return Findings(Double(neighbour, found, match))
        similar.append(_similar(neighbour, cosine, str(difference) if difference else ""))
    return Findings(None, tuple(similar[:SIMILAR_SHOWN]))


def _similar(neighbour: Neighbour, cosine: float, differs: str = "") -> Similar:
    return Similar(neighbour.id, neighbour.path, neighbour.title, round(cosine, 4), differs)


def _by_likeness(vectors: Sequence[bytes], shelf: Shelf) -> Iterator[tuple[Neighbour, float]]:
    """The memories at least as alike as `similar_at`, the most alike first."""
    near = near_text(shelf.connection, shelf.number, vectors, epoch(shelf.now))
    scored = [(_likeness(vectors, own_vectors(shelf.connection, one.num)), one) for one in near]
    for cosine, neighbour in sorted(scored, key=lambda pair: -pair[0]):
        if cosine >= shelf.similar_at:
            yield neighbour, cosine


def _likeness(left: Sequence[bytes], right: Sequence[bytes]) -> float:
    return alike(_cosines(left, right)) if right else 0.0


def _cosines(left: Sequence[bytes], right: Sequence[bytes]) -> Sequence[Sequence[float]]:
    """The cosine of each pair of unit vectors; only many are worth loading numpy."""
    if len(left) * len(right) <= FEW_PAIRS:
        others = [array("f", vector) for vector in right]
        return [[sum(map(mul, array("f", one), other)) for other in others] for one in left]
    import numpy

    rows, columns = (
        numpy.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
        for vectors in (left, right)
    )
    cosines: list[list[float]] = (rows @ columns.T).tolist()
    return cosines


def _vectors(title: str, chunks: Sequence[str], embedder: Embedder) -> list[bytes]:
    vectors = embedder.encode([embedded_text(title, chunk) for chunk in chunks])
    return [vector for vector in vectors if vector is not None]


def _opened(neighbour: Neighbour, vault: Vault) -> Opened | None:
    """A memory as its file is now; None where it has gone or is no text any more."""
    try:
        return opened_at(neighbour.path, neighbour.id, vault)
    except (NotFoundError, UnreadableError):
        return None
