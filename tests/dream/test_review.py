import json
from contextlib import contextmanager

import pytest
from dreaming import tree
from planning import NOW, Bedroom

from muninn_cli.core.changes import Archive, ChangeTier, Suggest
from muninn_cli.core.memory_file import read
from muninn_cli.core.terms import Tier
from muninn_cli.dream.opening import opened
from muninn_cli.dream.review import Review
from muninn_cli.dream.suggestions import Open, note, of_suggestion, of_waiting
from muninn_cli.errors import ConflictError, UsageError
from muninn_cli.store.run_folder import State
from muninn_cli.store.runs import Runs

NEAR = (
    "The nightly backup of the accounts begins at three and takes an hour.",
    "Backups of the accounts start at three every night and take about one hour.",
)


@pytest.fixture
def filled(muninn):
    muninn("init")
    for text in NEAR:
        muninn("add", "--force", text)
    muninn("dream", "--no-llm", "--force")
    return muninn


def waiting(muninn) -> list[dict]:
    return muninn("review", "--json").json["suggestions"]


def memories(muninn, vault: str = "personal"):
    folder = muninn.home / "vaults" / vault
    found = (read(path.read_bytes(), path.name, vault) for path in sorted(folder.glob("*.md")))
    return {memory.id: memory for memory in found}


def suggest(muninn, *names: str) -> list[str]:
    """Two vaults with memories that a model connects; returns the ids of both."""
    ids = []
    for name in names:
        kind = "project" if name == "app" else "personal"
        muninn("vault", "create", name, "--kind", kind)
        added = muninn("add", "--vault", name, "--json", f"The DNS of {name} times out at noon.")
        ids.append(added.json["id"])
    return ids


def test_what_nobody_judged_is_listed_by_number(filled):
    (item,) = waiting(filled)
    assert (item["number"], item["kind"]) == (1, "near-duplicate")
    assert len(item["memories"]) == 2
    assert "near-duplicate" in filled("review").out
    assert filled("review", "list", "--json").json["suggestions"] == [item]


def test_an_accepted_near_duplicate_is_merged_and_can_be_undone(filled):
    before = tree(filled.home / "vaults" / "personal")
    (item,) = waiting(filled)
    keep = item["memories"][0]["id"]
    result = filled("review", "accept", "1", "--keep", keep, "--json")
    assert result.code == 0
    assert list(memories(filled)) == [keep]
    assert memories(filled)[keep].merged_from == (item["memories"][1]["id"],)
    assert waiting(filled) == []
    assert filled("undo", result.json["run"]).code == 0
    after = tree(filled.home / "vaults" / "personal")
    assert {
        p: d for p, d in after.items() if "ledger" not in p and "archive.jsonl" not in p
    } == before


def test_what_is_said_to_stay_does(filled):
    (item,) = waiting(filled)
    (stays,) = [memory["id"] for memory in item["memories"] if memory["stays"]]
    assert f"{stays[-8:]}  " in next(
        line for line in filled("review").out.splitlines() if "(stays)" in line
    )
    assert filled("review", "accept", "1").code == 0
    assert list(memories(filled)) == [stays]


def test_the_kept_one_may_be_named_by_the_end_of_its_id(filled):
    (item,) = waiting(filled)
    keep = item["memories"][1]["id"]
    assert filled("review", "accept", "1", "--keep", keep[-8:]).code == 0
    assert list(memories(filled)) == [keep]


@pytest.mark.parametrize("args", [("accept", "1", "--keep", "nobody"), ("accept", "x")])
def test_a_choice_that_means_nothing_is_refused(filled, args):
    before = tree(filled.home / "vaults")
    assert filled("review", *args).code == 2
    assert tree(filled.home / "vaults") == before


def test_a_number_that_is_not_there_is_not_found(filled):
    assert filled("review", "accept", "7").code == 3
    assert filled("review", "dismiss", "7").code == 3


def test_what_was_dismissed_is_not_suggested_again_until_a_text_changes(filled):
    assert filled("review", "dismiss", "1").code == 0
    assert waiting(filled) == []
    filled("dream", "--no-llm", "--force")
    assert waiting(filled) == []
    place = next((filled.home / "vaults" / "personal").glob("*.md"))
    place.write_text(
        place.read_text().replace("an hour", "an hour or so").replace("one hour", "one hour or so")
    )
    filled("dream", "--no-llm", "--force")
    (item,) = waiting(filled)
    assert item["number"] == 2


def test_what_a_person_changed_is_no_longer_listed(filled):
    place = next((filled.home / "vaults" / "personal").glob("*.md"))
    place.write_text(place.read_text() + "More.\n")
    assert waiting(filled) == []
    assert filled("review", "accept", "1").code == 3


