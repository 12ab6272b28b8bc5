"""What the scripts here print: a line for each kind of fault, then everything that went wrong."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Trial:
    """What was tried how often, and what was wrong after it."""

    name: str
    count: int
    faults: list[str]


def told(trials: Iterable[Trial]) -> int:
    """Print the trials as they come; returns the exit code."""
    wrong = 0
    print(f"{'what':<32}{'times':>7}{'faults':>8}{'seconds':>9}")
    begun = time.perf_counter()
    for trial in trials:
        seconds, begun = time.perf_counter() - begun, time.perf_counter()
        line = f"{trial.name:<32}{trial.count:>7}{len(trial.faults):>8}{seconds:>9.1f}"
        print(line, flush=True)
        for fault in trial.faults:
            print(f"    {fault}")
        wrong += len(trial.faults)
    return min(wrong, 1)
