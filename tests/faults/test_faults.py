"""The short form of the scripts beside this file; each has a long one, run by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SHORT = (
    ("crashes", "--every", "25"),
    ("crashes", "--every", "12", "--git", "--only", "archive"),
    ("kills", "--rounds", "1"),
    ("disks", "--every", "7"),
    ("crowds", "--rounds", "1", "--adds", "3", "--steps", "1", "--seconds", "2", "--git"),
    ("losses", "--rounds", "1", "--every", "5"),
)


@pytest.mark.skipif(sys.platform != "linux", reason="the scripts look into /proc")
@pytest.mark.parametrize("script", SHORT, ids=" ".join)
def test_nothing_is_lost_or_half_written(script: tuple[str, ...]) -> None:
    name, *options = script
    place = Path(__file__).with_name(f"{name}.py")
    command = [sys.executable, str(place), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
