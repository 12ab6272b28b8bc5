"""A sync on real files: what is added, changed and gone, and what is left of it."""

import os

import pytest
from indexed import OLD, Indexed


@pytest.fixture
def notes(tmp_path):
    world = Indexed(tmp_path)
    world.vault()
    return world


def counts(report):
    return report.added, report.changed, report.moved, report.removed


def test_new_files_are_added(notes):
    notes.put("a.md", "zebra")
    notes.put("deep/b.md", "zebra")
    assert counts(notes.sync()) == (2, 0, 0, 0)
    assert notes.found("zebra") == ["a.md", "deep/b.md"]


def test_a_sync_with_nothing_changed_opens_no_file_and_writes_nothing(notes, monkeypatch):
    notes.put("a.md", "zebra")
    notes.put("b/c.md", "zebra")
    notes.sync()
    before = notes.home.index_db.stat().st_mtime_ns

    def forbidden(*args, **kwargs):
        pytest.fail("a file was opened")

    monkeypatch.setattr("builtins.open", forbidden)
    monkeypatch.setattr("muninn_cli.store.sync.run.open_writer", forbidden)
    monkeypatch.setattr("muninn_cli.store.lock.hold", forbidden)
    assert counts(notes.sync()) == (0, 0, 0, 0)
    assert notes.home.index_db.stat().st_mtime_ns == before


