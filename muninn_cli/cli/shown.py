"""How memories, instants and long lines look to a person in a terminal."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.cli.console import Styled, one_line
from muninn_cli.core.memory import short_id
from muninn_cli.core.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from muninn_cli.forget.kept import Archived
    from muninn_cli.recall.query import Hit

_UNITS = (
    ("year", 365 * 86400),
    ("month", 30 * 86400),
    ("day", 86400),
    ("hour", 3600),
    ("minute", 60),
)
_INDENT = "    "
_SOON = timedelta(days=30)
"""An expiry nearer than this is shown beside a hit."""

SILENT = (
    "after a silence of more than 60 days nothing expires and no use is noted:"
    " `muninn sweep --yes` ends it"
)
"""What a person is told while the clock is not believed."""

Line = tuple[str | Styled, ...]


def hit_lines(hit: Hit, width: int, now: datetime) -> Iterator[Line]:
    """A found memory: title, place, and the piece of text that answers."""
    head = f"{hit.tier.value}  {short_id(hit.id)}"
    score = "" if hit.score is None else f"  {hit.score:.2f}"
    room = max(width - len(head) - len(score) - 2, 20)
    title = fitted(" ".join(hit.title.split()), room)
    gap = " " * max(width - cells(title) - len(head) - len(score), 1)
    yield (Styled(title, "bold"), gap, Styled(head + score, "dim"))
    yield (_INDENT, Styled(fitted(" · ".join(_facts(hit, now)), width - len(_INDENT)), "dim"))
    if hit.snippet and hit.snippet != hit.title:
        yield from ((_INDENT, line) for line in wrapped(hit.snippet, width - len(_INDENT)))


def _facts(hit: Hit, now: datetime) -> Iterator[str]:
    yield place_of(hit)
    if hit.state.value != "live":
        yield hit.state.value
    if hit.tags:
        yield " ".join(f"#{tag}" for tag in hit.tags)
    if hit.created:
        yield hit.created[:10]
    if hit.expires is not None and hit.expires - now < _SOON:
        yield f"expires {distance(hit.expires, now)}"


def row_line(hit: Hit, width: int) -> Line:
    """A memory on one line: id, tier, date, title, place."""
    head = f"{short_id(hit.id):<8}  {hit.tier.value}  {hit.created[:10]:<10}  "
    mark = "" if hit.state.value == "live" else f" [{hit.state.value}]"
    place = place_of(hit)
    room = max(width - len(head) - len(mark) - 2, 20)
    title = fitted(" ".join(hit.title.split()), max(room - cells(place), room // 2))
    place = fitted(place, max(room - cells(title), 10))
    return (Styled(head, "dim"), title, Styled(f"{mark}  {place}", "dim"))


def expiring_line(hit: Hit, width: int, now: datetime) -> Line:
    """A memory that will expire, and when."""
    when = distance(hit.expires, now) if hit.expires else "never"
    head = f"{when:<14}  {short_id(hit.id):<8}  {hit.tier.value}  "
    title = fitted(" ".join(hit.title.split()), max(width - len(head), 20))
    return (Styled(head, "dim"), title)


def place_of(hit: Hit) -> str:
    """Vault and path on one line, whatever characters the name of the file has."""
    return one_line(f"{hit.vault}/{hit.path}")


def archived_line(one: Archived, now: datetime) -> Line:
    """An archived text: its handle, why and when it went, where it was."""
    entry = one.kept.entry
    why = f"{entry.reason}, {distance(entry.at, now)}" if entry.reason else "not in the ledger"
    into = f" → {short_id(entry.into)}" if entry.into else ""
    piece = "" if entry.piece == "memory" else f"  [{entry.piece}]"
    head = f"{one.kept.handle}  {one_line(f'{one.vault.name}/{entry.path}')}{piece}  "
    return (head, Styled(f"({why}{into})", "dim"))


def archived_data(one: Archived) -> dict[str, object]:
    """An archived text as JSON."""
    entry = one.kept.entry
    return {
        "id": entry.id,
        "handle": one.kept.handle,
        "vault": one.vault.name,
        "path": entry.path,
        "file": entry.file,
        "kind": entry.piece.value,
        "reason": str(entry.reason) or None,
        "into": entry.into or None,
        "run": entry.run or None,
        "at": rfc3339(entry.at) if entry.reason else None,
    }


def explanation(hit: Hit) -> Line:
    """What a score is made of, each part with its name."""
    parts = [f"{name} {part:.3f}" for name, part in (hit.parts or {}).items()]
    return (_INDENT, Styled(" · ".join(parts), "dim"))


def distance(instant: datetime, now: datetime) -> str:
    """`in 3 days`, `2 hours ago`, `just now`; whole units, rounded down."""
    seconds = (instant - now).total_seconds()
    for name, length in _UNITS:
        count = int(abs(seconds) // length)
        if count:
            words = f"{count} {name}{'s' if count > 1 else ''}"
            return f"in {words}" if seconds > 0 else f"{words} ago"
    return (
        "just now" if abs(seconds) < 60 else ("within the hour" if seconds > 0 else "minutes ago")
    )


def cells(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fitted(text: str, width: int) -> str:
    """The text in at most `width` columns, `…` where it is cut."""
    if cells(text) <= width:
        return text
    kept = ""
    for character in text:
        if cells(kept + character) >= width:
            break
        kept += character
    return kept.rstrip() + "…"


def wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` columns, broken between words where it can be."""
    line = ""
    for word in text.split():
        if line and cells(line) + 1 + cells(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
        while cells(line) > width:
            head = fitted(line, width)[:-1] or line[:1]
            yield head
            line = line[len(head) :]
    if line:
        yield line
