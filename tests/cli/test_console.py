"""What reaches the two streams: colour, escapes, encodings, broken pipes, failures."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled, escaped
from muninn_cli.cli.progress import Bar
from muninn_cli.errors import ConflictError

NASTY = "a\x1b[31m\u202eb\u2028c\x9b\u200bd"


@pytest.fixture
def call(muninn):
    def make(**options):
        return Call(muninn.world(**options))

    return make


def said(call):
    return call.world.stdout.text(), call.world.stderr.text()


def test_text_of_memories_does_not_steer_a_terminal(call):
    here = call(terminal=True)
    here.console.print(NASTY)
    assert said(here)[0] == "a\\u001b[31m\\u202eb\\u2028c\\u009b\\u200bd\n"


def test_tabs_and_lines_of_a_body_stay(call):
    here = call(terminal=True)
    here.console.print("a\tb\nc")
    assert said(here)[0] == "a\tb\nc\n"


def test_a_pipe_gets_the_text_as_it_is(call):
    here = call()
    here.console.print(NASTY)
    assert said(here)[0] == NASTY + "\n"


def test_messages_are_one_line_each(call):
    here = call()
    here.console.notice("file a\nb\x1b.md")
    assert said(here)[1] == "file a\\nb\\u001b.md\n"


def test_json_with_control_characters_is_valid_and_says_the_same(call):
    here = call(terminal=True)
    here.console.data({"title": NASTY})
    out = said(here)[0]
    assert "\u202e" not in out
    assert json.loads(out) == {"v": 1, "title": NASTY}


def test_json_has_no_nan(call):
    with pytest.raises(ValueError, match="not JSON compliant"):
        call().console.data({"score": float("nan")})


def test_json_on_an_ascii_stream_is_valid(call):
    here = call(encoding="ascii")
    here.console.data({"title": "ñ 🐦 \udc80"})
    assert json.loads(said(here)[0])["title"] == "ñ 🐦 \udc80"


def test_an_ascii_stream_fails_on_nothing(call):
    here = call(encoding="ascii")
    here.console.print("ñ 🐦")
    here.console.notice("ñ")
    assert said(here) == ("\\xf1 \\U0001f426\n", "\\xf1\n")


def test_a_name_that_is_not_utf8_can_be_printed(call):
    here = call()
    here.console.print("a\udc80")
    here.console.data({"path": "a\udc80"})
    text, document = said(here)[0].splitlines()
    assert text == "a\\udc80"
    assert json.loads(document)["path"] == "a\udc80"


@pytest.mark.parametrize(
    ("color", "env", "terminal", "shown"),
    [
        (None, {}, True, True),
        (None, {}, False, False),
        (None, {"TERM": "dumb"}, True, False),
        (None, {"NO_COLOR": "1"}, True, False),
        (None, {"NO_COLOR": ""}, True, True),
        (None, {"FORCE_COLOR": "1"}, False, True),
        (None, {"FORCE_COLOR": "0"}, True, False),
        (None, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        (None, {"MUNINN_UI_COLOR": "always"}, False, True),
        (None, {"MUNINN_UI_COLOR": "never"}, True, False),
        (None, {"MUNINN_UI_COLOR": "never", "FORCE_COLOR": "1"}, False, True),
        (None, {"MUNINN_UI_COLOR": "nonsense"}, True, True),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_who_decides_on_colour(call, color, env, terminal, shown):
    here = call(env=env, terminal=terminal)
    here.flags.color = color
    here.console.print(Styled("x", "bold"))
    assert said(here)[0] == ("\x1b[1mx\x1b[0m\n" if shown else "x\n")


def test_quiet_keeps_notices_and_never_failures(call):
    here = call()
    here.flags.quiet = True
    here.console.notice("a notice")
    here.console.error(ConflictError("it failed", "try this"))
    assert said(here)[1] == "muninn: it failed\n  try this\n"


def test_a_failure_as_json(call):
    here = call()
    here.flags.json = True
    here.console.error(ConflictError("it failed", "try this"))
    failure = {"code": "conflict", "message": "it failed", "hint": "try this"}
    assert json.loads(said(here)[1]) == {"v": 1, "error": failure}


@pytest.mark.parametrize(
    ("typed", "answer"), [("y\n", True), ("Sí\n", True), ("\n", False), ("", False)]
)
def test_only_a_yes_is_a_yes(call, typed, answer):
    assert call(stdin=typed).console.confirm("Really?") is answer


def test_escaping_json_text_keeps_its_meaning():
    assert json.loads(escaped(json.dumps(NASTY, ensure_ascii=False))) == NASTY


def test_a_bar_waits_half_a_second_and_leaves_nothing(muninn):
    stream, now = muninn.world().stderr, [0.0]
    bar = Bar("Indexing", stream, lambda: now[0])
    bar(1, 10)
    assert stream.text() == ""
    now[0] = 0.6
    bar(5, 10)
    assert "[###############---------------] 5/10" in stream.text()
    bar.clear()
    assert stream.text().endswith("\r\x1b[K")


@pytest.mark.parametrize(("terminal", "quiet"), [(False, False), (True, True)])
def test_no_bar_where_nobody_watches(call, terminal, quiet):
    here = call(terminal=terminal)
    here.flags.quiet = quiet
    with here.console.progress("Indexing") as tell:
        tell(1, 10)
    assert said(here)[1] == ""


def shell(muninn, line):
    program = f"{sys.executable} -m muninn_cli"
    return subprocess.run(
        ["sh", "-c", line.replace("muninn", program)],
        env=muninn.env | {"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": ""},
        cwd=muninn.cwd,
        capture_output=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_is_silence(muninn, unbuffered):
    line = f"export PYTHONUNBUFFERED={unbuffered}; {{ muninn config list; echo $? >&2; }} | true"
    done = shell(muninn, line)
    assert done.stderr == b"0\n"


def test_closed_streams_are_no_failure_and_nothing_is_written_in_their_place(muninn, home):
    muninn("init")
    before = (home / "config.toml").read_bytes()
    done = shell(muninn, "muninn vault create a <&- >&- 2>&-")
    assert done.returncode == 0
    assert (home / "config.toml").read_bytes().startswith(before)
    assert shell(muninn, "muninn vault list >&-").stderr == b""


def test_a_full_disk_behind_stdout_is_a_failure_of_one_line(muninn):
    done = shell(muninn, "muninn config list > /dev/full")
    assert done.returncode == 1
    assert done.stderr == b"muninn: cannot write the output: No space left on device\n"


def test_the_c_locale_is_no_failure(muninn):
    muninn("vault", "create", "ñandú")
    done = shell(muninn, "LC_ALL=C PYTHONIOENCODING=ascii muninn vault list")
    assert done.returncode == 0
    assert rb"\xf1and\xfa" in done.stdout


@pytest.mark.parametrize(
    ("number", "code", "line"),
    [(signal.SIGINT, 130, b"muninn: interrupted\n"), (signal.SIGTERM, 143, b"")],
)
def test_an_interrupted_command_says_at_most_one_line(muninn, home, number, code, line):
    (home / "state" / "locks").mkdir(parents=True)
    holder = (
        "import fcntl,sys,time; f=open(sys.argv[1],'w'); fcntl.flock(f,fcntl.LOCK_EX);"
        "print('held',flush=True); time.sleep(30)"
    )
    lock = home / "state" / "locks" / "config.lock"
    other = subprocess.Popen([sys.executable, "-c", holder, lock], stdout=subprocess.PIPE)
    try:
        assert other.stdout.readline() == b"held\n"
        command = [sys.executable, "-m", "muninn_cli", "init"]
        waiting = subprocess.Popen(command, env=muninn.env, stderr=subprocess.PIPE)
        time.sleep(0.7)
        waiting.send_signal(number)
        assert waiting.communicate(timeout=10)[1] == line
        assert waiting.returncode == code
    finally:
        other.kill()
        other.communicate()
