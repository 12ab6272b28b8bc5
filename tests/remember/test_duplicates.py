"""The second pass of `add`: what is like a memory, and what no likeness makes the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

TEXT = "Docker networks time out when the resolver is slow."
TURNED = "When the resolver is slow, Docker networks time out."
"""The same words in another order: no other normal form, and a cosine of nearly 1."""


def merged(answer) -> tuple[str, str]:
    return answer["operation"], answer["match"] and answer["match"]["pass"]


def bounds(**settings: float) -> dict[str, str]:
    return {f"MUNINN_ADD_{name.upper()}": str(value) for name, value in settings.items()}


def test_a_rewording_is_merged_and_its_text_goes_to_the_archive(personal):
    first = personal.add(TEXT)
    answer = personal.add(TURNED, "--tag", "dns")
    assert merged(answer) == ("merged", "cosine")
    assert 0.92 <= answer["match"]["cosine"] < 1.0
    assert personal.listed() == [first["path"]]
    (kept,) = personal.json("archive", "list")["archived"]
    assert [kept[key] for key in ("kind", "reason", "into")] == ["incoming", "merged", first["id"]]
    assert personal.json("archive", "show", kept["id"])["memory"]["body"] == f"{TURNED}\n"


def test_a_rewording_that_was_merged_can_be_restored_as_a_memory(personal):
    personal.add(TEXT)
    personal.add(TURNED)
    kept = personal.json("archive", "list")["archived"][0]
    personal.json("restore", kept["id"])
    assert len(personal.listed()) == 2
    assert personal.memory(kept["id"])["body"] == f"{TURNED}\n"


LOW, HIGH = 0.5, 0.999999
"""Bounds that the pair is above, and below."""


@pytest.mark.parametrize(
    ("old", "new", "bound"),
    [
        ("T2", "T2", "duplicate_base"),
        ("T2", "T3", "duplicate_base"),
        ("T3", "T3", "duplicate_ephemeral"),
        ("T1", "T3", "duplicate_durable"),
        ("T2", "T0", "duplicate_durable"),
    ],
)
def test_the_tiers_of_both_choose_the_bound(personal, old, new, bound):
    names = ("duplicate_durable", "duplicate_base", "duplicate_ephemeral")
    personal.add(TEXT, "--tier", old)
    others_low = bounds(**{name: HIGH if name == bound else LOW for name in names})
    kept = personal.add(TURNED, "--tier", new, "--dry-run", env=others_low)
    others_high = bounds(**{name: LOW if name == bound else HIGH for name in names})
    gone = personal.add(TURNED, "--tier", new, "--dry-run", env=others_high)
    assert (kept["operation"], gone["operation"]) == ("added", "merged")


def test_below_the_bound_it_is_stored_and_the_neighbour_reported(personal):
    first = personal.add(TEXT)
    answer = personal.add(TURNED, env=bounds(duplicate_base=HIGH))
    (near,) = answer["similar"]
    assert (answer["operation"], near["id"], near["path"]) == (
        "added",
        first["id"],
        first["path"],
    )
    assert len(personal.listed()) == 2


def test_nothing_below_the_line_is_called_similar(personal):
    personal.add(TEXT)
    env = bounds(duplicate_base=HIGH, similar_at=HIGH)
    assert personal.add(TURNED, env=env)["similar"] == []


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("The service listens on port 8080.", "The service listens on port 8081."),
        ("Deploys use the blue cluster.", "Deploys never use the blue cluster."),
        ("El puerto es 8123.", "El puerto NO es 8123."),
        ("The release is on Monday.", "The release is on Tuesday."),
        ("The staging server runs Debian.", "The production server runs Debian."),
        ("Ana reports to Luis.", "Luis reports to Ana."),
        ("La copia dura tres días.", "La copia dura cinco días."),
        ("Call db.example.org first.", "Call db.example.com first."),
    ],
)
def test_another_value_is_never_a_duplicate_at_any_cosine(personal, known, text):
    first = personal.add(known)
    anything = bounds(duplicate_base=0, duplicate_durable=0, duplicate_ephemeral=0)
    answer = personal.add(text, env=anything)
    assert answer["operation"] == "added"
    assert [(near["id"], bool(near["differs"])) for near in answer["similar"]] == [
        (first["id"], True)
    ]
    assert len(personal.listed()) == 2


def test_the_same_text_under_a_title_with_another_value_is_another_memory(personal):
    personal.add(TEXT, "--title", "Cluster 1")
    assert personal.add(TEXT, "--title", "Cluster 2")["operation"] == "added"


def chapters(count: int, repeated: int = 12) -> str:
    """A text of as many chunks, in which every sentence stands so often."""
    subjects = ("whales", "bees", "bridges", "clocks", "rivers", "kites")
    lines = [f"The {subjects[n % 6]} of chapter {n} are described here. " for n in range(count)]
    return "\n\n".join(f"# Part\n\n{line * repeated}" for line in lines)


@pytest.mark.parametrize("count", [4, 60])
def test_a_long_text_never_merges_by_likeness_and_its_like_is_reported(personal, count):
    title = ("--title", "All parts")
    text = chapters(count)
    first = personal.add(text, *title)
    env = bounds(duplicate_base=LOW)
    again = personal.add(chapters(count, repeated=13), *title, env=env)
    assert (again["operation"], [near["id"] for near in again["similar"]]) == (
        "added",
        [first["id"]],
    )
    assert merged(personal.add(text.upper(), *title)) == ("merged", "text")


def test_texts_without_a_known_word_are_no_duplicates_of_one_another(personal):
    answers = [personal.add(text) for text in ("🎉", "🎈 🎈", "zxqv wkjh", "qqkz vvxw")]
    assert {answer["operation"] for answer in answers} == {"added"}


# Without vectors to compare


@pytest.mark.parametrize("model", ["/no/such/folder", "someone/not-downloaded"])
def test_without_an_embedder_a_text_is_remembered_and_it_is_said_what_was_not_looked_for(
    personal, model
):
    env = {"MUNINN_EMBEDDING_MODEL": model, "HF_HUB_OFFLINE": "1"}
    first = personal.add(TEXT)
    result = personal.muninn("add", TURNED, "--json", env=env)
    assert (result.code, result.json["operation"], result.json["similar"]) == (0, "added", [])
    assert result.err.count("duplicates were looked for by their words alone") == 1
    again = personal.muninn("add", TEXT.upper(), "--json", env=env)
    assert (merged(again.json), again.json["id"]) == (("merged", "text"), first["id"])
    assert "duplicates" not in again.err


def test_vectors_of_another_embedder_are_not_compared(personal, home):
    personal.add(TEXT)
    personal.listed()
    with closing(sqlite3.connect(home / "index.db")) as index, index:
        index.execute("UPDATE meta SET value = 'another' WHERE key = 'embedder'")
    result = personal.muninn("add", TURNED, "--json")
    assert (result.json["operation"], result.json["similar"]) == ("added", [])
    assert "The vectors are of another embedder: duplicates were looked for" in result.err
