"""How memories and instants look to a person in a terminal."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.cli.console import Styled, one_line
from muninn_cli.cli.fitting import fitted, fitted_path, padded, wrapped
from muninn_cli.core.ids import short_id
from muninn_cli.core.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from muninn_cli.cli.fitting import Sheet
    from muninn_cli.forget.kept import Archived
    from muninn_cli.recall.query import Hit

_DAY = 86400
_UNITS = (
    ("year", 365 * _DAY, 365 * _DAY),
    ("month", 30 * _DAY, 100 * _DAY),
    ("day", _DAY, _DAY),
    ("hour", 3600, 3600),
    ("minute", 60, 60),
)
"""Units with their lengths, and from how many seconds on each is used."""
_INDENT = "    "
_WIDEST_TITLE = 90
"""Columns of a list's titles: over more, the eye does not find the place beside a title."""
_SOON = timedelta(days=30)
"""An expiry nearer than this is shown beside a hit."""

SILENT = (
    "after a silence of more than 60 days nothing expires and no use is noted:"
    " `muninn sweep --yes` ends it"
)
"""What a person is told while the clock is not believed."""

Line = tuple[str | Styled, ...]


def hit_lines(hit: Hit, sheet: Sheet, now: datetime) -> Iterator[Line]:
    """A found memory: title, place, and the piece of text that answers."""
    mark = f"{hit.tier.value}  {short_id(hit.id)}"
    mark += "" if hit.score is None else f"  {hit.score:.2f}"
    inner = sheet.width - len(_INDENT)
    if sheet.is_narrow:
        yield (Styled(fitted(_title(hit), sheet.columns), "bold"),)
        yield (_INDENT, Styled(mark, "dim"))
    else:
        room = sheet.width - len(mark) - 2
        title = fitted(_title(hit), sheet.columns and room)
        yield (Styled(padded(title, room), "bold"), Styled(f"  {mark}", "dim"))
    place = fitted_path(place_of(hit), sheet.columns and inner)
    yield from dim_lines(" · ".join((place, *_facts(hit, now))), sheet, _INDENT)
    if hit.snippet and hit.snippet != hit.title:
        yield from ((_INDENT, line) for line in wrapped(hit.snippet, inner))


def _facts(hit: Hit, now: datetime) -> Iterator[str]:
    if hit.state.value != "live":
        yield hit.state.value
    if hit.contradicted_by:
        yield f"contradicted by {short_id(hit.contradicted_by)}"
    if hit.tags:
        yield " ".join(f"#{tag}" for tag in hit.tags)
    if hit.created:
        yield hit.created[:10]
    if hit.expires is not None and hit.expires - now < _SOON:
        yield f"expires {distance(hit.expires, now)}"


def row_line(hit: Hit, sheet: Sheet) -> Line:
    """A memory on one line: id, tier, date, title, place; the place goes first where room is small.

    Titles and places stand in columns; after a pipe both are whole.
    """
    head = f"{short_id(hit.id):<8}  {hit.tier.value}  "
    mark = "" if hit.state.value == "live" else f" [{hit.state.value}]"
    if sheet.is_narrow:
        title = fitted(_title(hit), (sheet.columns or 0) - len(head) - len(mark))
        return (Styled(head, "dim"), title, Styled(mark, "dim"))
    head += f"{hit.created[:10]:<10}  "
    if sheet.columns is None:
        return (Styled(head, "dim"), _title(hit), Styled(f"{mark}  {place_of(hit)}", "dim"))
    room = sheet.columns - len(head) - 2
    part = min(room * 3 // 5, _WIDEST_TITLE)
    title = padded(fitted(_title(hit), part - len(mark)), part - len(mark))
    place = fitted_path(place_of(hit), room - part)
    return (Styled(head, "dim"), title, Styled(f"{mark}  {place}", "dim"))


def expiring_line(hit: Hit, sheet: Sheet, now: datetime) -> Line:
    """A memory that will expire, and when."""
    when = distance(hit.expires, now) if hit.expires else "never"
    head = f"{when:<14}  {short_id(hit.id):<8}  {hit.tier.value}  "
    if sheet.is_narrow:
        head = f"{when}  {short_id(hit.id)}  "
    title = fitted(_title(hit), sheet.columns and max(sheet.columns - len(head), 1))
    return (Styled(head, "dim"), title)


def dim_lines(text: str, sheet: Sheet, indent: str = "") -> Iterator[Line]:
    """What belongs to a memory, in as many lines as it takes; after a pipe in one."""
    lines = wrapped(text, sheet.width - len(indent)) if sheet.columns else [text]
    yield from ((indent, Styled(line, "dim")) for line in lines)


def _title(hit: Hit) -> str:
    return one_line(" ".join(hit.title.split()))


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


def explanation(hit: Hit, sheet: Sheet) -> Iterator[Line]:
    """What a score is made of, each part with its name."""
    parts = (f"{name} {part:.3f}" for name, part in (hit.parts or {}).items())
    return dim_lines(" · ".join(parts), sheet, _INDENT)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`; `many` is the plural where it is not `one` and an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def distance(instant: datetime, now: datetime) -> str:
    """`in 3 days`, `2 hours ago`, `just now`; whole units, rounded down."""
    seconds = (instant - now).total_seconds()
    for name, length, least in _UNITS:
        if abs(seconds) >= least:
            words = counted(int(abs(seconds) // length), name)
            return f"in {words}" if seconds > 0 else f"{words} ago"
    return (
        "just now" if abs(seconds) < 60 else ("within the hour" if seconds > 0 else "minutes ago")
    )
