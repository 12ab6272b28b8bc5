"""Notes that an agent keeps for itself: a folder with MEMORY.md as index and one fact a file.

Each fact has `name` and `description`, and a type of the agent's own, often under `metadata`.
Such a note becomes a memory by added keys; what it says already stays as it is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from muninn_cli.core.fields import text
from muninn_cli.core.front_matter import parse
from muninn_cli.core.memory_file import edit
from muninn_cli.core.terms import MemoryType, Source
from muninn_cli.core.tiers import choose_tier
from muninn_cli.errors import UnreadableError

if TYPE_CHECKING:
    from muninn_cli.core.fields import Value
    from muninn_cli.core.front_matter import Entry, Node

INDEX = "MEMORY.md"
_PROCEDURAL = frozenset({"feedback"})
"""Types of notes that say how to do something; the others state facts."""
_HEADING_OR_LINK = re.compile(r"\s*(?:#{1,6}\s|(?:[-*+]|\d+[.)])\s+(?:\[[^\]]*\]\(|\[\[))")


def is_index(data: bytes) -> bool:
    """Whether a MEMORY.md holds nothing but headings and links to the other files."""
    lines = [line for line in data.decode(errors="replace").splitlines() if line.strip()]
    return all(map(_HEADING_OR_LINK.match, lines))


def as_memory(data: bytes) -> bytes:
    """The note with title, summary, type, tier, source and tags; any other file as it is."""
    try:
        entries = {entry.key: entry for entry in parse(data.decode()).entries}
    except UnicodeDecodeError:
        return data
    name, about = _text(entries, "name"), _text(entries, "description")
    if not name or not about or "title" in entries:
        return data
    changes = _changes(name, about, _inner_type(entries) or _text(entries, "type"))
    kept = {key for key in entries if key not in ("type", "metadata")}
    try:
        return edit(data, {key: value for key, value in changes.items() if key not in kept})
    except UnreadableError:
        return data


def _changes(name: str, about: str, kind: str) -> dict[str, Value | None]:
    is_procedural = kind in _PROCEDURAL
    memory_type = MemoryType.PROCEDURAL if is_procedural else MemoryType.SEMANTIC
    title = name if " " in name else _spaced(name)
    changes: dict[str, Value | None] = {
        "title": title,
        "summary": " ".join(about.split()),
        "type": memory_type.value,
        "tier": choose_tier(None, "", Source.AGENT, memory_type)[0].value,
        "source": Source.AGENT.value,
    }
    if kind and kind not in set(MemoryType):
        changes["tags"] = (kind,)
    if title != name:
        changes["aliases"] = (name,)
    return changes


def _spaced(name: str) -> str:
    """A name such as `project_table-type` as words; links to it find it by its alias."""
    words = " ".join(re.split(r"[-_\s]+", name.strip("-_")))
    return words[:1].upper() + words[1:]


def _text(entries: dict[str, Entry], key: str) -> str:
    entry = entries.get(key)
    return " ".join((text(entry) or "").split()) if entry else ""


def _inner_type(entries: dict[str, Entry]) -> str:
    """`type` under `metadata`."""
    metadata = entries.get("metadata")
    if metadata is None or metadata.value.id != "mapping":
        return ""
    pairs: list[tuple[Node, Node]] = metadata.value.value
    return next((str(value.value) for key, value in pairs if key.value == "type"), "")
