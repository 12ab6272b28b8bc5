import json
import shutil
import socket
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import START
from dreaming import tree
from model_server import ModelServer, Scripted, ollama_says
from planning import full_house

from muninn_cli.core.journal import Omission
from muninn_cli.core.memory_file import read
from muninn_cli.core.terms import Kind
from muninn_cli.dream.plan import LeftOut
from muninn_cli.dream.saved_plan import permitted

PAIR = (
    "The staging server listens on port 8443 behind nginx.",
    "The staging server listens on port 8443, behind nginx!",
)
NEAR = (
    "The nightly backup of the accounts begins at three and takes an hour.",
    "Backups of the accounts start at three every night and take about one hour.",
)


@pytest.fixture
def filled(muninn):
    """A home with a pair of equal texts, a pair of like ones, and others."""
    muninn("init")
    for text in (*PAIR, *NEAR, "Water the tomatoes on Mondays.", "Ana plays chess on Fridays."):
        assert muninn("add", "--force", text).code == 0
    muninn.clock.advance(hours=13)
    return muninn


@pytest.fixture
def server():
    with ModelServer().running() as running:
        yield running


def models(server: ModelServer) -> dict[str, str]:
    return {
        "MUNINN_PROVIDERS_OLLAMA_URL": server.url,
        "MUNINN_PROVIDERS_OLLAMA_MODEL": "local:1b",
        "MUNINN_PROVIDERS_ORDER": "ollama",
    }


def vault(muninn):
    return muninn.home / "vaults" / "personal"


def memories(muninn) -> dict[str, bytes]:
    return {path: data for path, data in tree(vault(muninn)).items() if not path.startswith(".")}


def file_with(muninn, text: str):
    return next(path for path in vault(muninn).glob("*.md") if text in path.read_text())


def ids_of(muninn, texts) -> list[str]:
    return [read(file_with(muninn, text).read_bytes(), "x.md", "").id for text in texts]


def kinds(result) -> list[str]:
    return [change["change"] for change in result.json["changes"]]


def test_a_dream_merges_what_says_the_same_and_tells_of_it(filled):
    result = filled("dream", "--no-llm", "--json")
    assert result.code == 0
    assert kinds(result) == ["merge"]
    assert result.json["answers"]["after"] >= result.json["answers"]["before"] > 0
    assert len(memories(filled)) == 5
    journal = (filled.home / "dream.journal.md").read_text()
    assert f"`muninn undo {result.json['run']}`" in journal
    assert "Questions answered: " in journal
    assert len(filled("search", "staging server port", "--json").json["hits"]) > 0


def test_a_preview_changes_no_byte_of_home_and_vaults(filled):
    filled("list")  # the index is there and in step
    for prepare in (
        lambda: None,
        lambda: shutil.copy(file_with(filled, "chess"), vault(filled) / "new.md"),
    ):
        prepare()
        before = tree(filled.home)
        result = filled("dream", "--dry-run", "--no-llm")
        assert result.code == 0
        assert "[DRY RUN]" in result.out
        assert tree(filled.home) == before


def test_a_preview_without_an_index_makes_none(filled):
    for path in filled.home.glob("index.db*"):
        path.unlink()
    before = tree(filled.home)
    assert filled("dream", "--dry-run", "--no-llm", "--json").json["scanned"] == 6
    assert tree(filled.home) == before


def test_a_preview_of_no_home_makes_none(muninn):
    assert muninn("dream", "--dry-run").code == 0
    assert not muninn.home.exists()


