"""The table of token vectors of a model, read in place from its safetensors file.

Standard library only, for a single search must not wait for numpy. The file is mapped, never
loaded: a text touches the few rows it needs.
"""

from __future__ import annotations

import json
import mmap
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CODES = {"I8": "b", "F16": "e", "F32": "f", "F64": "d", "I32": "i", "I64": "q"}
_VECTORS = ("embeddings", "embedding.weight")
_WANTED = {*_VECTORS, "weights", "mapping"}


class _Tensor(NamedTuple):
    """A tensor's place in the file: `layout` reads one row of `width` numbers."""

    start: int
    rows: int
    width: int
    layout: struct.Struct


class Table:
    """Token vectors and, where the model has them, token weights and a token to row mapping."""

    def __init__(self, path: Path) -> None:
        """Map the file; raises OSError or ValueError where it is no table of vectors.

        Format: https://huggingface.co/docs/safetensors (header length, JSON header, data).
        """
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        start = 8 + int.from_bytes(self._data[:8], "little")
        if start > len(self._data):
            raise ValueError(f"{path.name} is cut short or no safetensors file")
        header = json.loads(self._data[8:start])
        if not isinstance(header, dict):
            raise ValueError(f"{path.name} has no tensor list")
        tensors = {
            name: self._tensor(entry, start) for name, entry in header.items() if name in _WANTED
        }
        vectors = next((tensors[name] for name in _VECTORS if name in tensors), None)
        if vectors is None:
            raise ValueError(f"{path.name} holds no table of vectors")
        self._vectors = vectors
        self._weights = tensors.get("weights")
        self._mapping = tensors.get("mapping")

    def _tensor(self, entry: Any, data_start: int) -> _Tensor:
        try:
            rows, width = (*entry["shape"], 1)[:2]
            layout = struct.Struct(f"<{width}{_CODES[entry['dtype']]}")
            start = data_start + entry["data_offsets"][0]
        except (KeyError, TypeError, ValueError, IndexError, struct.error) as error:
            raise ValueError(f"a tensor of an unknown form: {entry!r:.200}") from error
        if not 0 <= start <= start + rows * layout.size <= len(self._data):
            raise ValueError("the file is cut short")
        return _Tensor(start, rows, width, layout)

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._vectors.width

    def sum(self, tokens: Mapping[int, float]) -> list[float]:
        """The sum of the tokens' vectors, each times its weight and the number given for it.

        Raises ValueError for a token without a row.
        """
        total = [0.0] * self.dimension
        for token, times in tokens.items():
            factor = times * self._weight(token)
            total = [
                number + factor * more
                for number, more in zip(total, self._vector(token), strict=True)
            ]
        return total

    def _vector(self, token: int) -> tuple[float, ...]:
        row = token if self._mapping is None else int(self._row(self._mapping, token)[0])
        return self._row(self._vectors, row)

    def _weight(self, token: int) -> float:
        return 1.0 if self._weights is None else self._row(self._weights, token)[0]

    def _row(self, tensor: _Tensor, row: int) -> tuple[float, ...]:
        if not 0 <= row < tensor.rows:
            raise ValueError(f"the tokenizer does not belong to the vectors: no row {row}")
        return tensor.layout.unpack_from(self._data, tensor.start + row * tensor.layout.size)
