"""`muninn pin` and `unpin`: kept for ever, and let go without dying at once."""

from __future__ import annotations

import pytest


@pytest.fixture
def whales(personal):
    return personal.put(
        "whales.md", "---\n# mine\ntitle:  Whales\ntier: T3\n---\r\nWhales sing.\r\n"
    )


def test_one_line_is_added_and_all_else_stays(personal, whales):
    memory_id = personal.memory("whales")["id"]
    answer = personal.json("pin", "whales")
    assert (answer["operation"], answer["id"]) == ("pinned", memory_id)
    assert whales.read_bytes().decode() == (
        "---\n# mine\ntitle:  Whales\ntier: T3\n"
        f'id: "{memory_id}"\npinned: true\n---\r\nWhales sing.\r\n'
    )
    assert personal.json("unpin", "whales")["operation"] == "unpinned"
    assert "pinned" not in whales.read_text()


def test_what_is_pinned_never_expires(personal, whales, clock):
    personal.json("pin", "whales")
    for _ in range(20):
        clock.advance(days=50)
        personal.add(f"Something else on {clock.now:%d %B %Y}.")
        personal.json("sweep")
    assert "whales.md" in personal.listed()
    assert personal.memory("whales")["expires"] is None


def test_what_is_let_go_has_a_whole_life_before_it(personal, whales, clock):
    personal.json("pin", "whales")
    clock.advance(days=45)
    personal.json("unpin", "whales")
    memory = personal.memory("whales")
    assert (memory["state"], memory["expires"]) == ("live", "2026-06-11T06:00:00Z")
    assert memory["usage"]["recalls"] == 0


def test_a_move_does_not_cost_the_id_that_pinning_writes(personal, whales):
    memory_id = personal.memory("whales")["id"]
    whales.rename(personal.root / "ballenas.md")
    personal.json("pin", "whales")
    assert f'id: "{memory_id}"' in (personal.root / "ballenas.md").read_text()


def test_doing_it_twice_changes_nothing(personal, whales):
    personal.json("pin", "whales")
    before = whales.read_bytes()
    assert personal.json("pin", "whales")["operation"] == "unchanged"
    assert whales.read_bytes() == before
    personal.json("unpin", "whales")
    assert personal.json("unpin", "whales")["operation"] == "unchanged"


def test_of_two_files_with_one_id_the_one_meant_is_pinned(personal):
    personal.put("a.md", "Whales.\n", id="W1")
    copy = personal.put("b (conflicted copy).md", "Theirs.\n", id="W1")
    personal.json("pin", copy.name)
    assert "id: W1" in copy.read_text() and "pinned: true" in copy.read_text()
    assert personal.memory(copy.name)["pinned"] is True
    assert personal.memory("a.md")["pinned"] is False


BROKEN = {"colon": "---\ntitle: a: b\n---\nWhales.\n", "latin": "---\ntitle: x\n---\ncaf\udce9\n"}


@pytest.mark.parametrize("command", [("pin",), ("tier", "set")])
@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_file_that_must_not_be_rewritten_is_refused_and_named(personal, data, command):
    place = personal.put("broken.md")
    place.write_bytes(data.encode(errors="surrogateescape"))
    before = place.read_bytes()
    result = personal.muninn(*command, "broken.md", *(["T1"] if command[0] == "tier" else []))
    assert result.code == 5
    assert str(place) in result.err and "line " in result.err
    assert place.read_bytes() == before


def test_an_archived_memory_is_not_pinned(personal, whales):
    personal.json("archive", "whales")
    result = personal.muninn("pin", "whales")
    assert (result.code, "restore" in result.err) == (4, True)


def test_a_full_disk_leaves_the_old_bytes(personal, whales, monkeypatch):
    import os

    personal.listed()
    before = personal.files()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = personal.muninn("pin", "whales")
    assert (result.code, "disk is full" in result.err) == (1, True)
    assert personal.files() == before
