"""Text to vector, on this machine, without a network.

Owns how a model folder is found and read. Importing it loads no heavy library; encoding a few
texts loads none either.
"""

from muninn_cli.embedding.embedder import Embedder, open_embedder, word_vectors
from muninn_cli.embedding.folder import BUILTIN

__all__ = ["BUILTIN", "Embedder", "open_embedder", "word_vectors"]