def test_preview_saved_plan_and_plain_run_do_the_same(filled, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(filled.home, copy)
    plan = tmp_path / "plan.json"
    preview = filled("dream", "--dry-run", "--no-llm", "--json", "--save-plan", str(plan)).json
    plain = filled("dream", "--no-llm", "--json").json
    after = memories(filled)

    shutil.rmtree(filled.home)
    shutil.copytree(copy, filled.home)
    saved = filled("dream", "--plan", str(plan), "--json").json

    assert preview["changes"] == plain["changes"] == saved["changes"] != []
    assert memories(filled) == after
    assert saved["answers"] == plain["answers"]
    gate = filled("dream", "--no-llm", "--json").json
    assert gate["operation"] == "not_due", "a saved plan moves the stamp as well"


def test_a_saved_plan_leaves_what_was_edited_since(filled, tmp_path):
    plan = tmp_path / "plan.json"
    filled("dream", "--dry-run", "--no-llm", "--save-plan", str(plan))
    edited = file_with(filled, PAIR[0])
    edited.write_text(edited.read_text() + "One more line.\n")
    before = memories(filled)
    result = filled("dream", "--plan", str(plan), "--json").json
    assert result["changes"] == []
    assert result["left_out"][-1]["why"] == "edited"
    assert memories(filled) == before


@pytest.mark.parametrize(
    ("text", "code"), [(None, 3), ("no plan", 5), ('{"v":99}', 5), ('{"v":1}', 5)]
)
def test_a_plan_that_is_none_is_refused(filled, tmp_path, text, code):
    place = tmp_path / "plan.json"
    if text is not None:
        place.write_text(text)
    before = memories(filled)
    assert filled("dream", "--plan", str(place)).code == code
    assert memories(filled) == before


def test_a_second_dream_finds_nothing_to_do_and_sends_nothing(filled, server):
    server.script = [ollama_says('{"merges": [], "journal": "quiet"}')]
    first = filled("dream", "--json", env=models(server)).json
    assert first["run"] and len(server.chats) == 1
    asked, before = len(server.chats), memories(filled)
    filled.clock.advance(hours=13)
    second = filled("dream", "--force", "--json", env=models(server)).json
    assert second["changes"] == [] and second["run"] is None
    assert len(server.chats) == asked
    assert memories(filled) == before


def test_a_dream_that_only_leaves_things_to_a_judge_says_that_it_changes_nothing(filled):
    assert "Nothing to change." not in filled("dream", "--no-llm").out
    filled.clock.advance(hours=13)
    second = filled("dream", "--no-llm", "--force").out
    assert "Nothing to change." in second
    assert "no model judged" in second


def test_a_whole_dream_needs_no_network(filled, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert kinds(filled("dream", "--no-llm", "--json")) == ["merge"]


def test_gates_decide_and_force_skips_them(filled):
    assert filled("dream", "--no-llm", "--json").json["operation"] == "dreamed"
    filled.clock.advance(hours=1)
    shut = filled("dream", "--no-llm", "--json")
    assert (shut.code, shut.json["operation"]) == (0, "not_due")
    assert len(shut.json["gates"]["reasons"]) == 2
    filled.clock.advance(hours=12)
    for number in range(2):
        filled("add", f"Something new, number {number * 7 + 3}.")
    assert filled("dream", "--no-llm", "--json").json["operation"] == "not_due"
    filled("add", "The third new thing.")
    assert filled("dream", "--no-llm", "--json").json["operation"] == "dreamed"
    assert filled("dream", "--no-llm", "--force", "--json").json["operation"] == "dreamed"


def test_what_a_dream_changes_is_no_news_to_the_next(filled):
    filled("dream", "--no-llm")
    assert filled("dream", "--no-llm", "--dry-run", "--json").json["gates"]["new"] == 0


def test_an_edited_text_is_news_and_an_edited_tag_is_none(filled):
    filled("dream", "--no-llm")
    place = file_with(filled, "chess")
    place.write_text(place.read_text().replace("tags: []", "tags: [games]"))
    assert filled("dream", "--no-llm", "--dry-run", "--json").json["gates"]["new"] == 0
    place.write_text(place.read_text().replace("Fridays", "Sundays"))
    assert filled("dream", "--no-llm", "--dry-run", "--json").json["gates"]["new"] == 1


def test_a_clock_that_went_back_is_named_and_never_counts_negative(filled):
    filled("dream", "--no-llm", "--force")
    then = filled.clock.now
    result = filled("dream", "--no-llm", "--json", at=then - timedelta(days=1)).json
    assert result["operation"] == "not_due"
    assert result["gates"]["hours"] == 0
    assert "clock" in result["gates"]["reasons"][0]
    forced = filled("dream", "--no-llm", "--force", "--json").json
    assert forced["operation"] == "dreamed"
    later = filled("dream", "--no-llm", "--json", at=then + timedelta(hours=12, seconds=1)).json
    assert later["gates"]["hours"] > 12


def test_a_part_of_the_phases_is_not_gated_and_moves_no_stamp(filled):
    filled("dream", "--no-llm")
    filled.clock.advance(hours=1)
    filled("add", "--force", PAIR[1])
    part = filled("dream", "--phases", "0,2", "--no-llm", "--json").json
    assert part["operation"] == "dreamed"
    assert [change["change"] for change in part["changes"]] == ["merge"]
    stamps = json.loads((filled.home / "state" / "dream.json").read_text())["dreams"]
    assert len(stamps) == 1
    assert filled("dream", "--no-llm", "--dry-run", "--json").json["gates"]["hours"] == 1


@pytest.mark.parametrize("phases", ["7", "x", "-1", ""])
def test_phases_that_are_none_are_refused(filled, phases):
    assert filled("dream", "--phases", phases).code == 2


def test_one_vault_dreams_alone_and_moves_its_own_stamp(filled):
    filled("vault", "create", "work")
    for text in PAIR:
        filled("add", "--vault", "work", "--force", text)
    before = memories(filled)
    alone = filled("dream", "--vault", "work", "--no-llm", "--force", "--json").json
    assert alone["vaults"] == ["work"] and alone["scanned"] == 2
    assert memories(filled) == before
    common = filled("dream", "--no-llm", "--dry-run", "--json").json["gates"]
    own = filled("dream", "--vault", "work", "--no-llm", "--dry-run", "--json").json["gates"]
    assert (common["hours"], own["hours"]) == (None, 0)


def test_without_time_nothing_is_changed(filled):
    before = memories(filled)
    result = filled("dream", "--no-llm", "--timeout", "0")
    assert result.code == 8
    assert memories(filled) == before
    assert not (filled.home / "state" / "dream.json").exists()
    assert not (filled.home / "dream.journal.md").exists()


def test_another_dream_holds_the_lock(filled):
    from muninn_cli.store.lock import hold

    lock = filled.home / "state" / "locks" / "dream.lock"
    with hold(lock, now=filled.clock.now, host="test", pid=4321):
        result = filled("dream", "--no-llm")
        preview = filled("dream", "--no-llm", "--dry-run")
    assert result.code == 7 and "4321" in result.err
    assert preview.code == 0


@pytest.mark.parametrize(
    "notes",
    [
        b"",
        b"garbage",
        b'{"host":"test","pid":999999,"since":"2026-03-28T06:00:00Z"}',
        b'{"host":"test","pid":1,"since":"2026-03-28T06:00:00Z"}',
    ],
)
def test_a_lock_that_a_killed_dream_left_is_taken_over(filled, notes):
    lock = filled.home / "state" / "locks" / "dream.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_bytes(notes)
    assert filled("dream", "--no-llm", "--json").json["operation"] == "dreamed"


def test_what_a_model_judged_is_applied(filled, server):
    ids = ids_of(filled, NEAR)
    content = "The nightly backup of the accounts, which start and begin at three, every night takes about one hour, an hour."
    server.script = [
        ollama_says(json.dumps({"merges": [{"ids": ids, "content": content, "reason": "same"}]}))
    ]
    result = filled("dream", "--json", env=models(server)).json
    assert result["tokens"]["used"] == 150
    assert kinds_of(result) == ["merge", "merge"]
    assert len(memories(filled)) == 4


def test_a_file_edited_while_the_model_thinks_keeps_the_edit(filled, server):
    ids = ids_of(filled, NEAR)
    place = file_with(filled, NEAR[0])
    merge = {"merges": [{"ids": ids, "reason": "same"}]}

    class Editing(ModelServer):
        def reply_to(self, asked):
            if asked.path == "/api/chat":
                place.write_text(place.read_text() + "A line typed meanwhile.\n")
            return super().reply_to(asked)

    with Editing().running() as editing:
        editing.script = [
            ollama_says(
                json.dumps(merge | {"merges": [{**merge["merges"][0], "content": " ".join(NEAR)}]})
            )
        ]
        result = filled("dream", "--json", env=models(editing)).json
    assert place.read_text().endswith("A line typed meanwhile.\n")
    edited = [left for left in result["left_out"] if left["why"] == "edited"]
    assert edited and place.name in edited[0]["detail"]


def test_a_model_that_fails_costs_only_its_part(filled, server):
    server.script = [Scripted(b"\xff\xfe nonsense", status=500)]
    result = filled("dream", "--json", env=models(server)).json
    assert "merge" in kinds_of(result)
    assert "provider" in [left["why"] for left in result["left_out"]]


def kinds_of(data) -> list[str]:
    return [change["change"] for change in data["changes"]]


def test_a_provider_asked_for_must_be_reachable_and_allowed(filled, server):
    before = memories(filled)
    gone = {"MUNINN_PROVIDERS_OLLAMA_URL": "http://127.0.0.1:9"}
    assert filled("dream", "--force", "--provider", "ollama", env=gone).code == 6
    assert filled("dream", "--force", "--provider", "openai", env={"OPENAI_API_KEY": "k"}).code == 6
    server.script = [Scripted(status=401)]
    refused = filled("dream", "--force", "--provider", "ollama", env=models(server))
    assert refused.code == 6
    assert memories(filled) == before
    assert not (filled.home / "state" / "dream.json").exists()


def test_a_model_that_hangs_gets_half_of_the_time(filled, server):
    server.script = [Scripted(hang=True)]
    result = filled("dream", "--json", "--timeout", "6", env=models(server)).json
    assert "merge" in kinds_of(result)
    assert result["waiting"] >= 1


def test_legal_vaults_are_counted_and_nothing_more(filled):
    filled("vault", "create", "legal")
    for text in (PAIR[0], "Another text."):
        filled("add", "--vault", "legal", text)
    legal = filled.home / "vaults" / "legal"
    before = tree(legal)
    result = filled("dream", "--no-llm", "--force", "--json").json
    assert (result["legal"], result["scanned"]) == (2, 6)
    assert tree(legal) == before
    assert "legal" not in result["vaults"]


def test_a_vault_that_is_not_managed_gets_suggestions_only(filled, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, text in zip("ab", PAIR, strict=True):
        (notes / f"{name}.md").write_text(f"# Staging\n\n{text}\n")
    filled("vault", "add", str(notes), "--name", "notes")
    before = tree(notes)
    result = filled("dream", "--no-llm", "--force", "--json").json
    assert "suggest" in kinds_of(result)
    assert tree(notes) == before


def test_the_clock_of_a_dream_is_the_commands(filled):
    filled("dream", "--no-llm")
    journal = (filled.home / "dream.journal.md").read_text()
    assert f"## {(START + timedelta(hours=13)):%Y-%m-%dT%H:%M:%SZ} -- Dream" in journal


def test_a_saved_plan_changes_no_vault_that_has_become_legal(filled, tmp_path):
    plan = tmp_path / "plan.json"
    filled("dream", "--dry-run", "--no-llm", "--save-plan", str(plan))
    (vault(filled) / ".muninn").mkdir(exist_ok=True)
    (vault(filled) / ".muninn" / "vault.toml").write_text('kind = "legal"\n')
    before = memories(filled)
    result = filled("dream", "--plan", str(plan), "--json").json
    assert result["changes"] == []
    assert memories(filled) == before


def test_after_a_long_silence_a_dream_is_no_sign_of_life(filled):
    """Or a clock that is years ahead would let everything expire at the next command."""
    filled.clock.advance(days=4000)
    assert filled("dream", "--no-llm", "--force").code == 0
    filled.clock.advance(hours=1)
    assert len(filled("list", "--json").json["hits"]) == 5
    assert filled("undo").code == 0
    assert len(filled("list", "--json").json["hits"]) == 6


@pytest.mark.parametrize(
    "options",
    [("--vault", "personal"), ("--phases", "2"), ("--no-llm",), ("--provider", "ollama")],
)
def test_a_saved_plan_goes_with_no_option_that_it_has_settled(filled, tmp_path, options):
    plan = tmp_path / "plan.json"
    filled("dream", "--dry-run", "--no-llm", "--save-plan", str(plan))
    before = memories(filled)
    assert filled("dream", "--plan", str(plan), *options).code == 2
    assert memories(filled) == before


def test_without_any_embedder_a_dream_goes_by_the_texts_alone(muninn, tmp_path):
    env = {"MUNINN_EMBEDDING_MODEL": str(tmp_path / "nowhere")}
    muninn("init", env=env)
    for name in "ab":
        (vault(muninn) / f"{name}.md").write_text(f"---\ntitle: Staging\n---\n{PAIR[0]}\n")
    result = muninn("dream", "--no-llm", "--force", "--json", env=env)
    assert result.code == 0
    assert kinds(result) == ["merge"]


def test_a_saved_plan_tells_nothing_of_a_vault_that_has_become_legal(tmp_path):
    house = full_house(tmp_path)
    plan = replace(
        house.plan(),
        narrative=("The shop moved.",),
        left_out=(LeftOut(Omission.ANSWER_PART, detail="port-1 superseded by port-2"),),
    )
    assert permitted(plan, house.snapshot()) == plan
    house.indexed.vaults = [
        each._replace(kind=Kind.LEGAL) if each.name == "work" else each
        for each in house.indexed.vaults
    ]
    left = permitted(plan, house.snapshot())
    assert "work" not in left.to_json()
    assert (left.narrative, [each.name for each in left.vaults]) == ((), ["home"])
    assert {each.why for each in left.left_out} == {Omission.PROTECTED}
