"""Commits of muninn's own paths in repositories that people are working in."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from muninn_cli.store import git, history
from muninn_cli.store.history import Entry


def run(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ana\n\temail = ana@example.com\n")
    folder = tmp_path / "vault"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    (folder / "first.md").write_text("first\n")
    run(folder, "add", "first.md")
    run(folder, "commit", "-qm", "first")
    return folder


@pytest.fixture
def pending(tmp_path: Path) -> Path:
    return tmp_path / "pending_commits.jsonl"


def write_and_commit(root: Path, pending: Path, name: str = "new.md") -> str:
    (root / name).write_text("a memory\n")
    history.note(pending, Entry("v1", (name,), f"Add {name}"))
    return history.commit(pending, "v1", root)


def test_one_command_is_one_commit_of_its_own_paths(root: Path, pending: Path) -> None:
    (root / "mine.md").write_text("not yours\n")
    assert write_and_commit(root, pending) == ""
    assert run(root, "log", "-1", "--format=%s", "--name-only").split() == [
        "Add",
        "new.md",
        "new.md",
    ]
    assert run(root, "status", "--porcelain") == "?? mine.md\n"
    assert history.waiting(pending) == []


def test_a_message_is_one_entry_whatever_separators_it_holds(root: Path, pending: Path) -> None:
    entry = Entry("v1", ("a\u2028b.md",), "Add a\u2028b\u0085c")
    history.note(pending, entry)
    assert history.waiting(pending) == [entry]


def test_an_edit_a_removal_and_a_new_file_go_into_one_commit(root: Path, pending: Path) -> None:
    (root / "first.md").unlink()
    (root / "second.md").write_text("second\n")
    history.note(pending, Entry("v1", ("first.md", "second.md", "never-was.md"), "Archive first"))
    assert history.commit(pending, "v1", root) == ""
    assert run(root, "status", "--porcelain") == ""


def test_what_a_person_has_staged_is_neither_committed_nor_unstaged(
    root: Path, pending: Path
) -> None:
    (root / "staged.md").write_text("work of a person\n")
    (root / "first.md").write_text("edited by a person\n")
    run(root, "add", "staged.md", "first.md")
    before = run(root, "diff", "--cached")
    (root / "first.md").write_text("edited by a person and by muninn\n")
    (root / "new.md").write_text("a memory\n")
    history.note(pending, Entry("v1", ("first.md", "new.md"), "Two paths"))
    assert "in first.md there is work that you have staged" in history.commit(pending, "v1", root)
    assert run(root, "diff", "--cached") == before
    assert run(root, "show", "--name-only", "--format=").split() == ["new.md"]


def test_what_a_person_has_staged_waits_until_it_is_committed(root: Path, pending: Path) -> None:
    (root / "first.md").write_text("edited by a person\n")
    run(root, "add", "first.md")
    (root / "first.md").write_text("edited by a person and by muninn\n")
    history.note(pending, Entry("v1", ("first.md",), "Pin first"))
    history.commit(pending, "v1", root)
    run(root, "commit", "-qm", "of a person")
    assert history.commit(pending, "v1", root) == ""
    assert run(root, "log", "-1", "--format=%s") == "Pin first\n"
    assert history.waiting(pending) == []


def detach(root: Path) -> None:
    run(root, "checkout", "-q", "--detach")


def rebase(root: Path) -> None:
    (root / ".git" / "rebase-merge").mkdir()


def failing_hook(root: Path) -> None:
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho no commits today >&2\nexit 1\n")
    hook.chmod(0o755)


def no_identity(root: Path) -> None:
    run(root, "config", "user.useConfigOnly", "true")
    (root.parent / "gitconfig").write_text("")


def signing_without_key(root: Path) -> None:
    run(root, "config", "commit.gpgsign", "true")
    run(root, "config", "gpg.program", "false")


def index_lock(root: Path) -> None:
    (root / ".git" / "index.lock").write_text("")


STATES = [detach, rebase, failing_hook, no_identity, signing_without_key, index_lock]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_repository_that_cannot_take_a_commit_costs_one_warning(
    root: Path, pending: Path, state
) -> None:
    (root / "staged.md").write_text("work of a person\n")
    run(root, "add", "staged.md")
    state(root)
    before = run(root, "diff", "--cached")
    warning = write_and_commit(root, pending)
    assert warning.count("\n") == 0 and str(root) in warning
    assert (root / "new.md").read_text() == "a memory\n"
    assert run(root, "diff", "--cached") == before
    assert "new.md" not in run(root, "ls-files")
    assert [entry.message for entry in history.waiting(pending)] == ["Add new.md"]


def test_a_git_that_knows_nobody_is_answered_with_what_to_type(root: Path, pending: Path) -> None:
    no_identity(root)
    assert "`git config --global user.name NAME`" in write_and_commit(root, pending)


def test_what_waited_is_committed_with_its_own_message_by_the_next_command(
    root: Path, pending: Path
) -> None:
    failing_hook(root)
    assert write_and_commit(root, pending, "one.md")
    (root / ".git" / "hooks" / "pre-commit").unlink()
    assert write_and_commit(root, pending, "two.md") == ""
    assert run(root, "log", "--format=%s").splitlines() == ["Add two.md", "Add one.md", "first"]
    assert history.waiting(pending) == []


def test_a_hook_that_hangs_is_ended(
    root: Path, pending: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nsleep 60\n")
    hook.chmod(0o755)
    monkeypatch.setattr(git, "TIME_LIMIT", 0.5)
    assert "longer than" in write_and_commit(root, pending)
    assert not (root / ".git" / "index.lock").exists()


def test_a_hook_that_hangs_after_the_commit_removes_nothing(
    root: Path, pending: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "TIME_LIMIT", 0.5)
    hook = root / ".git" / "hooks" / "post-commit"
    hook.write_text("#!/bin/sh\nsleep 60\n")
    hook.chmod(0o755)
    assert "took longer than" in write_and_commit(root, pending)
    assert run(root, "status", "--porcelain") == ""
    assert "new.md" in run(root, "show", "--name-only", "--format=")


def test_nothing_is_committed_into_a_repository_around_the_vault(root: Path, pending: Path) -> None:
    vault = root / "notes"
    vault.mkdir()
    assert "no git repository" in write_and_commit(vault, pending)
    assert run(root, "status", "--porcelain") == "?? notes/\n"


def test_what_lies_in_a_repository_of_its_own_is_passed_over(root: Path, pending: Path) -> None:
    inner = root / "inner"
    inner.mkdir()
    run(inner, "init", "-q")
    (inner / "note.md").write_text("a memory\n")
    history.note(pending, Entry("v1", ("inner/note.md",), "Pin note"))
    assert write_and_commit(root, pending) == ""
    assert run(root, "show", "--name-only", "--format=").split() == ["new.md"]
    assert history.waiting(pending) == []


def test_a_folder_in_the_place_of_a_file_is_not_added(root: Path, pending: Path) -> None:
    (root / "new.md").mkdir()
    (root / "new.md" / "mine.md").write_text("of a person\n")
    history.note(pending, Entry("v1", ("new.md",), "Add new"))
    assert history.commit(pending, "v1", root) == ""
    assert run(root, "status", "--porcelain") == "?? new.md/\n"


@pytest.mark.parametrize("title", ["a\0b", "half \ud800", "\udce9", "long " * 100_000])
def test_a_title_that_no_program_can_be_given_is_committed(
    root: Path, pending: Path, title: str
) -> None:
    (root / "new.md").write_text("a memory\n")
    history.note(pending, Entry("v1", ("new.md",), f"Add {title}"))
    assert history.commit(pending, "v1", root) == ""
    assert run(root, "log", "-1", "--format=%s").startswith("Add ")


def test_a_missing_git_is_a_warning(
    root: Path, pending: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert "git is not installed" in write_and_commit(root, pending)


def test_an_ignored_path_is_passed_over(root: Path, pending: Path) -> None:
    (root / ".gitignore").write_text("new.md\n")
    assert write_and_commit(root, pending) == ""
    assert "new.md" not in run(root, "ls-files")


def test_names_that_look_like_options_or_patterns_are_names(root: Path, pending: Path) -> None:
    for name in ("-f.md", "a*b.md", ":top.md", 'ñandú "x".md'):
        assert write_and_commit(root, pending, name) == ""
    assert run(root, "status", "--porcelain") == ""


def test_a_first_commit_leaves_staged_work_alone(tmp_path: Path, pending: Path, root: Path) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    assert history.start(folder) == ""
    (folder / "staged.md").write_text("work of a person\n")
    run(folder, "add", "staged.md")
    assert write_and_commit(folder, pending) == ""
    assert run(folder, "ls-tree", "--name-only", "HEAD") == "new.md\n"


def test_a_vault_inside_a_repository_gets_none_of_its_own(root: Path) -> None:
    inner = root / "notes"
    inner.mkdir()
    assert history.start(inner) == ""
    assert not (inner / ".git").exists()


def test_revisions_follow_a_move_and_give_the_old_bytes(root: Path) -> None:
    run(root, "mv", "first.md", "moved.md")
    run(root, "commit", "-qm", "move")
    moved, first = git.revisions(root, "moved.md")
    assert (moved.path, first.path) == ("moved.md", "first.md")
    assert git.contents(root, [moved, first, first._replace(path="none.md")]) == [
        b"first\n",
        b"first\n",
        None,
    ]
    assert git.resolve(root, "HEAD~1") == first.commit
