"""Conflict markers that a merge left in a text: found, never mended."""

from __future__ import annotations

import re

from muninn_cli.core.markdown import without_fences

_OURS = re.compile(r"<{7}(?:[ \t\r]|$)")
_MIDDLE = re.compile(r"={7}\r?$")
_THEIRS = re.compile(r">{7}(?:[ \t\r]|$)")


def conflict_markers(text: str) -> tuple[int, ...]:
    """The lines, from 1, on which an unsettled conflict begins.

    A conflict is a real triple at column 0: `<<<<<<<` outside of fenced code, then `=======`, then
    `>>>>>>>`. These two may stand in a fence, since one side of the conflict may open one.
    """
    if "<<<<<<<" not in text:
        return ()
    found: list[int] = []
    start, has_middle = 0, False
    lines, unfenced = text.split("\n"), without_fences(text).split("\n")
    for number, (line, prose) in enumerate(zip(lines, unfenced, strict=True), 1):
        if _OURS.match(prose):
            start, has_middle = number, False
        elif start and _MIDDLE.match(line):
            has_middle = True
        elif has_middle and _THEIRS.match(line):
            found.append(start)
            start, has_middle = 0, False
    return tuple(found)
