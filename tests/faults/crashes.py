"""Kill each command at every write, rename, removal and sync it makes, one after the other.

    python tests/faults/crashes.py [--rounds N] [--git] [--only NAME]

`--rounds N` looks at every N-th place only (1 for all). A place is killed in two ways: before the
act, and in the middle of it (half of what is written; half of what is to be synced).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from scene import COMMANDS, Command, Scene

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


class Executioner:
    """Ends this process at the n-th act that changes a disk; with `torn`, in the middle of it."""

    def __init__(self, place: int, *, torn: bool) -> None:
        self._left = place
        self._torn = torn

    def install(self) -> None:
        sys.addaudithook(self._audit)
        for name in ("fsync", "write", "pwrite"):
            setattr(os, name, self._watched(name, getattr(os, name)))

    def _audit(self, event: str, args: tuple[object, ...]) -> None:
        writes = event == "open" and bool(int(args[2] or 0) & (os.O_WRONLY | os.O_RDWR))
        if event in _WATCHED or writes:
            self._count(lambda: None)

    def _watched(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def watched(handle: int, *args: Any) -> Any:
            self._count(lambda: _half(name, handle, act, *args))
            return act(handle, *args)

        return watched

    def _count(self, halfway: Callable[[], None]) -> None:
        self._left -= 1
        if self._left == 0:
            if self._torn:
                halfway()
            os._exit(KILLED)


def _half(name: str, handle: int, act: Callable[..., Any], *args: Any) -> None:
    """Do half of it: half the bytes of a write, half of a file whose sync never ended."""
    if name == "fsync":
        size = os.fstat(handle).st_size
        if os.readlink(f"/proc/self/fd/{handle}").endswith(".tmp"):
            os.ftruncate(handle, size // 2)
    else:
        act(handle, args[0][: len(args[0]) // 2], *args[1:])


def killed(scene: Scene, command: Command, place: int, *, torn: bool) -> bool:
    """Run a command in a process that dies at a place; False where it ended before."""
    scene.begin()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        Executioner(place, torn=torn).install()
        code = scene.command(command).code
        os._exit(0 if code == 0 else 1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == KILLED


def rounds(scene: Scene, command: Command, step: int) -> tuple[int, list[str]]:
    """Kill a command at every `step`-th place; returns how often, and what was wrong then."""
    before, after = scene.outcome(command)
    count, faults = 0, []
    for torn in (False, True):
        place = 1 + (step // 2 if torn else 0)
        while killed(scene, command, place, torn=torn):
            count += 1
            manner = "in" if torn else "before"
            found = scene.faults(command, before, after)
            faults += [f"{command.name}, {manner} act {place}: {each}" for each in found]
            place += step
    return count, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="every N-th place")
    parser.add_argument("--git", action="store_true", help="in a vault that is kept in git")
    parser.add_argument("--only", help="only the command of this name")
    options = parser.parse_args()
    wrong = 0
    print(f"{'command':<16}{'kills':>8}{'faults':>8}{'seconds':>9}")
    for command in COMMANDS:
        if options.only in (None, command.name):
            with tempfile.TemporaryDirectory() as folder:
                scene = Scene(Path(folder), git=options.git)
                begun = time.perf_counter()
                count, faults = rounds(scene, command, options.rounds)
            seconds = time.perf_counter() - begun
            print(f"{command.name:<16}{count:>8}{len(faults):>8}{seconds:>9.1f}", flush=True)
            for fault in faults:
                print(f"    {fault}")
            wrong += len(faults)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
