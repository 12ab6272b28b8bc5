"""What `add` does with a text that is known already: merge, revive, report, or keep both."""

from __future__ import annotations

import pytest
from personal import contents

TEXT = "Docker networks time out when the resolver is slow."
AGAIN = "docker  networks, time out — when the RESOLVER is slow"
TURNED = "When the resolver is slow, Docker networks time out."
"""The same words in another order: no other normal form, and a cosine of nearly 1."""


def merged(answer) -> tuple[str, str]:
    return answer["operation"], answer["match"] and answer["match"]["pass"]


def bounds(**settings: float) -> dict[str, str]:
    return {f"MUNINN_ADD_{name.upper()}": str(value) for name, value in settings.items()}


# The first pass: the same normal form


def test_the_same_text_in_other_case_and_punctuation_is_one_memory(personal):
    first = personal.add(TEXT)
    before = personal.files()
    again = personal.add(AGAIN)
    assert merged(again) == ("merged", "text")
    assert (again["id"], again["match"]) == (
        first["id"],
        {"id": first["id"], "cosine": 1.0, "pass": "text"},
    )
    assert personal.files() == before


def test_tags_are_united_and_the_first_text_is_kept(personal):
    first = personal.add(TEXT, "--tag", "docker")
    personal.add(AGAIN, "--tag", "dns,docker")
    memory = personal.memory(first["id"])
    assert (memory["tags"], memory["body"]) == (["docker", "dns"], f"{TEXT}\n")


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [("T3", "T1", "T1"), ("T1", "T3", "T1"), ("T2", "T0", "T0"), ("T3", "T3", "T3")],
)
def test_the_more_durable_tier_is_kept(personal, first, second, kept):
    personal.add(TEXT, "--tier", first)
    answer = personal.add(AGAIN, "--tier", second)
    memory = personal.memory(answer["id"])
    assert (answer["tier"], memory["tier"]) == (kept, kept)
    assert answer["expires"] == memory["expires"]


def test_a_merge_into_a_higher_tier_says_since_when(personal, clock):
    path = personal.add(TEXT, "--tier", "T3")["path"]
    clock.advance(days=2)
    personal.add(AGAIN, "--tier", "T1")
    text = personal.files()[path].decode()
    assert "tier: T1\n" in text and "tier_since: 2026-03-30T06:00:00Z\n" in text


def test_pinning_a_known_text_pins_the_memory(personal):
    personal.add(TEXT)
    answer = personal.add(AGAIN, "--pin")
    assert (answer["expires"], personal.memory(answer["id"])["pinned"]) == (None, True)


def test_only_the_keys_that_changed_are_edited(personal):
    data = "---\n# mine\ntitle:  'Docker'   # kept\ntags: dns\nid: D1\nmood: good\n---\r\n" + TEXT
    place = personal.put("docker.md", data)
    personal.add(AGAIN, "--title", "Docker", "--tag", "docker")
    assert place.read_bytes().decode() == data.replace("tags: dns", "tags: [dns, docker]").replace(
        "mood: good\n", "mood: good\nupdated: 2026-03-28T06:00:00Z\n"
    )


def test_the_clock_is_refreshed_and_the_recall_does_not_count(personal, clock):
    first = personal.add(TEXT, "--tier", "T3")
    for _ in range(6):
        clock.advance(days=1)
        answer = personal.add(AGAIN, "--tier", "T3")
    memory = personal.memory(first["id"])
    assert answer["expires"] == memory["expires"] == "2026-05-03T06:00:00Z"
    assert (memory["tier"], memory["usage"]["recalls"]) == ("T3", 0)


def test_an_expired_memory_is_revived(personal, clock):
    first = personal.add(TEXT, "--tier", "T3")
    clock.advance(days=31)
    assert personal.listed() == []
    answer = personal.add(AGAIN, "--tier", "T3")
    assert (answer["operation"], answer["id"]) == ("merged", first["id"])
    assert personal.listed() == [first["path"]]
    assert personal.memory(first["id"])["expires"] == answer["expires"] == "2026-05-28T06:00:00Z"


def test_a_longer_life_is_not_shortened_by_a_merge(personal):
    personal.put("docker.md", TEXT, id="D1", title="Docker", expires="2030-01-01")
    answer = personal.add(AGAIN, "--title", "Docker")
    assert answer["expires"] == personal.memory("D1")["expires"] == "2030-01-01T00:00:00Z"


