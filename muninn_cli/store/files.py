"""Files: the only place that writes, renames, removes or syncs one.

A file is at every moment the old one or the new one, whole; nothing is written over a file that
is not the one that was read, or over one that already exists. Nothing here knows what a file means.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from muninn_cli.core.hashing import blake2b
from muninn_cli.core.naming import collision_key
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

TEMP_PREFIX = ".muninn-"
"""Temp files are hidden, so that no walk takes one for a memory; a crash may leave one."""

_CAUSES = {
    errno.ENOSPC: ("the disk is full", "free some space, then try again"),
    errno.EDQUOT: ("the disk quota is used up", "free some space, then try again"),
    errno.EROFS: ("the file system is read-only", ""),
    errno.EACCES: ("permission denied", "check who owns the file and its folder"),
    errno.EPERM: ("permission denied", "check who owns the file and its folder"),
}
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})


def content_hash(data: bytes) -> bytes:
    """blake2b, 16 bytes: what says that a file is still the one that was read."""
    return blake2b(data, digest_size=16).digest()


def replace(path: Path, data: bytes, expected: bytes) -> None:
    """Write over the file whose content has the hash `expected`, keeping mode, owner, attributes.

    A symlink stays one: what it leads to is written. Raises ConflictError where the file is gone
    or another by now; then, and at any other failure, the old bytes stand.
    """
    with named(path):
        target = _resolved(path)
        _require(target, expected, path)
        os.close(os.open(target, os.O_WRONLY))  # a rename would not ask for this permission
        with _temp_file(target, data) as temp:
            _copy_owner(target, temp)
            _require(target, expected, path)
            temp.replace(target)
        _sync_folder(target.parent)


def write(path: Path, data: bytes) -> None:
    """Write a state file, whatever stood there; its folder is made."""
    with named(path):
        target = _resolved(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with _temp_file(target, data) as temp:
            if target.exists():
                _copy_owner(target, temp)
            temp.replace(target)
        _sync_folder(target.parent)


def create(folder: Path, stem: str, data: bytes) -> Path:
    """A new `<stem>.md`, or `<stem>-2.md`, `-3` … where a name is taken; complete when seen.

    Taken is also a name that differs in case or Unicode form only. The folder is made.
    """
    with named(folder / f"{stem}.md"):
        folder.mkdir(parents=True, exist_ok=True)
        with _temp_file(folder / f"{stem}.md", data) as temp:
            path = _claim_free_name(temp, folder, stem)
        _sync_folder(folder)
    return path


def free_name(folder: Path, stem: str) -> str:
    """The name that `create` would give now."""
    return next(_free_names(folder, stem))


def create_at(path: Path, data: bytes) -> None:
    """A new file at exactly this path. Raises ConflictError where something is there already."""
    with named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _temp_file(path, data) as temp:
            _claim(temp, path)
        _sync_folder(path.parent)


@contextmanager
def creating(path: Path) -> Iterator[BinaryIO]:
    """Write a new file at exactly this path piece by piece; it is complete when seen.

    Raises ConflictError where something is there already.
    """
    temp = path.with_name(f"{TEMP_PREFIX}{os.urandom(8).hex()}.tmp")
    with named(path):
        if path.exists():
            raise FileExistsError(path)
        try:
            with temp.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _claim(temp, path)
        finally:
            temp.unlink(missing_ok=True)


def move(source: Path, target: Path) -> None:
    """Move a file, never over another (ConflictError); the target's folder is made.

    A crash in between leaves the same bytes at both places.
    """
    with named(source):
        target.parent.mkdir(parents=True, exist_ok=True)
        linked = not source.is_symlink() and _linked(source, target)
        if not linked:
            _copy(source, target)
        _sync_folder(target.parent)
        try:
            if not _is_one_text(source, target, linked=linked):
                raise ConflictError(f"the file changed while it was moved: {source}", "try again")
            source.unlink()
        except (OSError, ConflictError):
            target.unlink()
            raise
        _sync_folder(source.parent)


def remove(path: Path) -> None:
    """Remove a file; one that is gone already is no error."""
    with named(path), suppress(FileNotFoundError):
        path.unlink()
        _sync_folder(path.parent)


def append_line(path: Path, line: str) -> None:
    """Append one line in one write, after closing a line that a crash left open.

    Lines of many processes never mix. Not synced to the disk: a power cut may lose the last ones.
    """
    with named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            with suppress(OSError):  # some network file systems have no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            data = ("\n" * torn + line + "\n").encode(errors="surrogateescape")
            if os.write(handle, data) != len(data):
                raise OSError(errno.ENOSPC, "short write")
        finally:
            os.close(handle)


def require_appendable(path: Path) -> None:
    """Raise now what `append_line` would raise where nobody may write: before work is done."""
    with named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666))


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Failures of the system as one line that names the cause and the path."""
    try:
        yield
    except FileExistsError as error:
        place = error.filename2 or error.filename or path
        raise ConflictError(f"there is a file already: {place}") from None
    except FileNotFoundError:
        raise NotFoundError(f"there is no such file: {path}") from None
    except OSError as error:
        plain = (error.strerror or str(error), "")
        cause, hint = _CAUSES.get(error.errno or 0, plain)
        raise MuninnError(f"{cause}: cannot write {path}", hint) from error


