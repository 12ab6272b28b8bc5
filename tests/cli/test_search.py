"""`muninn search`: what it finds and hides, what it says, and that it writes into no vault."""

from __future__ import annotations

import errno
import json
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


# What it finds


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("why did the containers lose the database", "docker.md"),
        ("¿cuándo caduca la contraseña?", "contrasena.md"),
        ("CONTRASENA del CORREO", "contrasena.md"),
        ("whale songs", "whales.md"),
        ("cafe tostado", "café.md"),
    ],
)
def test_all_modes_find_it_in_both_languages(notes, question, first, mode):
    assert notes.found(question, "--mode", mode)[0] == first


@pytest.mark.parametrize("mode", ["hybrid", "fulltext"])
@pytest.mark.parametrize(
    "question", ["multi-agent", "POL-358", "pol-358", "-358", "agentic-os dashboard", "multi agent"]
)
def test_a_word_with_a_hyphen_or_a_ticket_is_found_first(notes, question, mode):
    notes.put("ticket.md", "The multi-agent run of agentic-os is tracked in POL-358.\n")
    assert notes.found(question, "--mode", mode)[0] == "ticket.md"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "question",
    [
        "whales.",
        "whale*",
        '"whales',
        "(whales",
        "title:whales",
        "^whales",
        "whales AND",
        "NOT whales",
        "NEAR(whales near, 3)",
        "{whales}",
        "whales OR OR",
        "whales\\",
        "a\0whales",
        "whales --",
        "'",
    ],
)
def test_any_string_is_a_question(notes, question, mode):
    result = notes.muninn("search", "--mode", mode, "--json", "--", question)
    assert result.code == 0, result.err
    assert question == "'" or result.json["hits"][0]["path"] == "whales.md"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("question", ["*", "()", "...", "?", "§§§", "\u200b", "🎉"])
def test_a_question_without_a_word_finds_nothing_and_says_so(notes, question, mode):
    result = notes.muninn("search", question, "--mode", mode)
    assert (result.code, result.out) == (0, "")
    assert "nothing found" in result.err


@pytest.mark.parametrize("question", ["", " ", "\n\t"])
def test_an_empty_question_is_wrong_usage(notes, question):
    result = notes.muninn("search", question, "--json")
    assert (result.code, result.out) == (2, "")
    assert result.error["code"] == "usage"


def test_one_unknown_word_hides_nothing(notes):
    assert notes.found("whales cosmonauta")[0] == "whales.md"
    assert notes.found("whales cosmonauta", "--mode", "fulltext") == ["whales.md"]


@pytest.mark.parametrize("mode", MODES)
def test_words_that_nobody_knows_give_no_odd_numbers(notes, mode):
    notes.put("odd.md", "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺ\n", title="ᚠᚢᚦᚨᚱᚲ")
    result = notes.muninn("search", "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺ", "--mode", mode, "--json")
    assert result.code == 0
    hits = json.loads(result.out, parse_constant=pytest.fail)["hits"]
    assert [hit["path"] for hit in hits] == ([] if mode == "semantic" else ["odd.md"])


@pytest.mark.parametrize("question", ["word " * 3000 + "whales", "x" * 10_000])
def test_a_long_question_is_answered(notes, question):
    assert notes.muninn("search", question).code == 0


# What is shown of it


def test_a_hit_has_one_shape(notes):
    (hit, *_) = notes.json("search", "whales", "--no-recall")["hits"]
    number = hit.pop("score"), hit.pop("cosine")
    assert 0 < number[0] <= 1.1 and 0 < number[1] <= 1
    known = notes.memory("whales.md")
    assert hit == {
        "id": known["id"],
        "vault": "personal",
        "path": "whales.md",
        "title": "whales",
        "tier": "T2",
        "type": "semantic",
        "tags": ["sea"],
        "snippet": "Humpback whales sing at night near the coast.",
        "created": None,
        "expires": "2026-06-26T06:00:00Z",
        "state": "live",
    }


def test_ndjson_is_one_hit_a_line_and_the_same(notes):
    whole = notes.json("search", "whales database", "--no-recall")["hits"]
    lines = notes.muninn("search", "whales database", "--no-recall", "--ndjson").rows
    assert lines == whole and len(lines) > 1