def test_the_first_edit_of_a_file_without_an_id_writes_the_id_it_had(personal):
    place = personal.put("docker.md", f"# Docker\n\n{TEXT}\n")
    known = personal.memory("docker.md")["id"]
    personal.add(f"# Docker\n\n{TEXT}", "--tag", "dns")
    assert f'id: "{known}"' in place.read_text()
    assert personal.memory("docker.md")["id"] == known


def test_a_file_that_must_not_be_rewritten_keeps_its_bytes_and_tier(personal):
    place = personal.put("docker.md", f"---\ntitle: a: b\n---\n{TEXT}\n")
    before = place.read_bytes()
    text = before.decode()
    title = personal.memory("docker.md")["title"]
    answer = personal.json("add", "--title", title, "--tier", "T0", "--tag", "dns", "--", text)
    assert merged(answer) == ("merged", "text")
    assert (answer["tier"], personal.memory("docker.md")["tier"]) == ("T2", "T2")
    assert place.read_bytes() == before


# What is looked at, and what is not


def test_force_stores_anyway(personal):
    first = personal.add(TEXT)
    answer = personal.add(TEXT, "--force")
    assert (answer["operation"], answer["id"] != first["id"]) == ("added", True)
    assert len(personal.listed()) == 2


@pytest.mark.parametrize("text", [AGAIN, TURNED])
def test_a_dry_run_says_what_would_be_merged_and_writes_nothing(personal, home, text):
    personal.add(TEXT)
    personal.listed()
    before = personal.files(), contents(home / "state")
    dry = personal.add(text, "--tag", "dns", "--tier", "T1", "--dry-run")
    assert (personal.files(), contents(home / "state")) == before
    real = personal.add(text, "--tag", "dns", "--tier", "T1")
    assert {**dry, "dry_run": False} == real


def test_the_same_text_in_two_vaults_is_two_memories(personal):
    personal.muninn("vault", "create", "work")
    personal.add(TEXT)
    assert personal.add(TEXT, "--vault", "work")["operation"] == "added"


def test_archived_and_superseded_memories_take_nothing_in(personal):
    old = personal.add(TEXT)
    personal.json("archive", old["id"])
    again = personal.add(TEXT)
    assert again["operation"] == "added"
    new = personal.add("The resolver was replaced in April.")
    personal.json("supersede", again["id"], new["id"])
    assert personal.add(TEXT)["operation"] == "added"


@pytest.fixture(params=["legal", "unmanaged"])
def timeless(request, personal, tmp_path) -> str:
    """The name of a vault in which time does not act."""
    if request.param == "legal":
        personal.muninn("vault", "create", "legal")
    else:
        (tmp_path / "unmanaged").mkdir()
        personal.muninn("vault", "add", tmp_path / "unmanaged")
    return request.param


def test_where_time_does_not_act_an_identical_text_exists_and_nothing_is_written(
    personal, home, timeless
):
    into = ("--vault", timeless)
    first = personal.add(TEXT, *into)
    personal.listed()
    root = personal.muninn("vault", "show", timeless, "--json").json["vault"]["path"]
    before = contents(type(home)(root)), contents(home / "state")
    answer = personal.add(AGAIN, "--tag", "dns", "--tier", "T0", *into)
    assert (answer["operation"], answer["id"], answer["tier"]) == ("exists", first["id"], "T2")
    assert (contents(type(home)(root)), contents(home / "state")) == before


def test_where_time_does_not_act_all_else_is_stored_and_nothing_merged(personal, timeless):
    into = ("--vault", timeless)
    first = personal.add(TEXT, *into)
    answer = personal.add(TURNED, *into)
    assert (answer["operation"], answer["expires"]) == ("added", None)
    assert [near["id"] for near in answer["similar"]] == [first["id"]]
    assert len(personal.listed()) == 2


def test_a_text_in_a_file_changed_since_the_last_sync_is_known(personal):
    place = personal.put("docker.md", "# Docker\n\nSomething else.\n")
    personal.listed()
    place.write_text(f"# Docker\n\n{TEXT}\n")
    answer = personal.add(f"# Docker\n\n{AGAIN}")
    assert merged(answer) == ("merged", "text")
