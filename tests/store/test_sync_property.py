"""Whatever happens to files between syncs, the index is as if it were made anew from them."""

import os
import shutil
import tempfile
from array import array
from itertools import chain
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indexed import OLD, Indexed

NAMES = [f"{name}.md" for name in ("a", "b", "c", "sub/a", "sub/d", "sub/deep/e")]
BODIES = [
    "the network timed out",
    "the network timed out again, see [[a]]",
    "# Head\n\n" + "backup of the database " * 90 + "\n\n# Tail\n\n" + "restore it slowly " * 90,
    "# Head\n\n" + "backup of the database " * 90,
    "conexión lenta, ¿por qué?",
    "\ue000",
    "",
]
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["Red", "Copia"]),
        "tags": st.sampled_from(["[x]", "[x, y]"]),
        "session": st.sampled_from(["s1", "s2"]),
        "tier": st.sampled_from(["T0", "T3"]),
        "created": st.sampled_from(["2026-03-01", "2026-03-02", "2026-03-03"]),
        "superseded_by": st.just("another"),
    },
)
PUT = st.tuples(st.just("put"), st.sampled_from(NAMES), st.sampled_from(BODIES), FIELDS)
MOVE = st.tuples(st.sampled_from(["move", "swap"]), *[st.sampled_from(NAMES)] * 2)
OTHER = st.tuples(st.sampled_from(["remove", "archive"]), st.sampled_from(NAMES))
STEPS = st.lists(st.one_of(PUT, PUT, MOVE, OTHER, st.just(("sync",))), max_size=14)


def take_step(world: Indexed, turn: int, step: tuple) -> None:
    what, *rest = step
    places = [world.root / name for name in rest if name in NAMES]
    if what == "sync":
        world.sync()
    elif what == "put":
        name, body, fields = rest
        world.put(name, body, mtime_ns=OLD + turn, **fields)
    elif not all(place.exists() for place in places[: 2 if what == "swap" else 1]):
        return
    elif what == "remove":
        places[0].unlink()
    elif what == "archive":
        target = world.root / ".muninn/archive" / f"{rest[0]}~{turn:08}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(places[0], target)
    elif what == "swap" and places[0] != places[1]:
        aside = world.root / "aside"
        os.rename(places[0], aside)
        os.rename(places[1], places[0])
        os.rename(aside, places[1])
    elif what == "move":
        places[1].parent.mkdir(parents=True, exist_ok=True)
        os.replace(places[0], places[1])


def content(world: Indexed) -> dict[str, list]:
    """What the index says, without its numbers."""
    words = dict(world.rows("SELECT num, word FROM word"))

    def named(packed):
        return sorted(words[number] for number in array("I", packed))

    chunks = world.rows("""
        SELECT m.path, c.position, c.text, c.words, c.body_words, c.question, c.stage,
            e.own, e.window, v.window, v.vault, v.until
        FROM memory m JOIN chunk c ON c.memory = m.num
        LEFT JOIN embedding e ON e.chunk = c.num LEFT JOIN vector v ON v.rowid = c.num
            AND v.vault != -1
        ORDER BY m.path, c.position""")
    memories = world.rows("""
        SELECT path, id, archived, title, tags, session, tier, created, text_key, tier_now,
            expires, until, first_seen, consolidate FROM memory ORDER BY path""")
    of_memories = {
        table: world.rows(f"""
            SELECT m.path, t.{column} FROM {table} t JOIN memory m ON m.num = t.memory
            ORDER BY 1, 2""")
        for table, column in (("tag", "tag"), ("name", "key"), ("link", "key"))
    }
    return {
        "memories": memories,
        "chunks": [
            (*row[:3], named(row[3]), named(row[4]), *row[5:7], *row[10:]) for row in chunks
        ],
        "vectors": [row[7:10] for row in chunks],
        "words": sorted(
            (words[number], count)
            for number, count in world.rows("SELECT word, chunks FROM word_use")
        ),
        "stems": world.rows("SELECT word, stems FROM word ORDER BY word"),
        "terms": world.rows("SELECT term, doc FROM fulltext_terms ORDER BY term"),
        "files": world.rows("SELECT folder, name, hash, readable FROM file ORDER BY folder, name"),
        **of_memories,
    }


def assert_alike(kept: list, fresh: list) -> None:
    """The same vectors, up to what few texts and many texts at once may differ by."""
    assert [[v is None for v in row] for row in kept] == [[v is None for v in row] for row in fresh]
    pairs = zip(chain.from_iterable(kept), chain.from_iterable(fresh), strict=True)
    for one, other in pairs:
        if one is not None:
            assert np.allclose(np.frombuffer(one, "<f4"), np.frombuffer(other, "<f4"), atol=1e-5)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_an_index_kept_in_step_is_the_same_as_one_made_anew(steps):
    base = Path(tempfile.mkdtemp())
    try:
        world = Indexed(base)
        world.vault()
        for turn, step in enumerate(steps):
            take_step(world, turn, step)
        world.sync(accept_losses=True)
        kept = content(world)
        assert world.rows("PRAGMA integrity_check") == ["ok"]
        world.sync(anew=True)
        fresh = content(world)
        assert_alike(kept.pop("vectors"), fresh.pop("vectors"))
        for part, rows in fresh.items():
            assert kept[part] == rows, part
    finally:
        shutil.rmtree(base)
