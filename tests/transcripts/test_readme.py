"""The sessions of the README and of the Spanish one do what they say, to the letter.

MUNINN_WRITE_TRANSCRIPTS=1 writes what is printed now into the files instead.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import Clock, Muninn
from session import Session, replayed

from muninn_cli.config.settings import SETTINGS
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import DEFAULT_TRUST, ProviderName
from muninn_cli.paths import Home

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


def rows(page: str) -> dict[str, list[str]]:
    """The cells of every row of a table, by its first cell."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    cells = [re.split(r"\s*\|\s*", line.strip("| ")) for line in lines if line.startswith("|")]
    return {first: rest for first, *rest in cells}


@pytest.mark.parametrize("page", PAGES)
def test_the_table_says_who_may_see_what(page: str) -> None:
    word = {"yes": True, "sí": True, "no": False}
    columns = (ProviderName.OLLAMA, ProviderName.ANTHROPIC, ProviderName.OPENAI)
    for kind in Kind:
        said = [word[cell] for cell in rows(page)[kind.value]]
        assert said == [name in DEFAULT_TRUST[kind] for name in columns]


@pytest.mark.parametrize("page", PAGES)
def test_the_table_says_how_long_memories_live(page: str) -> None:
    for tier in ("T1", "T2", "T3"):
        days = SETTINGS[f"tiers.{tier.lower()}_days"].default
        assert re.match(rf"{days} (days|días)$", rows(page)[tier][-1])


@pytest.mark.parametrize("page", PAGES)
def test_the_places_are_those_that_are_used(page: str) -> None:
    text, home = (ROOT / page).read_text(encoding="utf-8"), Home(Path())
    tree = re.search(r"```\n(~/\.muninn/.*?)```", text, re.DOTALL)
    assert tree
    named = {line.split()[0].rstrip("/") for line in tree[1].splitlines()[1:]}
    assert named == {
        *(each.name for each in (home.config, home.journal, home.state, home.index_db)),
        f"{home.vaults.name}/personal",
    }
