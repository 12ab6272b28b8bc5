"""The index as a file that may be lost, damaged, out of date or busy; its vectors and its words."""

import subprocess
import sys
from array import array
from datetime import timedelta
from math import dist, hypot

import apsw
import pytest
from indexed import NOW, Indexed

from muninn_cli.config import Settings
from muninn_cli.core.usage import Recall
from muninn_cli.embedding import open_embedder
from muninn_cli.errors import MuninnError, NotFoundError
from muninn_cli.store.index import connection as connections
from muninn_cli.store.index import filling
from muninn_cli.store.index.connection import (
    UnusableError,
    copy_index,
    has_vec0,
    open_reader,
    open_writer,
    scrub,
)
from muninn_cli.store.index.windows import GATE, mix, mix_many
from muninn_cli.store.usage import UsageLog


@pytest.fixture
def notes(tmp_path):
    world = Indexed(tmp_path)
    world.vault()
    return world


@pytest.fixture
def filled(notes):
    for number in range(6):
        notes.put(
            f"{number}.md", f"zebra number {number}", title=f"Note {number}", id=f"id{number}"
        )
    notes.sync()
    return notes


# --- a file that may be lost or damaged


def cut_short(data):
    return data[: len(data) // 2 // 4096 * 4096]


def overwrite_a_page(data):
    return data[:4096] + b"\xa5" * 4096 + data[8192:]


def garble_the_header(data):
    return b"no database" * 500


def empty_the_log(index):
    """Bring all that was committed into the file itself."""
    with open_writer(index) as writer:
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@pytest.mark.parametrize(
    "damage",
    [cut_short, overwrite_a_page, garble_the_header, lambda _: b"", lambda data: data[:50]],
)
@pytest.mark.parametrize("settled", [True, False], ids=["settled", "with a log beside it"])
def test_a_damaged_index_is_made_anew_with_a_notice(filled, damage, settled):
    index = filled.home.index_db
    if settled:
        empty_the_log(index)
    index.write_bytes(damage(index.read_bytes()))
    report = filled.sync()
    assert report.added == 6
    assert "made anew" in report.notices[0]
    assert len(filled.found("zebra")) == 6
    assert filled.sync().notices == ()


def test_damage_that_shows_only_while_writing_is_mended_too(filled):
    index = filled.home.index_db
    empty_the_log(index)
    with open_writer(index) as writer:
        page = writer.value("SELECT rootpage FROM sqlite_schema WHERE name = 'file'")
    data = bytearray(index.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    index.write_bytes(data)
    filled.put("7.md", "zebra")
    report = filled.sync()
    assert "made anew" in report.notices[0]
    assert len(filled.found("zebra")) == 7


def test_a_missing_index_is_made_without_a_word(filled):
    filled.home.index_db.unlink()
    report = filled.sync()
    assert (report.added, report.notices) == (6, ())


@pytest.mark.parametrize("version", [0, 99])
def test_an_index_of_another_version_is_made_anew(filled, version):
    with apsw.Connection(str(filled.home.index_db)) as raw:
        raw.pragma("user_version", version)
    raw.close()
    assert "another version" in filled.sync().notices[0]
    assert len(filled.found("zebra")) == 6


def test_another_programs_database_is_not_taken_for_the_index(filled):
    index = filled.home.index_db
    index.unlink()
    raw = apsw.Connection(str(index))
    raw.execute("CREATE TABLE memory(x)")
    raw.close()
    filled.sync()
    assert len(filled.found("zebra")) == 6


def test_a_folder_in_the_place_of_the_index_is_an_error_with_its_path(filled):
    filled.home.index_db.unlink()
    filled.home.index_db.mkdir()
    with pytest.raises(MuninnError, match=r"index\.db"):
        filled.sync()


def test_usage_outlives_the_index(filled):
    UsageLog(filled.home.usage("id-notes")).append(Recall(NOW, (("id1", 1.0),), "show"))
    filled.sync()
    usage = "SELECT id, fold FROM usage"
    before = filled.rows(usage)
    filled.home.index_db.write_bytes(b"")
    filled.sync()
    assert filled.rows(usage) == before != []


def test_who_has_the_old_index_open_does_not_harm_the_new_one(filled):
    old = open_writer(filled.home.index_db)
    old.settle_on_close(True)
    assert old.value("SELECT count(*) FROM memory") == 6
    filled.sync(anew=True)
    with open_writer(filled.home.index_db) as new:
        with new.writing():
            new.execute("INSERT INTO meta(key, value) VALUES('kept', 'x')")
        with old.writing():
            old.execute("INSERT INTO meta(key, value) VALUES('late', 'x')")
        old.close()
        assert filled.rows("SELECT key FROM meta WHERE value = 'x'") == ["kept"]
    assert len(filled.found("zebra")) == 6
    assert filled.rows("PRAGMA integrity_check") == ["ok"]


def test_a_copy_holds_the_committed_state(filled, tmp_path):
    copy_index(filled.home.index_db, tmp_path / "copy.db")
    with open_reader(tmp_path / "copy.db") as reader:
        assert reader.value("SELECT count(*) FROM memory") == 6


def test_scrubbing_leaves_no_byte_of_a_removed_text(filled):
    filled.put("secret.md", "xylophonequartz hidden here", title="Secret")
    filled.sync()
    (filled.root / "secret.md").unlink()
    filled.sync()
    scrub(filled.home.index_db)
    for path in filled.home.index_db.parent.glob("index.db*"):
        assert b"xylophonequartz" not in path.read_bytes()


# --- other processes


def hold_a_write_lock(index):
    """Another process that is in the middle of a transaction."""
    code = (
        "import apsw, sys\n"
        "connection = apsw.Connection(sys.argv[1])\n"
        "connection.execute('BEGIN IMMEDIATE')\n"
        "print('holding', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(index)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "holding\n"
    return process


def test_a_busy_writer_leaves_the_committed_state_and_says_so(filled):
    filled.put("new.md", "zebra")
    with hold_a_write_lock(filled.home.index_db) as other:
        report = filled.sync()
        assert not report.complete
        assert "another muninn is writing" in report.notices[0]
        assert len(filled.found("zebra")) == 6
        other.communicate()
    assert filled.sync().added == 1


def test_a_busy_writer_does_not_matter_where_nothing_changed(filled):
    with hold_a_write_lock(filled.home.index_db) as other:
        assert filled.sync().complete
        other.communicate()


def test_a_sync_that_runs_elsewhere_is_not_waited_for(filled):
    import os

    from muninn_cli.store.lock import hold

    filled.put("new.md", "zebra")
    with hold(filled.home.lock("index"), now=NOW, host="here", pid=os.getpid()):
        report = filled.sync(wait=0.0)
    assert not report.complete
    assert filled.sync().added == 1


# --- what the index is made with


def test_other_languages_make_the_index_anew(filled):
    filled.settings = Settings({"search.languages": ("es",)})
    report = filled.sync()
    assert report.added == 6
    assert "search.languages" in report.notices[0]
    assert filled.sync().notices == ()


def test_other_lifetimes_move_the_expiry_of_all(filled):
    filled.settings = Settings({"tiers.t2_days": 10})
    filled.sync()
    until = (NOW + timedelta(days=14)).timestamp()
    assert set(filled.rows("SELECT until FROM memory")) == {until}
    assert set(filled.rows("SELECT until FROM vector")) == {until}


class Small:
    """An embedder of two numbers."""

    id, dimension = "small@1", 2

    def encode(self, texts):
        return [array("f", [1.0, 0.0]).tobytes() for _ in texts]


def test_another_embedder_takes_the_place_of_all_vectors(filled):
    filled.settings = Settings({"embedding.model": "small"})
    filled.sync(embedder=Small)
    assert {len(own) for own in filled.rows("SELECT own FROM embedding")} == {8}
    assert len(filled.rows("SELECT rowid FROM vector")) == 6
    assert dict(filled.rows("SELECT key, value FROM meta"))["embedder"] == "small@1"


def test_embedding_again_goes_on_where_it_was_stopped_and_full_text_answers(filled, monkeypatch):
    monkeypatch.setattr(filling, "_BATCH", 2)
    monkeypatch.setattr(filling, "_WANT_VECTOR", filling._WANT_VECTOR.replace("2000", "2"))
    calls = []

    class Failing(Small):
        def encode(self, texts):
            calls.append(len(texts))
            if len(calls) == 2:
                raise KeyboardInterrupt
            return super().encode(texts)

    filled.settings = Settings({"embedding.model": "small"})
    with pytest.raises(KeyboardInterrupt):
        filled.sync(embedder=Failing)
    assert len(filled.rows("SELECT chunk FROM embedding")) == 2
    assert len(filled.found("zebra")) == 6
    filled.sync(embedder=Failing)
    assert sum(calls) == 2 + 2 + 4
    assert len(filled.rows("SELECT rowid FROM vector")) == 6


def test_without_the_embedder_full_text_is_filled_and_a_notice_given(notes):
    def missing():
        raise NotFoundError("there is no such model")

    notes.put("a.md", "zebra")
    report = notes.sync(embedder=missing)
    assert report.complete
    assert report.notices == ("there is no such model: only full text can be searched",)
    assert notes.found("zebra") == ["a.md"]
    notes.sync()
    assert len(notes.rows("SELECT rowid FROM vector")) == 1


# --- vectors


def test_without_vec0_an_exact_scan_stands_in_until_it_can_be_loaded(filled, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(connections, "find_spec", lambda name: None)
        filled.put("new.md", "zebra")
        filled.sync()
        with open_reader(filled.home.index_db) as reader:
            assert (reader.exact_scan, has_vec0(reader)) == (True, False)
        assert len(filled.rows("SELECT chunk FROM embedding")) == 7
    filled.sync()
    with open_reader(filled.home.index_db) as reader:
        assert not reader.exact_scan
    assert len(filled.rows("SELECT rowid FROM vector")) == 7


def test_changing_texts_does_not_make_the_vectors_grow(filled):
    size = "SELECT count(*) FROM vector_chunks"
    before = filled.rows(size)
    for turn in range(5):
        for number in range(6):
            filled.put(f"{number}.md", f"zebra turn {turn}", id=f"id{number}")
        filled.sync()
        (filled.root / "0.md").unlink()
        filled.sync()
        filled.put("0.md", "back again", id="id0")
        filled.sync()
    assert filled.rows(size) == before
    assert len(filled.rows("SELECT rowid FROM vector_rowids")) == 6


def test_a_removed_text_is_far_from_every_question(filled):
    (filled.root / "0.md").unlink()
    filled.sync()
    question = open_embedder("builtin", filled.base).encode(["zebra number 0"])[0]
    nearest = "SELECT vault, distance FROM vector WHERE window MATCH ? AND k = 6 ORDER BY distance"
    found = filled.rows(nearest, question)
    assert [vault for vault, _ in found] == [1] * 5 + [-1]
    assert found[-1][1] > 100


def test_a_text_without_a_known_word_has_no_vector(notes):
    notes.put("a.md", "\ue000\ue001", title="\ue002")
    notes.put("b.md", "", title="\ue003")
    notes.sync()
    assert notes.rows("SELECT count(*) FROM embedding") == [0]
    assert notes.rows("SELECT count(*) FROM vector") == [0]
    assert notes.rows("SELECT DISTINCT stage FROM chunk") == [2]


def vectors(world, column):
    query = f"SELECT c.position, {column} FROM chunk c JOIN embedding e ON e.chunk = c.num"
    return {place: array("f", value) for place, value in world.rows(query) if value}


def test_a_window_mixes_the_neighbours_of_one_memory(notes):
    notes.put("a.md", "\n\n".join(f"## Part\n\n{'the network timed out ' * 50}" for _ in range(3)))
    notes.put("b.md", "the network timed out")
    notes.sync()
    query = """
        SELECT c.position, e.own, e.window FROM memory m JOIN chunk c ON c.memory = m.num
        JOIN embedding e ON e.chunk = c.num WHERE m.path = ? ORDER BY c.position"""
    rows = notes.rows(query, "a.md")
    own = [array("f", row[1]) for row in rows]
    assert len(own) > 1
    near = [(0.30, rows[1][1])] + ([(0.15, rows[2][1])] if len(rows) > 2 else [])
    assert dist(array("f", rows[0][2]), array("f", mix(rows[0][1], near))) < 1e-6
    assert [row[2] for row in notes.rows(query, "b.md")] == [None]


def test_memories_of_a_session_are_neighbours_in_order_of_creation(notes):
    for number in range(9):
        notes.put(
            f"{number}.md",
            f"the network timed out {number}",
            session="s1",
            created=f"2026-03-{10 + number}",
        )
    notes.put("other.md", "the network timed out 9", created="2026-03-14")
    notes.sync()
    query = "SELECT m.path, e.window FROM memory m JOIN chunk c ON c.memory = m.num JOIN embedding e ON e.chunk = c.num"
    before = dict(notes.rows(query))
    assert before["other.md"] is None
    assert all(before[f"{number}.md"] for number in range(9))
    notes.put("4.md", "purple elephants", session="s1", created="2026-03-14")
    notes.sync()
    after = dict(notes.rows(query))
    changed = {path for path, window in after.items() if window != before[path]}
    assert changed == {"2.md", "3.md", "4.md", "5.md", "6.md"}
    (notes.root / "0.md").unlink()
    notes.sync()
    gone = dict(notes.rows(query))
    assert {path for path, window in gone.items() if window != after[path]} == {"1.md", "2.md"}


def unit(*numbers):
    length = hypot(*numbers)
    return array("f", [number / length for number in numbers]).tobytes()


def test_many_windows_are_the_same_as_one_at_a_time():
    own = [unit(1, 0.1, 0), unit(0, 1, 0.5), unit(1, 1, 1)]
    near = [
        [(0.30, own[1]), (0.15, own[2])],
        [(0.30, unit(0, -1, 0))],
        [(0.30, own[0]), (0.30, own[1]), (0.15, own[0])],
    ]
    many = mix_many(own, near)
    assert many[1] is mix(own[1], near[1]) is None
    for place in (0, 2):
        one = mix(own[place], near[place])
        assert dist(array("f", many[place]), array("f", one)) < 1e-6


def test_a_neighbour_about_something_else_is_left_out():
    assert mix(unit(1, 0), [(0.30, unit(GATE - 0.01, (1 - GATE**2) ** 0.5))]) is None
    assert mix(unit(1, 0), [(0.30, unit(GATE + 0.01, (1 - GATE**2) ** 0.5))]) is not None


# --- words


def test_words_have_numbers_stems_vectors_and_counts(notes):
    notes.put("a.md", "Conexiones y timeouts", title="Red", tags="[docker]")
    notes.put("b.md", "conexión", title="Red")
    notes.sync()
    query = "SELECT w.word, stems, chunks, num FROM word w JOIN word_use u ON u.word = w.num"
    words = {row[0]: row[1:] for row in notes.rows(query)}
    assert words["conexiones"][0].split() == ["conexion"] or "conexion" in words["conexiones"][0]
    assert words["red"][1] == 2
    assert words["docker"][1] == words["conexion"][1] == 1
    body = array("I", notes.rows("SELECT body_words FROM chunk ORDER BY num")[0])
    whole = array("I", notes.rows("SELECT words FROM chunk ORDER BY num")[0])
    assert words["red"][2] in whole
    assert words["red"][2] not in body
    assert set(body) < set(whole)
    assert notes.found("conexion") == ["a.md", "b.md"]
    assert notes.found("docker") == ["a.md"]
    vector = notes.rows("SELECT vector FROM word WHERE word = 'docker'")[0]
    assert len(vector) == 256


def test_words_that_differ_by_accents_are_one_word_with_the_stems_of_both(notes):
    notes.put("a.md", "resumen del pase")
    notes.put("b.md", "résumés pasé")
    notes.sync()
    (stems,) = notes.rows("SELECT stems FROM word WHERE word = 'pase'")
    assert len(stems.split()) >= 1
    assert notes.rows("SELECT count(*) FROM word WHERE word = 'pase'") == [1]


def test_changed_tags_are_found_and_embed_nothing(notes):
    notes.put("a.md", "zebra", title="T", tags="[old]")
    notes.sync()
    notes.put("a.md", "zebra", title="T", tags="[fresh]")

    def forbidden():
        pytest.fail("something was embedded")

    notes.sync(embedder=forbidden)
    assert (notes.found("old"), notes.found("fresh")) == ([], ["a.md"])
    assert notes.rows("SELECT tag FROM tag") == ["fresh"]


def test_an_unusable_index_is_an_error_for_who_only_reads(tmp_path):
    with pytest.raises(UnusableError):
        open_reader(tmp_path / "index.db")
