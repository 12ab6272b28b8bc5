"""A memory of another tool as a new file of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.memory_file import render
from muninn_cli.core.terms import Source
from muninn_cli.core.tiers import choose_tier
from muninn_cli.remember.titles import title_of

if TYPE_CHECKING:
    from datetime import datetime

    from muninn_cli.core.fields import Value
    from muninn_cli.core.foreign_records import ForeignRecord


def title(record: ForeignRecord) -> str:
    """The record's own title, else one taken from its text."""
    return record.title or title_of(record.text)


def body(record: ForeignRecord) -> str:
    """The text, with a line end at its end."""
    return record.text if record.text.endswith("\n") else f"{record.text}\n"


def new_file(record: ForeignRecord, memory_id: str, now: datetime) -> bytes:
    """The bytes of the file; what the record says nothing of is from now."""
    tier, _ = choose_tier(record.tier, record.category, Source.IMPORT, record.type)
    created = record.created.instant if record.created else now
    fields: dict[str, Value] = {
        "id": memory_id,
        "title": title(record),
        "type": record.type.value,
        "tier": tier.value,
        "tags": record.tags,
        "source": Source.IMPORT.value,
        "created": created,
        "updated": record.updated.instant if record.updated else created,
    }
    optional: dict[str, Value | None] = {
        "category": record.category or None,
        "importance": record.importance,
        "session": record.session or None,
    }
    fields |= {key: value for key, value in optional.items() if value is not None}
    return render(fields, body(record))
