"""Blotting a purged memory out of the dream journal.

Rather a line too many than one too few: of a line that names the memory nothing stays but that
there was one. Lines are never removed, so that the entries keep their form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.ids import SHORT_ID, short_id
from muninn_cli.core.naming import slug
from muninn_cli.core.plain import inline
from muninn_cli.store import files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOT = "- (purged)"
_LONGEST = 1000
_TITLE_TOLD = 24
_PATH_TOLD = 150
"""Characters by which a title or a path is known, since the journal cuts both."""
_ENTRY = re.compile(r"^(?=## )", re.M)
_NARRATIVE = re.compile(r"- [“«].*[”»]\s*")
"""A line of nothing but a quotation: the model's own words, under whatever heading."""


@dataclass(frozen=True, slots=True)
class Traces:
    """What the journal may call a memory: titles with aliases, ids, and paths below the vault."""

    titles: frozenset[str]
    ids: frozenset[str]
    paths: frozenset[str]

    @property
    def pattern(self) -> re.Pattern[str]:
        """What a line of the journal holds that names the memory."""
        return re.compile(f"^- (?:{'|'.join(sorted(self._patterns()))})")

    def _patterns(self) -> Iterator[str]:
        for title in filter(str.strip, self.titles):
            shown = inline(title, _LONGEST)
            yield f".*[“«]{re.escape(shown[:_TITLE_TOLD])}"
            yield rf"[“«].*(?<!\w)(?i:{re.escape(shown)})(?!\w).*[”»]\s*$"
        for memory_id in self.ids:
            yield f".*{re.escape(_shown_id(memory_id))}"
        for path in self.paths | {f"{slug(title)}.md" for title in self.titles}:
            if path.lower().endswith(".md"):
                yield rf".*(?<![\w~-]){re.escape(inline(path, _LONGEST)[:_PATH_TOLD])}"


def blot_out(journal: Path, traces: Traces) -> None:
    """Put a mark in place of every line that names the memory.

    In an entry with such a line the model's words go too: they may quote the memory. Raises
    ConflictError where somebody else writes into the journal.
    """
    if not journal.is_file():
        return
    data = journal.read_bytes()
    text, pattern = data.decode(errors="surrogateescape"), traces.pattern
    blotted = "".join(_blotted(entry, pattern) for entry in _ENTRY.split(text))
    new = blotted.encode(errors="surrogateescape")
    if new != data:
        files.replace(journal, new, files.content_hash(data))


def _blotted(entry: str, pattern: re.Pattern[str]) -> str:
    lines = entry.split("\n")
    named = [bool(pattern.search(line)) for line in lines]
    if not any(named):
        return entry
    return "\n".join(
        BLOT if is_named or _NARRATIVE.fullmatch(line) else line
        for line, is_named in zip(lines, named, strict=True)
    )


def _shown_id(memory_id: str) -> str:
    """The id as the journal has it; one shorter than usual counts only in its usual place."""
    short = short_id(memory_id)
    return short if len(short) == SHORT_ID else f", {short})"
