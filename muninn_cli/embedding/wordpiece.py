"""WordPiece over a sorted word list, with the standard library alone.

Gives the tokens that the `tokenizers` library gives for the same model (BertNormalizer with
lower case and accents stripped, BertPreTokenizer, WordPiece), without loading its vocabulary.
Where the Unicode versions of the two differ (some 560 rare characters) a word may differ too.
"""

from __future__ import annotations

import json
import mmap
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 8192
_SETTINGS = {
    "added_tokens": [],
    "normalizer": {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": True,
        "lowercase": True,
    },
    "pre_tokenizer": {"type": "BertPreTokenizer"},
}
_MODEL = {
    "type": "WordPiece",
    "unk_token": "[UNK]",
    "continuing_subword_prefix": "##",
    "vocab": {},
}
_PREFIX = b"##"
_HAN = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class _Normal(dict[int, str]):
    """For `str.translate`: what the normalizer makes of a character, words parted by spaces."""

    def __missing__(self, code: int) -> str:
        normal = self[code] = _normal(code)
        return normal


def _normal(code: int) -> str:
    char = chr(code)
    if char in "\t\n\r":
        return " "
    if code in {0, 0xFFFD} or unicodedata.category(char) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    if char.isspace():
        return " "
    parts = "".join(map(_folded, unicodedata.normalize("NFD", char)))
    return f" {parts} " if any(first <= code <= last for first, last in _HAN) else parts


def _folded(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Mn":
        return ""
    is_sign = category[0] == "P" or ("!" <= char <= "~" and not char.isalnum())
    return f" {char} " if is_sign else char.lower()


_NORMAL = _Normal()


class SortedVocabulary:
    """Lines `word<TAB>number`, sorted by the bytes of the word; mapped, never loaded."""

    def __init__(self, path: Path) -> None:
        """Raises OSError, or ValueError where the file is empty."""
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def longest_prefix(self, text: bytes, longer_than: int) -> tuple[int, int] | None:
        """Length and number of the longest word that `text` begins with, or None.

        Every word that is a prefix of `text` is also one of the last word not after `text`,
        or of what the two begin with in common: one or two binary searches find it.
        """
        while len(text) > longer_than:
            word, number = self._last_not_after(text)
            common = _common_length(word, text)
            if common == len(word):
                return (common, int(number)) if common > longer_than else None
            text = text[:common]
        return None

    def _last_not_after(self, text: bytes) -> tuple[bytes, bytes]:
        data = self._data
        low, high = 0, len(data)
        found = b"", b""
        while low < high:
            middle = (low + high) // 2
            start = data.rfind(b"\n", low, middle) + 1 or low
            end = data.find(b"\n", middle)
            end = len(data) if end < 0 else end
            word, _, number = data[start:end].partition(b"\t")
            if word <= text:
                found, low = (word, number), end + 1
            else:
                high = start
        return found


def _common_length(a: bytes, b: bytes) -> int:
    if b.startswith(a):
        return len(a)
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(b))


class WordPiece:
    """The tokens of a text, without those of unknown words."""

    def __init__(self, vocabulary: SortedVocabulary, longest_word: int) -> None:
        self._vocabulary = vocabulary
        self._longest_word = longest_word
        self._known: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str) -> list[int]:
        """Numbers of the word pieces in order; raises ValueError for a broken word list."""
        return [token for word in text.translate(_NORMAL).split() for token in self._pieces(word)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._cut(word)
        return known

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest known pieces from the left; none at all where one is unknown."""
        if len(word) > self._longest_word:
            return ()
        pieces = []
        rest, prefix = word.encode(), b""
        while rest:
            found = self._vocabulary.longest_prefix(prefix + rest, len(prefix))
            if found is None:
                return ()
            length, number = found
            pieces.append(number)
            rest, prefix = rest[length - len(prefix) :], _PREFIX
        return tuple(pieces)


def open_wordpiece(tokenizer: Path, vocabulary: Path) -> WordPiece | None:
    """The reader for a tokenizer of the kind named above that has a sorted word list, or None.

    Raises OSError, or ValueError where the word list is empty.
    """
    if not vocabulary.exists():
        return None
    match _settings(tokenizer):
        case {"model": {"max_input_chars_per_word": int(longest_word), **model}, **rest}:
            if (rest, model) == (_SETTINGS, _MODEL):
                return WordPiece(SortedVocabulary(vocabulary), longest_word)
    return None


def _settings(tokenizer: Path) -> dict[str, Any]:
    """What tokenizer.json says before its vocabulary: reading all of it takes long."""
    with tokenizer.open("rb") as file:
        head, found, _ = file.read(_HEAD).partition(b'"vocab":')
    try:
        settings = json.loads(head + b'"vocab":{}}}') if found else {}
    except ValueError:
        return {}
    return {key: settings[key] for key in (*_SETTINGS, "model") if key in settings}
