"""Vectors of many texts at once, by model2vec and numpy.

Takes about half a second to load; for a few texts `lean` gives the same vectors sooner.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from muninn_cli.embedding.folder import ModelFolder

_WORDS_AT_ONCE = 8192


class Bulk:
    """A model in memory."""

    def __init__(self, folder: ModelFolder) -> None:
        """Raises UnreadableError where the model's files are missing or broken."""
        import numpy as np
        from model2vec import StaticModel

        try:
            self._model: Any = StaticModel.from_pretrained(folder.root)
        except Exception as error:  # model2vec and its readers have no error type in common
            raise folder.broken(error) from error
        if self._model.embedding.dtype == np.float16:
            self._model.embedding = self._model.embedding.astype(np.float32)

    def encode(self, texts: Sequence[str]) -> list[bytes | None]:
        """Each text's unit vector as float32, little-endian; None where no word is known.

        Every word of a text counts: model2vec's limit of 512 tokens is off.
        """
        sums = self._model.encode(
            texts, max_length=None, normalize=False, use_multiprocessing=False
        )
        return _packed(_units(sums).astype("<f4"))

    def encode_words(self, words: Sequence[str]) -> list[bytes | None]:
        """Each word's unit vector times 127 as int8; None for an unknown word."""
        found: list[bytes | None] = []
        for start in range(0, len(words), _WORDS_AT_ONCE):
            sums = self._sums(words[start : start + _WORDS_AT_ONCE])
            found += _packed((_units(sums) * 127).round().astype("i1"))
        return found

    def _sums(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        """The sum of each word's pieces: one gather for all, as a word has one piece or two."""
        import numpy as np

        pieces = self._model.tokenize(words)
        counts = np.fromiter(map(len, pieces), np.int64, len(pieces))
        known = counts > 0
        sums = np.zeros((len(words), self._model.dim), np.float32)
        if known.any():
            tokens = np.fromiter(chain.from_iterable(pieces), np.int64, counts.sum())
            starts = (np.cumsum(counts) - counts)[known]
            sums[known] = np.add.reduceat(self._vectors(tokens), starts, axis=0)
        return sums

    def _vectors(self, tokens: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        model = self._model
        rows = tokens if model.token_mapping is None else model.token_mapping[tokens]
        vectors: npt.NDArray[np.float32] = model.embedding[rows]
        return vectors if model.weights is None else vectors * model.weights[tokens][:, None]


def _units(sums: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The rows at length 1; what has no length stays a row of zeros."""
    import numpy as np

    rows = sums.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    known = (lengths > 0) & np.isfinite(lengths)
    units: npt.NDArray[np.float32] = np.zeros_like(rows)
    np.divide(rows, lengths, out=units, where=known)
    return units


def _packed(rows: npt.NDArray[Any]) -> list[bytes | None]:
    known: list[bool] = (rows != 0).any(axis=1).tolist()
    return [row.tobytes() if is_known else None for row, is_known in zip(rows, known, strict=True)]
