"""A sync on real files: what is added, changed, moved and gone, and whose id is whose."""

import os
import shutil
import subprocess
import sys
from datetime import timedelta

import pytest
from indexed import NOW, OLD, Indexed

from muninn_cli.core.memory import Kind, derived_id
from muninn_cli.core.usage import Recall
from muninn_cli.errors import MuninnError
from muninn_cli.store import walk
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.seen import Seen
from muninn_cli.store.usage import UsageLog

ULID = "01JQXW9Z6N8F4T2M5R7K3C1B0A"


@pytest.fixture
def notes(tmp_path):
    world = Indexed(tmp_path)
    world.vault()
    return world


def counts(report):
    return report.added, report.changed, report.moved, report.removed


# --- files come, change and go


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


# --- moves


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


# --- doubled ids


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


# --- vaults


def test_a_vanished_root_is_a_failure_and_changes_nothing(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    os.rename(notes.root, notes.base / "elsewhere")
    report = notes.sync()
    assert [(one.vault, counts(report)) for one in report.failures] == [("notes", (0, 0, 0, 0))]
    assert notes.found("zebra") == ["a.md"]


def test_more_than_half_gone_at_once_is_a_failure_until_it_is_accepted(notes):
    for number in range(12):
        notes.put(f"{number}.md", f"text {number}")
    notes.sync()
    for number in range(7):
        os.unlink(notes.root / f"{number}.md")
    report = notes.sync()
    assert "7 of 12 files are gone" in report.failures[0].cause
    assert report.failures[0].hint
    assert len(notes.live) == 12
    assert counts(notes.sync(accept_losses=True)) == (0, 0, 0, 7)
    assert len(notes.live) == 5


def test_a_handful_may_go_whatever_share_it_is(notes):
    for number in range(5):
        notes.put(f"{number}.md", f"text {number}")
    notes.sync()
    for number in range(5):
        os.unlink(notes.root / f"{number}.md")
    assert counts(notes.sync()) == (0, 0, 0, 5)


def test_moving_everything_is_no_loss(notes):
    for number in range(12):
        notes.put(f"{number}.md", f"text {number}")
    notes.sync()
    (notes.root / "all").mkdir()
    for number in range(12):
        os.rename(notes.root / f"{number}.md", notes.root / "all" / f"{number}.md")
    report = notes.sync()
    assert (report.failures, counts(report)) == ((), (0, 0, 12, 0))


def test_a_folder_that_cannot_be_listed_keeps_what_is_known_of_it(notes, monkeypatch):
    notes.put("a.md", "one")
    notes.put("shut/deep/b.md", "zebra")
    notes.sync()
    scandir = os.scandir

    def shut(place):
        if str(place).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return scandir(place)

    monkeypatch.setattr(walk.os, "scandir", shut)
    notes.put("a.md", "changed")
    report = notes.sync()
    assert (len(report.failures), report.changed) == (1, 1)
    assert notes.found("zebra") == ["shut/deep/b.md"]


def test_a_vault_taken_off_the_list_leaves_the_index(notes):
    other = notes.vault("other")
    (other.root / "x.md").write_text("giraffe")
    notes.put("a.md", "zebra")
    notes.sync()
    notes.vaults = notes.vaults[:1]
    notes.sync()
    assert notes.live.keys() == {"a.md"}
    assert notes.rows("SELECT name FROM vault") == ["notes"]
    assert "giraff" not in notes.rows("SELECT term FROM fulltext_terms")


def test_one_broken_vault_does_not_keep_another_from_being_synced(notes):
    other = notes.vault("other")
    (other.root / "x.md").write_text("giraffe")
    notes.root.rmdir()
    report = notes.sync()
    assert (len(report.failures), report.added) == (1, 1)


# --- state


def test_a_memory_is_first_seen_once(notes):
    notes.put("a.md", "one", id=ULID)
    notes.sync()
    notes.now = NOW + timedelta(days=9)
    os.rename(notes.root / "a.md", notes.base / "away")
    notes.sync()
    os.rename(notes.base / "away", notes.root / "a.md")
    notes.sync()
    notes.sync(anew=True)
    assert notes.rows("SELECT first_seen FROM memory") == [NOW.timestamp()]
    records = Seen(notes.home.seen("id-notes")).load()
    assert {key: found.first_seen for key, found in records.items()} == {ULID: NOW}


def test_a_tier_changed_by_hand_begins_now(notes):
    notes.put("a.md", "one", id=ULID, tier="T3", created="2026-03-01")
    notes.sync()
    notes.now = NOW + timedelta(days=20)
    notes.put("a.md", "one", id=ULID, tier="T2", created="2026-03-01")
    notes.sync()
    since = notes.now.timestamp()
    assert notes.rows("SELECT tier_since FROM memory") == [since]
    notes.sync(anew=True)
    assert notes.rows("SELECT tier_since FROM memory") == [since]


def test_a_recall_moves_the_expiry_and_is_folded_once(notes):
    notes.put("a.md", "one", id=ULID, tier="T3", created="2026-03-01")
    notes.sync()
    log = UsageLog(notes.home.usage("id-notes"))
    for day in (1, 2):
        log.append(Recall(NOW + timedelta(days=day), ((ULID, 1.0),), "search"))
        notes.now = NOW + timedelta(days=day)
        notes.sync()
        notes.sync()
    expires = (NOW + timedelta(days=32)).timestamp()
    assert notes.rows("SELECT expires, until FROM memory") == [(expires, expires)]
    assert notes.rows("SELECT until FROM vector") == [expires]
    (fold,) = notes.rows("SELECT fold FROM usage")
    assert '"recalls":2' in fold


def test_legal_and_unmanaged_vaults_never_age(notes):
    for name, options in (("law", {"kind": Kind.LEGAL}), ("docs", {"managed": False})):
        vault = notes.vault(name, **options)
        (vault.root / "a.md").write_text("---\ntier: T3\ncreated: 2020-01-01\n---\nold")
    notes.sync()
    assert notes.rows("SELECT DISTINCT expires FROM memory") == [None]


def test_a_vault_that_becomes_managed_ages_from_then_on(notes):
    notes.vault(managed=False)
    notes.put("a.md", "one", tier="T3")
    notes.sync()
    notes.vault(managed=True)
    notes.sync()
    assert notes.rows("SELECT expires FROM memory") == [(NOW + timedelta(days=30)).timestamp()]


def test_a_memory_lives_as_long_as_an_unexpired_one_links_to_it(notes):
    notes.put("guide.md", "see [[old fact]] and [this](sub/plan.md)", tier="T0")
    notes.put("fact.md", "text", tier="T3", title="Old fact")
    notes.put("sub/plan.md", "text", tier="T3")
    notes.put("alone.md", "text", tier="T3")
    notes.sync()
    until = dict(notes.rows("SELECT path, until FROM memory"))
    assert until["alone.md"] == (NOW + timedelta(days=30)).timestamp()
    assert until["fact.md"] == until["sub/plan.md"] > 8e15
    notes.put("guide.md", "no more", tier="T0")
    notes.sync()
    until = dict(notes.rows("SELECT path, until FROM memory"))
    assert until["fact.md"] == until["sub/plan.md"] == until["alone.md"]


def test_a_link_of_another_vault_keeps_nothing_alive(notes):
    other = notes.vault("other")
    (other.root / "guide.md").write_text("---\ntier: T0\n---\n[[fact]]")
    notes.put("fact.md", "text", tier="T3")
    notes.sync()
    (until,) = notes.rows("SELECT until FROM memory WHERE path = 'fact.md'")
    assert until == (NOW + timedelta(days=30)).timestamp()


def test_a_superseded_memory_is_hidden(notes):
    notes.put("old.md", "text", id="old", superseded_by='"new"')
    notes.put("new.md", "text", id="new", supersedes='["old"]')
    notes.sync()
    assert dict(notes.rows("SELECT id, until > 0 FROM memory")) == {"old": 0, "new": 1}


def test_a_sync_that_is_stopped_goes_on_where_it_was(notes, monkeypatch):
    monkeypatch.setattr("muninn_cli.store.sync.vault._BATCH_FILES", 2)
    for number in range(6):
        notes.put(f"{number}.md", f"text {number}")

    def stop(done, total):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        notes.sync(progress=stop)
    assert len(notes.live) == 4
    assert counts(notes.sync()) == (2, 0, 0, 0)
    assert len(notes.live) == 6


def test_a_sync_that_is_killed_leaves_an_index_that_the_next_one_completes(notes):
    for number in range(300):
        notes.put(f"{number % 7}/{number}.md", f"text {number} about networks", session="s")
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from pathlib import Path; from indexed import Indexed\n"
        "import muninn_cli.store.sync.vault as vault; vault._BATCH_FILES = 5\n"
        "world = Indexed(Path(sys.argv[1])); world.vault(); print('begin', flush=True); world.sync()"
    )
    command = [sys.executable, "-c", code, str(notes.base), *sys.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        while not notes.home.index_db.exists() or not known(notes):
            assert process.poll() is None
        process.kill()
    assert 0 < known(notes) < 300
    notes.sync()
    assert len(notes.live) == len(notes.found("network")) == 300
    assert notes.rows("SELECT count(*) FROM vector WHERE vault != -1") == [300]


def known(notes):
    try:
        return len(notes.live)
    except MuninnError:
        return 0


def test_progress_goes_up_to_its_total(notes):
    for number in range(3):
        notes.put(f"{number}.md", f"text {number}")
    seen = []
    notes.sync(progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (3, 3)
    assert all(done <= total for done, total in seen)
    assert seen[-1][0] == seen[-1][1]


def test_reading_takes_no_lock(notes):
    notes.put("a.md", "zebra")
    notes.sync()
    with open_reader(notes.home.index_db) as reader:
        assert reader.value("SELECT count(*) FROM memory") == 1