def test_a_changed_file_is_read_again(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    notes.put("a.md", "giraffe")
    assert counts(notes.sync()) == (0, 1, 0, 0)
    assert (notes.found("zebra"), notes.found("giraff")) == ([], ["a.md"])


def test_a_change_under_an_old_time_is_seen(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    notes.put("a.md", "giraffe", mtime_ns=OLD - 10**18)
    assert notes.sync().changed == 1


@pytest.mark.parametrize("mtime_ns", [OLD, OLD // 10**9 * 10**9])
def test_a_change_that_leaves_the_same_stamp_is_seen_if_it_came_at_once(
    notes, monkeypatch, mtime_ns
):
    place = notes.put("a.md", "zebra", mtime_ns=mtime_ns)
    monkeypatch.setattr("time.time_ns", lambda: mtime_ns + 10_000_000)
    notes.sync()
    with place.open("r+") as file:
        file.write("tiger")
    os.utime(place, ns=(mtime_ns, mtime_ns))
    monkeypatch.setattr("time.time_ns", lambda: mtime_ns + 10**10)
    notes.sync()
    assert notes.found("tiger") == ["a.md"]
    assert notes.rows("SELECT mtime_ns FROM file") == [mtime_ns]


def test_a_new_stamp_alone_is_no_change(notes):
    place = notes.put("a.md", "zebra")
    notes.sync()
    os.utime(place, ns=(OLD + 1, OLD + 1))
    assert counts(notes.sync()) == (0, 0, 0, 0)
    assert notes.rows("SELECT mtime_ns FROM file") == [OLD + 1]


def test_a_file_that_is_gone_leaves_nothing(notes):
    notes.put("keep.md", "other")
    notes.put("a.md", "zebra [[keep]]", title="Striped", tags="[horse]", aliases="[stripes]")
    notes.sync()
    (notes.root / "a.md").unlink()
    assert counts(notes.sync()) == (0, 0, 0, 1)
    assert notes.live.keys() == {"keep.md"}
    for table in ("tag", "link"):
        assert notes.rows(f"SELECT count(*) FROM {table}") == [0]
    assert set(notes.rows("SELECT word FROM word")) == {"keep", "other"}
    assert set(notes.rows("SELECT memory FROM name")) == set(notes.rows("SELECT num FROM memory"))
    for table, column in (("chunk", "num"), ("embedding", "chunk"), ("vector", "rowid")):
        hidden = " WHERE vault != -1" if table == "vector" else ""
        assert len(notes.rows(f"SELECT {column} FROM {table}{hidden}")) == 1
    assert notes.rows("SELECT term FROM fulltext_terms ORDER BY term") == ["keep", "other"]


def test_a_file_that_shrinks_leaves_no_chunk_and_no_word_of_the_old_text(notes):
    parts = [f"## Part {n}\n\n" + f"word{n} filler " * 120 for n in range(5)]
    notes.put("a.md", "\n\n".join(parts), title="Long")
    notes.sync()
    assert len(notes.rows("SELECT num FROM chunk")) >= 5
    notes.put("a.md", "\n\n".join(parts[:2]), title="Long")
    notes.sync()
    chunks = notes.rows("SELECT num FROM chunk")
    assert len(chunks) < 5
    assert set(notes.rows("SELECT chunk FROM embedding")) == set(chunks)
    assert set(notes.rows("SELECT rowid FROM vector WHERE vault != -1")) == set(chunks)
    assert "word4" not in notes.rows("SELECT word FROM word")
    assert notes.found("word4") == []


def test_only_the_chunks_that_changed_are_embedded_again(notes):
    parts = [f"## Part {n}\n\n" + f"word{n} filler " * 120 for n in range(5)]
    notes.put("a.md", "\n\n".join(parts), title="Long")
    notes.sync()
    seen = []

    class Watching:
        id, dimension = notes.rows("SELECT value FROM meta WHERE key = 'embedder'")[0], 256

        def encode(self, texts):
            seen.extend(texts)
            return [b"\0\0\x80?" + bytes(1020) for _ in texts]

    parts[2] = parts[2].replace("filler", "other")
    notes.put("a.md", "\n\n\n".join(parts), title="Long")
    notes.sync(embedder=Watching)
    assert len(seen) == 1
    assert "word2" in seen[0]


def test_the_bytes_of_a_vault_are_never_touched(notes):
    notes.put("a.md", "one", tags="[x]")
    notes.put("b.md", "two")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in notes.root.iterdir()}
    notes.sync()
    notes.sync(anew=True)
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in notes.root.iterdir()}
    assert after == before


def test_leftovers_of_editors_are_skipped_and_conflict_copies_are_not(notes):
    notes.put("note.md", "one")
    notes.put("note~.md", "half saved")
    notes.put("note.sync-conflict-20260112-003022-ABCDEF7.md", "copy")
    notes.sync()
    assert notes.live.keys() == {"note.md", "note.sync-conflict-20260112-003022-ABCDEF7.md"}


def test_a_name_that_is_no_unicode_is_named_and_costs_no_other_file(notes):
    notes.put("a.md", "zebra")
    with open(os.fsencode(notes.root) + b"/caf\xe9.md", "wb") as file:
        file.write(b"text")
    report = notes.sync()
    assert [(one.path, one.cause) for one in report.problems] == [
        ("caf\\udce9.md", "the name of the file is not UTF-8")
    ]
    assert notes.live.keys() == {"a.md"}
    assert notes.sync().problems == ()


def test_a_line_break_in_a_name_is_reported(notes):
    notes.put("two\nlines.md", "zebra")
    (problem,) = notes.sync().problems
    assert "control character" in problem.cause
    assert notes.found("zebra") == ["two\nlines.md"]


def test_a_file_without_text_is_named_and_not_listed_and_not_gone(notes):
    place = notes.put("a.md", "zebra")
    notes.sync()
    place.write_bytes("zebra".encode("utf-16"))
    (problem,) = notes.sync().problems
    assert (problem.vault, problem.path) == ("notes", "a.md")
    assert notes.live == {}
    assert notes.rows("SELECT name, readable FROM file") == [("a.md", 0)]


def test_problems_of_a_file_stay_known_without_reading_it_again(notes):
    notes.put("a.md", "zebra", title="[[link]] and more")
    notes.sync()
    assert notes.rows("SELECT problems FROM file") != ["[]"]
