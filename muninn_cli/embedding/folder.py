"""Where an embedding model lies: the one in the package, a local folder, or the hub's cache.

Nothing here reads vectors, and only a hub name that is not in the cache reaches the network.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO, NamedTuple

from muninn_cli.core.hashing import blake2b
from muninn_cli.errors import MuninnError, NotFoundError, UnreadableError

BUILTIN = "builtin"
_HUB_NAME = r"(?a)[A-Za-z0-9][\w.-]*/[\w.-]+"
_NESTED = "0_StaticEmbedding"
_SAMPLES = 32
_SAMPLE = 4096
_USE_BUILTIN = "`muninn config set embedding.model builtin` goes back to the model of the package"


class ModelFolder(NamedTuple):
    """The files of a model2vec or a sentence-transformers static model.

    `hint` is what a person can do when they cannot be read.
    """

    name: str
    root: Path
    hint: str = _USE_BUILTIN

    @property
    def inner(self) -> Path:
        """The folder of the vectors and the tokenizer."""
        nested = self.root / _NESTED
        return nested if nested.is_dir() else self.root

    @property
    def tensors(self) -> Path:
        return self.inner / "model.safetensors"

    @property
    def tokenizer(self) -> Path:
        return self.inner / "tokenizer.json"

    @property
    def vocabulary(self) -> Path:
        """The words of the tokenizer sorted by bytes; only some models have it."""
        return self.inner / "vocab.sorted"

    def broken(self, cause: object) -> UnreadableError:
        """The error to raise when a file of this model cannot be read."""
        message = f"the embedding model in {self.root} cannot be read: {cause}"
        return UnreadableError(message, self.hint)

    def fingerprint(self) -> str:
        """Name and content in short: another model has another one.

        Of large files only the size and some blocks count: all vectors move when a model is
        trained again.
        """
        digest = blake2b(digest_size=8)
        for path in (self.tensors, self.tokenizer):
            with path.open("rb") as file:
                for sample in _samples(file):
                    digest.update(sample)
        return f"{self.name}@{digest.hexdigest()}"


BUILTIN_FOLDER = ModelFolder(
    "muninn-en-es-256",
    Path(__file__).parent.parent / "models" / "muninn-en-es-256",
    "install muninn-memory again",
)


def _samples(file: BinaryIO) -> list[bytes]:
    size = file.seek(0, 2)
    step = max(_SAMPLE, size // _SAMPLES)
    samples = [b"%d" % size]
    for start in range(0, size, step):
        file.seek(start)
        samples.append(file.read(_SAMPLE))
    return samples


def find_model(model: str, home: Path) -> ModelFolder:
    """The folder of a model: `builtin`, a folder (relative to `home`), or a hub name.

    Raises NotFoundError where there is none, and MuninnError when the download fails.
    """
    if model == BUILTIN:
        return BUILTIN_FOLDER
    path = home / _expanded(model)
    if _is_folder(path):
        return ModelFolder(path.name, path)
    if re.fullmatch(_HUB_NAME, model):
        return ModelFolder(model, _cached(model) or _downloaded(model))
    raise NotFoundError(f"there is no embedding model at {path}", _USE_BUILTIN)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # no permission to look, or no name a folder can have
        return False


def _expanded(model: str) -> Path:
    try:
        return Path(model).expanduser()
    except RuntimeError:  # no such user
        return Path(model)


def _cached(name: str) -> Path | None:
    """The folder of a hub model that was downloaded before.

    Asking `huggingface_hub` itself would import an HTTP client on every search; the layout is
    documented (https://huggingface.co/docs/huggingface_hub/guides/manage-cache).
    """
    from huggingface_hub.constants import HF_HUB_CACHE

    cache = Path(HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    try:
        revision = (cache / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    folder = ModelFolder(name, cache / "snapshots" / revision)
    return folder.root if folder.tensors.exists() and folder.tokenizer.exists() else None


def _downloaded(name: str) -> Path:
    from model2vec import StaticModel

    try:
        StaticModel.from_pretrained(name)
    except Exception as error:
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        message = f"the embedding model {name} could not be downloaded: {reason}"
        raise MuninnError(message, f"check the name and the network; {_USE_BUILTIN}") from error
    folder = _cached(name)
    if folder is None:
        raise NotFoundError(f"the hub has no static embedding model {name}", _USE_BUILTIN)
    return folder
