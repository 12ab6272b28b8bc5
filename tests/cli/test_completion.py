"""Completion: scripts for three shells, and the words that the index knows."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muninn_cli.cli.completion import SHELLS, script

CHECKOUT = Path(__file__).parents[2] / "completions"
FILES = {"bash": "muninn.bash", "zsh": "_muninn", "fish": "muninn.fish"}


@pytest.fixture
def indexed(muninn):
    """A home with memories that are indexed."""
    muninn("vault", "create", "my work", "--no-git")
    muninn("add", "Step one", "--title", "Release runbook", "--tag", "deploy")
    muninn("add", "Two", "--title", "Dead relay", "--tag", "ops, two words", "--vault", "my work")
    (muninn.home / "vaults" / "my work" / "Año nuevo.md").write_text("# Año nuevo\n")
    muninn("add", "Three", "--title", "Gone")
    muninn("add", "A third way to release", "--title", "Third", "--force")
    muninn("list")
    muninn("archive", "Gone")
    muninn("list")
    return muninn


def asked(muninn, *words: str, shell: str = "bash") -> list[str]:
    """The words that are offered for the last of these."""
    env = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    env |= {"_MUNINN_COMPLETE": f"{shell}_complete"}
    done = subprocess.run(
        [sys.executable, "-m", "muninn_cli"],
        env=muninn.env | env,
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stderr) in ((0, b""), (1, b""))
    return [line.partition(",")[2] for line in done.stdout.decode().splitlines() if line]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shipped_scripts_are_those_that_the_command_prints(muninn, shell):
    assert (CHECKOUT / FILES[shell]).read_text() == script(shell) == muninn("completion", shell).out


def test_an_unknown_shell_is_wrong_usage(muninn):
    assert muninn("completion", "tcsh").code == 2


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["muninn", "sup"], ["supersede"]),
        (["muninn", "list", "--tier", ""], ["T0", "T1", "T2", "T3"]),
        (["muninn", "search", "x", "--vault", "p"], ["personal"]),
        (["muninn", "status", "--vault", "my"], ["'my work'"]),
        (["muninn", "vault", "show", "my"], ["'my work'"]),
        (["muninn", "list", "--tag", "d"], ["deploy"]),
        (["muninn", "list", "--tag", "#two"], ["'two words'"]),
        (["muninn", "show", "rel"], ["release-runbook.md"]),
        (["muninn", "show", "dead"], ["dead-relay.md"]),
        (["muninn", "pin", "año"], ["'Año nuevo.md'"]),
        (["muninn", "archive", "rel"], ["release-runbook.md"]),
        (["muninn", "archive", "se"], ["search"]),
        (["muninn", "show", "gone"], []),
        (["muninn", "config", "get", "search.li"], ["search.limit"]),
        (["muninn", "nonsense", "x"], []),
    ],
)
def test_what_is_offered(indexed, words, offered):
    assert asked(indexed, *words) == offered


def test_what_is_archived_is_offered_to_be_restored(indexed):
    memory = indexed("archive", "list", "--json").json["archived"][0]
    assert asked(indexed, "muninn", "restore", "gone") == [memory["id"][-8:]]


def test_runs_are_offered_to_be_undone(indexed):
    run = indexed("supersede", "Release runbook", "Third", "--json").json["run"]
    assert asked(indexed, "muninn", "undo", "2026") == [run]


def test_other_shells_quote_by_themselves(indexed):
    assert "plain\nmy work\n_" in "\n".join(zsh_lines(indexed))


def zsh_lines(muninn) -> list[str]:
    env = {"COMP_WORDS": "muninn status --vault my", "COMP_CWORD": "3"}
    env |= {"_MUNINN_COMPLETE": "zsh_complete"}
    done = subprocess.run(
        [sys.executable, "-m", "muninn_cli"],
        env=muninn.env | env,
        capture_output=True,
        check=True,
        timeout=30,
    )
    return done.stdout.decode().splitlines()


def test_nothing_is_synced_and_no_home_is_made(muninn, indexed):
    index = indexed.home / "index.db"
    (indexed.home / "vaults" / "personal" / "fresh.md").write_text("# Fresh\n")
    before = index.stat().st_mtime_ns
    assert asked(indexed, "muninn", "show", "fresh") == []
    assert index.stat().st_mtime_ns == before
    shutil.rmtree(indexed.home)
    for words in (["show", "x"], ["list", "--tag", ""], ["vault", "show", ""]):
        assert asked(muninn, "muninn", *words) == []
    assert not muninn.home.exists()


def test_a_damaged_index_and_settings_offer_nothing(indexed):
    (indexed.home / "index.db").write_bytes(b"no index")
    assert asked(indexed, "muninn", "show", "rel") == []
    (indexed.home / "config.toml").write_text("nonsense [")
    assert asked(indexed, "muninn", "list", "--vault", "p") == []


@pytest.fixture
def on_path(indexed, tmp_path):
    """The environment of a shell that finds `muninn`."""
    program = tmp_path / "bin" / "muninn"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m muninn_cli "$@"\n')
    program.chmod(0o755)
    return indexed.env | {"PATH": f"{program.parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


def in_shell(program: str, text: str, env: dict[str, str]) -> str:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    done = subprocess.run(
        [program, "-c", text], env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    return done.stdout


def test_bash_completes(on_path):
    text = f"""
        source "{CHECKOUT}/muninn.bash"
        complete -p muninn
        COMP_WORDS=(muninn show rel); COMP_CWORD=2
        _muninn_completion muninn; echo "${{COMPREPLY[@]}}"; COMPREPLY=()
        COMP_WORDS=(muninn list --vault my); COMP_CWORD=3
        _muninn_completion muninn; echo "${{COMPREPLY[@]}}\""""
    assert in_shell("bash", text, on_path).splitlines() == [
        "complete -o nosort -F _muninn_completion muninn",
        "release-runbook.md",
        "'my work'",
    ]


def test_fish_completes(on_path):
    text = f'source "{CHECKOUT}/muninn.fish"; complete -C "muninn show rel"'
    assert in_shell("fish", text, on_path).split("\t")[0] == "release-runbook.md"


def test_zsh_reads_its_script(on_path):
    text = f"""
        autoload -Uz compinit; compinit -u -D
        source "{CHECKOUT}/_muninn"; print $_comps[muninn]"""
    assert in_shell("zsh", text, on_path) == "_muninn_completion\n"
