"""`muninn add`: what is written, where, with which tier; what is refused."""

from __future__ import annotations

import fcntl
import subprocess

import pytest
from personal import MODES, contents

from muninn_cli import app

TEXT = "The staging database is reset every Monday."


def test_a_new_memory_is_one_readable_file(personal):
    answer = personal.add(TEXT, "--tag", "staging", "--type", "episodic", "--source", "agent")
    assert answer["path"] == "the-staging-database-is-reset-every-monday.md"
    assert personal.files() == {
        answer["path"]: (
            "---\n"
            f'id: "{answer["id"]}"\n'
            "title: The staging database is reset every Monday\n"
            "type: episodic\n"
            "tier: T2\n"
            "tags: [staging]\n"
            "source: agent\n"
            "created: 2026-03-28T06:00:00Z\n"
            "updated: 2026-03-28T06:00:00Z\n"
            "---\n"
            f"{TEXT}\n"
        ).encode()
    }


def test_the_answer_says_what_was_done_where_and_why(personal):
    answer = personal.add(TEXT)
    assert {key: answer[key] for key in ("v", "operation", "vault", "tier", "rule", "expires")} == {
        "v": 1,
        "operation": "added",
        "vault": "personal",
        "tier": "T2",
        "rule": "default",
        "expires": "2026-06-26T06:00:00Z",
    }
    assert (answer["match"], answer["similar"]) == (None, [])
    assert answer["file"] == str(personal.root / answer["path"])


@pytest.mark.parametrize("mode", MODES)
def test_what_was_added_is_found_at_once(personal, mode):
    answer = personal.add(TEXT)
    assert personal.found("staging database", "--mode", mode) == [answer["path"]]


@pytest.mark.parametrize(
    ("options", "tier", "rule", "expires"),
    [
        ("--tier T3", "T3", "explicit", "2026-04-27T06:00:00Z"),
        ("--tier T1 --category policy", "T1", "explicit", "2027-03-28T06:00:00Z"),
        ("--category policy", "T0", "category", None),
        ("--source agent --type procedural", "T1", "agent procedural", "2027-03-28T06:00:00Z"),
        ("--source agent --type episodic", "T2", "agent episodic", "2026-06-26T06:00:00Z"),
        ("--source agent", "T2", "default", "2026-06-26T06:00:00Z"),
        ("--type procedural", "T2", "default", "2026-06-26T06:00:00Z"),
        ("--tier T3 --pin", "T3", "explicit", None),
    ],
)
def test_the_first_rule_that_applies_gives_the_tier(personal, options, tier, rule, expires):
    answer = personal.add(TEXT, *options.split())
    assert (answer["tier"], answer["rule"], answer["expires"]) == (tier, rule, expires)
    assert personal.memory(answer["id"])["expires"] == expires


def test_what_is_said_of_a_memory_is_in_its_front_matter(personal):
    words = ("--title", "Resets", "--category", "ops", "--session", "s1")
    memory = personal.memory(personal.add(TEXT, *words, "--importance", "8", "--pin")["id"])
    assert [memory[key] for key in ("title", "category", "importance", "session", "pinned")] == [
        "Resets",
        "ops",
        8,
        "s1",
        True,
    ]


def test_the_session_of_the_environment_counts_where_none_is_named(personal):
    env = {"MUNINN_SESSION": "from the environment"}
    one = personal.add("One fact about lighthouses.", env=env)
    other = personal.add("Another one, on bees.", "--session", "mine", env=env)
    sessions = [personal.memory(answer["id"])["session"] for answer in (one, other)]
    assert sessions == ["from the environment", "mine"]


def test_tags_are_one_list_however_they_are_given(personal):
    answer = personal.add(TEXT, "--tag", "#db, ops", "--tag", "ops", "--tag", " ,#")
    assert personal.memory(answer["id"])["tags"] == ["db", "ops"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Release runbook\n\nStep one.", "Release runbook"),
        ("- **Note**: the `cache` is cold. And more.", "Note: the cache is cold"),
        ("---\nkey: value\n---\nbody", "key: value"),
        ("🎉 🎉", "Untitled"),
    ],
)
def test_a_text_without_a_title_gets_one_from_its_first_words(personal, text, title):
    answer = personal.json("add", "--", text)
    memory = personal.memory(answer["id"])
    assert (memory["title"], memory["body"]) == (title, f"{text}\n")


def test_a_text_that_begins_with_a_dash_is_no_option_and_the_hint_says_so(personal):
    assert "goes after --" in personal.muninn("add", "- one item").err


@pytest.mark.parametrize(
    "text", ["no end", "an end\n", "two\n\n\n", "\n  indented\r\nCRLF\r\n\r\n"]
)
def test_the_body_is_the_text_as_it_was_given(personal, text):
    answer = personal.add(text)
    data = (personal.root / answer["path"]).read_bytes()
    body = text if text.endswith("\n") else f"{text}\n"
    assert data.split(b"---\n", 2)[2] == body.encode()


# Where it goes


def test_the_vault_is_the_one_named_then_the_environments_then_the_projects(personal, tmp_path):
    for name in ("named", "env", "project"):
        personal.muninn("vault", "create", name)
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/.muninn.toml").write_text('vault = "project"\n')
    here = {"cwd": tmp_path / "repo"}
    env = {"MUNINN_VAULT": "env"}
    vaults = [
        personal.add("Cats sleep.", "--vault", "named", env=env, **here)["vault"],
        personal.add("Dogs bark.", env=env, **here)["vault"],
        personal.add("Birds sing.", **here)["vault"],
        personal.add("Fish swim.")["vault"],
    ]
    assert vaults == ["named", "env", "project", "personal"]


