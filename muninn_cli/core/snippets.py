"""The piece of a text that a hit shows: the sentence that answers best, on one line.

Nothing here changes a letter: white space is all that is joined. Escaping is the terminal's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from muninn_cli.core.words import raw_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from muninn_cli.core.words import Stems

LENGTH = 200
"""Characters of a snippet at most."""

_SENTENCE_END = r"(?<=[.!?。！？])\s+|\s*\n\s*|(?<=[。！？])"


def snippet(text: str, wanted: Mapping[str, float], stems: Stems) -> str:
    """The text from its best sentence on, at most LENGTH characters, `…` where it is cut.

    `wanted` holds the stems asked for and their weights. The best sentence has the highest sum
    of them, each once; the first of equals.
    """
    whole = " ".join(text.split())
    if len(whole) <= LENGTH:
        return whole
    start = max(_starts(text), key=lambda at: (_weight(text[at[0] : at[1]], wanted, stems), -at[0]))
    rest = " ".join(text[start[0] :].split())
    return ("… " if start[0] else "") + _shortened(rest, LENGTH - 4)


def _starts(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each sentence."""
    begin = 0
    for match in re.finditer(_SENTENCE_END, text):
        yield begin, match.start()
        begin = match.end()
    yield begin, len(text)


def _weight(sentence: str, wanted: Mapping[str, float], stems: Stems) -> float:
    found = {stem for word in raw_words(sentence) for stem in stems.stems(word)}
    return sum(wanted[stem] for stem in found & wanted.keys())


def _shortened(text: str, length: int) -> str:
    """The text cut to a length, between words where there is a space in its second half."""
    if len(text) <= length:
        return text
    cut = text.rfind(" ", length // 2, length)
    return text[: cut if cut > 0 else length].rstrip() + " …"
