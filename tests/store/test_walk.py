"""The walk over a vault: what counts as a memory, and what is never looked at."""

import os
from pathlib import Path

import pytest

from muninn_cli.store import walk
from muninn_cli.store.walk import walk_vault


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def paths(root: Path) -> set[str]:
    return {
        f"{folder.path}/{stamp[0]}".lstrip("/")
        for folder in walk_vault(root)
        for stamp in folder.files
    }


def test_markdown_files_of_all_folders_are_found(tmp_path):
    put(tmp_path, "a.md", "deep/er/b.md", "B.MD", "-rf.md", "50%#1.md", "comi'lla\".md", "x y.md")
    assert paths(tmp_path) == {
        *("a.md", "deep/er/b.md", "B.MD", "-rf.md"),
        *("50%#1.md", "comi'lla\".md", "x y.md"),
    }


def test_other_files_are_not(tmp_path):
    put(tmp_path, "a.txt", "md", "picture.png", "note.md.tmp", "x.mdx")
    assert paths(tmp_path) == set()


def test_dot_files_dot_folders_and_node_modules_are_skipped(tmp_path):
    hidden = (".git/x.md", ".obsidian/t.md", ".trash/old.md", "a/.cache/b.md", ".hidden.md")
    put(tmp_path, "a.md", "node_modules/p/README.md", "a/node_modules/q.md", *hidden)
    assert paths(tmp_path) == {"a.md"}


def test_a_root_below_a_dot_folder_or_node_modules_is_walked(tmp_path):
    root = tmp_path / ".agent" / "node_modules"
    put(root, "a.md")
    assert paths(root) == {"a.md"}


def test_no_symlink_is_followed(tmp_path):
    outside, root = tmp_path / "outside", tmp_path / "vault"
    put(outside, "secret.md")
    put(root, "a.md", "inner/b.md")
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "again").symlink_to(root / "inner")
    (root / "inner" / "loop").symlink_to(root)
    (root / "nowhere.md").symlink_to(root / "missing.md")
    assert paths(root) == {"a.md", "inner/b.md"}


def test_the_archive_is_walked_apart(tmp_path):
    put(tmp_path, "a.md", ".muninn/archive/b.md~12345678.md", ".muninn/archive/x/c.md~1.md")
    put(tmp_path, ".muninn/vault.md")
    archive = ".muninn/archive"
    assert paths(tmp_path) == {
        "a.md",
        f"{archive}/b.md~12345678.md",
        f"{archive}/x/c.md~1.md",
    }


def test_an_archive_that_is_a_symlink_is_not_followed(tmp_path):
    outside, root = tmp_path / "outside", tmp_path / "vault"
    put(outside, "secret.md")
    put(root, "a.md")
    (root / ".muninn").mkdir()
    (root / ".muninn" / "archive").symlink_to(outside)
    assert paths(root) == {"a.md"}


def test_what_is_no_regular_file_is_skipped(tmp_path):
    put(tmp_path, "folder.md/inner.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert paths(tmp_path) == {"folder.md/inner.md"}


def test_a_missing_root_is_a_failure(tmp_path):
    (folder,) = walk_vault(tmp_path / "gone")
    assert (folder.path, folder.files) == ("", [])
    assert folder.failure


def test_a_folder_that_cannot_be_listed_is_a_failure_of_its_own(tmp_path, monkeypatch):
    put(tmp_path, "a.md", "shut/b.md", "open/c.md")
    opened = os.open

    def shut(place, flags):
        if place.endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return opened(place, flags)

    monkeypatch.setattr(walk.os, "open", shut)
    failures = {folder.path: folder.failure for folder in walk_vault(tmp_path) if folder.failure}
    assert failures == {"shut": "Permission denied"}
    assert paths(tmp_path) == {"a.md", "open/c.md"}


def test_no_file_is_opened(tmp_path, monkeypatch):
    put(tmp_path, "a.md", "b/c.md")

    opened = os.open

    def forbidden(*args, **kwargs):
        pytest.fail("a file was opened")

    def folders_only(place, flags):
        return opened(place, flags) if flags & os.O_DIRECTORY else forbidden()

    monkeypatch.setattr("builtins.open", forbidden)
    monkeypatch.setattr(os, "open", folders_only)
    assert paths(tmp_path) == {"a.md", "b/c.md"}