def test_of_a_conflict_a_person_says_which_holds(muninn):
    muninn("init")
    for port in (8080, 8081):
        muninn("add", "--force", "--title", "Port of the API", f"The API listens on port {port}.")
    muninn("dream", "--no-llm", "--force")
    (item,) = waiting(muninn)
    assert (item["kind"], item["needs_keep"]) == ("contradiction", True)
    assert muninn("review", "accept", "1").code == 2
    keep, other = (memory["id"] for memory in item["memories"])
    assert muninn("review", "accept", "1", "--keep", keep).code == 0
    found = memories(muninn)
    assert found[other].superseded_by == keep
    assert found[keep].supersedes == (other,)
    assert waiting(muninn) == []


def test_a_suggested_merge_of_a_pinned_memory_is_carried_out_for_a_person(muninn):
    muninn("init")
    text = "The staging server listens on port 8443 behind nginx."
    pinned = muninn("add", "--pin", "--json", text).json["id"]
    other = muninn("add", "--force", "--json", f"{text}!").json["id"]
    muninn("dream", "--no-llm", "--force")
    assert set(memories(muninn)) == {pinned, other}
    (item,) = waiting(muninn)
    assert item["kind"] == "merge"
    assert muninn("review", "accept", str(item["number"])).code == 0
    assert list(memories(muninn)) == [pinned]


def test_an_accepted_connection_writes_an_id_into_the_less_private_vault_only(muninn):
    from model_server import ModelServer, ollama_says

    muninn("init")
    private, public = suggest(muninn, "diary", "app")
    env = {"MUNINN_PROVIDERS_OLLAMA_MODEL": "local:1b", "MUNINN_PROVIDERS_ORDER": "ollama"}
    answer = {"suggestions": [{"ids": [private, public], "text": "share a cause"}]}
    with ModelServer().running() as server:
        server.script = [ollama_says(json.dumps(answer))]
        env["MUNINN_PROVIDERS_OLLAMA_URL"] = server.url
        assert muninn("dream", "--force", env=env).code == 0
    (item,) = waiting(muninn)
    assert (item["kind"], item["text"]) == ("connection", "share a cause")
    diary = tree(muninn.home / "vaults" / "diary")

    result = muninn("review", "accept", str(item["number"]), "--json")

    assert result.code == 0
    assert tree(muninn.home / "vaults" / "diary") == diary
    assert memories(muninn, "app")[public].related == (private,)
    written = next((muninn.home / "vaults" / "app").glob("*.md")).read_text()
    assert "diary" not in written
    assert waiting(muninn) == []
    muninn("dream", "--no-llm", "--force")
    assert waiting(muninn) == []


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


@contextmanager
def reviewing(bedroom: Bedroom, *items: Open):
    home = bedroom.indexed.home
    note(home.suggestions, items, "run", NOW)
    runs = Runs(home, bedroom.indexed.vaults, "test", 1)
    with opened(bedroom.surroundings(), home) as found:
        yield Review(found, home, runs, NOW)


def test_an_acceptance_that_cannot_be_whole_changes_nothing(bedroom):
    vault = bedroom.vault()
    for name, database in (("a", "Postgres"), ("b", "MySQL"), ("c", "Oracle")):
        bedroom.put(vault, name, f"The staging database is {database}.", title="Staging database")
    waits = [of_waiting(each) for each in bedroom.plan((2,)).waiting]
    assert [len(each.refs) for each in waits] == [3]
    with reviewing(bedroom, *waits) as review:
        (vault.root / "b.md").write_text("Edited at this very moment.")
        before = {path: path.read_bytes() for path in vault.root.glob("*.md")}
        with pytest.raises(ConflictError):
            review.accept(1, "c")
        assert [receipt.state for _, receipt in review.runs.past()] == [State.UNDONE]
    assert {path: path.read_bytes() for path in vault.root.glob("*.md")} == before


def test_nothing_can_be_kept_where_there_is_no_choice(bedroom):
    ref = bedroom.put(bedroom.vault(), "old", "Ticket 4711.")
    text = bedroom.snapshot().facts[ref].text
    for what in (
        Archive(*ref, "expired"),
        ChangeTier(*ref, Tier.T3, Tier.T2, NOW, "recalled often"),
    ):
        item = of_suggestion(Suggest((ref,), (text,), "told", what))
        with reviewing(bedroom, item) as review:
            number = max(each.number for each in review.listed())
            with pytest.raises(UsageError):
                review.accept(number, "old")
    connection = of_suggestion(Suggest((ref, ref), (text, text), "told"))
    with reviewing(bedroom, connection) as review, pytest.raises(UsageError):
        review.accept(3, "old")
