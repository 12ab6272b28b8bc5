"""`muninn init`: a home folder, made once, whoever calls."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest


def test_an_empty_place_becomes_a_home(muninn, home):
    answer = muninn("init", "--json").json
    assert answer["operation"] == "created"
    assert answer["vault"] == "personal"
    assert (home / "vaults" / "personal").is_dir()
    assert tomllib.loads((home / "config.toml").read_text())["vaults"]["personal"]["managed"]


def test_the_home_is_closed_to_others(muninn, home):
    muninn("init")
    assert home.stat().st_mode & 0o077 == 0


def test_a_second_time_changes_nothing(muninn, home):
    muninn("init")
    before = (home / "config.toml").read_bytes()
    answer = muninn("init", "--json")
    assert (answer.code, answer.json["operation"]) == (0, "exists")
    assert (home / "config.toml").read_bytes() == before


def test_a_command_that_needs_a_vault_makes_the_home(muninn, home):
    assert [vault["name"] for vault in muninn("vault", "list", "--json").json["vaults"]] == [
        "personal"
    ]
    assert (home / "config.toml").exists()


def test_asking_for_a_setting_makes_nothing(muninn, home):
    assert muninn("config", "get", "search.limit").out == "10\n"
    assert not home.exists()


def test_eight_first_runs_at_once_make_one_home(muninn, muninn_process, home):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: muninn_process("init", "--json"), range(8)))
    assert [answer.code for answer in answers] == [0] * 8
    operations = sorted(answer.json["operation"] for answer in answers)
    assert operations == ["created"] + ["exists"] * 7
    assert list(tomllib.loads((home / "config.toml").read_text())["vaults"]) == ["personal"]


def test_the_first_vault_is_a_git_repository_unless_declined(muninn, home):
    muninn("init", env={"MUNINN_GIT_AUTO": "true"})
    assert (home / "vaults" / "personal" / ".git").is_dir()
    assert muninn("vault", "show", "personal", "--json").json["vault"]["git"] is True


def test_no_git_declines(muninn, home):
    muninn("init", "--no-git", env={"MUNINN_GIT_AUTO": "true"})
    assert not (home / "vaults" / "personal" / ".git").exists()


def test_no_repository_is_made_inside_another(muninn, home):
    subprocess.run(["git", "init", "--quiet", str(home.parent)], check=True)
    answer = muninn("init", env={"MUNINN_GIT_AUTO": "true"})
    assert not (home / "vaults" / "personal" / ".git").exists()
    assert str(home.parent) in answer.err
    assert muninn("vault", "show", "personal", "--json").json["vault"]["git"] is False


def test_without_any_home_folder_the_hint_names_the_variable(muninn):
    code, out, err = muninn("init", env={"MUNINN_HOME": "", "HOME": ""})
    assert (code, out) == (1, "")
    assert "HOME is not set" in err
    assert "MUNINN_HOME" in err


def test_a_folder_of_another_program_is_left_alone(muninn, tmp_path):
    (tmp_path / ".muninn" / "data" / "pebble").mkdir(parents=True)
    answer = muninn("init", "--json", env={"MUNINN_HOME": ""})
    assert answer.code == 4
    assert "another program" in answer.error["message"]
    assert "MUNINN_HOME" in answer.error["hint"]
    assert not (tmp_path / ".muninn" / "config.toml").exists()


@pytest.mark.parametrize("written", ["~/memory", "../memory"])
def test_muninn_home_is_read_as_a_shell_would(muninn, tmp_path, written):
    below = tmp_path / "below"
    below.mkdir()
    muninn("init", env={"MUNINN_HOME": written, "HOME": str(tmp_path)}, cwd=below)
    assert (tmp_path / "memory" / "config.toml").exists()


def test_a_home_that_cannot_be_made_is_one_line(muninn, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = muninn("init", env={"MUNINN_HOME": str(tmp_path / "file")})
    assert code == 5
    assert "Not a directory" in err


def test_python_dash_m_is_the_command(muninn):
    done = subprocess.run(
        [sys.executable, "-m", "muninn_cli", "--version"], capture_output=True, check=True
    )
    assert done.stdout.startswith(b"muninn ")


def test_a_relative_home_lies_in_the_current_folder(muninn, tmp_path):
    (tmp_path / "below").mkdir()
    env = {"MUNINN_HOME": "", "HOME": "people"}
    answer = muninn("init", "--json", env=env, cwd=tmp_path / "below")
    assert answer.json["home"] == str(tmp_path / "below" / "people" / ".muninn")
