"""The embedder: which model it opens, how it fails, and that few and many texts agree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from muninn_cli.embedding import open_embedder, word_vectors
from muninn_cli.embedding.bulk import Bulk
from muninn_cli.embedding.embedder import Embedder
from muninn_cli.embedding.folder import BUILTIN_FOLDER, ModelFolder
from muninn_cli.embedding.lean import Lean
from muninn_cli.embedding.wordpiece import open_wordpiece
from muninn_cli.errors import MuninnError, NotFoundError, UnreadableError
from muninn_cli.store.index.connection import open_reader

WORDS = ["[UNK]", "#", "red", "casa", "##s", "docker", "time", "##out", "a"]
NUMBERS = np.random.default_rng(7)


def wordpiece() -> Tokenizer:
    tokenizer = Tokenizer(
        models.WordPiece({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer(strip_accents=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def unigram() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram([(word, -1.0) for word in WORDS], unk_id=0))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def word_level() -> Tokenizer:
    tokenizer = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def vectors(dtype: type, rows: int = len(WORDS)) -> np.ndarray:
    return (NUMBERS.normal(size=(rows, 16)) * 50).astype(dtype)


def make_model(folder: Path, tokenizer: Tokenizer, tensors: dict[str, np.ndarray]) -> Path:
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"normalize": True}))
    return folder


def sort_vocabulary(folder: Path) -> None:
    numbered = sorted((word.encode(), number) for number, word in enumerate(WORDS))
    (folder / "vocab.sorted").write_bytes(b"".join(b"%s\t%d\n" % line for line in numbered))


KINDS = {
    "float32": (wordpiece, lambda: {"embeddings": vectors(np.float32)}),
    "float16": (wordpiece, lambda: {"embeddings": vectors(np.float16)}),
    "int8 without weights": (wordpiece, lambda: {"embeddings": vectors(np.int8)}),
    "weights": (
        wordpiece,
        lambda: {
            "embeddings": vectors(np.int8),
            "weights": NUMBERS.random(len(WORDS)).astype(np.float32),
        },
    ),
    "shared rows": (
        wordpiece,
        lambda: {
            "embeddings": vectors(np.float32, 3),
            "weights": NUMBERS.random(len(WORDS)).astype(np.float32),
            "mapping": np.array([0, 1, 2] * 3),
        },
    ),
    "unigram": (unigram, lambda: {"embeddings": vectors(np.float32)}),
    "word level": (word_level, lambda: {"embeddings": vectors(np.float32)}),
}
TEXTS = [
    "red casas docker",
    "timeout",
    "Docker timeout desconocido a a a",
    "nada conocido",
    "",
    "RED",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("has_sorted_words", [False, True])
def test_few_and_many_texts_get_the_same_vectors_from_any_model(
    tmp_path: Path, kind: str, has_sorted_words: bool
) -> None:
    tokenizer, tensors = KINDS[kind]
    root = make_model(tmp_path / "model", tokenizer(), tensors())
    if has_sorted_words:
        sort_vocabulary(root)
    folder = ModelFolder("model", root)
    lean, bulk = Lean(folder), Bulk(folder)
    assert any(bulk.encode(TEXTS))
    for text, few, many in zip(TEXTS, map(lean.encode, TEXTS), bulk.encode(TEXTS), strict=True):
        assert_close(few, many, "<f4", 1e-6, text)
    words = map(lean.encode_word, TEXTS)
    for text, few, many in zip(TEXTS, words, bulk.encode_words(TEXTS), strict=True):
        assert_close(few, many, "i1", 1, text)


def assert_close(a: bytes | None, b: bytes | None, form: str, within: float, text: str) -> None:
    assert (a is None) == (b is None), text
    if a and b:
        difference = np.frombuffer(a, form).astype(float) - np.frombuffer(b, form)
        assert np.abs(difference).max() <= within, text


def test_a_sorted_word_list_spares_the_tokenizers_library(tmp_path: Path) -> None:
    root = make_model(tmp_path / "model", wordpiece(), {"embeddings": vectors(np.float32)})
    files = root / "tokenizer.json", root / "vocab.sorted"
    assert open_wordpiece(*files) is None
    sort_vocabulary(root)
    assert open_wordpiece(*files) is not None


def test_a_sentence_transformers_folder_is_a_model(tmp_path: Path) -> None:
    table = {"embedding.weight": vectors(np.float32)}
    make_model(tmp_path / "st" / "0_StaticEmbedding", wordpiece(), table)
    (tmp_path / "st" / "config_sentence_transformers.json").write_text("{}")
    embedder = open_embedder("st", tmp_path)
    assert embedder.dimension == 16
    assert np.frombuffer(embedder.encode(["red"])[0] or b"", "<f4") == pytest.approx(
        np.frombuffer(Bulk(ModelFolder("st", tmp_path / "st")).encode(["red"])[0] or b"", "<f4")
    )


def test_words_have_the_vectors_of_the_built_in_model_whatever_embeds_the_texts(
    muninn, personal, tmp_path: Path
) -> None:
    root = make_model(tmp_path / "own", wordpiece(), {"embeddings": vectors(np.float32)})
    personal.put("a.md", "docker in the red casa")
    assert muninn("config", "set", "embedding.model", str(root)).code == 0
    assert personal.found("docker") == ["a.md"]
    with open_reader(muninn.home / "index.db") as index:
        assert len(index.value("SELECT own FROM embedding")) == 4 * 16
        found = dict(index.execute("SELECT word, vector FROM word"))
    assert {"docker", "casa"} <= found.keys()
    assert list(found.values()) == word_vectors(list(found))


def test_the_built_in_model_lies_in_the_package() -> None:
    embedder = open_embedder("builtin", Path("/nowhere"))
    assert BUILTIN_FOLDER.root.parent.parent.joinpath("__init__.py").exists()
    assert embedder.dimension == 256
    assert embedder.id.startswith("muninn-en-es-256@")


def test_vectors_have_length_one_and_likeness_means_something() -> None:
    docker, network, garden = map(
        np.frombuffer,
        open_embedder("builtin", Path()).encode(
            ["Docker network timeouts", "la red de Docker caduca", "tomatoes in the garden"]
        ),
        ["<f4"] * 3,
    )
    assert np.linalg.norm(docker) == pytest.approx(1, abs=1e-6)
    assert docker @ network > 0.3 > docker @ garden


def test_the_id_changes_with_the_content_of_the_model(tmp_path: Path) -> None:
    first = make_model(tmp_path / "a" / "model", wordpiece(), {"embeddings": vectors(np.float32)})
    shutil.copytree(first, tmp_path / "b" / "model")
    second = make_model(tmp_path / "c" / "model", wordpiece(), {"embeddings": vectors(np.float32)})
    one, same, other = (
        open_embedder(str(path), tmp_path).id for path in (first, tmp_path / "b" / "model", second)
    )
    assert one == same != other


def test_a_large_model_trained_again_has_another_id(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        for file in ("tokenizer.json", "model.safetensors"):
            shutil.copy(BUILTIN_FOLDER.root / file, tmp_path / name / file)
    data = bytearray((tmp_path / "b" / "model.safetensors").read_bytes())
    for place in range(400_000, len(data), 1000):
        data[place] ^= 1
    (tmp_path / "b" / "model.safetensors").write_bytes(data)
    ids = {ModelFolder("model", tmp_path / name).fingerprint() for name in ("a", "b")}
    assert len(ids) == 2


def test_many_texts_and_few_agree_across_the_bound() -> None:
    texts = [f"La conexión {n} de Docker caduca a los {n} segundos" for n in range(3000)]
    embedder = Embedder(BUILTIN_FOLDER)
    few = embedder.encode(texts[:20])
    assert "_bulk" not in vars(embedder)
    many = embedder.encode(texts)
    assert "_bulk" in vars(embedder)
    assert np.frombuffer(b"".join(filter(None, few)), "<f4") == pytest.approx(
        np.frombuffer(b"".join(filter(None, many[:20])), "<f4"), abs=1e-6
    )


def test_a_query_never_loads_the_model_however_much_was_read_before() -> None:
    embedder = Embedder(BUILTIN_FOLDER)
    for _ in range(4):
        embedder.encode(["La red de Docker caduca a los treinta segundos"] * 1000)
        embedder.__dict__.pop("_bulk", None)
    assert embedder.encode(["one query"])[0]
    assert embedder.encode([]) == embedder.encode_words([]) == []
    assert "_bulk" not in vars(embedder)


def test_word_vectors_are_the_same_for_few_and_many() -> None:
    words = ["docker", "conexion", "xkcdqwzx", "日本", "", "timeouts"] * 1000
    many = Bulk(BUILTIN_FOLDER).encode_words(words)
    assert len(many) == len(words)
    few = word_vectors(words[:6])
    assert [vector is None for vector in few] == [False, False, False, True, True, False]
    assert many[-6:] == few
    docker = np.frombuffer(few[0] or b"", "i1").astype(int)
    assert docker.shape == (256,)
    assert np.sqrt((docker**2).sum()) == pytest.approx(127, abs=2)


FEW, MANY = Embedder(BUILTIN_FOLDER), Embedder(BUILTIN_FOLDER)
MANY.encode(["a lot of text"] * 4000)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(), max_size=5))
def test_no_text_is_refused(texts: list[str]) -> None:
    texts = [*texts, "\ud800", "a\x00b", "\udfff\U0001f600"]
    for embedder in (FEW, MANY):
        assert len(embedder.encode(texts)) == len(embedder.encode_words(texts)) == len(texts)
        assert embedder.encode_weighted(dict.fromkeys(texts, 1.0)) is not None


@pytest.mark.parametrize(
    "model", ["no/such/folder", "/no/such", "~nobody-here/x", "a\x00b", "x" * 5000]
)
def test_a_missing_model_is_named(tmp_path: Path, model: str) -> None:
    with pytest.raises(MuninnError) as raised:
        open_embedder(model, tmp_path)
    assert "embedding.model builtin" in raised.value.hint


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json", "vocab.sorted"])
@pytest.mark.parametrize(
    "content",
    [b"", bytes(64), b"\xff" * 64, b"[]", b'{"a": [', b"\x04" + bytes(7) + b"null", None],
    ids=["empty", "zeros", "ones", "a list", "a cut object", "null", "half"],
)
def test_a_broken_model_is_named_with_its_folder(
    tmp_path: Path, file: str, content: bytes | None
) -> None:
    root = make_model(tmp_path / "model", wordpiece(), {"embeddings": vectors(np.float32)})
    sort_vocabulary(root)
    data = (root / file).read_bytes()
    (root / file).write_bytes(data[: len(data) // 2] if content is None else content)
    try:
        open_embedder("model", tmp_path).encode(["red casas docker timeout"])
    except UnreadableError as error:
        assert str(root) in error.message
        assert error.hint
        return
    assert file == "vocab.sorted"  # half a list is a list of fewer words


def test_a_folder_without_a_model_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot be read"):
        open_embedder(".", tmp_path)


def test_a_tokenizer_of_another_model_is_noticed(tmp_path: Path) -> None:
    root = make_model(tmp_path / "model", wordpiece(), {"embeddings": vectors(np.float32, 3)})
    sort_vocabulary(root)
    with pytest.raises(UnreadableError, match="does not belong"):
        open_embedder(str(root), tmp_path).encode(["docker timeout"])


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def test_a_hub_model_in_the_cache_is_opened_without_the_network(hub_cache: Path) -> None:
    cached = hub_cache / "models--someone--small"
    make_model(cached / "snapshots" / "abc1", wordpiece(), {"embeddings": vectors(np.float32)})
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("abc1")
    embedder = open_embedder("someone/small", hub_cache)
    assert embedder.id.startswith("someone/small@")
    assert embedder.encode(["red"])[0]


def test_a_hub_model_that_cannot_be_fetched_is_one_line(hub_cache: Path) -> None:
    with pytest.raises(MuninnError, match="someone/small could not be downloaded: ") as raised:
        open_embedder("someone/small", hub_cache)
    assert not isinstance(raised.value, NotFoundError)
    assert "\n" not in raised.value.message
