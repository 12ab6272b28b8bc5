"""`muninn list`: every memory there is, in order, and no use of any."""

from __future__ import annotations

import pytest
from personal import contents


@pytest.fixture
def notes(personal):
    personal.put("old.md", "One.\n", created="2024-05-01", tags="[sea, cold]", tier="T1")
    personal.put("new.md", "Two.\n", created="2026-03-01", tags="sea", source="agent")
    personal.put("deep/down/undated.md", "# Undated\n\nThree.\n")
    return personal


def test_the_newest_come_first_and_what_has_no_date_comes_last(notes):
    assert notes.paths("list") == ["new.md", "old.md", "deep/down/undated.md"]


def test_of_what_has_no_date_the_last_that_was_seen_comes_first(notes, clock):
    notes.paths("list")
    clock.advance(days=1)
    notes.put("later.md", "Four.\n")
    assert notes.paths("list")[-2:] == ["later.md", "deep/down/undated.md"]


def test_memories_of_one_second_are_in_the_order_of_their_ids(personal, clock):
    paths = []
    for text in ("Whales sing.", "Bees dance.", "Cats sleep.", "Ducks swim."):
        paths.append(personal.add(text)["path"])
        clock.advance(milliseconds=10)
    assert personal.paths("list") == paths[::-1]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ("--tag sea", ["new.md", "old.md"]),
        ("--tag SEA --tag cold", ["old.md"]),
        ("--tier T1", ["old.md"]),
        ("--source agent", ["new.md"]),
        ("--since 2026-01-01", ["new.md", "deep/down/undated.md"]),
        ("--since 1y", ["new.md", "deep/down/undated.md"]),
        ("--until 2026-01-01", ["old.md"]),
        ("--limit 1", ["new.md"]),
        ("--type episodic", []),
    ],
)
def test_filters_choose(notes, options, paths):
    assert notes.paths("list", *options.split()) == paths


def test_a_listed_memory_has_the_shape_of_a_hit(notes):
    hit = notes.json("list", "--tier", "T1")["hits"][0]
    assert hit.pop("id").startswith("d")
    assert hit == {
        "vault": "personal",
        "path": "old.md",
        "title": "old",
        "tier": "T1",
        "type": "semantic",
        "tags": ["sea", "cold"],
        "score": None,
        "cosine": None,
        "snippet": "",
        "created": "2024-05-01",
        "expires": "2027-03-28T06:00:00Z",
        "state": "live",
    }


def test_ndjson_is_one_memory_a_line(notes):
    assert notes.muninn("list", "--ndjson").rows == notes.json("list")["hits"]


def test_listing_is_no_use(notes, home):
    notes.json("list")
    before = contents(home / "state"), notes.files()
    notes.json("list", "--archived", "--expired", "--history")
    assert (contents(home / "state"), notes.files()) == before


def test_people_read_one_line_a_memory(notes):
    notes.put("odd.md", "Four.\n", title='"two\\nlines\\e[31m"', created="2026-03-02")
    lines = notes.muninn("list", terminal=True, env={"NO_COLOR": "1"}).out.splitlines()
    assert len(lines) == 4
    assert "2026-03-02" in lines[0] and "two lines\\u001b[31m" in lines[0]


def test_a_line_break_in_a_name_breaks_no_line(notes):
    notes.put("a\nb.md", "Whales.\n")
    lines = notes.muninn("list").out.splitlines()
    assert len(lines) == 4
    assert "personal/a\\nb.md" in notes.muninn("list").out


def test_an_empty_vault_lists_nothing(personal):
    result = personal.muninn("list")
    assert (result.code, result.out, result.err) == (0, "", "nothing found\n")


def test_a_file_that_does_not_parse_is_listed_and_one_that_is_no_text_is_not(personal):
    personal.put("parses.md", "Fine.\n", title="Fine")
    personal.put("broken.md", "---\ntitle: a: b\n---\nStill text.\n")
    (personal.root / "latin.md").write_bytes(b"---\ntitle: caf\xe9\n---\nbody\n")
    (personal.root / "utf16.md").write_bytes("title".encode("utf-16"))
    (personal.root / "nul.md").write_bytes(b"\0" * 64)
    assert personal.listed() == ["broken.md", "latin.md", "parses.md"]


def test_states_are_shown_when_asked_for(personal, clock):
    personal.put("gone.md", "One.\n", tier="T3")
    personal.put("kept.md", "Two.\n", tier="T1")
    personal.json("list")
    clock.advance(days=31)
    assert personal.listed() == ["kept.md"]
    states = {hit["path"]: hit["state"] for hit in personal.json("list", "--expired")["hits"]}
    assert states == {"gone.md": "expired", "kept.md": "live"}
    assert "[expired]" in personal.muninn("list", "--expired").out
