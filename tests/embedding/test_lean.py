"""The lean reader gives model2vec's vectors, and loads none of the heavy libraries."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model2vec import StaticModel
from tokenizers import Tokenizer

from muninn_cli.embedding.folder import BUILTIN_FOLDER
from muninn_cli.embedding.lean import Lean
from muninn_cli.embedding.wordpiece import open_wordpiece

CORPUS = [
    "Docker network timeouts are thirty seconds",
    "La conexión de red de Docker caduca; ¿por qué? ¡Mañana lo veré!",
    "El pingüino y la cigüeña volaron sobre la ciudad de Cádiz",
    "cafe\u0301 de olla, man\u0303ana, ÁRBOL, İstanbul, ΟΔΟΣ, Straße",
    "日本語 text と カタカナ 데이터베이스 and 中文。",
    "C++ / a_b-c.d €5 #tag @me https://example.test/a?b=1#c C:\\temp",
    "antidisestablishmentarianism electroencefalografista xkcdqwzx",
    "x" * 60 + " " + "y" * 61 + " " + "z" * 10_000,
    "uno\u00a0dos\u2003tres\u2028cuatro\x0bcinco\x85seis\x1fsiete",
    "soft\u00adhyphen zero\u200bwidth \ufeffmark repl\ufffdaced nul\x00here",
    "👍 emoji 🇪🇸 flags 👩‍👩‍👧 and ❤️ hearts 1️⃣",
    "हिन्दी עִבְרִית العربية ไทย and English",
    "[UNK] [PAD] [CLS] ##ing ## #",
    "the quick brown fox " * 100,
    "palabra, ".join(map(str, range(100))),
]
UNKNOWN = ["", " \n\t", "👍", "日本語", "\x00", "ꙮ" * 5, "q" * 61]

LEAN = Lean(BUILTIN_FOLDER)
MODEL = StaticModel.from_pretrained(BUILTIN_FOLDER.root)
LIBRARY = Tokenizer.from_file(str(BUILTIN_FOLDER.tokenizer))
PIECES = open_wordpiece(BUILTIN_FOLDER.tokenizer, BUILTIN_FOLDER.vocabulary)


@pytest.mark.parametrize("text", CORPUS)
def test_a_vector_is_model2vecs(text: str) -> None:
    vector = np.frombuffer(LEAN.encode(text) or b"", "<f4")
    assert vector == pytest.approx(MODEL.encode([text], max_length=None)[0], abs=1e-6)


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_text_without_a_known_word_has_no_vector(text: str) -> None:
    assert LEAN.encode(text) is None
    assert not MODEL.encode([text], max_length=None).any()


def test_a_weighted_vector_is_the_weighted_sum_of_word_vectors() -> None:
    weights = {"docker": 2.5, "conexión": 0.5, "desconocidísimo": 1.0}
    rows = MODEL.encode_as_sequence(list(weights))
    total = sum(
        weight * row.sum(axis=0) for weight, row in zip(weights.values(), rows, strict=True)
    )
    vector = np.frombuffer(LEAN.encode_weighted(weights) or b"", "<f4")
    assert vector == pytest.approx(total / np.linalg.norm(total), abs=1e-6)


def assert_same_pieces(text: str) -> None:
    unknown = LIBRARY.token_to_id("[UNK]")
    found = LIBRARY.encode(text, add_special_tokens=False).ids
    assert PIECES is not None
    assert PIECES.ids(text) == [token for token in found if token != unknown]


def test_words_of_the_list_are_found_from_the_first_to_the_last() -> None:
    words = sorted(word for word in LIBRARY.get_vocab() if not word.startswith("##"))
    for word in [*words[:50], *words[::50], *words[-50:]]:
        assert_same_pieces(word)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*"aeñoüçœ'-._ \t\u0301\u00ad3日", "##", "cación", "timeout"])))
def test_the_pieces_are_the_tokenizers_for_words_put_together(parts: list[str]) -> None:
    assert_same_pieces("".join(parts))


# The library knows an older Unicode: higher up there are signs that only one of the two knows.
@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(max_codepoint=0x5FF, exclude_categories=["Cs", "Cn"])))
def test_the_pieces_are_the_tokenizers_for_any_text(text: str) -> None:
    assert_same_pieces(text)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_text_is_refused(text: str) -> None:
    LEAN.encode(text)
    LEAN.encode_word(text)


def test_a_query_loads_none_of_the_heavy_libraries() -> None:
    program = """
import sys
from pathlib import Path
from muninn_cli.core.words import Stems, raw_words
from muninn_cli.embedding import open_embedder, word_vectors
embedder = open_embedder("builtin", Path())
assert embedder.encode(["tiempo de espera de la red"])[0]
assert embedder.encode_weighted({"red": 1.0}) and word_vectors(["red"])[0]
assert Stems(("en", "es")).stems("redes")
heavy = {"numpy", "model2vec", "tokenizers", "safetensors", "huggingface_hub"}
sys.exit(" ".join(heavy & set(sys.modules)) or 0)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")
