"""The doctor: what is wrong is named once, with place and cause; mending touches nothing else."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import START, Muninn
from personal import Personal, contents

from muninn_cli.core.events import Recall
from muninn_cli.store import files
from muninn_cli.store.index.connection import open_writer
from muninn_cli.store.lock import hold
from muninn_cli.store.usage import UsageLog

FRIDAY = "Releases go out on Friday after the smoke test"
CONFLICT = "<<<<<<< HEAD\nport 80\n=======\nport 81\n>>>>>>> other\n"
ROOT = os.geteuid() == 0
OLD = 1_700_000_000_000_000_000
"""So old that no later change can carry the same stamp."""


@dataclass
class Clinic:
    """A home to break, and the doctor's word on it."""

    muninn: Muninn
    personal: Personal

    @property
    def home(self) -> Path:
        return self.muninn.home

    def report(self, *options: str, **given):
        return self.muninn("doctor", "--json", *options, **given).json

    def found(self, **given) -> list[tuple[str, str, int | None]]:
        """Code, path and line of each finding; paths outside vaults by their name."""
        return [
            (each["code"], each["path"].removeprefix(f"{self.home}/"), each["line"])
            for each in self.report(**given)["findings"]
        ]

    def cause(self) -> str:
        """The cause of the one thing that is wrong."""
        (finding,) = self.report()["findings"]
        return finding["cause"]

    def vault_id(self) -> str:
        return self.muninn("vault", "show", "personal", "--json").json["vault"]["id"]


@pytest.fixture
def clinic(muninn: Muninn, personal: Personal) -> Clinic:
    """A home in good health with one memory, `friday.md`."""
    personal.add(FRIDAY, "--title", "friday")
    os.utime(personal.root / "friday.md", ns=(OLD, OLD))
    muninn("sync")
    return Clinic(muninn, personal)


def test_a_home_in_order_is_well(clinic: Clinic) -> None:
    answer = clinic.muninn("doctor")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("All is well\n")
    report = clinic.report()
    assert (report["healthy"], report["findings"]) == (True, [])
    assert report["facts"] == {
        "files": 1,
        "indexed": 1,
        "fulltext": 1,
        "vectors": 1,
        "engine": "vec0",
        "changed_since_sync": False,
    }


def test_what_the_next_command_takes_in_anyway_is_no_fault(clinic: Clinic) -> None:
    clinic.personal.put("new.md", "not synced yet", id="NEW")
    report = clinic.report()
    assert (report["healthy"], report["facts"]["changed_since_sync"]) == (True, True)


def test_no_home_is_named_and_none_is_made(muninn: Muninn, home: Path) -> None:
    answer = muninn("doctor", "--fix", "--json")
    (finding,) = answer.json["findings"]
    assert (answer.code, finding["code"], finding["hint"]) == (1, "no_home", "muninn init")
    assert not home.exists()


# A home that is broken in many ways


def break_files(clinic: Clinic) -> dict[str, tuple[str, int | None]]:
    put = clinic.personal.put
    put("colon.md", "text", title="Plan: phase two: end")
    put("twice.md", "text", id="SAME")
    put("twice-again.md", "text", id="SAME")
    put("number.md", "text", id="0123", title="Number")
    put("Case.md", "text", id="CASE1")
    put("case.md", "text", id="CASE2")
    put("merge.md", f"so\n\n{CONFLICT}", id="MERGE")
    put("friday.sync-conflict-20260112-003022-ABCDEF7.md", "a copy")
    put("linking.md", "see [[Nothing like it]]", id="LINKING")
    put("old.md", "text", id="OLD", superseded_by="NOWHERE")
    put("egg.md", "text", id="EGG", superseded_by="HEN")
    put("hen.md", "text", id="HEN", superseded_by="EGG")
    (clinic.personal.root / "zeros.md").write_bytes(bytes(64))
    return {
        "malformed": ("colon.md", 2),
        "doubled_id": ("twice.md", 2),
        "unquoted_id": ("number.md", 2),
        "colliding_name": ("case.md", None),
        "conflict": ("merge.md", 6),
        "conflict_copy": ("friday.sync-conflict-20260112-003022-ABCDEF7.md", None),
        "dangling_link": ("linking.md", 4),
        "dangling_successor": ("old.md", 3),
        "circle": ("egg.md", 3),
        "unreadable": ("zeros.md", None),
    }


