"""What a dream is given from outside, and the index and state it looks at.

A preview looks at copies in a folder of its own: not one byte below the home folder or in a vault
changes by it, neither in the index nor in a lock.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.paths import Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime

    from muninn_cli.config import Settings
    from muninn_cli.core.tiers import Limits
    from muninn_cli.dream.tools import Search
    from muninn_cli.embedding import Embedder
    from muninn_cli.store.runs import Runs
    from muninn_cli.store.vault import Vault

    Progress = Callable[[int, int], None]

_ATTEMPTS = 5
"""Copies of an index that others are writing to, before it is made from the files instead."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`time` is the clock's, `now` the time by which memories age; `silent`: it is not believed.

    `runs` rolls back what a crash left before it is handed out. `search` notes nothing.
    """

    home: Home
    vaults: tuple[Vault, ...]
    settings: Settings
    env: Mapping[str, str]
    host: str
    pid: int
    time: datetime
    now: datetime
    silent: bool
    limits: Limits
    runs: Callable[[], Runs]
    embedder: Callable[[], Embedder]
    search: Search
    notify: Callable[[str], None]
    progress: Callable[[str], AbstractContextManager[Progress]]


@contextmanager
def copied(home: Home) -> Iterator[Home]:
    """A home of its own, outside of this one, with a copy of what a dream reads of it."""
    with tempfile.TemporaryDirectory(prefix="muninn-dream-") as folder:
        copy = Home(Path(folder))
        for path in (home.dream_stamp, home.suggestions, home.judged, home.dismissed):
            if path.is_file():
                _copy(path, copy.root / path.relative_to(home.root))
        for folder_path in (home.usage("").parent, home.seen("").parent, home.aliases("").parent):
            for path in folder_path.glob("*.jsonl"):
                _copy(path, copy.root / path.relative_to(home.root))
        _copy_index(home.index_db, copy.index_db)
        yield copy


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _copy_index(source: Path, target: Path) -> None:
    """Copy an index byte by byte, with what is written ahead of it.

    SQLite itself is not asked: even to read, it writes beside an index. An index that others
    write to at this very moment is copied again; one that never stands still is left out.
    """
    pairs = [
        (source.with_name(source.name + end), target.with_name(target.name + end))
        for end in ("", "-wal")
    ]
    for _ in range(_ATTEMPTS):
        before = [_stamp(path) for path, _ in pairs]
        for path, copy in pairs:
            copy.unlink(missing_ok=True)
            if path.is_file():
                shutil.copyfile(path, copy)
        if before == [_stamp(path) for path, _ in pairs]:
            return
    for _, copy in pairs:
        copy.unlink(missing_ok=True)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns
