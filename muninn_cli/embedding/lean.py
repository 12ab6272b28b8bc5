"""Vectors of a few texts, with the standard library where the model allows it.

Never imports numpy or model2vec: they take longer to load than a search may last. Equal to
`bulk` to 1e-6. Other tokenizers than the built-in one need the `tokenizers` library.
"""

from __future__ import annotations

import math
import re
import struct
from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from muninn_cli.embedding.table import Table
from muninn_cli.embedding.wordpiece import open_wordpiece

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizers import Tokenizer as Library

    from muninn_cli.embedding.folder import ModelFolder


class Tokenizer(Protocol):
    """Text to token numbers; unknown words give none."""

    def ids(self, text: str) -> list[int]: ...


class Lean:
    """A model whose files are mapped and read in place."""

    def __init__(self, folder: ModelFolder) -> None:
        """Raises UnreadableError where the model's files are missing or broken."""
        self._folder = folder
        try:
            self._table = Table(folder.tensors)
            self._tokenizer = _open_tokenizer(folder)
        except (OSError, ValueError, TypeError) as error:
            raise folder.broken(error) from error
        self.dimension = self._table.dimension

    def encode(self, text: str) -> bytes | None:
        """The text's unit vector as float32, little-endian; None where no word is known."""
        return self._packed({text: 1.0})

    def encode_weighted(self, weights: Mapping[str, float]) -> bytes | None:
        """The unit vector of the sum of the words' vectors, each times its weight."""
        return self._packed(weights)

    def encode_word(self, word: str) -> bytes | None:
        """The word's unit vector times 127 as int8; None for an unknown word."""
        vector = self._unit({word: 1.0})
        if vector is None:
            return None
        return struct.pack(f"{len(vector)}b", *(round(127 * number) for number in vector))

    def _packed(self, weights: Mapping[str, float]) -> bytes | None:
        vector = self._unit(weights)
        return None if vector is None else struct.pack(f"<{len(vector)}f", *vector)

    def _unit(self, weights: Mapping[str, float]) -> list[float] | None:
        try:
            total = self._table.sum(self._tokens(weights))
        except ValueError as error:
            raise self._folder.broken(error) from error
        length = math.sqrt(sum(number * number for number in total))
        if not 0 < length < math.inf:
            return None
        return [number / length for number in total]

    def _tokens(self, weights: Mapping[str, float]) -> Mapping[int, float]:
        tokens: defaultdict[int, float] = defaultdict(float)
        for text, weight in weights.items():
            for token in self._tokenizer.ids(text):
                tokens[token] += weight
        return tokens


def _open_tokenizer(folder: ModelFolder) -> Tokenizer:
    wordpiece = open_wordpiece(folder.tokenizer, folder.vocabulary)
    return wordpiece or _LibraryTokenizer(folder.tokenizer)


class _LibraryTokenizer:
    """Any other tokenizer, read by the `tokenizers` library."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer as Library

        try:
            self._library = Library.from_file(str(path))
        except Exception as error:  # the library has no error type of its own
            raise ValueError(f"{path.name}: {error}") from error
        self._library.no_truncation()
        self._library.no_padding()
        self._unknown = _unknown_token(self._library, path)

    def ids(self, text: str) -> list[int]:
        found = self._library.encode(text, add_special_tokens=False).ids
        return [token for token in found if token != self._unknown]


def _unknown_token(library: Library, path: Path) -> int | None:
    """The token that stands for what is unknown, which model2vec leaves out."""
    model = library.model
    if hasattr(model, "unk_token"):
        return None if model.unk_token is None else library.token_to_id(model.unk_token)
    found = re.search(rb'"unk_id"\s*:\s*(\d+)', path.read_bytes())  # Unigram does not tell
    return int(found[1]) if found else None