def break_archive(clinic: Clinic) -> dict[str, tuple[str, int | None]]:
    root, archive = clinic.personal.root, clinic.personal.root / ".muninn" / "archive"
    for name in ("equal", "other", "lost"):
        clinic.personal.put(f"{name}.md", name, id=name.upper())
        clinic.personal.json("archive", name.upper())
    (root / "equal.md").write_bytes((archive / "equal.md~EQUAL.md").read_bytes())
    clinic.personal.put("other.md", "another text", id="OTHER")
    (archive / "lost.md~LOST.md").unlink()
    clinic.personal.put(".muninn/archive/unnoted.md~UNNOTED.md", "text", id="UNNOTED")
    with (root / ".muninn" / "archive.jsonl").open("a") as ledger:
        ledger.write("no line of a ledger\n")
    return {
        "archive_double": (".muninn/archive/equal.md~EQUAL.md", None),
        "archive_conflict": (".muninn/archive/other.md~OTHER.md", None),
        "archive_lost": (".muninn/archive/lost.md~LOST.md", None),
        "archive_unnoted": (".muninn/archive/unnoted.md~UNNOTED.md", None),
        "ledger_line": (".muninn/archive.jsonl", 4),
    }


def break_state(clinic: Clinic) -> dict[str, tuple[str, int | None]]:
    home = clinic.home
    (home / "state/locks/runs.lock").write_text('{"host":"test","pid":7,"since":"2026-03-01"}')
    (home / "state/runs/20260301-060000").mkdir(parents=True)
    pending = {"v": 1, "vault": "GONE", "paths": ["a.md"], "message": "Add a"}
    (home / "state/pending_commits.jsonl").write_text(json.dumps(pending) + "\n")
    usage = home / f"state/usage/{clinic.vault_id()}.jsonl"
    UsageLog(usage).append(Recall(START + timedelta(days=400), (("X", 1.0),), "show"))
    (home / "index.db").write_bytes(b"no database")
    home.chmod(0o755)
    (home / "templates").mkdir()
    (home / "templates/journal.en.md.j2").write_text("{{ entry.nothing }}\n")
    return {
        "stale_lock": ("state/locks/runs.lock", None),
        "unfinished_run": ("state/runs/20260301-060000", None),
        "pending_commit": ("state/pending_commits.jsonl", None),
        "future_event": (f"state/usage/{usage.name}", None),
        "index": ("index.db", None),
        "open_home": (str(home), None),
        "template": ("templates/journal.en.md.j2", None),
    }


@pytest.mark.parametrize("break_it", [break_files, break_archive, break_state])
def test_each_thing_that_is_wrong_is_named_once_where_it_is(clinic: Clinic, break_it) -> None:
    broken = break_it(clinic)
    expected = sorted((code, *place) for code, place in broken.items())
    assert sorted(clinic.found(), key=str) == sorted(expected, key=str)


def test_all_of_it_at_once_is_named_and_mending_touches_nothing_else(clinic: Clinic) -> None:
    everything = (break_files, break_archive, break_state)
    broken = [(code, *place) for each in everything for code, place in each(clinic).items()]
    assert len(broken) == 22
    assert sorted(clinic.found(), key=str) == sorted(broken, key=str)
    before = contents(clinic.home)
    report = clinic.report("--fix")
    mended = {each["code"] for each in report["mended"]}
    assert mended == {
        *("archive_double", "archive_unnoted", "index", "ledger_line", "open_home"),
        *("stale_lock", "unfinished_run", "unquoted_id"),
    }
    left = sorted(each for each in broken if each[0] not in mended)
    named = [(each["code"], each["path"], each["line"]) for each in report["findings"]]
    assert sorted(code for code, *_ in named) == sorted(code for code, *_ in left)
    after = contents(clinic.home)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    vault = "vaults/personal"
    of_the_index = ("index.db", "state/seen/", "state/aliases/")
    assert {path for path in changed if not path.startswith(of_the_index)} == {
        f"{vault}/.muninn/archive.jsonl",
        f"{vault}/.muninn/archive/equal.md~EQUAL.md",
        f"{vault}/number.md",
        "state/locks/runs.lock",
    }


