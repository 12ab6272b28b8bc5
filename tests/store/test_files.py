"""Writing files: old or new, whole, never over what was not read, whatever fails in between."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from muninn_cli.errors import ConflictError, MuninnError, NotFoundError
from muninn_cli.store import files

OLD, NEW = b"old text\n" * 50, b"new text\n" * 80


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_bytes(OLD)
    return path


def test_content_hash_is_sixteen_bytes_of_blake2b():
    assert files.content_hash(b"").hex() == "cae66941d9efbd404e4d88758ea67670"


def test_replace_writes_the_new_bytes_and_keeps_the_mode(note):
    note.chmod(0o640)
    files.replace(note, NEW, files.content_hash(OLD))
    assert note.read_bytes() == NEW
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    assert names(note.parent) == ["note.md"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_replace_and_copy_keep_what_others_noted_at_the_file(note, tmp_path):
    try:
        os.setxattr(note, "user.tag", b"red")
    except OSError:
        pytest.skip("no extended attributes on this file system")
    files.replace(note, b"new", files.content_hash(note.read_bytes()))
    assert os.getxattr(note, "user.tag") == b"red"
    os.symlink(note, tmp_path / "link.md")
    files.move(tmp_path / "link.md", tmp_path / "copied.md")
    assert os.getxattr(tmp_path / "copied.md", "user.tag") == b"red"


@pytest.mark.parametrize("now", [b"edited by hand\n", None])
def test_replace_refuses_a_file_that_changed_or_went(note, now):
    if now is None:
        note.unlink()
    else:
        note.write_bytes(now)
    with pytest.raises(ConflictError, match=r"note.md"):
        files.replace(note, NEW, files.content_hash(OLD))
    assert names(note.parent) == ([] if now is None else ["note.md"])
    assert now is None or note.read_bytes() == now


def test_replace_writes_to_what_a_symlink_leads_to(note):
    link = note.with_name("link.md")
    link.symlink_to("note.md")
    files.replace(link, NEW, files.content_hash(OLD))
    assert link.is_symlink()
    assert note.read_bytes() == NEW


def test_loop_of_symlinks_is_one_line(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(MuninnError, match="symbolic links"):
        files.replace(tmp_path / "a", NEW, b"")


def test_write_makes_the_folder_and_overwrites(tmp_path):
    path = tmp_path / "state" / "dream.json"
    files.write(path, OLD)
    path.chmod(0o600)
    files.write(path, NEW)
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(path.parent) == ["dream.json"]


def test_new_files_obey_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        files.write(tmp_path / "a", NEW)
        path = files.create(tmp_path, "b", NEW)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "a", path)} == {0o640}


def test_create_numbers_names_that_are_taken_in_any_case_or_form(tmp_path):
    assert files.create(tmp_path / "new", "note", NEW) == tmp_path / "new" / "note.md"
    (tmp_path / "Note.MD").write_bytes(OLD)
    (tmp_path / "note-2.md").symlink_to("nowhere")
    assert files.create(tmp_path, "note", NEW) == tmp_path / "note-3.md"
    (tmp_path / "cafe\u0301.md").write_bytes(OLD)
    assert files.create(tmp_path, "café", NEW).name == "café-2.md"
    assert files.create(tmp_path, "NOTE", NEW).name == "NOTE-4.md"
    assert (tmp_path / "Note.MD").read_bytes() == OLD


def test_creates_at_once_lose_nothing(tmp_path):
    contents = [f"text {number}\n".encode() for number in range(80)]
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(lambda data: files.create(tmp_path, "same", data), contents))
    assert len(set(paths)) == len(contents)
    assert [path.read_bytes() for path in paths] == contents
    assert len(names(tmp_path)) == len(contents)


def test_create_at_takes_exactly_this_path_or_none(tmp_path):
    path = tmp_path / "deep" / "er" / "note.md"
    files.create_at(path, NEW)
    with pytest.raises(ConflictError, match=r"er/note.md"):
        files.create_at(path, OLD)
    assert path.read_bytes() == NEW
    assert names(path.parent) == ["note.md"]


def test_move_is_never_over_another_file(note, tmp_path):
    target = tmp_path / "archive" / "note.md"
    files.move(note, target)
    assert (note.exists(), target.read_bytes()) == (False, OLD)
    note.write_bytes(NEW)
    with pytest.raises(ConflictError, match=r"archive/note.md"):
        files.move(note, target)
    assert (note.read_bytes(), target.read_bytes()) == (NEW, OLD)
    with pytest.raises(NotFoundError, match=r"gone.md"):
        files.move(tmp_path / "gone.md", tmp_path / "x.md")


@pytest.mark.parametrize("can_link", [True, False])
def test_what_an_editor_saves_during_a_move_stays(note, tmp_path, monkeypatch, can_link):
    target = tmp_path / "archive" / "note.md"

    def saving(handle: int) -> None:
        if target.exists():
            (tmp_path / "draft").write_bytes(NEW)
            (tmp_path / "draft").replace(note)

    def refusing(source: Path, place: Path) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "fsync", saving)
    if not can_link:
        monkeypatch.setattr(os, "link", refusing)
    with pytest.raises(ConflictError, match="changed while it was moved"):
        files.move(note, target)
    assert (note.read_bytes(), target.exists()) == (NEW, False)


def test_move_of_a_symlink_moves_the_text(note, tmp_path):
    link = tmp_path / "link.md"
    link.symlink_to("note.md")
    files.move(link, tmp_path / "deep" / "copy.md")
    assert not (tmp_path / "deep" / "copy.md").is_symlink()
    assert (tmp_path / "deep" / "copy.md").read_bytes() == note.read_bytes() == OLD
    assert not link.is_symlink()


@pytest.mark.skipif(
    not Path("/dev/shm").is_dir() or Path("/dev/shm").stat().st_dev == Path("/tmp").stat().st_dev,
    reason="needs a second file system",
)
def test_move_to_another_file_system(note, tmp_path):
    folder = Path("/dev/shm") / f"muninn-test-{os.getpid()}"
    note.chmod(0o640)
    try:
        files.move(note, folder / "note.md")
        assert (note.exists(), (folder / "note.md").read_bytes()) == (False, OLD)
        assert stat.S_IMODE((folder / "note.md").stat().st_mode) == 0o640
        assert names(folder) == ["note.md"]
    finally:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def test_remove_twice_is_no_error(note):
    files.remove(note)
    files.remove(note)
    assert not note.exists()


def test_append_line_closes_a_torn_line_first(tmp_path):
    path = tmp_path / "usage" / "v.jsonl"
    files.append_line(path, "one")
    with path.open("ab") as file:
        file.write(b'{"torn')
    files.append_line(path, "two")
    files.append_line(path, "ñ")
    assert path.read_text().splitlines() == ["one", '{"torn', "two", "ñ"]


def test_appends_at_once_never_mix(tmp_path):
    path = tmp_path / "log"
    lines = [f"{number}:" + "x" * 300_000 for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda line: files.append_line(path, line), lines))
    assert sorted(path.read_text().splitlines()) == sorted(lines)


# --- what fails ----------------------------------------------------------------------------------

CRASHING = """
import os, sys
from pathlib import Path
from muninn_cli.store import files
folder, act, left = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
old, new = b"old text\\n" * 50, b"new text\\n" * 80
def crash(event, arguments):
    global left
    if event in ("open", "os.rename", "os.link", "os.remove", "os.chmod", "os.mkdir"):
        left -= 1
        if left < 0:
            os._exit(9)
