"""`muninn demo`: a show in a home of its own, for people and for programs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from muninn_cli.cli.demo import STEPS


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_person_sees_each_command_and_its_answer(muninn):
    answer = muninn("demo")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.count("$ muninn ") == len(STEPS) + 1
    assert "Copias de seguridad" in answer.out
    assert "Alergia de Marta" in answer.out
    assert "Merged 2 near-duplicates" in answer.out
    assert "Undone: " in answer.out


def test_a_program_gets_one_document_with_those_of_the_commands(muninn):
    found = muninn("demo", "--json").json
    commands = [step["command"].split()[1] for step in found["steps"]]
    assert commands == ["init", "add", "search", "search", "dream", "dream", "undo"]
    assert found["steps"][2]["answer"]["hits"][0]["title"] == "Copias de seguridad"
    assert Path(found["home"], "config.toml").is_file()


def test_nothing_of_the_person_is_read_or_written(muninn):
    own = {"MUNINN_VAULT": "no such vault", "MUNINN_SEARCH_LIMIT": "nonsense"}
    assert muninn("demo", env=own).code == 0
    assert not muninn.home.exists()


def test_colour_is_for_the_commands_too(muninn):
    assert "\x1b[1mCopias de seguridad" in muninn("demo", "--color", "always").out