def test_a_vault_that_is_not_there_is_named_with_the_nearest(personal):
    result = personal.muninn("add", TEXT, "--vault", "persnal")
    assert result.code == 3
    assert "personal" in result.err


@pytest.mark.parametrize(
    "title", ["CON", "aux", "nul.tar", "lpt9", "fin.", "a:b", "x/y", "..", "C:\\temp", "-rf", "🎉"]
)
def test_any_title_makes_a_file_name_that_every_system_takes(personal, title):
    answer = personal.add(TEXT, "--title", title)
    stem = answer["path"].removesuffix(".md")
    assert stem.strip("abcdefghijklmnopqrstuvwxyz0123456789-") == ""
    assert stem not in {"con", "aux", "nul", "lpt9"} and not stem.startswith("-")
    assert personal.memory(answer["id"])["title"] == title


def test_titles_that_make_one_file_name_make_three_files(personal):
    titles = ("Mapa de ruta", "mapa-de-ruta", "MAPA DE RUTA!")
    bodies = ("Primero las ballenas.", "Después el hormigón.", "Al final, el café.")
    answers = [
        personal.add(body, "--title", title) for body, title in zip(bodies, titles, strict=True)
    ]
    assert len({answer["id"] for answer in answers}) == 3
    assert len({answer["path"].lower() for answer in answers}) == 3
    assert [personal.memory(answer["id"])["title"] for answer in answers] == list(titles)


def test_a_file_that_is_there_is_never_written_over(personal):
    there = personal.put("The-Staging-Database-is-reset-every-Monday.md", "Mine.\n")
    answer = personal.add(TEXT)
    assert there.read_text() == "Mine.\n"
    assert answer["path"].lower() != there.name.lower()


# What it does not do


def test_a_dry_run_gives_the_same_answer_and_writes_nothing(personal, home):
    personal.add("Whales sing at night.", "--title", "Whales")
    personal.listed()
    before = personal.files(), contents(home / "state")
    dry = personal.add(TEXT, "--dry-run")
    assert (personal.files(), contents(home / "state")) == before
    real = personal.add(TEXT)
    same = dry.keys() - {"id", "dry_run"}
    assert {key: dry[key] for key in same} == {key: real[key] for key in same}
    assert (dry["dry_run"], real["dry_run"]) == (True, False)


def test_a_dry_run_names_the_path_that_would_be_free(personal):
    personal.add("Whales sing at night.", "--title", "Whales")
    other = ("Concrete hardens in water.", "--title", "Whales")
    assert personal.add(*other, "--dry-run")["path"] == personal.add(*other)["path"]


@pytest.mark.parametrize("where", ["text", "title"])
def test_a_secret_is_refused_and_force_does_not_help(personal, where):
    secret = "postgres://app:hunter2-9c1f@db.internal.example.org/app"
    arguments = (secret,) if where == "text" else (TEXT, "--title", secret)
    result = personal.muninn("add", *arguments, "--force")
    assert (result.code, "secret" in result.err, "hunter2" in result.err) == (1, True, False)
    assert personal.files() == {}


def test_a_secret_is_stored_where_the_setting_allows_it(personal):
    env = {"MUNINN_REMEMBER_SECRETS": "allow"}
    assert personal.add("token ghp_" + "a1B2c3D4e5F6" * 3, env=env)["operation"] == "added"


def test_an_unwritable_vault_is_one_line_and_leaves_nothing(personal, monkeypatch):
    personal.add("Whales sing at night.")
    before = personal.files()
    import os

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = personal.muninn("add", TEXT)
    assert result.code == 1
    assert "the disk is full" in result.err
    assert personal.files() == before


def test_a_vault_whose_folder_is_gone_is_an_error_and_not_made_anew(personal):
    personal.add("Whales sing at night.")
    gone = personal.root.rename(personal.root.with_name("unmounted"))
    result = personal.muninn("add", TEXT)
    assert (result.code, str(personal.root) in result.err) == (3, True)
    assert not personal.root.exists()
    gone.rename(personal.root)
    assert len(personal.listed()) == 1


def test_a_memory_is_stored_though_its_commit_has_to_wait(personal, home, monkeypatch):
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "t")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "t@example.org")
    monkeypatch.setattr(app, "LOCK_PATIENCE", 0.1)
    git = {"MUNINN_GIT_AUTO": "true"}
    personal.add("Whales sing.", env=git)
    with (home / "state/locks/commits.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = personal.muninn("add", TEXT, env=git)
    assert (result.code, "not committed" in result.err) == (0, True)
    personal.add("Bees dance.", env=git)
    log = subprocess.check_output(["git", "log", "--format=%s"], cwd=personal.root, text=True)
    assert log.splitlines() == ["Add Bees dance", f"Add {TEXT[:-1]}", "Add Whales sing"]


def test_people_read_what_became_of_a_text(personal):
    first = personal.muninn("add", TEXT).out
    assert first.startswith("Added ")
    assert "T2 (default); unused, it expires in 90 days" in first
    assert personal.muninn("add", TEXT.upper()).out.startswith("Known already, refreshed ")
