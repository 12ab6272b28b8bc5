"""The embedder: one model, and what it makes of texts and words.

Decides for each call whether reading a few rows or loading the model is quicker; the vectors
are the same to 1e-6. Nothing is written, and no text of any kind makes it fail.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING

from muninn_cli.embedding.folder import BUILTIN_FOLDER
from muninn_cli.embedding.lean import Lean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.embedding.bulk import Bulk
    from muninn_cli.embedding.folder import ModelFolder

_FEW = 60_000
"""Characters after which loading numpy and the model is quicker than reading rows one by one."""
_ALWAYS_FEW = _FEW // 10
_OF_A_TEXT = 40
"""What a text costs by itself, in characters."""
_SURROGATES = "[\ud800-\udfff]"


class Embedder:
    """Texts to vectors of one model. `id` names the model and changes with its content."""

    def __init__(self, folder: ModelFolder) -> None:
        """Raises UnreadableError where the model's files are missing or broken."""
        self._folder = folder
        self._lean = Lean(folder)
        self.id = folder.fingerprint()
        self.dimension = self._lean.dimension
        self._read = 0

    @cached_property
    def _bulk(self) -> Bulk:
        from muninn_cli.embedding.bulk import Bulk

        return Bulk(self._folder)

    def encode(self, texts: Sequence[str]) -> list[bytes | None]:
        """Each text's unit vector, `dimension` float32 little-endian; None for a zero vector."""
        texts = [_without_surrogates(text) for text in texts]
        if self._are_few(texts):
            return [self._lean.encode(text) for text in texts]
        return self._bulk.encode(texts)

    def _are_few(self, texts: Sequence[str]) -> bool:
        """Whether these, and all texts so far, are too few to load the model for them."""
        cost = sum(map(len, texts)) + _OF_A_TEXT * len(texts)
        self._read += cost
        return cost <= _ALWAYS_FEW or self._read <= _FEW

    def encode_weighted(self, weights: Mapping[str, float]) -> bytes | None:
        """The unit vector of a sum of words, each times its weight; None for a zero vector."""
        return self._lean.encode_weighted(
            {_without_surrogates(word): weight for word, weight in weights.items()}
        )

    def encode_words(self, words: Sequence[str]) -> list[bytes | None]:
        """Each word's unit vector times 127, `dimension` int8; None for an unknown word."""
        words = [_without_surrogates(word) for word in words]
        if self._are_few(words):
            return [self._lean.encode_word(word) for word in words]
        return self._bulk.encode_words(words)


@cache
def builtin() -> Embedder:
    """The embedder of the model in the package, opened once."""
    return Embedder(BUILTIN_FOLDER)


def _without_surrogates(text: str) -> str:
    """Halves of characters, which no tokenizer takes, as the replacement character."""
    return text if text.isascii() else re.sub(_SURROGATES, "\ufffd", text)
