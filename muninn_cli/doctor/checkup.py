"""What every check looks at: settings, vaults, and their files, each read once.

Nothing here writes, makes the home folder, syncs the index or rolls a run back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.conflict_markers import conflict_markers
from muninn_cli.core.links import links
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import quote_id, read
from muninn_cli.core.naming import is_skipped_name
from muninn_cli.core.scalars import is_text
from muninn_cli.store.files import content_hash
from muninn_cli.store.walk import is_archived, walk_vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from muninn_cli.app import App
    from muninn_cli.config import Settings
    from muninn_cli.store.vault import Vault

_KEY = re.compile(r"[ \t]*[\"']?(id|superseded_by|supersedes|related)[\"']?[ \t]*:")


class Link(NamedTuple):
    """What a body links to, as written, and the line of the file."""

    target: str
    line: int


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One file that could be read; the memory's body is left out.

    `lines` says where some keys of the front matter stand, `conflicts` where conflicts begin.
    `bare_id`: the id has no quotes, and YAML reads it as something else than text.
    """

    path: str
    hash: bytes
    memory: Memory
    links: tuple[Link, ...]
    conflicts: tuple[int, ...]
    lines: dict[str, int]
    bare_id: bool

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class VaultFiles:
    """The files of one vault: live and archived memories, and what could not be read.

    `unreadable` are causes by path, `unlisted` causes by folder.
    """

    vault: Vault
    live: tuple[MemoryFile, ...]
    archived: tuple[MemoryFile, ...]
    unreadable: dict[str, str]
    unlisted: dict[str, str]

    @property
    def is_there(self) -> bool:
        return "" not in self.unlisted

    @property
    def count(self) -> int:
        return len(self.live) + len(self.archived) + len(self.unreadable)

    def hashes(self) -> dict[str, bytes]:
        """Content hashes of all files, by path; empty where a file could not be read."""
        known = {file.path: file.hash for file in (*self.live, *self.archived)}
        return known | dict.fromkeys(self.unreadable, b"")


@dataclass(frozen=True, slots=True)
class Checkup:
    """`settings` is None where they cannot be read."""

    app: App
    settings: Settings | None
    vaults: tuple[VaultFiles, ...]


def read_vault(vault: Vault) -> VaultFiles:
    """Read every file of a vault. Never raises OSError."""
    files = VaultFiles(vault, (), (), {}, {})
    found: list[MemoryFile] = []
    for path, cause in sorted(_paths(vault.root, files.unlisted)):
        file = cause or _read(vault, path)
        if isinstance(file, MemoryFile):
            found.append(file)
        elif file:
            files.unreadable[path] = file
    archived = [is_archived(file.path.rpartition("/")[0]) for file in found]
    pairs = list(zip(found, archived, strict=True))
    return replace(
        files,
        live=tuple(file for file, is_out in pairs if not is_out),
        archived=tuple(file for file, is_out in pairs if is_out),
    )


def _paths(root: Path, unlisted: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Paths of memories below the root; with a cause where the name alone says that it is none."""
    for folder in walk_vault(root):
        if folder.failure:
            unlisted[folder.path] = folder.failure
        for name, *_ in folder.files:
            path = f"{folder.path}/{name}" if folder.path else name
            shown = path.encode(errors="backslashreplace").decode()
            if shown != path:
                yield shown, "the name of the file is not UTF-8"
            elif not is_skipped_name(name):
                yield path, ""


def _read(vault: Vault, path: str) -> MemoryFile | str:
    """The file, or why it cannot be read; an empty text where it has just gone."""
    try:
        data = (vault.root / path).read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    memory = read(data, path, vault.id_name)
    if not isinstance(memory, Memory):
        return memory.cause
    text = data.decode(errors="replace")
    targets = links(memory.body) if memory.editable else ()  # what does not parse is no body
    may_be_bare = memory.written_id and memory.editable and not is_text(memory.id)
    return MemoryFile(
        path=path,
        hash=content_hash(data),
        memory=memory._replace(body=""),
        links=tuple(Link(target, _line_of(text, target)) for target in targets),
        conflicts=conflict_markers(text),
        lines=_lines_of_keys(text[: len(text) - len(memory.body)]),
        bare_id=may_be_bare and quote_id(data) != data,
    )


def _lines_of_keys(front_matter: str) -> dict[str, int]:
    lines = enumerate(front_matter.splitlines(), 1)
    return {match[1]: number for number, line in lines if (match := _KEY.match(line))}


def _line_of(text: str, target: str) -> int:
    """The line of a link; 0 where it is written in another way than it reads."""
    start = max(text.find(f"{opening}{target}") for opening in ("[[", "](", "](<"))
    return text.count("\n", 0, start) + 1 if start >= 0 else 0
