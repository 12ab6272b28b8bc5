"""Text from elsewhere made plain: no control characters, no escapes, nothing that forges layout.

Nothing here judges what a text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, clearing
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, links
    r"|\x1b[@-Z\\-_]?"
)
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\ud800-\udfff]"
)
_MARKUP = re.compile(r"!(?=\[)|<|\[(?=\[)")
_FENCE = "~"


def plain(text: str) -> str:
    """The text without escape sequences, control, bidi or zero-width characters.

    Every line break becomes a newline; tabs stay, and so do the joiners of scripts and emoji.
    """
    text = _LINE_BREAK.sub("\n", _ESCAPE_SEQUENCE.sub("", text))
    return _INVISIBLE.sub("", text)


def one_line(text: str, limit: int) -> str:
    """The plain text with every run of white space as one space, of at most `limit` characters."""
    line = " ".join(plain(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def inline(text: str, limit: int) -> str:
    """The text inside a line of Markdown, of at most `limit` characters before escaping.

    Inside a line nothing can open a heading, a rule, a fence or front matter; images, HTML and
    wiki links are escaped, so that opening the file fetches and links nothing.
    """
    return _MARKUP.sub(r"\\\g<0>", one_line(text, limit))


def fence_for(texts: Iterable[str]) -> str:
    """A fence that occurs in none of the texts: one tilde more than their longest run of them."""
    runs = (len(run) for text in texts for run in re.findall(f"{_FENCE}+", text))
    return _FENCE * max(3, 1 + max(runs, default=0))
