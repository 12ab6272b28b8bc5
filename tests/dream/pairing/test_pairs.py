"""Pairs of alike memories: the same as comparing every two by hand, and only what is new again."""

from itertools import combinations

import numpy as np
import pytest
from indexed import NOW
from planning import Bedroom

from muninn_cli.core.terms import Kind
from muninn_cli.dream.pairing import nearest, pairs, shelves
from muninn_cli.errors import NotFoundError
from muninn_cli.providers.base import Deadline
from muninn_cli.store.index.connection import open_reader, open_writer

SUBJECTS = ("The printer", "A server", "The website", "My bicycle", "Our budget")
ACTS = ("is repaired in", "is old since", "was bought in", "is paid by", "belongs to")
ENDS = ("spring", "Berlin", "Luis", "the bank")
BOUND = 0.75


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


def fill(bedroom: Bedroom, vault, prefix: str = "n", subjects=SUBJECTS) -> None:
    texts = [f"{s} {a} {e}." for s in subjects for a in ACTS for e in ENDS]
    for number, text in enumerate(texts):
        bedroom.put(vault, f"{prefix}{number:03d}", text)


def update(bedroom: Bedroom, bound: float = BOUND, seconds: float = 60.0) -> bool:
    bedroom.indexed.sync()
    index = bedroom.indexed.home.index_db
    with open_reader(index) as reader:
        numbers = [row[0] for row in reader.execute("SELECT num FROM vault WHERE kind != 'legal'")]
    return pairs.update(
        index, numbers, bound, NOW, deadline=Deadline.after(seconds), progress=lambda *_: None
    )


def kept(bedroom: Bedroom, relation: str = "") -> dict[frozenset[str], float]:
    """The pairs in the index, by paths."""
    rows = bedroom.indexed.rows(
        """SELECT a.path, b.path, p.cosine FROM pair p
        JOIN memory a ON a.num = p.a JOIN memory b ON b.num = p.b WHERE p.relation = ?""",
        relation,
    )
    return {frozenset(row[:2]): row[2] for row in rows}


def by_hand(bedroom: Bedroom, bound: float = BOUND) -> dict[frozenset[str], float]:
    """Every two memories of one chunk, compared one by one."""
    rows = bedroom.indexed.rows(
        """SELECT m.path, e.own FROM memory m
        JOIN chunk c ON c.memory = m.num JOIN embedding e ON e.chunk = c.num"""
    )
    vectors = {path: np.frombuffer(own, "<f4") for path, own in rows}
    found = {frozenset((a, b)): float(vectors[a] @ vectors[b]) for a, b in combinations(vectors, 2)}
    return {pair: cosine for pair, cosine in found.items() if cosine >= bound}


def same(found: dict[frozenset[str], float], wanted: dict[frozenset[str], float]) -> bool:
    return found.keys() == wanted.keys() and all(
        abs(found[pair] - wanted[pair]) < 1e-5 for pair in wanted
    )


def test_pairs_are_those_of_comparing_every_two(bedroom: Bedroom, monkeypatch) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 1000)
    fill(bedroom, bedroom.vault())
    assert update(bedroom)
    wanted = by_hand(bedroom)
    assert len(wanted) > 200
    assert same(kept(bedroom), wanted)


def test_small_blocks_give_the_same_pairs(bedroom: Bedroom, monkeypatch) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 1000)
    monkeypatch.setattr(shelves, "ROWS", 7)
    monkeypatch.setattr(nearest, "BLOCK", 50)
    fill(bedroom, bedroom.vault())
    assert update(bedroom)
    assert same(kept(bedroom), by_hand(bedroom))


def test_new_and_changed_memories_are_compared_and_vanished_ones_leave(
    bedroom: Bedroom, monkeypatch
) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 1000)
    vault = bedroom.vault()
    fill(bedroom, vault, subjects=SUBJECTS[:3])
    assert update(bedroom)
    first = kept(bedroom)
    fill(bedroom, vault, "x", subjects=SUBJECTS[3:])
    bedroom.put(vault, "n000", "My bicycle is repaired in the spring of every year.")
    (vault.root / "n001.md").unlink()
    assert update(bedroom)
    wanted = by_hand(bedroom)
    assert wanted.keys() - first.keys()
    assert first.keys() - wanted.keys()
    assert same(kept(bedroom), wanted)


