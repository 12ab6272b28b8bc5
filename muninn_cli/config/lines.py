"""Where a key stands in the text of a TOML file: for messages, and to use a commented line.

Plain lines only: `[table]` headers and `key = value`; what is written otherwise is not found,
and nobody may depend on finding it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADER = r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$"
_COMMENT = r"#\s?"


def line_of(text: str, key: str) -> int:
    """The line, from 1, that gives a dotted key its value; 0 if none is plain to see."""
    return next((n for n, line_key, _ in _keys(text) if line_key == key), 0)


def uncomment(text: str, key: str) -> str:
    """The text with the line `# key = value` of its table made live; as it is if there is none."""
    lines = text.split("\n")
    for number, line_key, line in _keys(text, commented=True):
        if line_key == key:
            lines[number - 1] = line
            break
    return "\n".join(lines)


def comment_out(text: str, key: str) -> str:
    """The text with the line that gives a key its value turned into a comment."""
    number = line_of(text, key)
    lines = text.split("\n")
    if number:
        lines[number - 1] = f"# {lines[number - 1]}"
    return "\n".join(lines)


def _keys(text: str, *, commented: bool = False) -> Iterator[tuple[int, str, str]]:
    """Number, full key and text of each line `key = value`, live or commented."""
    table = ""
    for number, raw in enumerate(text.split("\n"), 1):
        header = re.match(_HEADER, raw)
        if header:
            table = f"{header.group(1)}."
        elif raw.startswith("#") == commented:
            line = re.sub(_COMMENT, "", raw, count=1) if commented else raw
            name, equals, _ = line.partition("=")
            if equals:
                yield number, table + name.strip(), line
