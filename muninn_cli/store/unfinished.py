"""Whether a run was killed before its receipt: a look at the disk that every command takes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

RECEIPT = "receipt.json"


def has_unfinished_run(runs: Path) -> bool:
    """Whether a run has no receipt: it was killed, or another process is in the middle of it."""
    try:
        with os.scandir(runs) as folders:
            return any(
                folder.is_dir() and not os.path.exists(f"{folder.path}/{RECEIPT}")  # noqa: PTH110
                for folder in folders
            )
    except FileNotFoundError:
        return False