def test_what_is_compared_is_not_compared_again(bedroom: Bedroom) -> None:
    fill(bedroom, bedroom.vault())
    assert update(bedroom)
    with open_writer(bedroom.indexed.home.index_db) as writer:
        writer.execute("DELETE FROM pair")
    assert update(bedroom)
    assert kept(bedroom) == {}


def test_a_run_that_is_stopped_keeps_what_it_has_and_goes_on_there(
    bedroom: Bedroom, monkeypatch
) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 1000)
    monkeypatch.setattr(shelves, "ROWS", 20)
    fill(bedroom, bedroom.vault())
    bedroom.indexed.sync()
    ticks = iter(range(100))
    deadline = Deadline(4.0, clock=lambda: float(next(ticks)))
    numbers = bedroom.indexed.rows("SELECT num FROM vault")
    index = bedroom.indexed.home.index_db
    done = pairs.update(index, numbers, BOUND, NOW, deadline=deadline, progress=lambda *_: None)
    compared = bedroom.indexed.rows("SELECT count(*) FROM paired")[0]
    assert not done
    assert 0 < compared < 100
    assert update(bedroom)
    assert same(kept(bedroom), by_hand(bedroom))


def test_a_lower_bound_compares_all_again_and_a_higher_one_nothing(
    bedroom: Bedroom, monkeypatch
) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 1000)
    fill(bedroom, bedroom.vault())
    assert update(bedroom, 0.9)
    few = kept(bedroom)
    assert update(bedroom, 0.8)
    assert same(kept(bedroom), by_hand(bedroom, 0.8))
    assert len(kept(bedroom)) > len(few)
    assert update(bedroom, 0.9)
    assert same(kept(bedroom), by_hand(bedroom, 0.8))


def test_vectors_of_another_embedder_are_compared_anew(bedroom: Bedroom) -> None:
    fill(bedroom, bedroom.vault())
    assert update(bedroom)
    wanted = kept(bedroom)
    with open_writer(bedroom.indexed.home.index_db) as writer:
        writer.execute("UPDATE meta SET value = 'other 0.75' WHERE key = 'pairs'")
        writer.execute("UPDATE pair SET cosine = 0.5")
    assert update(bedroom)
    assert same(kept(bedroom), wanted)


@pytest.mark.parametrize("block", [400, 4000, 1 << 23])
def test_a_memory_keeps_only_its_nearest_however_many_are_alike(
    bedroom: Bedroom, monkeypatch, block: int
) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 3)
    monkeypatch.setattr(nearest, "BLOCK", block)
    monkeypatch.setattr(shelves, "ROWS", 40)
    fill(bedroom, bedroom.vault())
    assert update(bedroom, 0.2)
    all_pairs = by_hand(bedroom, 0.2)
    assert len(all_pairs) > 2500
    paths = bedroom.indexed.rows("SELECT path FROM memory ORDER BY num")
    wanted = {}
    for place, path in enumerate(paths):
        before = {frozenset((path, other)) for other in paths[:place]} & all_pairs.keys()
        for pair in sorted(before, key=lambda each: -all_pairs[each])[:3]:
            wanted[pair] = all_pairs[pair]
    assert same(kept(bedroom), wanted)


def test_many_like_chunks_of_one_memory_are_one_neighbour(bedroom: Bedroom, monkeypatch) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 2)
    vault = bedroom.vault()
    text = "The printer in the office is old and slow. "
    bedroom.put(
        vault, "a", "\n\n".join(f"# Printer\n\n{text * 25}" for _ in range(4)), title="Printer"
    )
    bedroom.put(vault, "b", f"{text} It is also loud and big and grey.", title="Printer")
    bedroom.put(vault, "c", text, title="Printer")
    assert update(bedroom)
    assert bedroom.indexed.rows("SELECT count(*) FROM chunk")[0] > 5
    assert {frozenset(("a.md", "c.md")), frozenset(("b.md", "c.md"))} <= set(kept(bedroom))


