"""The dream journal: one Markdown file that only grows, read by people.

An entry begins with a rule and a heading of its own; nothing in a text can look like one, since
all texts go through the templates' escapes. Nothing here knows what an entry says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from muninn_cli.store import files

if TYPE_CHECKING:
    from pathlib import Path

_ENTRY = re.compile(r"^---\n(?=## \d{4}-\d{2}-\d{2}T)", re.MULTILINE)


def append(path: Path, entry: str) -> None:
    """Put an entry at the end, in one write."""
    files.append_line(path, entry.rstrip("\n") + "\n")


def entries(path: Path, *, vault: str | None = None, last: int | None = None) -> list[str]:
    """The entries, oldest first; of the last ones those that name a vault, where one is asked for.

    Bytes that are not UTF-8 are read with replacement.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    found = [entry.strip("\n") for entry in _ENTRY.split(text)[1:]]
    if vault is not None:
        found = [entry for entry in found if _names(entry, vault)]
    return found if last is None else found[max(len(found) - last, 0) :]


def _names(entry: str, vault: str) -> bool:
    """Whether an entry is about memories of a vault: `(vault, id)`, or `of vault (`."""
    name = re.escape(vault)
    return re.search(rf"\({name}, |\b(?:of|de) {name} \(", entry) is not None
