"""What the benchmark scripts share: a table on stdout, processor time of a process, a machine line."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

Row = Sequence[str]


def print_table(title: str, head: Row, rows: Sequence[Row]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def machine() -> str:
    """What this ran on, in one line."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def process_milliseconds(command: Sequence[str], env: dict[str, str], rounds: int) -> float:
    """The least processor time of a cold process, in ms: less disturbed by others than a clock."""
    return min(_one(command, env) for _ in range(rounds))


def _one(command: Sequence[str], env: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


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
