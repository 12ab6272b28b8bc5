"""What can be imported, item by item: lines of JSON, Markdown files, an agent's notes.

Only reads. What cannot be read is an item too, with its place and the cause.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from muninn_cli.core import agent_notes, records
from muninn_cli.core.foreign_records import ForeignRecord, read_foreign
from muninn_cli.errors import MuninnError, NotFoundError, UnreadableError
from muninn_cli.store.walk import is_archived, walk_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_ARCHIVED = "what lies in an archive is only imported from records"


@dataclass(frozen=True, slots=True)
class File:
    """A Markdown file to be taken as it is. `vault` is where it was exported from, or empty."""

    name: str
    path: str
    data: bytes
    vault: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A record of an export."""

    name: str
    record: records.Record


@dataclass(frozen=True, slots=True)
class Foreign:
    """A record of another tool."""

    name: str
    record: ForeignRecord


@dataclass(frozen=True, slots=True)
class Bad:
    """Something that cannot be read, and why."""

    name: str
    why: str


Item = File | Own | Foreign | Bad


class Source(NamedTuple):
    """Items to come, and how many there are."""

    total: int
    items: Iterator[Item]


def open_source(place: Path) -> Source:
    """The items of a file or folder. Raises NotFoundError, UnreadableError."""
    if place.is_dir():
        return _folder(place)
    data = _read(place)
    if place.suffix.lower() == ".md":
        return Source(1, iter([File(place.name, place.name, data)]))
    return of_lines(data, place.name)


def of_lines(data: bytes, name: str) -> Source:
    """One item a line of JSON; blank lines are none."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return Source(len(numbered), (_item(f"{name}:{number}", line) for number, line in numbered))


def _item(name: str, line: bytes) -> Item:
    try:
        found: Any = json.loads(line.decode())
        if not isinstance(found, dict):
            return Bad(name, "no object: one JSON object a line is expected")
        if records.is_record(found):
            return Own(name, records.from_json(found))
        return Foreign(name, read_foreign(found))
    except UnicodeDecodeError:
        return Bad(name, "it is not UTF-8")
    except (json.JSONDecodeError, RecursionError) as error:
        return Bad(name, f"no JSON: {error}")
    except ValueError as error:
        return Bad(name, str(error))


def _folder(root: Path) -> Source:
    if (root / records.MANIFEST).is_file():
        vaults = [folder for folder in sorted(root.iterdir()) if folder.is_dir()]
        items = [item for vault in vaults for item in _files(vault, vault.name)]
        return Source(len(items), (item() for item in items))
    files = _files(root)
    return Source(len(files), (item() for item in files))


def _files(root: Path, vault: str = "") -> list[Callable[[], Item]]:
    """The Markdown files below a folder, each to be read when it is called.

    In an agent's folder they become memories; in an export they stay as they are.
    """
    before = f"{vault}/" if vault else ""
    paths: list[str] = []
    found: list[Callable[[], Item]] = []
    for folder in walk_vault(root):
        if is_archived(folder.path):
            found.append(partial(Bad, f"{before}{folder.path}", _ARCHIVED))
        elif folder.failure:
            found.append(partial(Bad, f"{before}{folder.path}", folder.failure))
        else:
            paths += [f"{folder.path}/{name}".lstrip("/") for name, *_ in folder.files]
    is_agents = not vault and agent_notes.INDEX in paths
    read = _note if is_agents else partial(_file, vault=vault)
    return [*found, *(partial(read, root, path, before + path) for path in sorted(paths))]


def _note(root: Path, path: str, name: str) -> Item:
    """A note of an agent as a memory."""
    item = _file(root, path, name)
    if not isinstance(item, File):
        return item
    if path == agent_notes.INDEX and agent_notes.is_index(item.data):
        return Bad(name, "it is only an index of the others")
    return replace(item, data=agent_notes.as_memory(item.data))


def _file(root: Path, path: str, name: str, vault: str = "") -> Item:
    shown = name.encode(errors="surrogateescape").decode(errors="replace")
    if shown != name:
        return Bad(shown, "the name of the file is not UTF-8")
    try:
        return File(name, path, _read(root / path), vault)
    except MuninnError as error:
        return Bad(name, error.message)


def _read(place: Path) -> bytes:
    try:
        return place.read_bytes()
    except FileNotFoundError:
        hint = "`muninn import --help` says what can be taken in"
        raise NotFoundError(f"no such file or folder: {place}", hint) from None
    except OSError as error:
        raise UnreadableError(f"{place} cannot be read: {error.strerror}") from error
