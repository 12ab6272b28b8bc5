"""`muninn purge`: true erasure, and that no other command is one."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from personal import contents

from muninn_cli.store.lock import hold

SECRET = "zanahoria-violeta-4711"
TITLE = "Quokka-Zebra plan"
TEXT = f"Containers lost the code because {SECRET} was not mounted."
TURNED = f"Because {SECRET} was not mounted, containers lost the code."
MARKS = (b"zanahoria", b"violeta", b"quokka", b"zebra")


def holders(home) -> list[str]:
    """The files below the home that hold the text or the title, in any case or encoding of ours."""
    found = {
        path: data
        for path, data in contents(home).items()
        if "/.git/" not in path
        and any(mark in f"{path}".encode().lower() + data.lower() for mark in MARKS)
    }
    return list(found)


@pytest.fixture
def told(personal):
    """A memory with a mark in text and title, and some others."""
    for text in ("Bees dance.", "Ducks swim.", "Cats sleep."):
        personal.add(text)
    answer = personal.add(TEXT, "--title", TITLE, "--tag", "sea")
    personal.json("search", "the code")
    return answer["id"]


def purge(personal, handle, *options):
    return personal.json("purge", handle, "--yes", *options)


def test_no_file_holds_the_text_or_the_title_afterwards(personal, told, home):
    assert holders(home)
    answer = purge(personal, told)
    assert (answer["operation"], answer["id"]) == ("purged", told)
    assert holders(home) == []
    assert len(personal.listed()) == 3


def test_neither_does_the_index_after_more_commands(personal, told, home):
    purge(personal, told)
    personal.json("search", "bees")
    personal.add("Whales sing.")
    personal.listed()
    assert holders(home) == []


def test_nothing_remembers_the_memory_but_a_tombstone(personal, told, home):
    purge(personal, told)
    there = {path for path, data in contents(home).items() if told.encode() in data}
    assert there == {"state/tombstones.jsonl", "vaults/personal/.muninn/archive.jsonl"}


LATER = {
    "archived": lambda personal, told: personal.json("archive", told),
    "archived and restored": lambda personal, told: (
        personal.json("archive", told),
        personal.json("restore", told),
    ),
    "pinned": lambda personal, told: personal.json("pin", told),
    "in another tier": lambda personal, told: personal.json("tier", "set", told, "T1"),
    "superseded": lambda personal, told: personal.json("supersede", told, "bees-dance.md"),
    "the successor": lambda personal, told: personal.json("supersede", "bees-dance.md", told),
    "merged into": lambda personal, told: personal.add(TURNED, "--title", TITLE),
    "moved": lambda personal, told: (personal.root / "quokka-zebra-plan.md").rename(
        personal.root / "quokka.md"
    ),
}


@pytest.mark.parametrize("what", LATER)
def test_whatever_was_done_before_all_of_it_goes(personal, told, home, what):
    LATER[what](personal, told)
    personal.json("search", "code", "--archived", "--history")
    assert holders(home)
    purge(personal, told)
    assert holders(home) == []


@pytest.mark.parametrize("what", LATER)
def test_no_other_command_destroys_a_text(personal, told, what):
    LATER[what](personal, told)
    assert any(SECRET.encode() in data for data in personal.files().values())


@pytest.mark.parametrize("undone", [False, True])
def test_after_a_dream_nothing_is_left_of_what_it_merged_and_told(
    personal, told, home, clock, undone
):
    double = personal.add(TEXT, "--title", TITLE, "--force")["id"]
    clock.advance(days=1)
    personal.muninn("dream", "--force", "--no-llm")
    assert TITLE in (home / "dream.journal.md").read_text()
    if undone:
        personal.json("undo")
    for memory_id in (told, double):
        purge(personal, memory_id)
    assert holders(home) == []


def test_the_copy_that_a_killed_dream_left_behind_goes_too(personal, told, home):
    scratch = home / "state" / "scratch"
    scratch.mkdir()
    for part in home.glob("index.db*"):
        shutil.copyfile(part, scratch / part.name)
    assert any("scratch" in path for path in holders(home))
    purge(personal, told)
    assert holders(home) == []


def test_a_swept_memory_can_be_purged(personal, told, home, clock):
    personal.json("tier", "set", told, "T3")
    clock.advance(days=31)
    personal.json("list")
    personal.json("sweep")
    assert personal.json("archive", "list")["archived"][0]["id"] == told
    purge(personal, told)
    assert holders(home) == []


FILES = {
    "quokka-zebra.md": f"No front matter. {SECRET}\n",
    "broken.md": f"---\ntitle: Quokka: Zebra\n---\n{SECRET}\n",
    "derived.md": f"# Quokka Zebra\n\n{SECRET}\n",
}


@pytest.mark.parametrize(("name", "text"), FILES.items())
@pytest.mark.parametrize("archive", [False, True])
def test_files_without_an_id_or_that_do_not_parse_go_too(personal, home, name, text, archive):
    personal.put(name, text)
    personal.put("other.md", "Bees.\n")
    memory_id = personal.memory(name)["id"]
    if archive:
        personal.json("archive", name)
    purge(personal, memory_id)
    assert holders(home) == []
    assert personal.listed() == ["other.md"]


def test_lines_of_the_journal_that_name_it_are_blotted_out(personal, told, home):
    journal = home / "dream.journal.md"
    lines = f"---\n## 2026-03-28T06:00:00Z -- Dream\n\n- «{TITLE}» (personal, {told[-8:]}) fades\n"
    journal.write_text(lines + "- «Bees» stay\n")
    purge(personal, told)
    text = journal.read_text()
    assert "Quokka" not in text and told[-8:] not in text
    assert "- (purged)\n- «Bees» stay\n" in text


ENTRY = "---\n## 2026-03-28T06:00:00Z -- Dream\n\n"
WORDS = {
    "In the model's words": "- “The code of the violet carrot was kept.”\n",
    "En palabras del modelo": "- «El código de la zanahoria violeta se guardó.»\n",
}


@pytest.mark.parametrize(("heading", "words"), WORDS.items())
def test_the_words_of_the_model_go_where_it_spoke_of_the_memory(
    personal, told, home, heading, words
):
    named = f"{ENTRY}- «{TITLE}» (personal, {told[-8:]}) fades\n\n**{heading}:**\n{words}\n*3 s.*\n"
    other = (
        f"{ENTRY}- “Bees” (personal, BEES) rises\n\n**{heading}:**\n- “Bees are well.”\n\n*3 s.*\n"
    )
    journal = home / "dream.journal.md"
    journal.write_text(f"{other}{named}{other}")
    purge(personal, told)
    blotted = f"{ENTRY}- (purged)\n\n**{heading}:**\n- (purged)\n\n*3 s.*\n"
    assert journal.read_text() == f"{other}{blotted}{other}"


def test_words_of_the_model_that_name_the_title_alone_go_too(personal, told, home):
    journal = home / "dream.journal.md"
    journal.write_text(f'{ENTRY}- “Nothing to do about "quokka-zebra PLAN".”\n- “Bees are well.”\n')
    purge(personal, told)
    assert journal.read_text() == f"{ENTRY}- (purged)\n- (purged)\n"


@pytest.mark.parametrize("place", ["now", "before", "of its title", "in the archive"])
def test_lines_of_the_journal_that_name_a_path_of_it_are_blotted_out(personal, told, home, place):
    (personal.root / "quokka-zebra-plan.md").rename(personal.root / "zebras.md")
    personal.json("archive", told)
    personal.json("restore", told, "--to", "deep/quokka [[2]].md")
    personal.listed()
    path = {
        "now": "deep/quokka \\[[2]].md",
        "before": "zebras.md",
        "of its title": "personal/quokka-zebra-plan.md: it was edited",
        "in the archive": f".muninn/archive/zebras.md~{told[-8:]}.md",
    }[place]
    left = "- Left as it is, because it was changed since: "
    journal = home / "dream.journal.md"
    others = f"{left}other-quokka-zebra-plan.md\n{left}quokka-zebras.md\n"
    journal.write_text(f"{ENTRY}{left}{path}\n{others}")
    purge(personal, told)
    assert journal.read_text() == f"{ENTRY}- (purged)\n{others}"


def test_nothing_is_destroyed_while_a_dream_is_on_its_way(personal, told, home, clock):
    before = contents(home)
    with hold(home / "state" / "locks" / "dream.lock", now=clock.now, host="a", pid=1):
        result = personal.muninn("purge", told, "--yes")
    assert (result.code, "dream.lock" in result.err) == (7, True)
    after = contents(home)
    assert all(after[path] == data for path, data in before.items() if path.startswith("vaults"))
    assert personal.memory(told)["title"] == TITLE


@pytest.mark.parametrize("answer", ["", "n\n", "no\n", "\n", "what\n"])
def test_it_asks_and_anything_but_yes_is_no(personal, told, answer):
    before = personal.files()
    result = personal.muninn("purge", told, stdin=answer)
    assert result.code == 2
    assert "nothing was destroyed" in result.err
    assert personal.files() == before


def test_a_program_reads_a_failure_and_no_question(personal, told):
    result = personal.muninn("purge", told, "--json", stdin="n\n")
    assert (result.code, result.error["code"]) == (2, "usage")
    assert result.err.count("\n") == 1
    assert personal.memory(told)


def test_a_memory_that_is_nowhere_is_not_looked_for_among_the_archived_alone(personal):
    result = personal.muninn("purge", "nothing", "--yes")
    assert (result.code, "no memory is called 'nothing'" in result.err) == (3, True)


@pytest.mark.parametrize("answer", ["y\n", "yes\n", "s\n", "sí\n"])
def test_yes_in_either_language_will_do(personal, told, home, answer):
    assert personal.muninn("purge", told, stdin=answer).code == 0
    assert holders(home) == []


def test_an_ambiguous_name_destroys_nothing(personal):
    for number in (1, 2):
        personal.put(f"{number}.md", "text\n", title="Twin")
    before = personal.files()
    assert personal.muninn("purge", "Twin", "--yes").code == 4
    assert personal.muninn("purge", "Twim", "--yes").code == 3
    assert personal.files() == before


def test_an_earlier_text_alone_is_not_destroyed_nor_said_to_be(personal):
    personal.put("whales.md", "Whales sing.\n", id="W1")
    personal.put(".muninn/archive/whales.md~W1.md", "Whales sang.\n", id="W1")
    line = '{"v":1,"t":"2026-03-20T06:00:00Z","id":"W1","path":"whales.md","kind":"version"'
    ledger = personal.root / ".muninn/archive.jsonl"
    ledger.write_text(f'{line},"reason":"replaced text"}}\n')
    assert personal.json("show", "W1~1")["memory"]["body"] == "Whales sang.\n"
    before = personal.files()
    result = personal.muninn("purge", "W1~1", "--yes")
    assert (result.code, "muninn purge W1" in result.err) == (2, True)
    assert personal.files() == before
    purge(personal, "W1")
    assert personal.listed("--archived") == []


def test_what_was_merged_in_a_dream_is_named_and_stays(personal, told):
    loser = personal.add("Whales sing.")["id"]
    personal.json("archive", loser)
    ledger = personal.root / ".muninn/archive.jsonl"
    ledger.write_text(
        ledger.read_text().replace('"by hand","into":""', f'"merged","into":"{told}"')
    )
    result = personal.muninn("purge", told, "--yes")
    assert loser in result.err
    assert personal.json("archive", "list")["archived"][0]["id"] == loser


IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "t"), ("EMAIL", "t@example.org"))
}


@pytest.mark.parametrize("archive", [False, True])
def test_commits_that_hold_the_text_are_named(personal, home, monkeypatch, archive):
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    env = {"MUNINN_GIT_AUTO": "true"}
    personal.add("Bees dance.", env=env)
    answer = personal.add(TEXT, "--title", TITLE, env=env)
    if archive:
        personal.json("archive", answer["id"], env=env)
    result = personal.muninn("purge", answer["id"], "--yes", "--json", env=env)
    log = subprocess.check_output(["git", "log", "--format=%H"], cwd=personal.root)
    _purged, *holding, _bees = log.decode().split()
    assert result.code == 0
    assert sorted(result.json["commits"]) == sorted(holding)
    assert all(commit[:10] in result.err for commit in holding)
    assert holders(home) == []
