"""A dream that is killed at any moment: after the next command every vault is as before or after.

Here some of the moments are tried; `tests/faults/crashes.py --only dream` tries all of them.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import Result
from dreaming import tree

TEXTS = (
    "The staging server listens on port 8443 behind nginx.",
    "The staging server listens on port 8443, behind nginx!",
    "Water the tomatoes on Mondays.",
    "Water the tomatoes on Mondays!",
)
_CALLS = ("link", "rename", "replace", "unlink", "fsync", "write", "rmdir", "mkdir", "ftruncate")
DEAD = 9
EVERY = 11
"""Only each so-manieth moment: they take a tenth of a second each."""


@pytest.fixture
def filled(muninn, tmp_path):
    """Two vaults with duplicates, and a saved plan."""
    muninn("init")
    muninn("vault", "create", "work")
    for vault in ("personal", "work"):
        for text in TEXTS:
            assert muninn("add", "--vault", vault, "--force", text).code == 0
    muninn.clock.advance(hours=13)
    plan = str(tmp_path / "plan.json")
    assert muninn("dream", "--dry-run", "--no-llm", "--save-plan", plan).code == 0
    shutil.copytree(muninn.home, tmp_path / "pristine")
    return muninn


def begin(muninn) -> None:
    shutil.rmtree(muninn.home)
    shutil.copytree(muninn.cwd / "pristine", muninn.home)


def files(muninn) -> dict[str, bytes]:
    """The files of all vaults but the ledgers, which only grow, and the hidden rest of a write."""
    found = tree(muninn.home / "vaults")
    passed = ("archive.jsonl", ".tmp")
    return {path: data for path, data in found.items() if not path.endswith(passed)}


def dream(muninn) -> Result:
    return muninn("dream", "--plan", str(muninn.cwd / "plan.json"))


def dies(muninn, act, moment: int, *, after: bool) -> bool:
    """Whether a command, in a process of its own, was killed at its n-th call that writes."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _die_at(moment, after=after)
            code = act(muninn).code
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, DEAD), (moment, after, code)
    return code == DEAD


def _die_at(moment: int, *, after: bool) -> None:
    count = 0

    def dying(call):
        def shim(*args, **options):
            nonlocal count
            count += 1
            if count == moment and not after:
                os._exit(DEAD)
            try:
                return call(*args, **options)
            finally:
                if count == moment:
                    os._exit(DEAD)

        return shim

    for name in _CALLS:
        setattr(os, name, dying(getattr(os, name)))


@pytest.mark.parametrize("after", [False, True])
def test_a_dream_killed_while_it_writes_is_done_or_has_not_been(filled, after):
    before = files(filled)
    assert dream(filled).code == 0
    done = files(filled)
    assert len(done) == len(before)  # two left each vault for its archive
    moment, states = 1 + 5 * after, set()
    begin(filled)
    while dies(filled, dream, moment, after=after):
        assert filled("list").code == 0
        now = files(filled)
        assert now in (before, done), moment
        states.add(now == done)
        if now == before:
            assert not (filled.home / "state" / "dream.json").exists(), moment
            assert dream(filled).code == 0
            assert files(filled) == done
        assert filled("undo").code == 0
        assert files(filled) == before, moment
        begin(filled)
        moment += EVERY
    assert states == {True, False}
    assert moment > 100


def test_an_undo_that_was_killed_is_done_by_the_next_command(filled):
    before = files(filled)
    dream(filled)
    done = files(filled)
    moment = 3
    while dies(filled, lambda muninn: muninn("undo"), moment, after=False):
        assert filled("list").code == 0
        assert files(filled) in (before, done), moment
        begin(filled)
        assert dream(filled).code == 0, moment
        moment += EVERY
    assert files(filled) == before
    assert moment > 40


def test_a_dream_killed_at_random_moments_loses_nothing(filled):
    before = files(filled)
    dream(filled)
    done = files(filled)
    chance = random.Random(7)
    for _ in range(6):
        begin(filled)
        command = [sys.executable, "-m", "muninn_cli", "dream", "--no-llm", "--force"]
        running = subprocess.Popen(
            command, env=os.environ | filled.env, cwd=filled.cwd, stdout=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.3, 1.0))
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert filled("list").code == 0
        now = files(filled)
        live = {path for path in now if "archive" not in path}
        assert now == before or live == {path for path in done if "archive" not in path}
