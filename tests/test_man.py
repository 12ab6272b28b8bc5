"""The manual says what the program does: up to date, complete, and without a fault in its roff."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import muninn_cli
from muninn_cli.cli.group import COMMANDS, muninn
from muninn_cli.cli.options import EVERYWHERE
from muninn_cli.cli.run import TERMINATED, InterruptedByPersonError
from muninn_cli.config.load import variable
from muninn_cli.config.settings import SETTINGS
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.errors import MuninnError
from muninn_cli.paths import Home

ROOT = Path(muninn_cli.__file__).parent.parent
PAGES = ("muninn.1", "muninn-memory.5")


def text_of(name: str) -> str:
    """A page without the marks of roff."""
    text = (ROOT / "man" / name).read_text(encoding="utf-8")
    return re.sub(r"\\f[BIRP]", "", text).replace("\\-", "-").replace("\\(dq", '"')


MANUAL, FORMAT = map(text_of, PAGES)
LINES = MANUAL.splitlines()


def commands(command: click.Command, path: str = "muninn"):
    """Every command with its whole name."""
    yield path, command
    if isinstance(command, click.Group):
        names = COMMANDS if command is muninn else command.commands
        for name in names:
            child = command.get_command(click.Context(command), name)
            assert child is not None
            if not child.hidden:
                yield from commands(child, f"{path} {name}")


def test_the_pages_are_up_to_date():
    """If not: python scripts/make_man.py"""
    check = [sys.executable, ROOT / "scripts" / "make_man.py", "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_command_and_option_is_there():
    for path, command in commands(muninn):
        if command is muninn:
            continue
        heads = [line for line in LINES if line.startswith(f".B {path}")]
        assert heads, path
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert any(line.startswith(f".B {option.opts[0]}") for line in LINES), option.name
    for option in EVERYWHERE:
        assert option.opts[-1] in MANUAL


def test_every_setting_is_there_with_its_default():
    for key in SETTINGS:
        assert any(line.startswith(f'.BR {key} " = ') for line in LINES), key


def exit_codes() -> set[int]:
    family = [MuninnError, *MuninnError.__subclasses__(), InterruptedByPersonError]
    return {0, TERMINATED, *(error.exit_code for error in family)}


def test_every_exit_code_is_there():
    section = MANUAL.partition(".SH EXIT STATUS")[2].partition(".SH ")[0]
    assert {int(code) for code in re.findall(r"^\.B (\d+)$", section, re.M)} == exit_codes()


def test_every_variable_of_the_environment_is_there():
    named = re.compile(r'(?:env(?:\.get\(|\[)|_VARIABLE = )"([A-Z][A-Z_]+)"')
    source = "".join(path.read_text() for path in (ROOT / "muninn_cli").rglob("*.py"))
    found = set(named.findall(source)) - {"PWD"}
    assert {"MUNINN_HOME", "MUNINN_VAULT", "MUNINN_SESSION", "NO_COLOR", "EDITOR"} <= found
    assert [name for name in found if name not in MANUAL] == []
    assert variable("search.limit") in MANUAL


def test_every_place_below_the_home_is_there():
    home = Home(Path("~/.muninn"))
    places = [home.config, home.vaults, home.journal, home.dream_due, home.templates, home.state]
    for place in (*places, home.index_db):
        assert str(place) in MANUAL


def test_every_key_of_a_memory_file_is_described():
    source = (ROOT / "muninn_cli" / "core" / "memory_file.py").read_text()
    keys = set(re.findall(r'fields\.\w+\("(\w+)"', source)) | {"id", "type", "tier", "importance"}
    assert len(keys) > 18
    assert [key for key in keys if f".B {key}\n" not in FORMAT] == []


def test_the_example_of_the_format_is_a_memory_without_a_problem():
    example = FORMAT.partition(".nf\n")[2].partition(".fi\n")[0]
    memory = read(example.encode(), "a.md", "vault")
    assert isinstance(memory, Memory)
    assert (memory.id, memory.problems) == ("01JQXW9Z6N8F4T2M5R7K3C1B0A", ())


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_set_without_a_warning(name):
    if not shutil.which("groff"):
        pytest.skip("no groff here")
    done = subprocess.run(
        ["groff", "-t", "-man", "-ww", "-Tutf8", "-K", "utf8", ROOT / "man" / name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", PAGES)
def test_man_shows_the_pages_without_a_warning(name):
    if not shutil.which("man"):
        pytest.skip("no man here")
    done = subprocess.run(
        ["man", "--warnings", "-l", ROOT / "man" / name],
        env={"MANPAGER": "cat", "PAGER": "cat", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
