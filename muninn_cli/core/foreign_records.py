"""Memories of other tools: one JSON object each, with its text under one of a few usual keys.

Nothing is made up: a key that is not understood is named in `unused`, never guessed at.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from muninn_cli.core.hashing import blake2b
from muninn_cli.core.ids import valid_id
from muninn_cli.core.terms import MemoryType, Tier
from muninn_cli.core.times import When, parse_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_T = TypeVar("_T")
_TEXT = ("text", "content", "memory", "body")
_TITLE = ("title", "name")
_TAGS = ("tags", "categories", "keywords")
_CREATED = ("created", "created_at", "timestamp", "date")
_UPDATED = ("updated", "updated_at")
_SESSION = ("session", "session_id", "run_id")
_METADATA = "metadata"
_TYPES = {kind.value: kind for kind in MemoryType}
_TIERS = {tier.value: tier for tier in Tier}


@dataclass(frozen=True, slots=True)
class ForeignRecord:
    """A memory as another tool states it.

    `id` is the tool's own where it may be one of ours, else empty; `key` is made of the whole
    record, so that the same record is known again. `unused` are keys that nothing became of.
    """

    text: str
    key: str
    id: str = ""
    title: str = ""
    type: MemoryType = MemoryType.SEMANTIC
    tier: Tier | None = None
    tags: tuple[str, ...] = ()
    category: str = ""
    importance: int | None = None
    session: str = ""
    created: When | None = None
    updated: When | None = None
    unused: tuple[str, ...] = ()


def read_foreign(found: Mapping[str, Any]) -> ForeignRecord:
    """The memory that an object states, at its top or under `metadata`.

    A category decides the tier, so it counts at the top alone: other tools' own are in metadata.
    Raises ValueError where it holds no text.
    """
    keys = _Keys(found)
    text = keys.take(_TEXT, _text)
    if not text:
        raise ValueError(f"no text under any of {', '.join(_TEXT)}")
    return ForeignRecord(
        text=text,
        key=_key(found),
        id=keys.take(("id",), _id) or "",
        title=keys.take(_TITLE, _line) or "",
        type=keys.take(("type",), lambda value: _TYPES.get(str(value))) or MemoryType.SEMANTIC,
        tier=keys.take(("tier",), lambda value: _TIERS.get(str(value))),
        tags=keys.take(_TAGS, _tags) or (),
        category=keys.take(("category",), _line, at_top=True) or "",
        importance=keys.take(("importance",), _importance),
        session=keys.take(_SESSION, _line) or "",
        created=keys.take(_CREATED, _when),
        updated=keys.take(_UPDATED, _when),
        unused=keys.unused,
    )


class _Keys:
    """The keys of an object and of its metadata, and which of them were understood."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        inner = found.get(_METADATA)
        self._metadata: Mapping[str, Any] = inner if isinstance(inner, dict) else {}
        self._found = found
        self._used = {_METADATA} if isinstance(inner, dict) else set()

    def take(
        self, names: tuple[str, ...], convert: Callable[[Any], _T | None], *, at_top: bool = False
    ) -> _T | None:
        """The first of these keys whose value can be converted, at the top or in metadata."""
        for name in names:
            for place in (self._found,) if at_top else (self._found, self._metadata):
                value = convert(place[name]) if place.get(name) is not None else None
                if value:
                    self._used.add(name)
                    return value
        return None

    @property
    def unused(self) -> tuple[str, ...]:
        """Keys that hold something and were not understood, in their order."""
        both = {**self._found, **self._metadata}
        return tuple(key for key, value in both.items() if value and key not in self._used)


def _key(found: Mapping[str, Any]) -> str:
    """An id made of a whole record: `i` and 25 characters."""
    whole = json.dumps(found, sort_keys=True, separators=(",", ":"))
    return "i" + blake2b(whole.encode()).hexdigest()[:25]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() and _is_unicode(value) else None


def _line(value: Any) -> str | None:
    return " ".join(value.split()) if _text(value) else None


def _id(value: Any) -> str | None:
    text = str(value) if type(value) in (str, int) else ""
    return text if valid_id(text) else None


def _tags(value: Any) -> tuple[str, ...] | None:
    """Tags of a list or of a text with commas, without `#`."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list):
        return None
    tags = (item.strip().lstrip("#").strip() for item in items if _line(item))
    return tuple(dict.fromkeys(" ".join(tag.split()) for tag in tags if tag))


def _importance(value: Any) -> int | None:
    return value if type(value) is int and 1 <= value <= 10 else None


def _when(value: Any) -> When | None:
    """A time as text, or as seconds or milliseconds since 1970."""
    if isinstance(value, float) and math.isfinite(value):
        value = int(value)
    return parse_time(str(value)) if isinstance(value, str | int) else None


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
