"""The walk over a vault: which of its files are memories, with their stamps; opens none of them.

Skipped: dot-files and dot-folders (judged below the root), `node_modules`, symlinks, and what is
not a regular `.md` file. No symlink is followed: one that leads outside is not the vault's, and
what one inside leads to is met in its own place. The archive is walked apart.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.listing import Stamp
from muninn_cli.store.vault import ARCHIVE, INNER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_SUFFIX = ".md"
_SKIPPED_FOLDERS = frozenset({"node_modules"})


class Folder(NamedTuple):
    """One folder: its path below the root (`/` between names, "" for the root) and its files.

    `failure` says why it could not be listed; its files, and those below it, are then unknown.
    """

    path: str
    files: list[Stamp]
    failure: str = ""


def walk_vault(root: Path) -> Iterator[Folder]:
    """All folders that hold live or archived memories, in no order. Never raises OSError."""
    place = os.fspath(root)
    yield from _walk(place, "")
    inner = os.path.join(place, INNER)  # noqa: PTH118
    archive = os.path.join(place, ARCHIVE)  # noqa: PTH118
    if _is_there(inner) and _is_there(archive):
        yield from _walk(archive, ARCHIVE)


def is_archived(folder: str) -> bool:
    """Whether a folder's path below the root lies in the archive."""
    return folder == ARCHIVE or folder.startswith(ARCHIVE + "/")


def _is_there(folder: str) -> bool:
    """Whether this is a folder and no symlink; true where it cannot be told."""
    try:
        return stat.S_ISDIR(os.lstat(folder).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _walk(place: str, path: str) -> Iterator[Folder]:
    waiting = [(place, path)]
    while waiting:
        place, path = waiting.pop()
        folders: list[tuple[str, str]] = []
        try:
            files = _list(place, path, folders)
        except OSError as error:
            yield Folder(path, [], error.strerror or str(error))
            continue
        waiting += folders
        yield Folder(path, files)


def _list(place: str, path: str, folders: list[tuple[str, str]]) -> list[Stamp]:
    """The files of one folder; adds its sub-folders to `folders` as (place, path).

    The folder is opened first: a file that is looked up in there by its name alone spares the
    system its whole path, a fifth of the walk.
    """
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with os.scandir(handle) as entries:
            return _files(entries, place, f"{path}/" if path else "", folders)
    finally:
        os.close(handle)


def _files(
    entries: Iterable[os.DirEntry[str]], place: str, prefix: str, folders: list[tuple[str, str]]
) -> list[Stamp]:
    files: list[Stamp] = []
    for entry in entries:
        name = entry.name
        if name[0] == ".":
            continue
        if name[-3:].lower() == _SUFFIX and entry.is_file(follow_symlinks=False):
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            files.append((name, found.st_mtime_ns, found.st_size, found.st_ino))
        elif entry.is_dir(follow_symlinks=False) and name not in _SKIPPED_FOLDERS:
            folders.append((f"{place}/{name}", prefix + name))
    return files
