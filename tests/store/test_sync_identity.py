"""Whose id is whose: files that move, change places, are copied, or state the same id."""

import os
import shutil
from datetime import timedelta

import pytest
from indexed import NOW, Indexed

from muninn_cli.core.ids import derived_id
from muninn_cli.core.usage import Recall
from muninn_cli.store.usage import UsageLog

ULID = "01JQXW9Z6N8F4T2M5R7K3C1B0A"


@pytest.fixture
def notes(tmp_path):
    world = Indexed(tmp_path)
    world.vault()
    return world


def counts(report):
    return report.added, report.changed, report.moved, report.removed


def test_a_moved_file_keeps_the_id_that_its_old_path_gave(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    old = notes.live["a.md"]
    assert old == derived_id("notes", "a.md")
    os.rename(notes.root / "a.md", notes.root / "b.md")
    assert counts(notes.sync()) == (0, 0, 1, 0)
    assert notes.live == {"b.md": old}
    notes.sync(anew=True)
    assert notes.live == {"b.md": old}


def test_a_renamed_folder_is_moves_and_embeds_nothing(notes):
    for number in range(8):
        notes.put(f"old/{number}.md", f"text {number}")
    notes.sync()
    ids = {path.replace("old", "new"): found for path, found in notes.live.items()}
    os.rename(notes.root / "old", notes.root / "new")

    def forbidden():
        pytest.fail("something was embedded")

    assert counts(notes.sync(embedder=forbidden)) == (0, 0, 8, 0)
    assert notes.live == ids
    assert notes.rows("SELECT path FROM folder") == ["new"]


def test_a_file_moved_to_an_old_name_does_not_take_the_id_of_what_was_there(notes):
    notes.put("a.md", "first")
    notes.sync()
    first = notes.live["a.md"]
    os.rename(notes.root / "a.md", notes.root / "b.md")
    notes.put("a.md", "second")
    notes.sync()
    os.unlink(notes.root / "a.md")
    notes.sync()
    notes.put("a.md", "third, much later")
    notes.sync()
    assert len(set(notes.live.values())) == 2
    assert first in notes.live.values()


def test_two_files_that_change_places_keep_their_ids(notes):
    notes.put("a.md", "one")
    notes.put("b.md", "two")
    notes.sync()
    one, two = notes.live["a.md"], notes.live["b.md"]
    os.rename(notes.root / "a.md", notes.root / "c")
    os.rename(notes.root / "b.md", notes.root / "a.md")
    os.rename(notes.root / "c", notes.root / "b.md")
    assert counts(notes.sync()) == (0, 0, 2, 0)
    assert notes.live == {"a.md": two, "b.md": one}


def test_a_file_moved_over_another_keeps_its_id_and_the_other_is_gone(notes):
    notes.put("a.md", "one")
    notes.put("b.md", "two")
    notes.sync()
    one = notes.live["a.md"]
    os.replace(notes.root / "a.md", notes.root / "b.md")
    notes.sync()
    assert notes.live == {"b.md": one}
    assert notes.found("two") == []


def test_a_backup_made_before_an_edit_leaves_the_id_where_it_was(notes):
    notes.put("a.md", "one")
    notes.sync()
    one = notes.live["a.md"]
    shutil.copy2(notes.root / "a.md", notes.root / "a (copy).md")
    notes.put("a.md", "edited")
    notes.sync()
    assert notes.live["a.md"] == one
    assert notes.live["a (copy).md"] == derived_id("notes", "a (copy).md")


def test_usage_follows_a_move(notes):
    notes.put("a.md", "one", tier="T3", created="2026-03-01")
    notes.sync()
    UsageLog(notes.home.usage("id-notes")).append(Recall(NOW, ((notes.live["a.md"], 1.0),), "show"))
    os.rename(notes.root / "a.md", notes.root / "b.md")
    notes.sync()
    expires = (NOW + timedelta(days=30)).timestamp()
    assert notes.rows("SELECT path, expires FROM memory") == [("b.md", expires)]


def test_a_file_that_loses_its_id_line_keeps_its_id(notes):
    notes.put("a.md", "one", id=ULID)
    notes.sync()
    notes.put("a.md", "one, and more")
    notes.sync()
    assert notes.live == {"a.md": ULID}
    notes.sync(anew=True)
    assert notes.live == {"a.md": ULID}


def test_an_archived_file_is_a_move_that_hides_it(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    old = notes.live["a.md"]
    archive = notes.root / ".muninn" / "archive"
    archive.mkdir(parents=True)
    os.rename(notes.root / "a.md", archive / f"a.md~{old[-8:]}.md")
    assert counts(notes.sync()) == (0, 0, 1, 0)
    assert notes.rows("SELECT id, archived, until FROM memory") == [(old, 1, -1.0)]
    assert notes.rows("SELECT until FROM vector") == [-1.0]
    os.rename(archive / f"a.md~{old[-8:]}.md", notes.root / "a.md")
    notes.sync()
    assert notes.live == {"a.md": old}


def test_a_new_file_does_not_take_the_id_of_an_archived_one_of_its_name(notes):
    notes.put("a.md", "old")
    notes.sync()
    old = notes.live["a.md"]
    archive = notes.root / ".muninn" / "archive"
    archive.mkdir(parents=True)
    os.rename(notes.root / "a.md", archive / f"a.md~{old[-8:]}.md")
    notes.sync()
    notes.put("a.md", "new")
    notes.sync()
    new = notes.live["a.md"]
    assert new != old
    notes.sync(anew=True)
    assert notes.live["a.md"] == new
    assert notes.rows("SELECT id FROM memory WHERE archived") == [old]


def test_a_copy_put_into_the_archive_by_hand_leaves_the_id_where_it_was(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    old = notes.live["a.md"]
    archive = notes.root / ".muninn" / "archive"
    archive.mkdir(parents=True)
    shutil.copy(notes.root / "a.md", archive / f"a.md~{old[-8:]}.md")
    for anew in (False, True):
        notes.sync(anew=anew)
        assert notes.live == {"a.md": old}
        assert notes.rows("SELECT id FROM memory WHERE archived") != [old]


def test_the_path_that_held_an_id_keeps_it(notes):
    notes.put("z.md", "one", id=ULID)
    notes.sync()
    notes.put("a.md", "two", id=ULID)
    notes.sync()
    assert notes.live == {"z.md": ULID, "a.md": derived_id("notes", "a.md")}
    assert notes.rows("SELECT consolidate FROM memory ORDER BY path") == [0, 1]


def test_of_new_files_a_conflict_copy_never_gets_the_id(notes):
    copy = "a.sync-conflict-20260112-003022-ABCDEF7.md"
    notes.put(copy, "two", id=ULID, created="2020-01-01")
    notes.put("note.md", "one", id=ULID, created="2026-01-01")
    notes.sync()
    assert notes.live["note.md"] == ULID
    assert notes.live[copy] == derived_id("notes", copy)


def test_the_original_keeps_its_id_when_a_sync_program_moves_its_text_aside(notes):
    notes.put("note.md", "mine", id=ULID)
    notes.sync()
    copy = "note.sync-conflict-20260112-003022-ABCDEF7.md"
    os.rename(notes.root / "note.md", notes.root / copy)
    notes.put("note.md", "theirs", id=ULID)
    notes.sync()
    assert notes.live["note.md"] == ULID


def test_else_the_earliest_created_gets_the_id_and_else_the_first_path(notes):
    notes.put("a.md", "one", id=ULID, created="2026-02-01")
    notes.put("b.md", "two", id=ULID, created="2026-01-01")
    notes.put("c.md", "three", id="same")
    notes.put("d.md", "four", id="same")
    notes.sync()
    assert (notes.live["b.md"], notes.live["c.md"]) == (ULID, "same")
    assert notes.live["a.md"] == derived_id("notes", "a.md")
    assert notes.live["d.md"] == derived_id("notes", "d.md")


def test_files_in_different_batches_are_judged_by_the_same_rule(notes, monkeypatch):
    monkeypatch.setattr("muninn_cli.store.sync.vault._BATCH_FILES", 1)
    notes.put("a.md", "one", id=ULID, created="2026-02-01")
    notes.put("b.md", "two", id=ULID, created="2026-01-01")
    notes.sync()
    assert notes.live == {"b.md": ULID, "a.md": derived_id("notes", "a.md")}


def test_a_copy_gets_the_id_when_the_original_is_gone(notes):
    notes.put("a.md", "one", id=ULID)
    notes.put("b.md", "two", id=ULID)
    notes.sync()
    os.unlink(notes.root / "a.md")
    notes.sync()
    assert notes.live == {"b.md": ULID}
    assert notes.rows("SELECT consolidate FROM memory") == [1]


def test_a_copy_gets_the_id_when_the_original_takes_another(notes):
    notes.put("a.md", "one", id=ULID)
    notes.put("b.md", "two", id=ULID)
    notes.sync()
    notes.put("a.md", "one", id="mine")
    notes.sync()
    assert notes.live == {"a.md": "mine", "b.md": ULID}


def test_two_files_that_change_ids_have_them_after_one_sync(notes):
    notes.put("a.md", "one", id="first")
    notes.put("b.md", "two", id="second")
    notes.sync()
    notes.put("a.md", "one", id="second")
    notes.put("b.md", "two", id="first")
    notes.sync()
    assert notes.live == {"a.md": "second", "b.md": "first"}


def test_files_that_swap_back_before_they_are_read_keep_their_ids(notes, monkeypatch):
    monkeypatch.setattr("muninn_cli.store.sync.vault._BATCH_FILES", 2)
    one = notes.put("z/one.md", "the first text", id="A")
    other = notes.put("z/other.md", "another text", id="B")
    notes.sync()

    def swap(*_progress):
        aside = one.with_name("aside.tmp")
        one.replace(aside)
        other.replace(one)
        aside.replace(other)

    swap()
    notes.put("a.md", "a batch of its own")
    notes.put("b.md", "with this one")
    after_it = iter([swap])
    notes.sync(progress=next(after_it, lambda *_: None))
    notes.sync()
    assert {path: known for path, known in notes.live.items() if "z/" in path} == {
        "z/one.md": "A",
        "z/other.md": "B",
    }
