"""What a dream needs to know of whole vaults, in a few statements. Only reads."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.associations import Association
from muninn_cli.core.conflict_markers import conflict_markers
from muninn_cli.core.hashing import blake2b
from muninn_cli.core.times import from_epoch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from muninn_cli.core.associations import Pair
    from muninn_cli.store.index.connection import Connection


class Row(NamedTuple):
    """A memory that is not archived, as the tables hold it."""

    num: int
    id: str
    stated_id: str
    path: str
    title: str
    type: str
    tier: str
    tier_now: str
    tier_now_since: float | None
    pinned: int
    consolidate: int
    editable: int
    superseded_by: str
    created: float | None
    first_seen: float
    valid_from: float | None
    expires: float | None
    until: float
    hash: bytes
    fold: str | None


class TextName(NamedTuple):
    """What names a title and a text, and whether a merge left its conflict markers there."""

    name: str
    conflicted: bool


def vaults(connection: Connection) -> dict[str, int]:
    """The numbers of the vaults, by their ids."""
    return dict(connection.execute("SELECT id, num FROM vault"))


def memories(connection: Connection, vault: int) -> Iterator[Row]:
    """Every memory of a vault that is not archived."""
    return (Row(*row) for row in connection.execute(_MEMORIES, (vault,)))


_MEMORIES = f"""
    SELECT {", ".join(f"m.{name}" for name in Row._fields[:-2])}, f.hash, u.fold
    FROM memory m
    JOIN file f ON f.num = m.num
    LEFT JOIN usage u ON u.vault = m.vault AND u.id = m.id
    WHERE m.vault = ? AND NOT m.archived"""


def texts(connection: Connection) -> dict[int, TextName]:
    """By memory, what names its title and text."""
    pieces: defaultdict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for memory, position, digest in connection.execute("SELECT memory, position, hash FROM chunk"):
        pieces[memory].append((position, digest))
    conflicted = _conflicted(connection)
    return {
        memory: TextName(text_name([digest for _, digest in sorted(chunks)]), memory in conflicted)
        for memory, chunks in pieces.items()
    }


def _conflicted(connection: Connection) -> frozenset[int]:
    """The memories in which a merge left its markers."""
    suspects: defaultdict[int, list[str]] = defaultdict(list)
    for memory, text in connection.execute(_SUSPECTS):
        suspects[memory].append(text)
    found = (memory for memory, chunks in suspects.items() if conflict_markers("\n".join(chunks)))
    return frozenset(found)


_SUSPECTS = """
    SELECT memory, text FROM chunk
    WHERE memory IN (SELECT memory FROM chunk WHERE instr(text, '<<<<<<<'))
    ORDER BY memory, position"""


def text_name(chunks: Sequence[bytes]) -> str:
    """What names a title and a text, in hex, from the hashes of its chunks in their order."""
    if len(chunks) == 1:
        return chunks[0].hex()
    return blake2b(b"".join(chunks), digest_size=16).hexdigest()


def associations(connection: Connection, vault: int) -> dict[Pair, Association]:
    """The associations of a vault."""
    query = "SELECT a, b, weight, at, inferred FROM association WHERE vault = ?"
    return {
        (a, b): Association(weight, from_epoch(at), bool(inferred))
        for a, b, weight, at, inferred in connection.execute(query, (vault,))
    }


def count(connection: Connection, vaults: Iterable[int]) -> int:
    """How many memories of these vaults are not archived."""
    query = "SELECT count(*) FROM memory WHERE vault = ? AND NOT archived"
    return sum(connection.value(query, (vault,)) for vault in vaults)


def embedded(connection: Connection) -> dict[int, int]:
    """By vault, how many of its memories that are not archived have a vector."""
    query = """
        SELECT m.vault, count(DISTINCT m.num)
        FROM embedding e JOIN chunk c ON c.num = e.chunk JOIN memory m ON m.num = c.memory
        WHERE NOT m.archived GROUP BY m.vault"""
    return dict(connection.execute(query))
