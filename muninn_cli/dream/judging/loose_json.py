"""The JSON object in a model's answer, with the prose and fences around it left out.

Repaired is only what has one plain meaning: comments, trailing commas, single quotes, and values
that are no JSON (NaN). Anything else is no answer; no part of a broken object is ever used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_START = re.compile(r"""\{\s*(?:["'}]|//|/\*|\#)""")
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)
  | (?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
  | (?P<single>'[^'\\]*(?:\\.[^'\\]*)*')
  | (?P<mark>[{}\[\],:])
  | (?P<word>[\w.+-]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = {
    "NaN": "null",
    "Infinity": "null",
    "-Infinity": "null",
    "None": "null",
    "True": "true",
    "False": "false",
}


def read_object(text: str, keys: frozenset[str]) -> dict[str, object] | None:
    """The one object in the text that has any of `keys`; None for none, or for several."""
    found: list[dict[str, object]] = []
    start = _START.search(text)
    while start:
        read = _object_at(text, start.start())
        if read is None:
            # What follows may be inside of what could not be read: a quoted text is no answer.
            return None
        value, end = read
        if keys & value.keys() and value not in found:
            found.append(value)
        start = _START.search(text, end)
    return found[0] if len(found) == 1 else None


def _object_at(text: str, start: int) -> tuple[dict[str, object], int] | None:
    decoder = json.JSONDecoder(parse_constant=_no_value, object_pairs_hook=_unique)
    try:
        value, end = decoder.raw_decode(text, start)
        return value, end
    except (ValueError, RecursionError):
        pass
    repaired, end = _repaired(text, start)
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_unique)
    try:
        return decoder.decode(repaired), end
    except (ValueError, RecursionError):
        return None


def _no_value(_name: str) -> None:
    return None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key is there twice")
    return value


def _repaired(text: str, start: int) -> tuple[str, int]:
    """Strict JSON of the object that starts there, and where it ends; not JSON if it cannot be."""
    written: list[str] = []
    end = start
    for kind, token, token_end in _object_tokens(text, start):
        end = token_end
        if token in ("}", "]") and written and written[-1] == ",":
            written.pop()
        if written and written[-1].startswith("'"):
            written[-1] = _double_quoted(written[-1]) if token in ",:}]" else "'"
        written.append(_WORDS.get(token, token) if kind == "word" else token)
    return " ".join(written), end


def _object_tokens(text: str, start: int) -> Iterator[tuple[str, str, int]]:
    """Kind, text and end of each token, up to the brace that closes the first one."""
    depth, place = 0, start
    while match := _TOKEN.match(text, place):
        place = match.end()
        kind, token = match.lastgroup or "", match.group()
        if kind in ("space", "comment"):
            continue
        yield kind, token, place
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        if depth == 0:
            return


def _double_quoted(single: str) -> str:
    inner = single[1:-1].replace("\\'", "'")
    return '"' + re.sub(r'(?<!\\)"', r"\\" + '"', inner) + '"'