sys.addaudithook(crash)
match act:
    case "replace": files.replace(folder / "note.md", new, files.content_hash(old))
    case "write": files.write(folder / "note.md", new)
    case "create": files.create(folder, "new", new)
    case "move": files.move(folder / "note.md", folder / "archive" / "note.md")
"""


@pytest.mark.parametrize("act", ["replace", "write", "create", "move"])
def test_a_crash_at_any_step_leaves_whole_files(tmp_path, act):
    outcomes = set()
    for step in range(30):
        folder = tmp_path / str(step)
        folder.mkdir()
        (folder / "note.md").write_bytes(OLD)
        child = subprocess.run(
            [sys.executable, "-c", CRASHING, folder, act, str(step)], check=False
        )
        left = {
            p.relative_to(folder).as_posix(): p.read_bytes()
            for p in folder.rglob("*.md")
            if p.is_file()
        }
        outcomes.add((*sorted(left), left.get("note.md") == NEW))
        assert set(left.values()) <= {OLD, NEW}
        assert left.get("note.md", OLD) in ((OLD, NEW) if act in ("replace", "write") else (OLD,))
        assert left.get("new.md", NEW) == NEW
        assert OLD in left.values() or act in ("replace", "write")
        if child.returncode == 0:
            break
    assert child.returncode == 0
    assert step > 2
    assert len(outcomes) == (3 if act == "move" else 2)


EDITING = """
import sys
from pathlib import Path
from muninn_cli.errors import ConflictError
from muninn_cli.store import files
note = Path(sys.argv[1])
expected = files.content_hash(note.read_bytes())
def edit(event, arguments):
    if event == "os.chmod":
        note.write_bytes(b"edited by hand")
