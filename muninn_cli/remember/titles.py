"""A title for a text that came without one: its first heading, else its first line."""

from __future__ import annotations

import re

LONGEST = 72
_MARKS = re.compile(r"^\s{0,3}(?:#{1,6}\s+|>\s*|[-+*]\s+|\d+[.)]\s+)+")
_EMPHASIS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
UNTITLED = "Untitled"


def title_of(text: str) -> str:
    """The first line with words in it, without Markdown's marks, at most 72 characters."""
    lines = (_EMPHASIS.sub("", _MARKS.sub("", line)).strip() for line in text.splitlines())
    first = next((line for line in lines if any(map(str.isalnum, line))), UNTITLED)
    sentence = re.split(r"(?<=[.!?])\s", first, maxsplit=1)[0]
    return _shortened(" ".join(sentence.split()).rstrip(".:"))


def _shortened(title: str) -> str:
    if len(title) <= LONGEST:
        return title
    cut = title.rfind(" ", LONGEST // 2, LONGEST)
    return title[: cut if cut > 0 else LONGEST - 1].rstrip(" ,;:-") + "…"