def test_explain_shows_the_parts_of_each_score(notes):
    (hit, *_) = notes.json("search", "whales", "--explain", "--no-recall")["hits"]
    assert {"cosine", "words", "retrievability", "relevance"} <= hit["parts"].keys()
    assert "retrievability" in notes.muninn("search", "whales", "--explain").out


def test_people_read_title_place_and_the_words_that_answer(notes):
    out = notes.muninn("search", "whales", "--limit", "1").out.splitlines()
    assert out[0].startswith("whales ") and "T2" in out[0]
    assert "personal/whales.md" in out[1] and "#sea" in out[1]
    assert out[2].strip() == "Humpback whales sing at night near the coast."


def test_control_characters_of_a_memory_do_not_reach_a_terminal(personal):
    personal.put("evil.md", "whales \x1b[2J\u202e sing\n", title='"\\e[31m\\u202ewhales"')
    result = personal.muninn("search", "whales", terminal=True, env={"NO_COLOR": "1"})
    assert "whales" in result.out
    assert not {"\x1b", "\u202e"} & set(result.out)


# Filters and limits


def test_filters_act_before_the_cut(personal):
    for number in range(70):
        personal.put(f"w{number}.md", f"whales whales whales {number}\n", tags="common")
    personal.put("rare.md", "a long text that once mentions whales\n", tags="rare", tier="T1")
    assert personal.found("whales", "--tag", "rare", "--limit", "1") == ["rare.md"]
    assert personal.found("whales", "--tier", "T1", "--limit", "1") == ["rare.md"]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ("--tag sea", ["one.md"]),
        ("--tag #SEA", ["one.md"]),
        ("--tag sea --tag cold", []),
        ("--tier T0 --tier T1", ["two.md"]),
        ("--type procedural", ["two.md"]),
        ("--source agent", ["one.md"]),
        ("--since 2026-03-01", ["two.md"]),
        ("--until 2026-03-01", ["one.md"]),
        ("--since 10d", ["two.md"]),
        ("--vault personal", ["one.md", "two.md"]),
        ("--min-score 0.999", []),
    ],
)
def test_each_filter_chooses(personal, options, paths):
    personal.put("one.md", "whales\n", tags="[sea]", source="agent", created="2026-02-01")
    later = {"tier": "T1", "type": "procedural", "created": "2026-03-20"}
    personal.put("two.md", "whales\n", **later)
    assert sorted(personal.found("the whales of the sea", *options.split())) == paths


def test_a_vault_can_be_named_and_all_are_searched_otherwise(personal):
    personal.muninn("vault", "create", "work")
    personal.add("Whales sing.", "--title", "one")
    personal.add("Whales dance.", "--title", "two", "--vault", "work")
    assert sorted(personal.found("whales")) == ["one.md", "two.md"]
    assert personal.found("whales", "--vault", "work") == ["two.md"]
    assert personal.muninn("search", "whales", "--vault", "wrok").code == 3


@pytest.mark.parametrize("option", ["--since=soon", "--until=31d31", "--mode=both", "--tier=T9"])
def test_a_filter_without_meaning_is_wrong_usage(notes, option):
    assert notes.muninn("search", "whales", option).code == 2


def test_the_limit_is_the_options_then_the_settings(personal):
    for number in range(12):
        personal.put(f"w{number}.md", f"whales {number}\n")
    counts = [
        len(personal.found("whales")),
        len(personal.found("whales", "--limit", "3")),
        len(personal.json("search", "whales", env={"MUNINN_SEARCH_LIMIT": "5"})["hits"]),
    ]
    assert counts == [10, 3, 5]


def test_foundational_memories_come_first_of_equals(personal):
    for tier in ("T2", "T0", "T3"):
        personal.put(f"{tier}.md", "whales sing\n", title="song", tier=tier)
    hits = personal.json("search", "whales", "--no-recall")["hits"]
    assert hits[0]["path"] == "T0.md"
    assert hits[0]["score"] - hits[1]["score"] == pytest.approx(0.1, abs=0.02)


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
