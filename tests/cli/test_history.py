"""Git under a vault: one commit a command, the commits of a memory, and its earlier texts."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

FRIDAY = "Releases go out on Friday after the smoke test"
MONDAY = "The staging database is emptied every Monday morning"
LEDGER = ".muninn/archive.jsonl"


@pytest.fixture(autouse=True)
def git_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ana\n\temail = ana@example.com\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")


@pytest.fixture
def root(muninn, home: Path) -> Path:
    """The vault `personal`, a repository."""
    muninn("init", env={"MUNINN_GIT_AUTO": "true"})
    return home / "vaults" / "personal"


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def commits(root: Path) -> list[list[str]]:
    """The subject and the sorted paths of each commit, the oldest first."""
    out = git(root, "log", "--reverse", "--no-renames", "--name-only", "--format=%x01%s")
    entries = [entry.splitlines() for entry in out.split("\x01") if entry]
    return [[subject, *sorted(filter(None, paths))] for subject, *paths in entries]


def add(muninn, text: str, *options: str) -> str:
    return muninn("add", text, "--json", *options).json["id"]


def test_every_command_that_writes_is_one_commit_of_exactly_its_paths(muninn, root: Path) -> None:
    (root / "mine.md").write_text("a person's, not committed\n")
    friday, monday = (
        add(muninn, FRIDAY, "--title", "friday"),
        add(muninn, MONDAY, "--title", "monday"),
    )
    archived = f".muninn/archive/friday.md~{friday[-8:]}.md"
    muninn("pin", friday)
    muninn("unpin", friday)
    muninn("tier", "set", friday, "T3")
    muninn("edit", monday, env={"EDITOR": "sed -i s/Monday/Tuesday/"})
    muninn("supersede", friday, monday)
    muninn("supersede", "--undo", friday)
    muninn("archive", friday)
    muninn("restore", friday)
    muninn("purge", monday, "--yes")
    assert [paths for _, *paths in commits(root)] == [
        ["friday.md"],
        ["monday.md"],
        ["friday.md"],
        ["friday.md"],
        ["friday.md"],
        ["monday.md"],
        ["friday.md", "monday.md"],
        ["friday.md", "monday.md"],
        sorted([LEDGER, archived, "friday.md"]),
        sorted([LEDGER, archived, "friday.md"]),
        sorted([LEDGER, "monday.md"]),
    ]
    assert git(root, "status", "--porcelain") == "?? mine.md\n"


def test_a_merged_newcomer_is_in_the_commit_of_what_it_was_merged_into(muninn, root: Path) -> None:
    add(muninn, FRIDAY)
    merged = muninn("add", FRIDAY + ".", "--tag", "release", "--json").json
    assert merged["operation"] == "merged"
    assert len(commits(root)) == 2
    assert git(root, "status", "--porcelain") == ""


def test_a_sweep_is_one_commit(muninn, root: Path, clock) -> None:
    add(muninn, FRIDAY, "--tier", "T3")
    add(muninn, MONDAY, "--tier", "T3")
    clock.advance(days=31)
    muninn("sweep")
    assert len(commits(root)) == 3
    assert git(root, "status", "--porcelain") == ""


def test_what_git_refuses_is_one_warning_and_the_next_command_commits_it(muninn, root) -> None:
    (root / ".git" / "index.lock").write_text("")
    code, _, err = muninn("add", FRIDAY)
    assert code == 0
    assert len(err.splitlines()) == 1 and "not committed" in err
    (root / ".git" / "index.lock").unlink()
    assert muninn("add", MONDAY).err == ""
    assert len(commits(root)) == 2


def test_eight_processes_that_add_at_once_leave_nothing_uncommitted(
    muninn, muninn_process, root: Path
) -> None:
    def add_four(worker: int) -> list:
        texts = [f"Worker {worker} noted the number {worker * 100 + n}" for n in range(4)]
        return [muninn_process("add", text, "--force") for text in texts]

    with ThreadPoolExecutor(8) as pool:
        answers = [answer for several in pool.map(add_four, range(8)) for answer in several]
    assert [answer.code for answer in answers] == [0] * 32
    assert len(commits(root)) == 32
    assert git(root, "status", "--porcelain") == ""


def test_the_history_follows_a_memory_through_every_place_it_had(muninn, root: Path) -> None:
    friday = add(muninn, FRIDAY, "--title", "friday")
    add(muninn, MONDAY, "--title", "monday")
    muninn("archive", friday)
    muninn("restore", friday, "--to", "deep/fridays.md")
    answer = muninn("history", friday, "--json").json
    assert [(each["subject"].split()[0], each["path"]) for each in answer["commits"]] == [
        ("Restore", "deep/fridays.md"),
        ("Archive", f".muninn/archive/friday.md~{friday[-8:]}.md"),
        ("Add", "friday.md"),
    ]
    assert answer["commits"][0]["time"].endswith("Z")
    lines = muninn("history", friday).out.splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        each["commit"][:10] for each in answer["commits"]
    ]
    assert muninn("history", friday, "--ndjson").rows == answer["commits"]


def test_the_commits_of_another_memory_are_not_its_history(muninn, root: Path) -> None:
    long = "The same long text, word for word, in both of them. " * 20
    add(muninn, long, "--title", "one")
    two = add(muninn, long, "--title", "two", "--force")
    assert len(muninn("history", two, "--json").json["commits"]) == 1


def test_a_memory_that_took_the_place_of_a_purged_one_begins_its_own_history(muninn, root) -> None:
    muninn("purge", add(muninn, FRIDAY, "--title", "plan"), "--yes")
    plan = add(muninn, MONDAY, "--title", "plan")
    texts = [each["subject"] for each in muninn("history", plan, "--json").json["commits"]]
    assert texts[0] == "Add plan" and "Add plan" not in texts[1:]


def test_an_earlier_text_is_shown_through_renames(muninn, root: Path) -> None:
    friday = add(muninn, FRIDAY, "--title", "friday")
    muninn("edit", friday, env={"EDITOR": "sed -i s/Friday/Thursday/"})
    git(root, "mv", "friday.md", "thursday.md")
    git(root, "commit", "--quiet", "--message=move")
    now = muninn("show", friday, "--json").json["memory"]
    then = muninn("show", friday, "--at", "HEAD~2", "--json").json["memory"]
    assert ("Thursday" in now["body"], "Friday" in then["body"]) == (True, True)
    assert (then["path"], then["subject"]) == ("friday.md", "Add friday")
    assert FRIDAY in muninn("show", friday, "--at", then["commit"][:10]).out


def test_a_time_is_a_place_in_history_too(muninn, root: Path, monkeypatch) -> None:
    for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(variable, "2026-03-01T00:00:00Z")
    friday = add(muninn, FRIDAY)
    for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(variable, "2026-03-10T00:00:00Z")
    muninn("edit", friday, env={"EDITOR": "sed -i s/Friday/Thursday/"})
    assert "Friday" in muninn("show", friday, "--at", "2026-03-05").out
    assert "Thursday" in muninn("show", friday, "--at", "2026-03-11").out
    early = muninn("show", friday, "--at", "2026-02-01")
    assert (early.code, "not there at 2026-02-01" in early.err) == (3, True)
    assert "Friday" in muninn("show", friday, "--at", "20d").out
    assert "Thursday" in muninn("show", friday, "--at", "1w").out


def test_a_text_settled_in_a_merge_is_shown_as_the_merge_has_it(muninn, root: Path) -> None:
    friday = add(muninn, FRIDAY, "--title", "friday")
    place = root / "friday.md"
    original = place.read_text()
    git(root, "checkout", "--quiet", "-b", "side")
    place.write_text(original.replace("Friday", "Sunday"))
    git(root, "commit", "--quiet", "--all", "--message=side")
    git(root, "checkout", "--quiet", "-")
    place.write_text(original.replace("Friday", "Saturday"))
    git(root, "commit", "--quiet", "--all", "--message=main")
    subprocess.run(["git", "merge", "--quiet", "side"], cwd=root, capture_output=True, check=False)
    place.write_text(original.replace("Friday", "both days"))
    git(root, "commit", "--quiet", "--all", "--message=merge")
    assert "both days" in muninn("show", friday, "--at", "HEAD").out
    assert "Sunday" in muninn("show", friday, "--at", "side").out


@pytest.mark.parametrize("when", ["nonsense", "HEAD~99", "--all", ""])
def test_a_commit_that_is_not_there_is_named(muninn, root: Path, when: str) -> None:
    answer = muninn("show", add(muninn, FRIDAY), f"--at={when}", "--json")
    assert (answer.code, answer.error["code"]) == (3, "not_found")
    assert "history" in answer.error["hint"]


def test_a_memory_that_did_not_exist_yet_is_not_shown(muninn, root: Path) -> None:
    add(muninn, FRIDAY)
    answer = muninn("show", add(muninn, MONDAY), "--at", "HEAD~1", "--json")
    assert answer.code == 3


def test_without_git_or_without_a_commit_there_is_no_history(muninn, root: Path, tmp_path) -> None:
    (root / "mine.md").write_text("never committed\n")
    answer = muninn("history", "mine", "--json")
    assert (answer.code, answer.json["commits"]) == (0, [])
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "plain.md").write_text("no git here\n")
    muninn("vault", "add", folder)
    answer = muninn("history", "plain", "--json")
    assert answer.code == 3
    assert answer.error["hint"] == "muninn vault git notes on"


def test_a_vault_in_a_folder_of_a_repository_has_the_history_of_that(muninn, tmp_path) -> None:
    folder = tmp_path / "repo" / "docs"
    folder.mkdir(parents=True)
    git(tmp_path / "repo", "init", "--quiet")
    (folder / "plain.md").write_text("in a sub-folder\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=docs")
    muninn("vault", "add", folder)
    (commit,) = muninn("history", "plain", "--json").json["commits"]
    assert (commit["subject"], commit["path"]) == ("docs", "plain.md")
    assert "sub-folder" in muninn("show", "plain", "--at", "HEAD").out


# muninn vault git


@pytest.fixture
def notes(muninn, tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("there before\n")
    muninn("vault", "add", folder)
    return folder


def test_a_registered_folder_becomes_a_repository_when_asked(muninn, notes: Path) -> None:
    answer = muninn("vault", "git", "notes", "on", "--json").json
    assert (answer["operation"], answer["vault"]["git"]) == ("changed", True)
    add(muninn, FRIDAY, "--vault", "notes", "--title", "friday")
    assert commits(notes) == [["Add friday", "friday.md"]]
    assert git(notes, "status", "--porcelain") == "?? a.md\n"
    again = muninn("vault", "git", "notes", "on", "--json").json
    assert again["operation"] == "unchanged"


def test_off_leaves_the_repository_alone(muninn, notes: Path) -> None:
    muninn("vault", "git", "notes", "on")
    assert muninn("vault", "git", "notes", "off", "--json").json["vault"]["git"] is False
    add(muninn, FRIDAY, "--vault", "notes")
    assert (notes / ".git").is_dir()
    assert git(notes, "rev-list", "--all") == ""


def test_no_repository_is_made_in_another(muninn, notes: Path) -> None:
    git(notes.parent, "init", "--quiet")
    answer = muninn("vault", "git", "notes", "on", "--json")
    assert (answer.code, answer.error["code"]) == (4, "conflict")
    assert str(notes.parent) in answer.error["message"]
    assert not (notes / ".git").exists()
    assert muninn("vault", "show", "notes", "--json").json["vault"]["git"] is False


def test_a_git_that_is_missing_changes_nothing(muninn, notes: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    answer = muninn("vault", "git", "notes", "on", "--json")
    assert answer.code == 1
    assert "git is not installed" in answer.error["message"]
    assert json.loads(answer.err)["error"]["code"] == "failed"
    assert muninn("vault", "show", "notes", "--json").json["vault"]["git"] is False