@contextmanager
def _temp_file(target: Path, data: bytes) -> Iterator[Path]:
    """A synced file with these bytes beside the target; gone afterwards, if not renamed."""
    temp = target.with_name(f"{TEMP_PREFIX}{os.urandom(8).hex()}.tmp")
    try:
        with temp.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temp
    finally:
        temp.unlink(missing_ok=True)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _require(target: Path, expected: bytes, path: Path) -> None:
    try:
        unchanged = content_hash(target.read_bytes()) == expected
    except FileNotFoundError:
        raise ConflictError(f"the file is gone: {path}") from None
    if not unchanged:
        raise ConflictError(f"the file has changed since it was read: {path}", "try again")


def _copy_owner(target: Path, temp: Path) -> None:
    stat = target.stat()
    if (stat.st_uid, stat.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.chown(temp, stat.st_uid, stat.st_gid)
    temp.chmod(stat.st_mode & 0o7777)
    _copy_attributes(target, temp)


def _copy_attributes(source: Path, temp: Path) -> None:
    """Carry access lists and what other programs have noted at a file (tags, labels) over."""
    if hasattr(os, "listxattr"):
        with suppress(OSError):  # some file systems know none, and some may not be set by us
            for name in os.listxattr(source):
                os.setxattr(temp, name, os.getxattr(source, name))


def _claim_free_name(temp: Path, folder: Path, stem: str) -> Path:
    names = _free_names(folder, stem)
    while True:
        path = folder / next(names)
        with suppress(FileExistsError):
            _claim(temp, path)
            return path


def _free_names(folder: Path, stem: str) -> Iterator[str]:
    """`<stem>.md`, `<stem>-2.md` … without those that are one file with a name of the folder."""
    taken = {collision_key(path.name) for path in folder.iterdir()} if folder.is_dir() else set()
    names = (f"{stem}-{number}.md" for number in itertools.count(2))
    return (
        name for name in itertools.chain((f"{stem}.md",), names) if collision_key(name) not in taken
    )


def _claim(temp: Path, path: Path) -> None:
    """Give the temp file its name, exclusively. Raises FileExistsError."""
    if _linked(temp, path):
        return
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    temp.replace(path)


def _linked(source: Path, target: Path) -> bool:
    """Whether a hard link could be made. Raises FileExistsError where the target exists."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno in _NO_HARD_LINKS or error.errno == errno.EXDEV:
            return False
        raise
    return True


def _copy(source: Path, target: Path) -> None:
    data = source.read_bytes()
    with _temp_file(target, data) as temp:
        temp.chmod(source.stat().st_mode & 0o7777)
        _copy_attributes(source, temp)
        _claim(temp, target)


def _is_one_text(source: Path, target: Path, *, linked: bool) -> bool:
    """Whether nobody has saved another text under the old name meanwhile."""
    if linked:
        return source.samefile(target)
    return source.read_bytes() == target.read_bytes()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some file systems cannot sync a folder
            os.fsync(handle)
    finally:
        os.close(handle)
