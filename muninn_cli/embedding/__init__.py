"""Text to vector, on this machine, without a network.

Owns how a model folder is found and read. Importing it loads nothing at all, for full text needs
no vector; encoding a few texts loads no heavy library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from muninn_cli.embedding.embedder import Embedder

__all__ = ["Embedder", "open_embedder", "word_vectors"]


def open_embedder(model: str, home: Path) -> Embedder:
    """The embedder of `builtin`, a model folder (relative to `home`) or a hub name.

    Raises NotFoundError, UnreadableError, or MuninnError where a hub name cannot be downloaded.
    """
    from muninn_cli.embedding.embedder import Embedder, builtin
    from muninn_cli.embedding.folder import BUILTIN, find_model

    return builtin() if model == BUILTIN else Embedder(find_model(model, home))


def word_vectors(words: Sequence[str]) -> list[bytes | None]:
    """The vectors of words (Embedder.encode_words, 256 numbers) by the built-in model, always."""
    from muninn_cli.embedding.embedder import builtin

    return builtin().encode_words(words)
