"""Kill each command at every write, rename, removal and sync it makes, one after the other.

    python tests/faults/crashes.py [--every N] [--git] [--only NAME]

A place is killed in two ways: before the act, and in the middle of it (half of what is written,
half of what is to be synced).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from scene import COMMANDS, Command, Scene
from table import Trial, told

KILLED = 99
_WATCHED = frozenset(
    {
        "os.rename",
        "os.remove",
        "os.link",
        "os.mkdir",
        "os.rmdir",
        "os.truncate",
        "os.chmod",
        "os.chown",
        "subprocess.Popen",
    }
)
"""Audit events of acts that change a disk; writes and syncs have none and are wrapped."""


class Executioner:
    """Ends this process at the n-th act that changes a disk; with `torn`, in the middle of it."""

    def __init__(self, place: int, *, torn: bool) -> None:
        self._left = place
        self._torn = torn

    def install(self) -> None:
        sys.addaudithook(self._audit)
        for name in ("fsync", "write", "pwrite"):
            setattr(os, name, self._watched(name, getattr(os, name)))

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        flags = int(args[2] or 0) if event == "open" else 0
        if flags & os.O_TRUNC:
            self._count(lambda: os.path.exists(args[0]) and os.truncate(args[0], 0))
        elif event in _WATCHED or flags & (os.O_WRONLY | os.O_RDWR):
            self._count(lambda: None)

    def _watched(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def watched(handle: int, *args: Any) -> Any:
            self._count(lambda: _half(name, handle, act, *args))
            return act(handle, *args)

        return watched

    def _count(self, halfway: Callable[[], object]) -> None:
        self._left -= 1
        if self._left == 0:
            if self._torn:
                halfway()
            os._exit(KILLED)


def _half(name: str, handle: int, act: Callable[..., Any], *args: Any) -> None:
    """Do half of it: half the bytes of a write, half of a new file whose sync never ended."""
    if name != "fsync":
        act(handle, args[0][: len(args[0]) // 2], *args[1:])
    elif os.readlink(f"/proc/self/fd/{handle}").endswith(".tmp"):
        os.ftruncate(handle, os.fstat(handle).st_size // 2)


def killed(scene: Scene, command: Command, place: int, *, torn: bool) -> bool:
    """Run a command in a process that dies at a place; False where it ended before."""
    scene.begin()
    child = os.fork()
    if child == 0:
        Executioner(place, torn=torn).install()
        os._exit(scene.command(command).code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == KILLED


def trial(scene: Scene, command: Command, every: int) -> Trial:
    """Kill a command at every `every`-th place, in both ways."""
    before, after = scene.outcome(command)
    count, faults = 0, []
    for torn in (False, True):
        place = 1 + (every // 2 if torn else 0)
        while killed(scene, command, place, torn=torn):
            found = scene.faults(command, before, after)
            faults += [f"{'in' if torn else 'before'} act {place}: {each}" for each in found]
            count += 1
            place += every
    return Trial(command.name, count, faults)


def trials(every: int, only: str | None, *, git: bool) -> Iterator[Trial]:
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), git=git)
        for command in COMMANDS:
            if only in (None, command.name):
                yield trial(scene, command, every)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only the N-th places")
    parser.add_argument("--git", action="store_true", help="in a vault that is kept in git")
    parser.add_argument("--only", metavar="NAME", help="only the command of this name")
    options = parser.parse_args()
    return told(trials(options.every, options.only, git=options.git))


if __name__ == "__main__":
    sys.exit(main())
