"""Chunks: a long body cut by heading and paragraph into texts of about two hundred words.

No word is lost, doubled or cut, but for a first heading that repeats the title: every chunk is
embedded with its title anyway. Time is linear in the length of the body.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.words import cjk_runs, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 250
"""Words in a chunk at most; what has no more stays whole."""
_HALF = 100
"""A heading begins a new chunk where the one before it has at least this many words."""
_HEADING_MOST = 40
"""A longer line is text, whatever it begins with."""
_LETTERS_A_WORD = 16
"""An unbroken text (base64, a minified file) counts as one word for so many letters."""

_OUTER = r"(?:[ \t>*+-]|\d{1,9}[.)])*"
_FENCE = r"(?:`{3,}(?=[^`\n]*$)|~{3,})"
_HEADING = r"[ ]{0,3}\#{1,6}(?:[ \t][^\n]*)?$"
_BLOCK = re.compile(
    rf"""
      ^{_OUTER}(?P<fence>{_FENCE}) [\s\S]*? (?: \n[ \t>]*(?P=fence)[`~]*$ | \Z )
    | (?P<heading> ^{_HEADING} )
    | (?: ^(?!{_OUTER}{_FENCE}|{_HEADING}) [^\n]+ \n? )+
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A fenced block, perhaps in a list or a quotation (to the end of the text where nothing closes
it); a heading; a paragraph."""

_LINES = re.compile(r"[^\n]*\n?")
_SENTENCES = re.compile(r"[\s\S]+?(?:[.!?](?=\s)|[。！？]|\Z)\s*")
_TOKENS = re.compile(r"\S+\s*")
_PUNCTUATED = re.compile(r"[^!-/:-@\[-`{-~、。，；：]*[!-/:-@\[-`{-~、。，；：]*")
_CUTS = (_LINES, _SENTENCES, _TOKENS, _PUNCTUATED)
"""Ways to cut a block that is too large, best first; none cuts a word."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a paragraph or a fenced block, which stays whole unless it is too large."""

    text: str
    size: int
    is_heading: bool = False


def cut(title: str, body: str) -> tuple[str, ...]:
    """The chunks of a body in order, of at most about MOST words; ("",) where it has no text.

    Trailing and doubled blank space around blocks is left out, and a heading counts as one
    word: changing only these leaves the other chunks as they were. A single word longer than
    a chunk stays whole.
    """
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    text = "\n".join(map(str.rstrip, lines))
    matches = list(_BLOCK.finditer(text))
    if matches and _repeats(matches[0], title):
        del matches[0]
    if sum(_sizes(text)) <= MOST:
        return ("\n\n".join(match[0].rstrip("\n") for match in matches),)
    blocks = list(map(_block, matches))
    if sum(block.size for block in blocks) <= MOST:
        return (_join(blocks),)
    return tuple(map(_join, _pack(_sections(blocks))))


def _repeats(match: re.Match[str], title: str) -> bool:
    is_heading = match["heading"] and _block(match).is_heading
    return bool(is_heading) and words(match[0]) == words(title)


def _join(blocks: Iterable[_Block]) -> str:
    return "\n\n".join(block.text for block in blocks)


def _block(match: re.Match[str]) -> _Block:
    size = _size(match[0])
    if match["heading"] and size <= _HEADING_MOST:
        return _Block(match[0], 1, is_heading=True)
    return _Block(match[0].rstrip("\n"), size)


def _size(text: str) -> int:
    """Words, counted cheaply."""
    return max(_sizes(text))


def _sizes(text: str) -> tuple[int, int, int]:
    """Words by spaces, by letters, and by CJK, of which two characters are about one.

    All of them together are at least the sum of the sizes of any parts.
    """
    tokens = text.split()
    cjk = 0 if text.isascii() else sum(map(len, cjk_runs().findall(text))) // 2
    return len(tokens), sum(map(len, tokens)) // _LETTERS_A_WORD, cjk


def _sections(blocks: Iterable[_Block]) -> Iterator[list[_Block]]:
    """Each text with the headings right above it."""
    section: list[_Block] = []
    for block in blocks:
        for piece in _bounded(block):
            section.append(piece)
            if not piece.is_heading or len(section) > MOST // 2:
                yield section
                section = []
    if section:
        yield section


def _bounded(block: _Block) -> Iterator[_Block]:
    if block.size <= MOST:
        yield block
        return
    for text in _split(block.text, 0):
        yield _Block(text, _size(text))


def _split(text: str, depth: int) -> Iterator[str]:
    """Pieces of like size, cut at lines if that does, else at sentences, words, signs."""
    total = _size(text)
    enough = total / math.ceil(total / MOST)
    piece, size = "", 0
    for part in _CUTS[depth].findall(text):
        part_size = _size(part)
        if piece and (size >= enough or size + part_size > MOST):
            yield piece.strip()
            piece, size = "", 0
        if part_size > MOST and depth + 1 < len(_CUTS):
            yield from _split(part, depth + 1)
        else:
            piece, size = piece + part, size + part_size
    if piece.strip():
        yield piece.strip()


def _pack(sections: Iterable[list[_Block]]) -> Iterator[list[_Block]]:
    """Neighbouring sections together, as long as they fit into one chunk."""
    chunk: list[_Block] = []
    size = 0
    for section in sections:
        section_size = sum(block.size for block in section)
        has_heading = section[0].is_heading and not section[-1].is_heading
        if chunk and (size + section_size > MOST or (has_heading and size >= _HALF)):
            yield chunk
            chunk, size = [], 0
        chunk += section
        size += section_size
    if chunk:
        yield chunk
