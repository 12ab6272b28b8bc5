"""What the benchmark scripts share: a table on stdout, the cost of a process, a machine line."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Row = Sequence[str]


def print_table(title: str, head: Row, rows: Sequence[Row]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def machine() -> str:
    """What this ran on, in one line."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


class Cost(NamedTuple):
    """What a process takes: milliseconds that pass, those of the processor, most bytes in memory.

    Processes that it starts and waits for count too.
    """

    wall: float
    processor: float
    peak: float


def process_costs(
    commands: Mapping[str, Sequence[str]], env: Mapping[str, str], rounds: int
) -> dict[str, Cost]:
    """The least of some rounds for each command, each by itself, taken in turn: a busy minute hits all.

    Python may keep compiled modules, as it does for an installed package.
    """
    env = {name: value for name, value in env.items() if name != "PYTHONDONTWRITEBYTECODE"}
    taken = [
        {name: cost_of(command, env) for name, command in commands.items()}
        for _ in range(rounds + 1)
    ]
    return {
        name: Cost(*map(min, zip(*(each[name] for each in taken[1:]), strict=True)))
        for name in commands
    }


def cost_of(command: Sequence[str], env: Mapping[str, str]) -> Cost:
    """Run a command to its end. Raises where it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(1000 * wall, 1000 * (used.ru_utime + used.ru_stime), used.ru_maxrss * unit)


def seconds(work: Callable[[], object], rounds: int = 1) -> float:
    """The least wall-clock time of some work, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def progress(text: str) -> None:
    """Say on stderr what is going on."""
    print(text, file=sys.stderr, flush=True)
