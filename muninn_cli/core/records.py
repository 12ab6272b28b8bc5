"""Memories as records of an export: one JSON object each, and back to the very same bytes.

A record holds the whole file under `raw`, or under `raw_base64` where it is not UTF-8; its other
fields say what the file means, for people and other programs, and are not read back. Nothing here
reads or writes a file.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from muninn_cli.core.associations import Association
from muninn_cli.core.ids import valid_id
from muninn_cli.core.memory_usage import UNUSED, MemoryUsage, read_instant, read_number
from muninn_cli.core.times import When, rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muninn_cli.core.memory import Memory

VERSION = 1
MANIFEST = "muninn-export.json"
"""The file in a folder of exported Markdown that says so; each vault is a folder beside it."""
_OPTIONAL = (
    *("category", "summary", "session", "importance", "valid_from", "expires", "tier_since"),
    *("aliases", "related", "merged_from", "supersedes", "superseded_by"),
)
"""Fields that a record has only where the file states them."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Usage as it travels: that of the memory, and its associations by the id of the other."""

    usage: MemoryUsage = UNUSED
    associations: tuple[tuple[str, Association], ...] = ()


@dataclass(frozen=True, slots=True)
class Shelved:
    """How an archived text came into the archive; `kind` and `reason` as in the ledger."""

    at: datetime
    kind: str
    reason: str
    into: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One memory of an export; `path` is where it lives, or lived, in its vault."""

    id: str
    vault: str
    path: str
    data: bytes
    carried: Carried = Carried()
    shelved: Shelved | None = None


def to_json(record: Record, memory: Memory, state: str, *, usage: bool) -> dict[str, object]:
    """The record as one JSON object; with `usage` it carries that too."""
    stated = {
        "v": VERSION,
        "id": record.id,
        "vault": record.vault,
        "path": record.path,
        "state": state,
        "title": memory.title,
        "type": memory.type.value,
        "tier": memory.tier.value,
        "tags": list(memory.tags),
        "source": memory.source,
        "pinned": memory.pinned,
        "consolidate": memory.consolidate,
        "created": _plain(memory.created),
        "updated": _plain(memory.updated),
    }
    optional = {key: _plain(value) for key in _OPTIONAL if (value := getattr(memory, key))}
    shelved = {"archived": _shelved(record.shelved)} if record.shelved else {}
    carried = {"usage": _carried(record.carried)} if usage else {}
    return stated | optional | shelved | carried | {"body": memory.body} | _raw(record.data)


def is_record(found: Mapping[str, Any]) -> bool:
    """Whether an object is a record of ours, and not some other tool's."""
    return "path" in found and ("raw" in found or "raw_base64" in found)


def from_json(found: Mapping[str, Any]) -> Record:
    """A record as it was exported. Raises ValueError saying what is wrong with it."""
    version = found.get("v")
    if version != VERSION:
        raise ValueError(f"a record of version {version!r}, which this muninn does not know")
    memory_id = found.get("id")
    if not isinstance(memory_id, str) or not valid_id(memory_id):
        raise ValueError("a record without a valid id")
    shelved = found.get("archived")
    return Record(
        id=memory_id,
        vault=_text(found, "vault"),
        path=_text(found, "path"),
        data=_data(found),
        carried=_read_carried(found.get("usage")),
        shelved=None if shelved is None else _read_shelved(shelved),
    )


def _plain(value: object) -> object:
    match value:
        case When():
            return value.shown
        case tuple():
            return list(value)
    return value


def _raw(data: bytes) -> dict[str, str]:
    try:
        return {"raw": data.decode()}
    except UnicodeDecodeError:
        return {"raw_base64": base64.b64encode(data).decode()}


def _data(found: Mapping[str, Any]) -> bytes:
    raw = found.get("raw")
    try:
        if isinstance(raw, str):
            return raw.encode()
        return base64.b64decode(_text(found, "raw_base64"), validate=True)
    except ValueError:
        raise ValueError("the file in it is damaged: neither text nor base64") from None


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    if isinstance(value, str) and value:
        return value
    raise ValueError(f"a record without {key}")


def _shelved(shelved: Shelved) -> dict[str, object]:
    return {
        "at": rfc3339(shelved.at),
        "kind": shelved.kind,
        "reason": shelved.reason,
        "into": shelved.into or None,
    }


def _read_shelved(found: Any) -> Shelved:
    try:
        at, into = read_instant(found["at"]), str(found.get("into") or "")
        return Shelved(at, str(found["kind"]), str(found["reason"]), into)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise ValueError("what it says of the archive cannot be read") from None


def _carried(carried: Carried) -> dict[str, object]:
    pairs = [
        {"id": other, "w": round(pair.weight, 6), "t": rfc3339(pair.at), "inferred": pair.inferred}
        for other, pair in carried.associations
    ]
    return carried.usage.as_dict() | ({"associations": pairs} if pairs else {})


def _read_carried(found: Any) -> Carried:
    if found is None:
        return Carried()
    try:
        pairs = tuple(_pair(each) for each in found.get("associations", ()))
        return Carried(MemoryUsage.from_dict(found), pairs)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise ValueError("what it says of its usage cannot be read") from None


def _pair(found: Mapping[str, Any]) -> tuple[str, Association]:
    weight = min(max(read_number(found["w"]), 0.0), 1.0)
    return str(found["id"]), Association(
        weight, read_instant(found["t"]), found["inferred"] is True
    )
