"""The command line as a whole: overview, options everywhere, wrong words, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest

from muninn_cli import __version__
from muninn_cli.cli import main
from muninn_cli.cli.group import COMMANDS, SECTIONS

LIGHT = {"click", "muninn_cli"}
HEAVY = (
    *("importlib.metadata", "json", "logging", "pathlib", "shutil", "socket", "subprocess"),
    *("tempfile", "tomllib", "traceback", "urllib.parse"),
)


def test_help_loads_only_click_and_the_frame():
    program = (
        "import json,sys; start=set(sys.modules); from muninn_cli.cli import main;"
        "code=main(['--help']); new=sorted(set(sys.modules)-start);"
        "sys.stderr.write(json.dumps([code,new]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    code, modules = json.loads(done.stderr.decode().splitlines()[-1])
    assert code == 0
    others = {name.partition(".")[0] for name in modules} - set(sys.stdlib_module_names)
    assert others == LIGHT
    assert [name for name in HEAVY if name in modules] == []
    commands = {f"muninn_cli.cli.{entry.module}" for entry in COMMANDS.values()}
    assert commands.isdisjoint(modules)


def test_every_command_in_its_section_is_there(muninn):
    text = muninn("--help").out
    for title, entries in SECTIONS.items():
        assert (f"\n{title}:\n" in text) == bool(entries)
        for entry in entries:
            assert f"\n  {entry.name} " in text
            assert entry.summary in text


@pytest.mark.parametrize("entry", COMMANDS.values(), ids=list(COMMANDS))
def test_every_command_of_the_overview_can_be_called(muninn, entry):
    assert import_module(f"muninn_cli.cli.{entry.module}").command.name == entry.name
    code, out, _ = muninn(entry.name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: muninn {entry.name} ")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_the_overview_is_data_on_stdout(muninn, arguments):
    code, out, err = muninn(*arguments)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: muninn ")


def test_a_group_without_a_word_shows_its_commands(muninn):
    code, out, _ = muninn("config")
    assert code == 0
    assert "unset" in out


@pytest.mark.parametrize("arguments", [["--version"], ["vault", "list", "--version"]])
def test_the_version(muninn, arguments):
    assert muninn(*arguments).out == f"muninn {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "config", "get", "search.limit"],
        ["config", "--json", "get", "search.limit"],
        ["config", "get", "--json", "search.limit"],
        ["config", "get", "search.limit", "--json"],
    ],
)
def test_options_of_all_commands_stand_anywhere(muninn, arguments):
    assert muninn(*arguments).json["value"] == 10


def test_color_is_taken_before_and_after(muninn):
    for arguments in (["--color", "always", "vault", "list"], ["vault", "list", "--color=always"]):
        assert "\x1b[1mpersonal" in muninn(*arguments).out


@pytest.mark.parametrize(
    ("arguments", "near"),
    [(["vualt"], "vault"), (["vault", "crate", "x"], "create"), (["confg", "get"], "config")],
)
def test_an_unknown_command_is_answered_with_the_nearest(muninn, arguments, near):
    code, out, err = muninn(*arguments)
    assert (code, out) == (2, "")
    assert "no such command" in err
    assert f'did you mean "{near}"?' in err


@pytest.mark.parametrize(
    "arguments",
    [["zzz"], ["vault", "create"], ["vault", "create", "--nope", "x"], ["--nope"], ["init", "x"]],
)
def test_wrong_usage_is_exit_two_with_a_way_on(muninn, arguments):
    answer = muninn(*arguments, "--json")
    assert answer.code == 2
    assert answer.error["code"] == "usage"
    assert "--help" in answer.error["hint"]


def test_a_text_without_quotes_is_told_of_them(muninn):
    assert "stands in quotes" in muninn("search", "two", "words").err


def test_what_may_be_chosen_is_told_on_one_line(muninn):
    lines = muninn("completion").err.splitlines()
    assert len(lines) == 2
    assert "bash, zsh, fish" in lines[0]


def test_a_word_after_two_dashes_is_never_an_option(muninn):
    assert "--json" in muninn("vault", "show", "--", "--json").err
    assert muninn("vault", "show", "--", "--json").err.startswith("muninn: ")


def test_what_nobody_foresaw_is_one_line(muninn, monkeypatch):
    def fail(*_):
        raise RuntimeError("boom")

    monkeypatch.setattr("muninn_cli.app.read_config", fail)
    code, out, err = muninn("vault", "list")
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "muninn: unexpected RuntimeError: boom",
        "  this is a fault of muninn; -v shows where",
    ]
    assert "Traceback" in muninn("-v", "vault", "list").err


def test_completion_offers_commands_without_loading_them(muninn_process):
    env = {"_MUNINN_COMPLETE": "bash_complete", "COMP_WORDS": "muninn va", "COMP_CWORD": "1"}
    assert muninn_process(env=env).out == "plain,vault\n"


def test_main_returns_its_code_and_never_exits(muninn):
    assert main(["--nope"], muninn.world()) == 2
