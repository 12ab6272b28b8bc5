import json

import pytest
from dreaming import tree

PAIR = (
    "The staging server listens on port 8443 behind nginx.",
    "The staging server listens on port 8443, behind nginx!",
)


@pytest.fixture
def filled(muninn):
    """Two vaults that have something to merge, and recalls to learn from."""
    muninn("init")
    muninn("vault", "create", "work")
    for vault in ("personal", "work"):
        for text in (*PAIR, f"Notes of {vault} on trains.", f"Notes of {vault} on chess."):
            assert muninn("add", "--vault", vault, "--force", text).code == 0
    muninn.clock.advance(hours=2)
    muninn("search", "notes of trains and chess")
    muninn.clock.advance(hours=13)
    return muninn


def vaults(muninn) -> dict[str, bytes]:
    """Every file of every vault but the ledgers, which only grow."""
    files = tree(muninn.home / "vaults")
    return {path: data for path, data in files.items() if not path.endswith("archive.jsonl")}


def usage(muninn) -> list:
    """What is known of each memory's use."""
    shown = [
        muninn("show", hit["id"], "--json", "--no-recall")
        for hit in muninn("list", "--json").json["hits"]
    ]
    return sorted(
        (one.json["memory"]["id"], json.dumps(one.json["memory"]["usage"], sort_keys=True))
        for one in shown
    )


def file_with(muninn, vault: str, text: str):
    folder = muninn.home / "vaults" / vault
    return next(path for path in folder.glob("*.md") if text in path.read_text())


def dream(muninn) -> str:
    result = muninn("dream", "--no-llm", "--force", "--json")
    assert result.code == 0, result.err
    return result.json["run"]


def test_an_undone_dream_leaves_every_byte_as_it_was(filled):
    before, used = vaults(filled), usage(filled)
    dream(filled)
    assert vaults(filled) != before
    result = filled("undo", "--json")
    assert (result.code, result.json["left"]) == (0, [])
    assert vaults(filled) == before
    assert usage(filled) == used
    assert not (filled.home / "state" / "dream.json").exists()


def test_after_an_undo_the_same_memories_are_news_again_and_nothing_is_proposed_twice(filled):
    before = filled("dream", "--no-llm", "--dry-run", "--json").json
    assert len(before["changes"]) > 2 and before["gates"]["new"] == 8
    dream(filled)
    filled("undo")
    after = filled("dream", "--no-llm", "--dry-run", "--json").json
    assert after["gates"]["new"] == 8
    assert after["changes"] == []
    place = file_with(filled, "work", PAIR[1])
    place.write_text(place.read_text().replace("8443", "9443"))
    other = file_with(filled, "work", PAIR[0])
    other.write_text(other.read_text().replace("8443", "9443"))
    changed = filled("dream", "--no-llm", "--dry-run", "--json").json
    merges = [change for change in changed["changes"] if change["change"] == "merge"]
    assert len(merges) == 1


def test_what_was_learned_from_use_and_undone_is_learned_again_by_new_use(filled):
    def learned() -> set[str]:
        found = filled("dream", "--no-llm", "--dry-run", "--json").json["changes"]
        return {change["change"] for change in found} & {"associate", "stability"}

    for _ in range(5):
        filled("search", "notes of trains and chess", "--vault", "work")
        filled.clock.advance(hours=2)
    assert learned() == {"associate", "stability"}
    dream(filled)
    filled("undo")
    filled.clock.advance(hours=13)
    assert learned() == set()
    filled("search", "notes of trains and chess", "--vault", "work")
    assert learned() == {"associate", "stability"}


def test_a_file_that_was_changed_since_is_left_and_named(filled):
    before = vaults(filled)
    dream(filled)
    place = next(
        path
        for path in (filled.home / "vaults" / "work").glob("*.md")
        if "merged_from" in path.read_text()
    )
    place.write_text(place.read_text() + "A person's line.\n")
    edited = place.read_bytes()

    result = filled("undo", "--json")

    assert [left["path"] for left in result.json["left"]] == [place.name]
    assert place.read_bytes() == edited
    after = vaults(filled)
    name = f"work/{place.name}"
    assert {path: data for path, data in after.items() if path != name} == {
        path: data for path, data in before.items() if path != name
    }
    assert place.name in (filled.home / "dream.journal.md").read_text()


