"""Two sets of pairs: what must never merge by itself, and what says the same."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from muninn_cli.core.likeness import Text, text_hash, veto

HERE = Path(__file__).parent
SHARES = {
    "case": 0.95,
    "punctuation": 0.95,
    "spacing": 0.95,
    "clause order": 0.85,
    "paraphrase": 0.9,
}


def pairs(name: str) -> dict[str, list[tuple[str, str]]]:
    """The pairs of a file by kind."""
    found = defaultdict(list)
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        found[pair["kind"]].append((pair["a"], pair["b"]))
    return dict(found)


DIFFER = pairs("pairs_differ.jsonl")
SAME = pairs("pairs_same.jsonl")


def merges(a: str, b: str, title: str = "") -> bool:
    return veto(Text(title, a), Text(title, b)) is None


@pytest.mark.parametrize("kind", DIFFER)
@pytest.mark.parametrize("title", ["", "Note"])
def test_no_pair_with_another_value_merges(kind: str, title: str) -> None:
    wrong = [(a, b) for a, b in DIFFER[kind] if merges(a, b, title) or merges(b, a, title)]
    assert wrong == []


@pytest.mark.parametrize("kind", DIFFER)
def test_no_pair_with_another_value_has_one_hash(kind: str) -> None:
    assert [pair for pair in DIFFER[kind] if text_hash(pair[0]) == text_hash(pair[1])] == []


@pytest.mark.parametrize("kind", SHARES)
def test_true_duplicates_merge(kind: str) -> None:
    missed = [(a, b) for a, b in SAME[kind] if not merges(a, b)]
    assert 1 - len(missed) / len(SAME[kind]) >= SHARES[kind], missed


@pytest.mark.parametrize("kind", SAME)
def test_the_order_of_two_texts_does_not_matter(kind: str) -> None:
    assert [(a, b) for a, b in SAME[kind] if merges(a, b) != merges(b, a)] == []


def test_a_text_merges_with_itself() -> None:
    texts = [a for group in (*DIFFER.values(), *SAME.values()) for pair in group for a in pair]
    assert [text for text in texts if not merges(text, text)] == []


def test_the_sets_are_large_and_in_two_languages() -> None:
    assert sum(map(len, DIFFER.values())) >= 240
    assert sum(map(len, SAME.values())) >= 120
    spanish = [a for group in DIFFER.values() for a, _ in group if "el " in a.lower()]
    assert len(spanish) >= 40
