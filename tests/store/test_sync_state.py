"""A sync of vaults that go or are cut off, with the state, and one that is stopped."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from indexed import NOW, Indexed

from muninn_cli.core.terms import Kind
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
    opened = os.open

    def shut(place, *how, **where):
        if str(place).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return opened(place, *how, **where)

    monkeypatch.setattr(walk.os, "open", shut)
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


def test_a_recall_of_one_memory_prolongs_what_it_links_to(notes):
    notes.put("guide.md", "see [[fact]]", id="guide", tier="T3")
    notes.put("fact.md", "text", tier="T3")
    notes.sync()
    notes.now = NOW + timedelta(days=9)
    UsageLog(notes.home.usage("id-notes")).append(Recall(notes.now, (("guide", 1.0),), "show"))
    notes.sync()
    until = (notes.now + timedelta(days=30)).timestamp()
    assert dict(notes.rows("SELECT path, until FROM memory")) == {
        "guide.md": until,
        "fact.md": until,
    }
    assert notes.rows("SELECT until FROM vector") == [until, until]


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