def test_long_memories_are_as_alike_as_their_worst_part(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    parts = [
        f"# {head}\n\n" + " ".join(f"{word} {head} {number}." for number in range(120))
        for head, word in (("Bread", "flour"), ("Networks", "cable"), ("Money", "bank"))
    ]
    other = "# Whales\n\n" + " ".join(f"whale ocean {number}." for number in range(120))
    bedroom.put(vault, "long-1", "\n\n".join(parts), title="One")
    bedroom.put(vault, "long-2", "\n\n".join(parts), title="Two")
    bedroom.put(vault, "long-3", "\n\n".join([*parts[:2], other]), title="Three")
    assert update(bedroom)
    assert bedroom.indexed.rows("SELECT count(*) FROM chunk")[0] > 6
    assert set(kept(bedroom)) == {frozenset(("long-1.md", "long-2.md"))}


def test_a_text_without_a_known_word_is_like_nothing(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for name in ("one", "two"):
        bedroom.put(vault, name, "⠿⠿⠿ ⠿⠿", title="⠿")
    bedroom.put(vault, "three", "The printer is old.", title="⠿")
    assert update(bedroom)
    assert bedroom.indexed.rows("SELECT count(*) FROM embedding") == [1]
    assert kept(bedroom) == {}


def test_copies_are_compared_once(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for number in range(30):
        bedroom.put(vault, f"copy-{number}", "The printer is old.", title="Printer")
    bedroom.put(vault, "near", "The printer is quite old.", title="Printer")
    assert update(bedroom)
    assert set(kept(bedroom)) == {frozenset(("copy-0.md", "near.md"))}


def test_archived_superseded_and_legal_memories_are_left_out(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    law = bedroom.vault("law", Kind.LEGAL)
    archive = vault.root / ".muninn" / "archive"
    archive.mkdir(parents=True)
    (archive / "gone~00000000.md").write_text("# Printer\n\nThe printer is really old.\n")
    bedroom.indexed.sync()
    bedroom.put(vault, "zebra", "Zebras graze in the savannah.", title="Zebra")
    bedroom.indexed.sync()
    bedroom.put(vault, "live-1", "The printer is old.", title="Printer")
    bedroom.put(vault, "live-2", "The printer is very old.", title="Printer")
    bedroom.put(vault, "hidden", "The printer is so old.", title="Printer", superseded_by="live-1")
    bedroom.put(law, "law", "The printer is too old.", title="Printer")
    assert update(bedroom)
    assert bedroom.indexed.rows("SELECT count(*) FROM memory") == [6]
    assert set(kept(bedroom)) == {frozenset(("live-1.md", "live-2.md"))}
    assert kept(bedroom, "abroad") == {}


def test_across_vaults_a_memory_has_its_nearest_three(bedroom: Bedroom) -> None:
    first, second = bedroom.vault("first"), bedroom.vault("second", Kind.WORK)
    for number in range(6):
        bedroom.put(first, f"a{number}", f"Bread needs flour, water and salt, {number} times.")
    bedroom.put(second, "b", "Bread needs flour, water and some salt.")
    bedroom.put(second, "c", "The tax office opens on Monday.")
    assert update(bedroom)
    found = kept(bedroom, "abroad")
    assert len(found) == 3
    assert all("b.md" in pair for pair in found)
    assert min(found.values()) >= pairs.CONNECTED


def test_a_change_from_elsewhere_meanwhile_is_not_overlooked(bedroom: Bedroom, monkeypatch) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 1000)
    vault = bedroom.vault()
    fill(bedroom, vault)
    bedroom.indexed.sync()
    real, interrupted = pairs.nearest, []

    def nearest_after_an_edit(*args, **options):
        if not interrupted:
            interrupted.append(True)
            bedroom.put(vault, "n099", "My bicycle is repaired in the spring of every year.")
            bedroom.indexed.sync()
        return real(*args, **options)

    monkeypatch.setattr(pairs, "nearest", nearest_after_an_edit)
    assert update(bedroom)
    assert interrupted
    assert same(kept(bedroom), by_hand(bedroom))


def test_without_a_vector_nothing_is_compared(bedroom: Bedroom) -> None:
    def no_model():
        raise NotFoundError("there is no such model")

    bedroom.put(bedroom.vault(), "one", "The printer is old.")
    bedroom.indexed.sync(embedder=no_model)
    assert pairs.update(
        bedroom.indexed.home.index_db,
        [1],
        BOUND,
        NOW,
        deadline=Deadline.after(60),
        progress=lambda *_: None,
    )
    assert bedroom.indexed.rows("SELECT memory FROM paired") == []
    fill(bedroom, bedroom.vault())
    assert update(bedroom)
    assert kept(bedroom)