def test_looking_writes_nothing(clinic: Clinic) -> None:
    for break_it in (break_files, break_archive, break_state):
        break_it(clinic)
    (clinic.home / "index.db").unlink()
    before = contents(clinic.home)
    assert clinic.muninn("doctor").code == 1
    assert contents(clinic.home) == before


def test_people_read_place_and_cause_on_one_line(clinic: Clinic) -> None:
    break_files(clinic)
    code, out, _ = clinic.muninn("doctor")
    assert code == 1
    assert "personal/colon.md:2  front matter does not parse" in out
    assert "personal/case.md  is the same name as Case.md" in out
    assert "10 things are wrong; `muninn doctor --fix` mends 1 of them" in out


def test_of_many_of_one_kind_people_are_shown_the_first(clinic: Clinic) -> None:
    links = "\n".join(f"[[note {number}]]" for number in range(30))
    clinic.personal.put("linking.md", links, id="LINKING")
    assert len(clinic.report()["findings"]) == 30
    out = clinic.muninn("doctor").out
    assert out.count("which is not there") == 20
    assert "personal  and 10 more; --json names them  [dangling_link]" in out
    assert "30 things are wrong" in out


# Mending


def test_mending_files_quotes_an_id_and_changes_nothing_else(clinic: Clinic) -> None:
    broken = break_files(clinic)
    before = clinic.personal.files()
    report = clinic.report("--fix")
    assert [each["code"] for each in report["mended"]] == ["unquoted_id"]
    assert {each["code"] for each in report["findings"]} == broken.keys() - {"unquoted_id"}
    quoted = before["number.md"].replace(b"id: 0123", b'id: "0123"')
    assert clinic.personal.files() == before | {"number.md": quoted}
    assert clinic.personal.memory("0123")["title"] == "Number"


def test_mending_an_archive_drops_equal_doubles_and_notes_the_rest(clinic: Clinic) -> None:
    break_archive(clinic)
    before = clinic.personal.files()
    report = clinic.report("--fix")
    mended = [each["code"] for each in report["mended"]]
    assert mended == ["ledger_line", "archive_double", "archive_unnoted"]
    after = clinic.personal.files()
    assert before.keys() - after.keys() == {".muninn/archive/equal.md~EQUAL.md"}
    whole = before[".muninn/archive.jsonl"].replace(b"no line of a ledger\n", b"")
    assert after[".muninn/archive.jsonl"].startswith(whole)
    assert clinic.personal.json("restore", "UNNOTED")["path"] == "unnoted.md"


def test_mending_the_state_leaves_what_only_a_person_can_mend(clinic: Clinic) -> None:
    broken = break_state(clinic)
    before = clinic.personal.files()
    report = clinic.report("--fix")
    left = {"pending_commit", "future_event", "template"}
    assert {each["code"] for each in report["findings"]} == left
    assert {each["code"] for each in report["mended"]} == broken.keys() - left
    assert clinic.personal.files() == before
    assert clinic.home.stat().st_mode & 0o777 == 0o700


def test_a_home_that_is_mended_is_well_and_ends_with_0(clinic: Clinic) -> None:
    clinic.home.chmod(0o755)
    (clinic.home / "index.db").unlink()
    answer = clinic.muninn("doctor", "--fix")
    assert answer.code == 0
    assert answer.out.count("mended  ") == 2
    assert "All is well" in answer.out
    assert clinic.muninn("doctor").out.startswith("All is well")


