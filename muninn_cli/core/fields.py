"""What the values of known keys mean: a text, a list, a flag, an instant, a tier.

Reading is lenient and never raises: what cannot be meant has the default, and a Problem says so.
Keys that are not known are never looked at.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from muninn_cli.core.ids import valid_id
from muninn_cli.core.memory import Problem
from muninn_cli.core.terms import MemoryType, Tier
from muninn_cli.core.times import When, parse_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from muninn_cli.core.front_matter import Entry, Node

_T = TypeVar("_T")

Value = str | int | bool | tuple[str, ...] | datetime
"""What an edit may write; a datetime is aware."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_FLAGS = {"true": True, "false": False}
_TIERS = {tier.value.lower(): tier for tier in Tier}
_TYPES = {kind.value: kind for kind in MemoryType}
_IMPORTANCES = {str(number): number for number in range(1, 11)}
_SHOWN = 60
"""Characters of a value in a Problem."""
_POINTERS = frozenset({"related", "supersedes", "superseded_by", "merged_from"})
"""Keys that name other memories, often written as [[links]]."""


def text(entry: Entry) -> str | None:
    """The text as written; "" for nothing; None for a list or mapping over several lines.

    `[WIP]` and `{{page}}` on one line are text: many leave them without quotes.
    """
    if entry.value.id != "scalar" and entry.is_alias:
        return None
    return _text(entry, entry.value)


def _text(entry: Entry, node: Node) -> str | None:
    if node.id == "scalar":
        is_plain = not getattr(node, "style", None)
        return "" if is_plain and node.value in _NULLS else str(node.value)
    source = entry.source(node).rstrip()
    return None if "\n" in source or "\r" in source else source


def listed(entry: Entry) -> tuple[str, ...] | None:
    """The items of a list, or of a text with commas (for tags: commas or spaces).

    Each item once, none empty; tags without #, links without brackets. None for a mapping.
    """
    node = entry.value
    if node.id == "mapping":
        return None
    if node.id == "sequence":
        return cleaned(entry.key, (item_text(entry, node, item) for item in node.value))
    whole = _text(entry, node) or ""
    separator = "," if "," in whole or entry.key != "tags" else None
    return cleaned(entry.key, whole.split(separator))


def item_text(entry: Entry, parent: Node, item: Node) -> str:
    """One item of a list as written; "" for nothing, and for an alias of a collection."""
    if item.id != "scalar" and item.start_mark.index < parent.start_mark.index:
        return ""
    return _text(entry, item) or ""


def cleaned(key: str, items: Iterable[str]) -> tuple[str, ...]:
    """Items as this key means them, each once, without the empty ones."""
    return tuple(dict.fromkeys(filter(None, (clean(key, item) for item in items))))


def clean(key: str, item: str) -> str:
    """One item as this key means it: a tag without #, the target of a [[link]]."""
    item = item.strip()
    if key == "tags":
        return item.lstrip("#").strip()
    return pointed(item) if key in _POINTERS else item


def pointed(item: str) -> str:
    """What `[[target#heading|shown]]` points at; any other text as it is."""
    inside = item.strip("[]")
    return item if inside == item else re.split(r"[#|]", inside, maxsplit=1)[0].strip()


def states(entry: Entry, value: Value) -> bool:
    """Whether an entry says this value already, however it is spelled."""
    if isinstance(value, tuple):
        return listed(entry) == value
    written = text(entry)
    if written is None:
        return False
    if isinstance(value, datetime):
        when = parse_time(written)
        return when is not None and when.instant == value.astimezone(UTC).replace(microsecond=0)
    if isinstance(value, bool):
        return _FLAGS.get(written.lower()) is value
    return written == str(value)


def _among(table: Mapping[str, _T]) -> Callable[[str], _T | None]:
    return lambda written: table.get(written.lower())


class Fields:
    """The known keys of one front matter as values; what cannot be meant is noted in `problems`.

    Of a doubled key the last one counts, as for every reader of YAML. A missing key, and one
    with nothing in it, has the default and is no problem.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.problems: list[Problem] = []
        self._entries: dict[str, Entry] = {}
        for entry in entries:
            if entry.key in self._entries:
                self._note(entry, "is there twice, the last one counts")
            self._entries[entry.key] = entry

    def text(self, key: str) -> str:
        """The text, without blanks around it."""
        entry = self._entries.get(key)
        if entry is None:
            return ""
        written = text(entry)
        if written is None:
            self._note(entry, "is no text")
        return (written or "").strip()

    def line(self, key: str) -> str:
        """The text on one line."""
        return " ".join(self.text(key).split())

    def list(self, key: str) -> tuple[str, ...]:
        entry = self._entries.get(key)
        if entry is None:
            return ()
        items = listed(entry)
        if items is None:
            self._note(entry, "is no list")
        return items or ()

    def id(self) -> str:
        complaint = "is no id: 1 to 64 letters, digits, - or _"
        return self._read("id", lambda value: value if valid_id(value) else None, complaint, "")

    def tier(self) -> Tier:
        return self._read("tier", _among(_TIERS), "is no tier", Tier.T2)

    def type(self) -> MemoryType:
        complaint = f"is none of {', '.join(_TYPES)}"
        return self._read("type", _among(_TYPES), complaint, MemoryType.SEMANTIC)

    def importance(self) -> int | None:
        none: int | None = None
        return self._read("importance", _among(_IMPORTANCES), "is no whole number of 1 to 10", none)

    def flag(self, key: str, *, default: bool) -> bool:
        return self._read(key, _among(_FLAGS), "is neither true nor false", default)

    def when(self, key: str) -> When | None:
        none: When | None = None
        return self._read(key, parse_time, "is no date or time", none)

    def _read(
        self, key: str, convert: Callable[[str], _T | None], complaint: str, default: _T
    ) -> _T:
        if key not in self._entries:
            return default
        written = self.text(key)
        value = convert(written)
        if written and value is None:
            shown = written if len(written) <= _SHOWN else f"{written[:_SHOWN]}…"
            self._note(self._entries[key], f"{complaint}: {shown}")
        return default if value is None else value

    def _note(self, entry: Entry, complaint: str) -> None:
        self.problems.append(Problem(entry.line, f"`{entry.key}` {complaint}"))
