"""Kill each command by SIGKILL at random moments, also while the index is written.

python tests/faults/kills.py [--rounds N] [--seed N] [--git] [--only NAME]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from scene import COMMANDS, Command, Scene
from table import Trial, told

UNINDEXED = 100
"""Files that the index does not know yet, so that every command writes much of it."""


def started(scene: Scene, command: Command) -> int:
    """Begin a command in a process of its own; returns its pid."""
    scene.begin()
    child = os.fork()
    if child == 0:
        os._exit(scene.command(command).code)
    return child


def duration(scene: Scene, command: Command) -> float:
    """Seconds that the command takes where nobody kills it."""
    child, begun = started(scene, command), time.perf_counter()
    os.waitpid(child, 0)
    return time.perf_counter() - begun


def trial(scene: Scene, command: Command, rounds: int, chance: random.Random) -> Trial:
    before, after = scene.outcome(command)
    whole = min(duration(scene, command) for _ in range(3))
    count, faults = 0, []
    for number in range(3 * rounds):  # some end before they are killed
        if count == rounds:
            break
        child = started(scene, command)
        time.sleep(chance.uniform(0, whole))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        count += os.WIFSIGNALED(status)
        found = scene.faults(command, before, after)
        faults += [f"round {number}: {each}" for each in found]
    return Trial(command.name, count, faults)


def trials(rounds: int, seed: int, only: str | None, *, git: bool) -> Iterator[Trial]:
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), git=git, unindexed=UNINDEXED)
        for command in COMMANDS:
            if only in (None, command.name):
                yield trial(scene, command, rounds, random.Random(f"{seed} {command.name}"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="kills of a command")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--git", action="store_true", help="in a vault that is kept in git")
    parser.add_argument("--only", metavar="NAME", help="only the command of this name")
    options = parser.parse_args()
    return told(trials(options.rounds, options.seed, options.only, git=options.git))


if __name__ == "__main__":
    sys.exit(main())
