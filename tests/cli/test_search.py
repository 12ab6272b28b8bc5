"""`muninn search`: what it finds and hides, what it says, and that it writes into no vault."""

from __future__ import annotations

import json

import pytest
from personal import MODES

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