sys.addaudithook(edit)
try:
    files.replace(note, b"new", expected)
except ConflictError:
    sys.exit(7)
"""


def test_an_edit_while_the_new_bytes_are_written_is_kept(note):
    child = subprocess.run([sys.executable, "-c", EDITING, note], check=False)
    assert child.returncode == 7
    assert note.read_bytes() == b"edited by hand"
    assert names(note.parent) == ["note.md"]


@contextmanager
def small_disk(folder: Path):
    """A file system of 64 KB that is full but for 4 KB."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("needs the right to mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_named_and_leaves_the_old_bytes(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        note = disk / "note.md"
        note.write_bytes(OLD)
        (disk / "filler").write_bytes(b"x" * 48 * 1024)
        big = b"y" * 32 * 1024
        acts = [
            lambda: files.replace(note, big, files.content_hash(OLD)),
            lambda: files.write(note, big),
            lambda: files.create(disk, "new", big),
            lambda: files.create_at(disk / "other.md", big),
            lambda: files.append_line(disk / "log", "y" * 32 * 1024),
        ]
        for act in acts:
            with pytest.raises(MuninnError, match=r"the disk is full.*disk/"):
                act()
        assert note.read_bytes() == OLD
        assert names(disk) in (["filler", "log", "note.md"], ["filler", "note.md"])


def test_a_read_only_disk_is_named(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        (disk / "note.md").write_bytes(OLD)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for act in (
            lambda: files.replace(disk / "note.md", NEW, files.content_hash(OLD)),
            lambda: files.create(disk, "new", NEW),
            lambda: files.remove(disk / "note.md"),
            lambda: files.append_line(disk / "log", "x"),
        ):
            with pytest.raises(MuninnError, match=r"read-only"):
                act()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_missing_permission_is_named(note):
    note.chmod(0o400)
    with pytest.raises(MuninnError, match=r"permission denied.*note.md"):
        files.replace(note, NEW, files.content_hash(OLD))
    note.parent.chmod(0o500)
    try:
        with pytest.raises(MuninnError, match="permission denied"):
            files.create(note.parent, "x", NEW)
    finally:
        note.parent.chmod(0o700)


@pytest.mark.parametrize(
    "number", [errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT]
)
def test_every_failure_of_the_system_names_the_path(tmp_path, number):
    with pytest.raises(MuninnError, match=r"note.md"), files.named(tmp_path / "note.md"):
        raise OSError(number, os.strerror(number))


def test_a_file_where_a_folder_should_be_is_named(note):
    with pytest.raises(MuninnError, match=r"note.md"):
        files.create(note, "x", NEW)
    with pytest.raises(MuninnError, match=r"note.md"):
        files.create_at(note / "x.md", NEW)