def test_recalls_since_the_dream_stay(filled):
    run = dream(filled)
    filled.clock.advance(hours=2)
    hit = filled("search", "trains", "--json").json["hits"][0]["id"]
    filled("undo", run)
    memory = filled("show", hit, "--json", "--no-recall").json["memory"]
    assert memory["usage"]["recalls"] == 2


def test_undo_is_told_in_the_journal(filled):
    run = dream(filled)
    filled("undo")
    last = filled("journal", "--last", "1", "--json").json["entries"]
    assert len(last) == 1 and "Undone" in last[0] and run in last[0]


def test_an_older_run_whose_files_were_touched_since_is_refused(filled):
    first = dream(filled)
    survivor = next(
        path
        for path in (filled.home / "vaults" / "work").glob("*.md")
        if "merged_from" in path.read_text()
    )
    assert filled("supersede", str(survivor), "Notes of work on chess").code == 0
    refused = filled("undo", first)
    assert refused.code == 4 and survivor.name in refused.err
    assert filled("undo").code == 0
    assert filled("undo", first).code == 0


def test_a_sweep_and_a_supersession_can_be_undone_as_well(filled):
    before = vaults(filled)
    filled("supersede", "Notes of work on trains", "Notes of work on chess")
    assert vaults(filled) != before
    assert filled("undo").code == 0
    assert vaults(filled) == before
    filled.clock.advance(days=50)
    filled("dream", "--no-llm", "--force", "--phases", "0")  # somebody was here
    filled.clock.advance(days=50)
    swept = filled("sweep", "--yes", "--json").json
    assert swept["archived"]
    assert filled("undo").code == 0
    assert vaults(filled) == before


def test_there_is_nothing_to_undo_twice(filled):
    run = dream(filled)
    filled("undo")
    assert filled("undo").code == 3
    assert filled("undo", run).code == 4
    assert filled("undo", "19990101-000000").code == 3


def test_only_the_last_dream_takes_its_stamp_back(filled):
    first = dream(filled)
    filled.clock.advance(hours=1)
    filled("add", "--vault", "work", "--force", "Something else about ferries.")
    filled("add", "--vault", "work", "--force", "Something else about ferries!")
    second = dream(filled)
    stamps = filled.home / "state" / "dream.json"
    before = stamps.read_bytes()
    filled("undo", first)
    assert stamps.read_bytes() == before
    filled("undo", second)
    assert [each["run"] for each in json.loads(stamps.read_bytes())["dreams"]] == [first]


def test_undo_is_a_commit_of_its_own(filled, tmp_path):
    import subprocess

    env = {
        "MUNINN_GIT_AUTO": "true",
        "GIT_CONFIG_GLOBAL": str(tmp_path / "none"),
        **{
            f"GIT_{who}_{what}": "t"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    assert filled("vault", "create", "kept", env=env).code == 0
    for text in PAIR:
        filled("add", "--vault", "kept", "--force", text, env=env)
    filled("dream", "--no-llm", "--force", env=env)
    filled("undo", env=env)
    log = subprocess.run(
        ["git", "log", "--format=%s"],
        cwd=filled.home / "vaults" / "kept",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert log[0].startswith("Undo ") and log[1] == "Dream: 1 merged"
    assert len(log) == 4


def test_a_purged_memory_leaves_no_trace_in_what_an_undo_would_remember(filled):
    run = dream(filled)
    survivor = next(
        path
        for path in (filled.home / "vaults" / "work").glob("*.md")
        if "merged_from" in path.read_text()
    )
    memory = filled("show", str(survivor), "--json", "--no-recall").json["memory"]["id"]
    changes = filled.home / "state" / "runs" / run / "changes.jsonl"
    assert memory in changes.read_text()
    assert filled("purge", memory, "--yes").code == 0
    assert memory not in changes.read_text()
