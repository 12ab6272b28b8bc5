"""Fitting text into the columns of a terminal: measured, cut, wrapped."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_INVISIBLE = frozenset({"Mn", "Me", "Cf"})
"""Categories of characters that take no column: marks, joiners, variation selectors."""
_JOINT = "\0"
"""Stands for a space at which no line may be broken."""


class Sheet(NamedTuple):
    """What is written on: `width` columns for prose, `columns` at which a line is cut.

    `columns` is None where no terminal is: then nothing is cut, for what comes after a pipe.
    """

    width: int
    columns: int | None

    @property
    def is_narrow(self) -> bool:
        """Whether a title and what belongs to it need a line each."""
        return self.columns is not None and self.columns < 60


def cells(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in _INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fitted(text: str, width: int | None) -> str:
    """The text in at most `width` columns, `…` where it is cut; the whole text for None."""
    if width is None or cells(text) <= width:
        return text
    return _first(text, max(width - 1, 0)).rstrip() + "…"


def fitted_path(path: str, width: int | None) -> str:
    """A path in at most `width` columns, cut in the middle, the name of the file whole if it fits.

    A third of the width is for its beginning where that leaves room for the name.
    """
    if width is None or cells(path) <= width:
        return path
    beside_name = width - 1 - cells(f"/{path.rpartition('/')[2]}")
    begin = _first(path, min((width - 1) // 3, beside_name if beside_name >= 0 else width))
    end = _first(path[::-1], width - 1 - cells(begin))[::-1]
    return f"{begin}…{end}"


def padded(text: str, width: int) -> str:
    """The text with spaces after it, up to `width` columns."""
    return text + " " * (width - cells(text))


def wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` columns, broken between words where it can be."""
    line, taken = "", 0
    for word in text.split():
        room = cells(word)
        if line and taken + 1 + room > width:
            yield line
            line = ""
        line, taken = (f"{line} {word}", taken + 1 + room) if line else (word, room)
        while taken > width:
            head = _first(line, width) or line[:1]
            yield head
            line = line[len(head) :]
            taken = cells(line)
    if line:
        yield line


def prose(text: str, sheet: Sheet) -> str:
    """Markdown with long lines broken between words, under their bullet, but in no command.

    After a pipe it is as it was.
    """
    if sheet.columns is None:
        return text
    lines = text.split("\n")
    return "\n".join(piece for line in lines for piece in _broken(line, sheet.width))


def _broken(line: str, width: int) -> Iterator[str]:
    if cells(line) <= width:
        yield line
        return
    indent = "  " if line.startswith("- ") else ""
    joined = re.sub("`[^`]*`", lambda command: command[0].replace(" ", _JOINT), line)
    for number, piece in enumerate(wrapped(joined, width - len(indent))):
        yield (indent if number else "") + piece.replace(_JOINT, " ")


def _first(text: str, width: int) -> str:
    """As much of the text as takes at most `width` columns."""
    taken = 0
    for place, character in enumerate(text):
        taken += _width(character)
        if taken > width:
            return text[:place]
    return text
