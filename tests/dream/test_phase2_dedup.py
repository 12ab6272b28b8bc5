"""Phase 2: what merges by itself, what supersedes, what is for a judge, and what is left alone."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from indexed import NOW
from planning import DAY, Bedroom, of, waiting

from muninn_cli.core.changes import Judge, Merge, Suggest, Supersede
from muninn_cli.core.terms import Kind
from muninn_cli.dream.pairing import pairs
from muninn_cli.dream.phases import make_plan

DOCKER = "Docker networks time out on a small MTU."
VALUES = [
    ("The API listens on port 8080.", "The API listens on port 8081."),
    ("My favourite colour is purple.", "My favourite colour is cyan."),
    ("Mi color favorito es el morado.", "Mi color favorito es el cian."),
    ("We use Redis for sessions.", "We never use Redis for sessions."),
    ("The draft of the contract is in the shared folder.",
     "The final contract is in the shared folder."),
    ("Ana reports to Luis.", "Luis reports to Ana."),
    ("The review is on Monday.", "The review is on Tuesday."),
    ("La reunión es en marzo.", "La reunión es en abril."),
    ("Deploy to staging with make deploy.", "Deploy to production with make deploy."),
    ("The backup takes 10 GB.", "The backup takes 10 MB."),
    ("Release v1.5 of the client is stable.", "Release v15 of the client is stable."),
    ("The invoice is 300 euros.", "The invoice is three thousand euros."),
    ("Logs are in /var/log/app.", "Logs are in /var/log/api."),
    ("El servidor está habilitado.", "El servidor está deshabilitado."),
]  # fmt: skip


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


def merged(bedroom: Bedroom) -> dict[str, set[str]]:
    """The losers by their survivor."""
    return {change.survivor: set(change.losers) for change in of(Merge, bedroom.plan((2,)))}


def test_exact_copies_merge_whatever_their_vectors_say(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for number in range(5):
        bedroom.put(vault, f"known-{number}", DOCKER, title="Docker")
        bedroom.put(vault, f"unknown-{number}", "ᚠᚢᚦ ᚨᚱᚲ ᚷᚹᚺ", title="ᚠᚢᚦ")
    found = merged(bedroom)
    assert sorted(len(losers) for losers in found.values()) == [4, 4]


def test_pages_that_nobody_filled_in_and_notes_about_others_are_no_copies(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for number in range(1, 4):
        bedroom.put(vault, f"Exercise {number}", "# Task\n---\n<% cursor %>\n\n# Solution\n---\n")
        bedroom.put(vault, f"dendron.{number}", "", title="Commands")
    for name in ("Ana", "Ben"):
        bedroom.put(vault, name, "Works in the billing team since last May.")
    assert merged(bedroom) == {}


def test_copies_that_differ_in_case_and_punctuation_merge(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", DOCKER, title="Docker")
    bedroom.put(vault, "two", DOCKER.upper().rstrip("."), title="docker!")
    assert len(merged(bedroom)) == 1


@pytest.mark.parametrize("title", [None, "Note"], ids=["each its own", "one"])
def test_what_has_no_word_is_like_nothing(bedroom: Bedroom, title: str | None) -> None:
    vault = bedroom.vault()
    for number, body in enumerate(("🌙🌙🌙", "§§§", "", "---", "***", "✅", "❌")):
        bedroom.put(vault, f"n{number}", body, title=title or f"Z{number}")
    if title is None:
        bedroom.put(vault, "n7", "🌙🌙🌙", title="Z7")
    plan = bedroom.plan((2,))
    assert not plan.changes
    assert not plan.waiting


@pytest.mark.parametrize(("one", "other"), VALUES)
def test_another_value_never_merges(bedroom: Bedroom, one: str, other: str) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", one, title="Note")
    bedroom.put(vault, "other", other, title="Note")
    plan = bedroom.plan((2,), **{"dream.merge_at": 0.0, "dream.review_at": 0.0})
    assert of(Merge, plan) == []
    assert sum(map(len, waiting(plan).values())) == 1


def test_another_title_with_another_value_does_not_merge_but_is_for_a_judge(
    bedroom: Bedroom,
) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", "Restart it twice.", title="Server alpha")
    bedroom.put(vault, "two", "Restart it twice.", title="Server beta")
    plan = bedroom.plan((2,))
    assert of(Merge, plan) == []
    assert waiting(plan) == {"near-duplicate": [{"one", "two"}]}


@pytest.mark.parametrize(
    "fields", [{"type": "episodic"}, {"valid_from": "2026-01-01"}], ids=["type", "validity"]
)
def test_another_type_or_validity_does_not_merge(bedroom: Bedroom, fields: dict) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", DOCKER, title="Docker")
    bedroom.put(vault, "two", DOCKER, title="Docker", **fields)
    assert merged(bedroom) == {}


def test_memories_of_many_chunks_merge_only_as_exact_copies(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    parts = [f"# Part {head}\n\n" + f"The {head} has a long story. " * 40 for head in
             ("bread", "network", "bank", "whale", "bicycle")]  # fmt: skip
    text = "\n\n".join(parts)
    bedroom.put(vault, "long-1", text, title="Long")
    bedroom.put(vault, "long-2", text.replace("has a long story", "has long story"), title="Long")
    assert bedroom.indexed.sync()
    assert bedroom.indexed.rows("SELECT max(position) FROM chunk")[0] > 3
    assert merged(bedroom) == {}
    bedroom.put(vault, "long-3", text, title="Long")
    assert merged(bedroom) in ({"long-1": {"long-3"}}, {"long-3": {"long-1"}})


def test_the_survivor_is_the_most_durable_then_the_most_recalled_then_the_newest(
    bedroom: Bedroom,
) -> None:
    vault = bedroom.vault()
    for name, fields in {
        "tier-1": {"tier": "T1", "created": "2026-01-01"},
        "tier-2": {"tier": "T2"},
    }.items():
        bedroom.put(vault, name, "Bread needs a starter.", title="Bread", **fields)
    for name in ("recalled", "fresh"):
        created = NOW - (20 if name == "recalled" else 2) * DAY
        bedroom.put(vault, name, DOCKER, title="Docker", created=created.isoformat())
    for name, day in (("older", 9), ("newer", 3)):
        created = (NOW - day * DAY).isoformat()
        bedroom.put(vault, name, "Whales sleep upright.", title="Whales", created=created)
    bedroom.recall(vault, "recalled", at=NOW - DAY)
    assert merged(bedroom) == {
        "tier-1": {"tier-2"},
        "recalled": {"fresh"},
        "newer": {"older"},
    }


@pytest.mark.parametrize(
    "fields", [{"pinned": "true"}, {"tier": "T0"}, {"consolidate": "false"}], ids=lambda f: next(iter(f))
)  # fmt: skip
def test_what_is_protected_is_only_suggested_and_the_rest_merges(
    bedroom: Bedroom, fields: dict
) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "held", DOCKER, title="Docker", **fields)
    for name in ("free-1", "free-2"):
        bedroom.put(vault, name, DOCKER, title="Docker")
    plan = bedroom.plan((2,))
    assert [sorted((c.survivor, *c.losers)) for c in of(Merge, plan)] == [["free-1", "free-2"]]
    (suggestion,) = of(Suggest, plan)
    assert "held" in {ref.id for ref in suggestion.refs}
    assert isinstance(suggestion.what, Merge)
    assert not plan.waiting


def test_in_an_unmanaged_vault_everything_is_suggested(bedroom: Bedroom) -> None:
    vault = bedroom.vault("docs", managed=False)
    for name in ("one", "two"):
        bedroom.put(vault, name, DOCKER, title="Docker")
    plan = bedroom.plan((2,))
    assert of(Merge, plan) == []
    assert [type(each.what) for each in of(Suggest, plan)] == [Merge]


def test_conflict_copies_doubled_ids_markers_and_broken_files_are_left_alone(
    bedroom: Bedroom,
) -> None:
    vault = bedroom.vault()
    text = f"---\nid: one\ntitle: Docker\ncreated: 2026-03-01\n---\n{DOCKER}\n"
    broken = f"---\ntitle: [Docker\n---\n{DOCKER}\n"
    marked = f"---\nid: marked\ntitle: Docker\n---\n<<<<<<< HEAD\n{DOCKER}\n=======\n>>>>>>> a\n"
    names = {
        "one.md": text,
        "one.sync-conflict-20260301-101010-ABCDEFG.md": text.replace("id: one", "id: two"),
        "copy.md": text,
        "broken.md": broken,
        "marked.md": marked,
    }
    for name, content in names.items():
        (vault.root / name).write_text(content)
    plan = bedroom.plan()
    assert bedroom.indexed.rows("SELECT count(*) FROM memory") == [5]
    assert not plan.changes
    assert not plan.waiting
    assert len(plan.left_out[0].refs) == 4


def test_a_note_that_explains_conflict_markers_is_a_note_like_any_other(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    example = f"{DOCKER}\n\n```\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\n```"
    for name in ("one", "two"):
        bedroom.put(vault, name, example, title="Docker")
    plan = bedroom.plan()
    assert plan.left_out == ()
    assert len(of(Merge, plan)) == 1


def test_a_file_that_changes_under_the_dream_is_left_alone(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for name in ("one", "two"):
        bedroom.put(vault, name, DOCKER, title="Docker")
    with bedroom.tools() as (snapshot, tools):
        (vault.root / "two.md").write_text("Something else.")
        assert make_plan(snapshot, tools).changes == ()


def test_the_newer_supersedes_where_it_says_so(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for number, (old, new) in enumerate(
        [
            ("The API listens on port 8080.", "The API now listens on port 9090."),
            ("El salón abre los lunes.", "El salón ahora abre los martes."),
            ("We use MySQL for orders.", "We use Postgres for orders instead of MySQL."),
        ]
    ):
        title = f"Topic {'abc'[number]}"
        bedroom.put(vault, f"old-{number}", old, title=title, created="2026-02-01")
        bedroom.put(vault, f"new-{number}", new, title=title, created="2026-03-01")
    found = of(Supersede, bedroom.plan((2,)))
    assert {(each.old, each.new) for each in found} == {
        (f"old-{number}", f"new-{number}") for number in range(3)
    }
    assert {each.by for each in found} == {Judge.RULE}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"created": "2026-03-01"}, {"created": "2026-03-01"}),
        ({"created": None}, {"created": "2026-03-01"}),
        ({"created": "2026-03-02"}, {"created": "2026-03-01"}),
        ({"created": "2026-01-01", "valid_from": "2026-03-20"}, {"created": "2026-03-01"}),
    ],
    ids=["equal", "unknown", "older says so", "validity counts first"],
)
def test_without_a_later_date_there_is_no_verdict(bedroom: Bedroom, old: dict, new: dict) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "old", "The API listens on port 8080.", title="Port", **old)
    bedroom.put(vault, "new", "The API now listens on port 9090.", title="Port", **new)
    plan = bedroom.plan((2,))
    assert of(Supersede, plan) == []
    assert waiting(plan) == {"contradiction": [{"old", "new"}]}


def test_a_contradiction_that_nobody_settles_is_for_a_judge(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "db-1", "The staging database is Postgres.", title="Database")
    bedroom.put(vault, "db-2", "The staging database is MySQL.", title="Database")
    plan = bedroom.plan((2,))
    assert not plan.changes
    assert waiting(plan) == {"contradiction": [{"db-1", "db-2"}]}


@pytest.mark.parametrize("versions", [2, 10, 50, 200])
def test_however_many_updates_there_are_one_head_stays(bedroom: Bedroom, versions: int) -> None:
    vault = bedroom.vault()
    for number in range(versions):
        word = "now " if number else ""
        created = NOW - timedelta(days=versions - number)
        bedroom.put(
            vault,
            f"v{number * 37 % 1000:03d}-{number}",
            f"The shop API {word}listens on port {8000 + number}.",
            title="Port",
            created=created.isoformat(),
        )
    plan = bedroom.plan((2,))
    found = of(Supersede, plan)
    assert len({each.old for each in found}) == versions - 1
    assert {each.new.partition("-")[2] for each in found} == {str(versions - 1)}
    assert not plan.waiting


def test_one_head_stays_also_where_not_every_two_versions_are_paired(
    bedroom: Bedroom, monkeypatch
) -> None:
    monkeypatch.setattr(pairs, "NEAREST_AT_HOME", 6)
    vault = bedroom.vault()
    for number in range(60):
        created = (NOW - (70 - number) * DAY).isoformat()
        text = f"The shop API {'now ' if number else ''}listens on port {8000 + number}."
        name = f"v{number * 37 % 1000:03d}-{number}"
        bedroom.put(vault, name, text, title="Port", created=created)
    found = of(Supersede, bedroom.plan((2,)))
    assert {each.new.partition("-")[2] for each in found} == {"59"}
    assert len(found) == 59


def test_many_versions_without_a_verdict_are_few_candidates(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for number in range(30):
        created = (NOW - (40 - number) * DAY).isoformat()
        text = f"The shop API listens on port {8000 + number}."
        bedroom.put(vault, f"v{number:02d}", text, title="Port", created=created)
    found = waiting(bedroom.plan((2,)))["contradiction"]
    assert set.union(*found) == {f"v{number:02d}" for number in range(30)}
    assert len(found) <= 5
    found.sort(key=min)
    assert all(len(one & next_one) == 1 for one, next_one in pairwise(found))


def test_an_update_of_what_is_merged_points_to_what_stays(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "old", "The API listens on port 8080.", title="Port", created="2026-01-01")
    for name in ("new-1", "new-2"):
        text = "The API now listens on port 9090."
        bedroom.put(vault, name, text, title="Port", created="2026-03-01")
    plan = bedroom.plan((2,))
    (merge,), (update,) = of(Merge, plan), of(Supersede, plan)
    assert (update.old, update.new) == ("old", merge.survivor)


def test_a_protected_memory_is_not_superseded_but_a_suggestion_is_made(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    old = {"created": "2026-01-01", "pinned": "true"}
    bedroom.put(vault, "old", "The API listens on port 8080.", title="Port", **old)
    new = "The API now listens on port 9090."
    bedroom.put(vault, "new", new, title="Port", created="2026-03-01")
    plan = bedroom.plan((2,))
    assert of(Supersede, plan) == []
    assert [type(each.what) for each in of(Suggest, plan)] == [Supersede]


def test_what_a_person_said_no_to_is_not_merged_until_a_text_changes(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    refs = [bedroom.put(vault, name, DOCKER, title="Docker") for name in ("one", "two")]
    assert merged(bedroom)
    bedroom.dismiss("merge", *refs)
    plan = bedroom.plan((2,))
    assert not plan.changes
    assert not plan.waiting
    for name in ("one", "two"):
        bedroom.put(vault, name, "Whales sleep upright.", title="Whales")
    assert merged(bedroom)


def test_a_third_copy_does_not_undo_a_no(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    one = bedroom.put(vault, "one", "Whales sleep upright.", title="Whales")
    two = bedroom.put(vault, "two", "Whales sleep upright!", title="Whales")
    bedroom.dismiss("merge", one, two)
    bedroom.put(vault, "three", "Whales sleep: upright.", title="Whales")
    (group,) = ({each, *losers} for each, losers in merged(bedroom).items())
    assert "three" in group
    assert len(group) == 2


def test_a_dismissed_update_is_not_proposed_again(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    text = "The API listens on port 8080."
    old = bedroom.put(vault, "old", text, title="Port", created="2026-01-01")
    new = "The API now listens on port 9090."
    head = bedroom.put(vault, "new", new, title="Port", created="2026-03-01")
    assert of(Supersede, bedroom.plan((2,)))
    bedroom.dismiss("supersede", old, head)
    plan = bedroom.plan((2,))
    assert not plan.changes
    assert not plan.waiting


def test_expired_and_superseded_memories_take_no_part(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "expired", DOCKER, title="Docker", tier="T3", created="2025-01-01")
    bedroom.sync(NOW - 100 * DAY)
    bedroom.put(vault, "live", DOCKER, title="Docker")
    bedroom.put(vault, "replaced", DOCKER, title="Docker", superseded_by="live")
    assert merged(bedroom) == {}


def test_paraphrases_wait_together(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", "We deploy the website every Friday with a script.", title="Web")
    bedroom.put(vault, "two", "Every Friday the website is deployed by a script.", title="Web")
    assert waiting(bedroom.plan((2,))) == {"near-duplicate": [{"one", "two"}]}


def test_memories_of_two_vaults_never_merge(bedroom: Bedroom) -> None:
    for name, kind in (("first", Kind.WORK), ("second", Kind.PERSONAL)):
        bedroom.put(bedroom.vault(name, kind), f"n-{name}", DOCKER, title="Docker")
    assert not bedroom.plan((2,)).changes


def test_no_text_is_read_a_second_time_where_nothing_changed(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", "We deploy the website every Friday with a script.", title="Web")
    bedroom.put(vault, "two", "Every Friday the website is deployed by a script.", title="Web")
    assert bedroom.plan((2,)).waiting
    with bedroom.tools() as (snapshot, tools):
        read = []
        watched = replace(tools, read=lambda ref: read.append(ref) or tools.read(ref))
        assert make_plan(snapshot, watched, (2,)).waiting
        assert read == []


def test_near_duplicates_are_shown_oldest_first(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    texts = {
        "a": "We deploy the website every Friday with a script.",
        "b": "Every Friday the website is deployed by a script.",
    }
    for name, days in (("a", 2), ("b", 5)):
        created = (NOW - days * DAY).isoformat()
        bedroom.put(vault, name, texts[name], title="Website", created=created)
    (found,) = bedroom.plan((2,)).waiting
    assert [ref.id for ref in found.refs] == ["b", "a"]
