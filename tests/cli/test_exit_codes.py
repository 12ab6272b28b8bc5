"""Every exit code of the manual, each reached the way a person would meet it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from muninn_cli.store import lock

FACTS = (
    "The gateway drops idle connections.",
    "Invoices are sent on the third.",
    "The office closes at six.",
    "The gateway closes connections that are idle.",
)


@pytest.fixture
def stocked(muninn):
    for fact in FACTS:
        muninn("add", fact, "--force")
    return muninn


def code(muninn, *words: str, **options) -> int:
    answer = muninn(*words, **options)
    assert "Traceback" not in answer.err
    return answer.code


def test_zero_is_done_and_also_nothing_found(stocked):
    assert code(stocked, "list") == 0
    assert code(stocked, "search", "zebra", "--mode", "fulltext") == 0
    assert code(stocked, "--help") == 0
    assert code(stocked, "dream", "--force", "--no-llm") == 0
    assert code(stocked, "dream") == 0  # not due


def test_one_is_any_other_failure(stocked, tmp_path):
    assert code(stocked, "import", "-", stdin="nonsense\n") == 1
    (stocked.home / "vaults" / "personal" / "broken.md").write_text("---\ntitle: [a\n---\n")
    assert code(stocked, "doctor") == 1


def test_two_is_wrong_usage(stocked):
    assert code(stocked, "serach", "x") == 2
    assert code(stocked, "list", "--since", "yesterday") == 2


def test_three_is_something_that_is_not_there(stocked):
    assert code(stocked, "show", "nothing of the sort") == 3
    assert code(stocked, "list", "--vault", "wrok") == 3
    assert code(stocked, "config", "get", "search.limt") == 3


def test_four_is_a_conflict(stocked):
    assert code(stocked, "show", "0") == 4  # the beginning of every id
    assert code(stocked, "vault", "create", "personal") == 4


def test_five_is_what_cannot_be_read(stocked):
    (stocked.home / "vaults" / "personal" / "broken.md").write_text("---\ntitle: [a\n---\n")
    assert code(stocked, "pin", "broken.md") == 5
    with (stocked.home / "config.toml").open("a") as file:
        file.write("\nnonsense [\n")
    assert code(stocked, "list") == 5


def test_six_is_a_provider_that_was_asked_for_and_is_not_there(stocked):
    nobody = {"MUNINN_PROVIDERS_OLLAMA_URL": "http://127.0.0.1:9"}
    assert code(stocked, "dream", "--force", "--provider", "ollama", env=nobody) == 6


def test_seven_is_busy(stocked):
    busy = lock.hold(
        stocked.home / "state" / "locks" / "dream.lock", now=stocked.clock.now, host="a", pid=1
    )
    with busy:
        assert code(stocked, "dream", "--force", "--no-llm") == 7


def test_eight_is_a_dream_that_had_no_time(stocked):
    before = (stocked.home / "dream.journal.md").exists()
    assert code(stocked, "dream", "--force", "--no-llm", "--timeout", "0") == 8
    assert (stocked.home / "dream.journal.md").exists() == before


@pytest.mark.parametrize(
    ("sign", "exit_code", "told"),
    [(signal.SIGINT, 130, "muninn: interrupted\n"), (signal.SIGTERM, 143, "")],
)
def test_an_interrupted_command_says_so_in_one_line(muninn, sign, exit_code, told):
    muninn("init", "--no-git")
    waiting = subprocess.Popen(
        [sys.executable, "-m", "muninn_cli", "add", "-"],
        env=os.environ | muninn.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(1)
    assert waiting.poll() is None
    waiting.send_signal(sign)
    out, err = waiting.communicate(timeout=20)
    assert (waiting.returncode, out, err) == (exit_code, "", told)


def test_a_reader_that_has_gone_is_no_failure(stocked):
    reader = f"'{sys.executable}' -m muninn_cli list | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", reader],
        env=os.environ | stocked.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")
