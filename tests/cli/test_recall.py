"""What a search hides, what it counts as use, and how it answers while others are at work."""

from __future__ import annotations

import errno
import os

import apsw
import pytest
from personal import MODES, contents

FACTS = {
    "docker.md": ("Containers lost the database because the volume was not mounted.", "docker"),
    "whales.md": ("Humpback whales sing at night near the coast.", "sea"),
    "contrasena.md": ("La contraseña del correo caduca cada noventa días.", "correo"),
    "café.md": ("El café se tuesta el martes en la cooperativa.", "cocina"),
}


@pytest.fixture
def notes(personal):
    """A vault with a few notes on unlike things."""
    for path, (text, tag) in FACTS.items():
        personal.put(path, f"{text}\n", title=path.removesuffix(".md"), tags=f"[{tag}]")
    return personal


# What is hidden


@pytest.fixture
def hidden(personal, clock):
    """One memory of each state, all about whales."""
    for state in ("live", "expired", "archived", "old", "new"):
        tier = "T3" if state == "expired" else "T1"
        personal.put(f"{state}.md", f"whales of the {state} sea\n", id=state.upper(), tier=tier)
    personal.json("archive", "ARCHIVED")
    personal.json("supersede", "OLD", "NEW")
    clock.advance(days=40)
    return personal


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("option", "more"),
    [(None, None), ("--expired", "EXPIRED"), ("--archived", "ARCHIVED"), ("--history", "OLD")],
)
def test_only_live_memories_are_shown_unless_others_are_asked_for(hidden, mode, option, more):
    options = ["--mode", mode, *([option] if option else [])]
    hits = hidden.json("search", "whales sea", "--no-recall", *options)["hits"]
    states = {hit["id"]: hit["state"] for hit in hits}
    others = {"EXPIRED": "expired", "ARCHIVED": "archived", "OLD": "superseded"}
    expected = {"LIVE": "live", "NEW": "live"} | ({more: others[more]} if more else {})
    assert states == expected


def test_a_line_tells_how_many_have_expired_and_how_to_see_them(hidden):
    result = hidden.muninn("search", "whales", "--no-recall")
    assert "1 expired" in result.err and "--expired" in result.err
    assert hidden.json("search", "whales", "--no-recall")["notices"]
    assert "expired" not in hidden.muninn("search", "whales", "--expired", "--no-recall").err


# Using and not using


def test_what_was_shown_lives_longer(personal, clock):
    path = personal.add("Whales sing at night.", "--tier", "T3")["path"]
    clock.advance(days=20)
    personal.json("search", "whales")
    assert personal.memory(path)["expires"] == "2026-05-17T06:00:00Z"
    clock.advance(days=20)
    assert personal.listed() == [path]


def test_what_was_not_shown_does_not(personal, clock):
    personal.put("one.md", "whales whales whales\n", tier="T3")
    personal.put("two.md", "a text that mentions whales\n", tier="T3")
    personal.json("search", "whales")
    clock.advance(days=10)
    assert personal.found("whales", "--limit", "1") == ["one.md"]
    personal.json("search", "whales", "--limit", "1")
    clock.advance(days=25)
    assert personal.listed() == ["one.md"]


def test_a_search_that_is_not_to_count_leaves_no_trace(notes, home):
    notes.listed()
    before = contents(home / "state")
    notes.json("search", "whales", "--no-recall")
    assert contents(home / "state") == before


def test_searches_within_an_hour_count_once(personal, clock):
    path = personal.add("Whales sing at night.", "--tier", "T3")["path"]
    for _ in range(12):
        clock.advance(minutes=5)
        personal.json("search", "whales")
    assert personal.memory(path)["usage"]["recalls"] == 1
    assert personal.memory(path)["tier"] == "T3"


