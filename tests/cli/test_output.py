"""What people see: widths, pipes, colour, and terminals that can do little."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
import termios
from fcntl import ioctl

import pytest

from muninn_cli.cli.fitting import cells
from muninn_cli.cli.progress import Bar

LONG = "An uncommonly long title about the gateway that drops connections nobody uses any more"
FACTS = {
    LONG: "The gateway drops connections that were idle for an hour, which nobody expects.",
    "日本語のタイトルはとても長いので切られる必要がありますね、そうでしょう、きっとそう": "Wide words.",
    "Short": "The gateway is restarted on Monday.",
}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def stocked(muninn):
    for title, text in FACTS.items():
        muninn("add", text, "--title", title, "--tag", "gateway", "--force")
    return muninn


def in_terminal(muninn, *words: str, columns: int = 80, **env: str) -> str:
    """What a command prints on a terminal of its own, with all its escapes."""
    leader, follower = pty.openpty()
    ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    plain = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    running = subprocess.Popen(
        [sys.executable, "-m", "muninn_cli", *words],
        env=plain | muninn.env | {"TERM": "xterm"} | env,
        stdin=follower,
        stdout=follower,
        stderr=subprocess.DEVNULL,
    )
    os.close(follower)
    data = b""
    try:
        while piece := os.read(leader, 65536):
            data += piece
    except OSError:
        pass
    os.close(leader)
    assert running.wait(timeout=30) == 0
    return data.decode().replace("\r\n", "\n")


SHOWN = (
    ["search", "gateway connections", "--explain", "--no-recall"],
    ["list"],
    ["expiring", "--days", "365"],
    ["status"],
)


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("words", SHOWN, ids=lambda words: words[0])
def test_no_line_is_wider_than_the_terminal(stocked, words, columns):
    lines = COLOUR.sub("", in_terminal(stocked, *words, columns=columns)).splitlines()
    assert len(lines) >= len(FACTS)
    assert max(map(cells, lines)) <= columns


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize(("language", "heading"), [("en", "Left alone"), ("es", "Omitido")])
def test_a_dream_keeps_to_the_terminal_too(stocked, language, heading, columns):
    for text in ("New colleagues receive a laptop.", "A new colleague gets a laptop."):
        stocked("add", text, "--force")
    env = {"MUNINN_JOURNAL_LANGUAGE": language}
    for words in (["dream", "--force", "--no-llm"], ["journal"], ["review"]):
        text = COLOUR.sub("", in_terminal(stocked, *words, columns=columns, **env))
        assert max(map(cells, text.splitlines())) <= columns
        assert ("1. near-duplicate: " if words == ["review"] else f"**{heading}:**") in text


def test_what_belongs_to_a_memory_is_broken_between_words(stocked):
    text = COLOUR.sub("", in_terminal(stocked, "show", "Short", "--no-recall", columns=40))
    head = text.partition("\n\n")[0].splitlines()
    assert max(map(len, head)) <= 40
    assert "expires in " in " ".join(head)


def test_a_narrow_list_gives_its_room_to_the_titles(stocked):
    lines = COLOUR.sub("", in_terminal(stocked, "list", columns=40)).splitlines()
    assert any("An uncommonly long title…" in line for line in lines)
    assert not any("personal/" in line for line in lines)


def test_a_wide_list_uses_the_width_and_stands_in_columns(stocked):
    lines = COLOUR.sub("", in_terminal(stocked, "list", columns=200)).splitlines()
    assert any(LONG in line for line in lines)
    starts = {cells(line.partition("personal/")[0]) for line in lines}
    assert len(starts) == 1


def test_after_a_pipe_nothing_is_cut_and_nothing_coloured(stocked):
    text = stocked("list").out
    assert LONG in text
    assert "…" not in text
    assert "\x1b" not in text
    assert LONG in stocked("search", "gateway connections", "--no-recall").out


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
    ],
)
def test_colour_on_a_terminal_follows_the_environment(stocked, env, coloured):
    assert bool(COLOUR.search(in_terminal(stocked, "list", **env))) is coloured


@pytest.mark.parametrize(("terminal", "drawn"), [("xterm", True), ("dumb", False)])
def test_a_bar_is_drawn_only_where_a_line_can_be_cleared(muninn, monkeypatch, terminal, drawn):
    monkeypatch.setattr("muninn_cli.cli.progress.PATIENCE", -1.0)
    (muninn.cwd / "notes").mkdir()
    (muninn.cwd / "notes" / "one.md").write_text("# One\n")
    answer = muninn("import", "notes", terminal=True, env={"TERM": terminal})
    assert (answer.code, "\x1b" in answer.err) == (0, drawn)


def test_a_bar_is_never_wider_than_the_terminal():
    leader, follower = pty.openpty()
    for columns in (20, 40, 80):
        ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with open(follower, "w", closefd=False) as stream:
            bar = Bar("Importing", stream, lambda: 100.0)
            assert len(bar._line(4932, 14935)) < columns
    os.close(leader)
    os.close(follower)


def test_help_is_as_wide_as_the_terminal_up_to_what_can_be_read(stocked):
    for columns, most in ((50, 60), (80, 80), (200, 100)):
        lines = in_terminal(stocked, "import", "--help", columns=columns).splitlines()
        assert most // 2 < max(map(len, lines)) <= most


def test_a_memory_is_found_by_what_a_list_shows(stocked):
    place = stocked("list", "--json").json["hits"][0]
    handle = f"{place['vault']}/{place['path']}"
    assert stocked("show", handle, "--json").json["memory"]["id"] == place["id"]
    assert stocked("show", "elsewhere/short.md").code == 3