def test_nothing_is_mended_in_a_folder_that_is_only_registered(clinic: Clinic, tmp_path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("---\nid: 42\n---\nsee [[not written yet]]\n")
    (notes / "b.md").write_text(
        "---\ntype: report\nimportance: high\n---\nno id, values of its own\n"
    )
    clinic.muninn("vault", "add", notes)
    before = contents(notes)
    report = clinic.report("--fix")
    (finding,) = report["findings"]
    assert (finding["code"], finding["vault"], finding["fix"]) == ("unquoted_id", "notes", False)
    assert contents(notes) == before
    assert report["notices"] == ["notes: 1 link leads to a note that is not there"]


def test_files_without_an_id_are_told_of_and_no_fault(clinic: Clinic) -> None:
    clinic.personal.put("plain.md", "no front matter")
    report = clinic.report("--fix")
    assert report["healthy"]
    assert "1 file states no id (plain.md)" in report["notices"][0]
    assert (clinic.personal.root / "plain.md").read_text() == "no front matter"


def test_a_mend_that_fails_is_told_and_the_others_are_done(clinic: Clinic) -> None:
    break_state(clinic)
    note = {"host": "another", "pid": 1, "since": "2026-03-28T05:59:00Z"}
    (clinic.home / "state/locks/index.lock").write_text(json.dumps(note))
    answer = clinic.muninn("doctor", "--fix", "--json")
    codes = {each["code"] for each in answer.json["findings"]}
    assert {"stale_lock", "index"} <= codes
    assert "index.lock could not be mended" in answer.err
    assert "open_home" in {each["code"] for each in answer.json["mended"]}


# Files of the state


def test_lines_that_are_none_are_named_and_dropped(clinic: Clinic) -> None:
    usage = clinic.home / f"state/usage/{clinic.vault_id()}.jsonl"
    UsageLog(usage).append(Recall(START, (("X", 1.0),), "show"))
    before = usage.read_bytes()
    usage.write_bytes(b"\0\xff\n[1]\n" + before + b'{"v":1,"t"\n' + b'{"on its way"')
    place = ("state_line", f"state/usage/{usage.name}", 1)
    assert (clinic.found(), clinic.cause()) == (
        [place],
        "3 lines are torn or damaged, and passed over",
    )
    assert clinic.report("--fix")["healthy"]
    assert usage.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "is_folder"),
    [
        ("state/usage/ID.jsonl", True),
        ("state/pending_commits.jsonl", True),
        ("state/dream.json", True),
        ("state/locks/index.lock", True),
        ("dream.journal.md", True),
        ("state", False),
        ("state/locks", False),
        ("state/runs", False),
        ("vaults/personal/.muninn", False),
        ("vaults/personal/.muninn/archive.jsonl", True),
        ("vaults/personal/.muninn/archive", False),
    ],
)
def test_a_folder_where_a_file_should_be_is_named_once(
    clinic: Clinic, path: str, is_folder: bool
) -> None:
    place = clinic.home / path.replace("ID", clinic.vault_id())
    (place.parent / "aside").mkdir(parents=True)
    if place.exists():
        place.rename(place.parent / "aside" / place.name)
    if is_folder:
        place.mkdir()
    else:
        place.write_text("of somebody else")
    (finding,) = [each for each in clinic.report()["findings"] if each["code"] != "archive_lost"]
    assert finding["code"] == "wrong_kind"
    assert str(place).endswith(finding["path"])


def test_a_state_file_that_cannot_be_understood_is_named(clinic: Clinic) -> None:
    (clinic.home / "state" / "dream.json").write_text("no JSON")
    assert clinic.found() == [("state_file", "state/dream.json", None)]


def test_a_list_of_vaults_that_is_empty_is_named_with_what_is_there(clinic: Clinic) -> None:
    (clinic.home / "config.toml").write_text("")
    (finding,) = clinic.report()["findings"]
    assert (finding["code"], finding["cause"]) == ("no_vault", "no vault is on the list")
    assert finding["hint"] == f"muninn vault add {clinic.personal.root}"


