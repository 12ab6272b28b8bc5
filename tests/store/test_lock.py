"""The lock: one holder at a time, freed by any death, named to whoever must wait."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muninn_cli.errors import BusyError, MuninnError
from muninn_cli.store.lock import hold

NOW = datetime(2026, 3, 28, 6, tzinfo=UTC)


def take(path: Path, *, now: datetime = NOW, host: str = "here", pid: int = 100, wait: float = 0.0):
    return hold(path, now=now, host=host, pid=pid, wait=wait)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "locks" / "dream.lock"


def test_a_held_lock_is_refused_and_its_holder_named(path):
    with take(path, pid=123):
        with (
            pytest.raises(
                BusyError, match=r"dream.lock.*process 123 on here since 2026-03-28T06:00:00Z"
            ),
            take(path),
        ):
            pass
        assert json.loads(path.read_text()) == {
            "host": "here",
            "pid": 123,
            "since": "2026-03-28T06:00:00Z",
        }
    with take(path) as taken:
        assert taken.notice == ""


def test_a_lock_is_freed_by_an_error(path):
    with pytest.raises(ValueError, match="x"), take(path):
        raise ValueError("x")
    with take(path) as taken:
        assert taken.notice == ""
    assert path.read_bytes() == b""


def test_waiting_ends_when_the_holder_does(path):
    holding, done = threading.Event(), threading.Event()

    def holder() -> None:
        with take(path):
            holding.set()
            done.wait(5)

    thread = threading.Thread(target=holder)
    thread.start()
    holding.wait(5)
    threading.Timer(0.1, done.set).start()
    with take(path, wait=5):
        assert done.is_set()
    thread.join()


def test_waiting_has_an_end(path):
    start = time.monotonic()
    with take(path), pytest.raises(BusyError), take(path, wait=0.1):
        pass
    assert 0.1 <= time.monotonic() - start < 2


KILLED = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from muninn_cli.store.lock import hold
with hold(Path(sys.argv[1]), now=datetime(2026, 3, 28, 5, tzinfo=UTC), host="here", pid=os.getpid()):
    os._exit(9)
"""


def test_the_lock_of_a_killed_process_is_taken_over_with_a_notice(path):
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)])
    assert child.wait() == 9
    with take(path) as taken:
        assert f"process {child.pid} on here since 2026-03-28T05:00:00Z" in taken.notice
    with take(path) as taken:
        assert taken.notice == ""


@pytest.mark.parametrize(
    ("notes", "noticed"),
    [
        (b"", ""),
        (b"  \n", ""),
        (b"999999\n", "999999"),
        (b"pid=abc", "pid=abc"),
        (b"\xff\0", "somebody"),
        (b"[" * 100_000, "somebody"),
        (b'{"host": "here", "pid": 1, "since": "2026-03-28T05:59:00Z"}', "process 1 on here"),
        (b'{"host": "there", "pid": 1, "since": "2026-03-28T04:59:00Z"}', "process 1 on there"),
        (b'{"host": "there", "pid": 1, "since": "2026-03-29T06:00:00Z"}', "process 1 on there"),
        (b'{"host": "there", "pid": 1, "since": "some day"}', "process 1 on there"),
        (b'{"host": "there"}', "somebody"),
    ],
)
def test_a_free_lock_is_taken_whatever_its_notes_say(path, notes, noticed):
    path.parent.mkdir()
    path.write_bytes(notes)
    with take(path) as taken:
        assert noticed in taken.notice
        assert bool(taken.notice) == bool(noticed)
        assert json.loads(path.read_text())["pid"] == 100


@pytest.mark.parametrize("age", [timedelta(0), timedelta(minutes=59), -timedelta(minutes=59)])
def test_the_fresh_note_of_another_host_is_refused_and_stays(path, age):
    with take(path, host="there", pid=7):
        left = path.read_bytes()
    path.write_bytes(left)
    with pytest.raises(BusyError, match="process 7 on there"), take(path, now=NOW + age):
        pass
    assert path.read_bytes() == left
    with take(path, now=NOW + age, host="there"):
        pass


def test_a_lock_that_cannot_be_opened_is_one_line(path):
    path.mkdir(parents=True)
    with pytest.raises(MuninnError, match=r"dream.lock"), take(path):
        pass


COUNTING = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from muninn_cli.store.lock import hold
lock, counter = Path(sys.argv[1]), Path(sys.argv[2])
for _ in range(20):
    with hold(lock, now=datetime(2026, 3, 28, tzinfo=UTC), host="here", pid=1, wait=30):
        count = int(counter.read_text())
        time.sleep(0.001)
        counter.write_text(str(count + 1))
"""


def test_processes_take_turns(path, tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("0")
    children = [
        subprocess.Popen([sys.executable, "-c", COUNTING, str(path), str(counter)])
        for _ in range(4)
    ]
    assert [child.wait() for child in children] == [0] * 4
    assert counter.read_text() == "80"
