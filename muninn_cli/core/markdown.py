"""The little that is read from Markdown itself: its first heading, its sentences, what is code.

No Markdown is rendered or changed. Every pattern takes time linear in the text.
"""

from __future__ import annotations

import re

_FENCED = re.compile(
    r"^[ \t]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[\s\S]*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*\r?$|\Z)",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_INLINE = re.compile(r"`[^`\n]+`")
_HEADING = re.compile(
    r"(?:^|(?<=\r))[ ]{0,3}\#{1,6}[ \t]+(?P<hashed>[^\r\n]+)"
    r"|^(?P<underlined>[^\s=-][^\r\n]*)\r?\n=+[ \t]*\r?$",
    re.MULTILINE,
)


def without_code(text: str) -> str:
    """The text without fenced blocks (to its end where nothing closes one) and `code`."""
    if "```" in text or "~~~" in text:
        text = _FENCED.sub("", text)
    return _INLINE.sub("", text) if "`" in text else text


def without_fences(text: str) -> str:
    """The text with fenced blocks emptied: every line keeps its number."""
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)


def first_heading(text: str) -> str:
    """The text of the first heading, `# so` or underlined with `===`; "" if there is none."""
    start, heading = _first(text)
    if "```" in text[:start] or "~~~" in text[:start]:
        _, heading = _first(_FENCED.sub("", text))
    return heading


def sentences(text: str) -> list[str]:
    """The sentences of a text, without white space around them; a line break ends one too."""
    return [sentence for part in _SENTENCE_END.split(text) if (sentence := part.strip())]


def _first(text: str) -> tuple[int, str]:
    """Where the first heading that says something begins, and what it says."""
    for match in _HEADING.finditer(text):
        if heading := _unhashed(match["hashed"] or match["underlined"]):
            return match.start(), heading
    return 0, ""


def _unhashed(line: str) -> str:
    """A heading's line without the closing run of # that some write."""
    line = line.strip()
    bare = line.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else line