# The index


def test_an_index_that_nobody_has_needed_yet_is_no_fault(muninn: Muninn, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("not synced yet\n")
    muninn("vault", "add", tmp_path / "notes")
    answer = muninn("doctor")
    assert (answer.code, answer.out) == (0, "All is well\n1 file; no index\n")


@pytest.mark.parametrize(
    ("statement", "cause"),
    [
        ("DELETE FROM fulltext", "texts are missing from full text"),
        ("DELETE FROM embedding", "vectors are missing"),
        ("DELETE FROM vector", "vectors are missing from what is searched"),
        ("DELETE FROM file", "memories have no file"),
        ("DELETE FROM memory", "files have no memory"),
        ("DELETE FROM chunk", "memories have no text"),
        ("PRAGMA user_version = 99", "of another version"),
        ("PRAGMA application_id = 1", "no index of muninn"),
    ],
)
def test_an_index_that_contradicts_itself_is_made_anew(clinic: Clinic, statement, cause) -> None:
    with open_writer(clinic.home / "index.db") as connection:
        connection.execute(statement).fetchall()
    connection.close()
    assert any(cause in each["cause"] for each in clinic.report()["findings"])
    assert clinic.report("--fix")["healthy"]
    assert clinic.personal.found("smoke test") == ["friday.md"]


def test_an_edit_that_no_sync_would_see_is_found(clinic: Clinic) -> None:
    place = clinic.personal.root / "friday.md"
    past = 1_700_000_000_123_456_789
    os.utime(place, ns=(past, past))
    clinic.muninn("sync")
    before = place.stat()
    with place.open("r+b") as file:  # the same inode, size and time
        file.write(place.read_bytes().replace(b"Friday", b"Sunday"))
    os.utime(place, ns=(before.st_mtime_ns, before.st_mtime_ns))
    clinic.muninn("sync")
    assert "friday.md is not as the index has it" in clinic.cause()
    assert clinic.report("--fix")["healthy"]
    assert clinic.personal.found("Sunday") == ["friday.md"]


def test_where_vec0_cannot_be_loaded_the_engine_is_named(clinic: Clinic, monkeypatch) -> None:
    monkeypatch.setattr("muninn_cli.store.index.connection.find_spec", lambda _name: None)
    report = clinic.report()
    assert [each["code"] for each in report["findings"]] == ["exact_scan"]
    assert report["facts"]["engine"] == "exact scan"


# Single things


def test_every_setting_that_is_wrong_is_named_with_its_line(clinic: Clinic) -> None:
    config = clinic.home / "config.toml"
    lines = config.read_text().count("\n")
    config.write_text(config.read_text() + "[serch]\nlimit = 3\n[view]\ncolor = 1\n")
    causes = [each["cause"] for each in clinic.report()["findings"]]
    assert causes == [
        f"{config}:{lines + 2}: no such setting: serch.limit",
        f"{config}:{lines + 4}: no such setting: view.color",
    ]


def test_settings_that_do_not_parse_are_the_one_finding(clinic: Clinic) -> None:
    (clinic.home / "config.toml").write_text("[search\n")
    answer = clinic.muninn("doctor", "--fix", "--json")
    (finding,) = answer.json["findings"]
    assert (answer.code, finding["code"]) == (1, "setting")
    assert "config.toml:1" in finding["cause"]


def test_an_unknown_variable_is_a_setting_too(clinic: Clinic) -> None:
    (finding,) = clinic.report(env={"MUNINN_SEARCH_LIMITS": "3"})["findings"]
    assert "MUNINN_SEARCH_LIMITS" in finding["cause"]


def test_a_vault_that_is_gone_is_one_finding_and_no_loss(clinic: Clinic, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("---\nid: A\n---\ntext\n")
    clinic.muninn("vault", "add", notes)
    clinic.muninn("sync")
    notes.rename(tmp_path / "elsewhere")
    (finding,) = clinic.report("--fix")["findings"]
    assert (finding["code"], finding["vault"]) == ("vault_gone", "notes")
    assert finding["hint"] == "bring it back, or `muninn vault remove notes`"


def test_a_long_silence_is_named_with_the_way_out(clinic: Clinic) -> None:
    (finding,) = clinic.report(at=START + timedelta(days=61))["findings"]
    assert (finding["code"], finding["hint"]) == (
        "silence",
        "if the clock is right: muninn sweep --yes",
    )


def test_a_default_vault_that_is_not_there_is_named(clinic: Clinic) -> None:
    clinic.muninn("vault", "create", "work")
    clinic.muninn("config", "set", "vault.default", "work")
    clinic.muninn("vault", "remove", "work")
    assert clinic.cause() == "vault.default names a vault that is not there: work"


def test_a_vaults_own_rules_that_cannot_be_understood_are_named(clinic: Clinic) -> None:
    files.write(clinic.personal.root / ".muninn" / "vault.toml", b"deni = []\n")
    assert clinic.found() == [("vault_rules", ".muninn/vault.toml", None)]


@pytest.mark.skipif(ROOT, reason="root may read and write everything")
def test_what_may_not_be_read_or_written_is_named(clinic: Clinic) -> None:
    (clinic.personal.root / "friday.md").chmod(0)
    (clinic.home / "state").chmod(0o500)
    try:
        assert [code for code, *_ in clinic.found()] == ["read_only", "unreadable"]
    finally:
        (clinic.home / "state").chmod(0o700)


def test_a_killed_run_is_rolled_back(clinic: Clinic) -> None:
    clinic.personal.put("old.md", "text", id="OLD")
    clinic.personal.put("new.md", "text", id="NEW")
    before = clinic.personal.files()
    run = clinic.personal.json("supersede", "OLD", "NEW")["run"]
    (clinic.home / "state" / "runs" / run / "receipt.json").unlink()
    assert clinic.found() == [("unfinished_run", f"state/runs/{run}", None)]
    assert clinic.report("--fix")["healthy"]
    assert clinic.personal.files() == before


@pytest.mark.parametrize("names", [["plan.json"], ["plan.json", "receipt.json"]])
def test_a_run_that_nobody_can_read_is_named_and_stays(clinic: Clinic, names: list[str]) -> None:
    folder = clinic.home / "state/runs/20260301-060000"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text("{")
    assert clinic.found() == [("odd_run", "state/runs/20260301-060000", None)]
    told = clinic.muninn("list").err
    assert ("cannot be rolled back yet" in told) is (names == ["plan.json"])
    assert "rolled back run" not in told


def test_a_memory_that_came_back_without_a_line_gets_one(clinic: Clinic) -> None:
    root = clinic.personal.root
    clinic.personal.json("archive", "friday")
    (archived,) = (root / ".muninn" / "archive").iterdir()
    archived.rename(root / "friday.md")
    path = archived.relative_to(root).as_posix()
    assert clinic.found() == [("archive_unnoted", path, None)]
    assert clinic.report("--fix")["healthy"]
    assert '"reason":"restored"' in (root / ".muninn" / "archive.jsonl").read_text()


def test_what_a_later_version_wrote_into_the_ledger_stays(clinic: Clinic) -> None:
    ledger = clinic.personal.root / ".muninn" / "archive.jsonl"
    files.write(ledger, b'{"v":1,"kind":"of a later version"}\n')
    assert clinic.found() == [("ledger_line", ".muninn/archive.jsonl", 1)]
    clinic.report("--fix")
    assert ledger.read_bytes() == b'{"v":1,"kind":"of a later version"}\n'


def test_a_file_that_a_crash_left_half_written_is_named_and_kept(clinic: Clinic) -> None:
    places = (clinic.personal.root / ".muninn-12ab.tmp", clinic.home / "state" / ".muninn-34cd.tmp")
    for place in places:
        place.write_text("half a te")
    report = clinic.report("--fix")
    assert [each["path"] for each in report["findings"]] == [str(places[1]), ".muninn-12ab.tmp"]
    assert all(place.exists() for place in places)


def test_a_note_that_a_cloud_drive_keeps_elsewhere_is_named(clinic: Clinic) -> None:
    (clinic.personal.root / "friday.md").unlink()
    (clinic.personal.root / ".friday.md.icloud").write_bytes(b"bplist00")
    assert clinic.found() == [("not_downloaded", "friday.md", None)]


def test_a_lock_that_is_held_and_a_run_on_its_way_are_no_fault(clinic: Clinic) -> None:
    (clinic.home / "state/runs/20260328-060000").mkdir(parents=True)
    lock = clinic.home / "state" / "locks" / "runs.lock"
    with hold(lock, now=START, host="test", pid=os.getpid()):
        assert clinic.found() == []
    assert [code for code, *_ in clinic.found()] == ["unfinished_run"]


def test_pictures_and_archived_memories_are_no_dangling_links(clinic: Clinic) -> None:
    clinic.personal.put("away.md", "text", id="AWAY", title="Away")
    clinic.personal.json("archive", "AWAY")
    text = "![[photo.png]] [[Away]] [[AWAY]] [up](../sub/../friday.md) `[[code]]` [w](https://x.md)"
    clinic.personal.put("sub/linking.md", text, id="LINKING")
    assert clinic.found() == []


def test_an_example_of_a_conflict_in_code_is_no_conflict(clinic: Clinic) -> None:
    clinic.personal.put("tutorial.md", f"```\n{CONFLICT}```\n", id="TUTORIAL")
    assert clinic.found() == []


# Git


@pytest.fixture
def repository(clinic: Clinic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ana\n\temail = ana@example.com\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    clinic.muninn("vault", "git", "personal", "on")
    return clinic.personal.root


@pytest.mark.parametrize(("pattern", "path"), [(".*", ".muninn"), ("*.md", "*.md")])
def test_what_git_ignores_of_a_vault_is_named(
    clinic: Clinic, repository: Path, pattern: str, path: str
) -> None:
    assert clinic.found() == []
    (repository / ".gitignore").write_text(f"{pattern}\n")
    assert clinic.found() == [("ignored", path, None)]


def test_a_repository_that_is_gone_is_named(clinic: Clinic, repository: Path) -> None:
    (repository / ".git").rename(repository / ".git-gone")
    assert clinic.report()["findings"][0]["code"] == "no_repository"


def test_what_waits_for_git_is_committed_once_git_can(clinic: Clinic, repository: Path) -> None:
    lock = repository / ".git" / "index.lock"
    lock.write_text("")
    clinic.personal.add("Something else to remember", "--title", "waits")
    report = clinic.report("--fix")
    codes = sorted(each["code"] for each in report["findings"])
    assert (codes, report["mended"]) == (["git", "pending_commit"], [])
    lock.unlink()
    assert clinic.report("--fix")["healthy"]
    log = ["git", "log", "-1", "--format=%s", "--name-only"]
    done = subprocess.run(log, cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Add", "waits", "waits.md"]


def test_what_waits_is_forgotten_where_nothing_is_to_be_committed_any_more(
    clinic: Clinic, repository: Path
) -> None:
    (repository / ".git" / "index.lock").write_text("")
    clinic.personal.add("Something else to remember", "--title", "waits")
    clinic.muninn("vault", "git", "personal", "off")
    assert "not kept in git any more" in clinic.cause()
    assert clinic.report("--fix")["healthy"]


def test_a_quoted_id_is_a_commit(clinic: Clinic, repository: Path) -> None:
    clinic.personal.put("number.md", "text", id="12e4")
    assert clinic.report("--fix")["healthy"]
    log = ["git", "log", "-1", "--format=%s"]
    done = subprocess.run(log, cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout == "Quote the id of number.md\n"