def test_five_searches_on_five_days_lift_a_memory(personal, clock):
    path = personal.add("Whales sing at night.", "--tier", "T3")["path"]
    for _ in range(5):
        clock.advance(days=1)
        personal.json("search", "whales")
    assert personal.memory(path)["tier"] == "T2"


def test_looking_at_an_archived_memory_does_not_count_as_using_it(personal, clock, home):
    answer = personal.add("Whales sing at night.")
    personal.json("archive", answer["id"])
    before = contents(home / "state" / "usage")
    assert personal.paths("search", "whales", "--archived")
    assert contents(home / "state" / "usage") == before


def test_no_search_writes_a_byte_into_a_vault(notes):
    notes.put("broken.md", "---\ntitle: a: b\n---\nwhales\n")
    notes.put("crlf.md", "---\r\ntitle: x\r\n---\r\nwhales\r\n")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in notes.root.rglob("*")}
    for mode in MODES:
        notes.json("search", "whales", "--mode", mode, "--archived", "--expired", "--history")
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in notes.root.rglob("*")}
    assert after == before


def test_the_log_holds_no_question(notes, home):
    notes.json("search", "whales of Montevideo")
    assert b"Montevideo" not in b"".join(contents(home).values())


def test_a_search_answers_though_the_recall_cannot_be_noted(notes, monkeypatch):
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if b'"recall"' in data:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    monkeypatch.setattr(os, "write", full)
    result = notes.muninn("search", "whales", "--json")
    assert (result.code, result.json["hits"][0]["path"]) == (0, "whales.md")
    assert "recall was not noted" in result.err


# Others at work


def test_a_search_answers_while_another_process_writes_the_index(notes, home):
    notes.listed()
    notes.put("new.md", "whales that came later\n")
    writer = apsw.Connection(str(home / "index.db"))
    writer.execute("BEGIN IMMEDIATE").fetchall()
    result = notes.muninn("search", "whales", "--json")
    writer.execute("ROLLBACK").fetchall()
    assert result.json["hits"][0]["path"] == "whales.md"
    assert "as it was" in result.err
    assert "new.md" in notes.found("whales")


def test_what_was_changed_or_deleted_outside_is_no_ghost(notes):
    notes.put("ghost.md", "palabraunica777 on whales\n")
    assert notes.found("palabraunica777", "--mode", "fulltext") == ["ghost.md"]
    notes.put("ghost.md", "nothing of that kind\n")
    assert notes.found("palabraunica777", "--mode", "fulltext") == []
    (notes.root / "ghost.md").unlink()
    assert "ghost.md" not in notes.listed()


@pytest.mark.parametrize("damage", [b"", b"garbage" * 100])
def test_a_damaged_index_is_made_anew(notes, home, damage):
    notes.json("search", "whales")
    (home / "index.db").write_bytes(damage)
    result = notes.muninn("search", "whales", "--json", "--no-recall")
    assert (result.code, result.json["hits"][0]["path"]) == (0, "whales.md")
    assert notes.memory("whales.md")["usage"]["recalls"] == 1


def test_a_command_word_is_a_question_like_any_other(notes):
    notes.put("dream.md", "A dream about search and add.\n")
    for word in ("dream", "search", "add"):
        assert notes.found(word)[0] == "dream.md"


@pytest.mark.parametrize("zone", ["America/Mexico_City", "UTC", "Asia/Tokyo"])
def test_a_bare_date_is_the_same_day_everywhere(muninn_process, personal, zone):
    personal.put("day.md", "whales\n", created="2021-04-01")
    hit = muninn_process("search", "whales", "--json", env={"TZ": zone}).json["hits"][0]
    assert hit["created"] == "2021-04-01"


def test_old_dates_hide_nothing_that_is_seen_for_the_first_time(personal):
    personal.put("old.md", "whales\n", created="2001-01-01", tier="T3")
    hit = personal.json("search", "whales")["hits"][0]
    assert (hit["path"], hit["expires"]) == ("old.md", "2026-04-27T06:00:00Z")
