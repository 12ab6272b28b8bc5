"""`muninn show`: one memory, whole, by whatever name it is called."""

from __future__ import annotations

import pytest
from personal import contents


@pytest.fixture
def runbook(personal):
    """A memory with an id, a title, an alias and a body."""
    return personal.put(
        "ops/release-runbook.md",
        "\nStep one.\r\n\n  Step two.\n",
        id="01JQXW9Z6N8F4T2M5R7K3C1B0A",
        title="Release runbook",
        aliases="[the release]",
        created="2026-03-01",
    )


@pytest.mark.parametrize(
    "handle",
    [
        "01JQXW9Z6N8F4T2M5R7K3C1B0A",
        "01JQXW",
        "k3c1b0a",
        "7K3C",
        "ops/release-runbook.md",
        "release-runbook",
        "release-runbook.md",
        "Release Runbook",
        "the release",
    ],
)
def test_a_memory_answers_to_id_path_file_name_title_and_alias(personal, runbook, handle):
    assert personal.memory(handle)["path"] == "ops/release-runbook.md"


def test_a_path_counts_from_the_current_folder(personal, runbook):
    result = personal.muninn("show", "release-runbook.md", "--json", cwd=runbook.parent)
    assert result.json["memory"]["path"] == "ops/release-runbook.md"
    assert personal.muninn("show", str(runbook)).code == 0


def test_the_body_is_given_as_it_is(personal, runbook):
    assert personal.memory("the release")["body"] == "\nStep one.\r\n\n  Step two.\n"


def test_all_that_is_known_is_in_the_answer(personal, runbook, clock):
    personal.json("show", "the release")
    clock.advance(hours=2)
    personal.json("search", "release steps")
    memory = personal.memory("the release")
    assert memory["usage"] == {
        "recalls": 2,
        "last_recall": "2026-03-28T08:00:00Z",
        "stability": 14.0,
    }
    assert memory["file"] == str(runbook)
    assert (memory["created"], memory["aliases"]) == ("2026-03-01", ["the release"])
    assert (memory["importance"], memory["pinned"], memory["consolidate"]) == (5, False, True)


def test_people_read_title_place_age_and_text(personal, runbook):
    out = personal.muninn("show", "the release").out
    assert out.splitlines()[0] == "Release runbook"
    assert "personal/ops/release-runbook.md · T2 semantic" in out
    assert "created 2026-03-01 · expires in 90 days" in out
    assert out.endswith("Step one.\r\n\n  Step two.\n")


@pytest.mark.parametrize("times, said", [(1, "recalled once, "), (2, "recalled 2 times, ")])
def test_people_read_how_often_it_was_recalled(personal, runbook, clock, times, said):
    for _ in range(times):
        personal.muninn("show", "the release")
        clock.advance(hours=2)
    assert f"{said}2 hours ago" in personal.muninn("show", "the release").out


def test_showing_counts_as_using(personal, clock):
    path = personal.add("Whales sing.", "--tier", "T3")["path"]
    clock.advance(days=29)
    personal.json("show", path)
    clock.advance(days=29)
    assert personal.listed() == [path]


def test_a_look_that_is_not_to_count_does_not(personal, runbook, home):
    personal.listed()
    before = contents(home / "state")
    personal.memory("the release")
    assert contents(home / "state") == before


def test_an_ambiguous_name_lists_its_candidates(personal):
    for number in (1, 2):
        personal.put(f"{number}.md", "text\n", id=f"0000{number}", title="Twin")
    result = personal.muninn("show", "Twin", "--json")
    assert (result.code, result.error["code"]) == (4, "conflict")
    candidates = ["  00001  personal/1.md", "  00002  personal/2.md"]
    assert result.error["hint"].split("\n") == ["use one of", *candidates]
    shown = personal.muninn("show", "Twin").err.splitlines()
    assert shown[1:] == ["  use one of", *(f"  {line}" for line in candidates)]


def test_a_name_in_two_vaults_is_settled_by_naming_one(personal):
    personal.muninn("vault", "create", "work")
    personal.add("Whales sing.", "--title", "Twin")
    personal.add("Whales dance.", "--title", "Twin", "--vault", "work")
    assert personal.muninn("show", "Twin").code == 4
    memory = personal.json("show", "Twin", "--vault", "work")["memory"]
    assert memory["body"] == "Whales dance.\n"


def test_a_misspelt_name_is_answered_with_the_nearest(personal, runbook):
    result = personal.muninn("show", "relaese runbook")
    assert result.code == 3
    assert "release runbook" in result.err


def test_no_name_is_wrong_usage(personal, runbook):
    assert personal.muninn("show", "").code == 2


def test_what_is_wrong_in_a_file_is_told_with_its_line(personal):
    place = personal.put("broken.md", "---\nok: 1\ntitle: a: b\n---\ntext\n")
    result = personal.muninn("show", "broken.md")
    assert result.code == 0
    assert f"{place}:3:" in result.err
    assert "title: a: b" in result.out


def test_a_file_that_is_no_text_is_named(personal):
    (personal.root).mkdir(parents=True)
    (personal.root / "utf16.md").write_bytes("Whales".encode("utf-16"))
    result = personal.muninn("show", "utf16.md")
    assert result.code in (3, 5)
    assert "utf16.md" in result.err


def test_an_archived_memory_can_be_looked_at_and_is_not_used_by_that(personal, home):
    answer = personal.add("Whales sing.")
    personal.json("archive", answer["id"])
    before = contents(home / "state" / "usage")
    memory = personal.json("show", answer["id"])["memory"]
    assert (memory["state"], memory["body"]) == ("archived", "Whales sing.\n")
    assert memory["expires"] is None
    assert f"muninn restore {answer['id'][-8:]}" in personal.muninn("show", answer["id"]).out
    assert contents(home / "state" / "usage") == before


def test_what_is_recalled_together_is_named(personal):
    one = personal.add("Whales sing.")["id"]
    other = personal.add("Bees dance.")["id"]
    vault = personal.json("vault", "show", "personal")["vault"]["id"]
    line = f'{{"v":1,"t":"2026-03-28T06:00:00Z","k":"association","a":"{one}","b":"{other}","w":0.5,"inferred":false}}\n'
    usage = personal.muninn.home / "state" / "usage" / f"{vault}.jsonl"
    usage.parent.mkdir(exist_ok=True)
    usage.write_text(line)
    assert personal.memory(one)["together"] == [{"id": other, "weight": 0.5}]
    assert "recalled together with Bees dance" in personal.muninn("show", one).out


def test_control_characters_do_not_reach_a_terminal(personal):
    personal.put("evil.md", "body \x1b]0;owned\x07 \u202e\n", title='"\\e[2Jtitle"')
    result = personal.muninn("show", "evil.md", terminal=True, env={"NO_COLOR": "1"})
    assert not {"\x1b", "\x07", "\u202e"} & set(result.out)
