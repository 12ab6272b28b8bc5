"""The sessions of the README and of the Spanish one do what they say, to the letter.

MUNINN_WRITE_TRANSCRIPTS=1 writes what is printed now into the files instead.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Clock, Muninn
from session import Session, replayed

ROOT = Path(__file__).parent.parent.parent
PAGES = {
    "README.md": ("## A first session", "## A memory"),
    "README.es.md": ("## Una primera sesión", "## Un recuerdo"),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_session_prints_what_stands_in_the_page(page: str, tmp_path: Path) -> None:
    muninn = Muninn(tmp_path / ".muninn", Clock(), tmp_path)
    path = ROOT / page
    now = replayed(path, Session(muninn), *PAGES[page])
    if os.environ.get("MUNINN_WRITE_TRANSCRIPTS"):
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now
