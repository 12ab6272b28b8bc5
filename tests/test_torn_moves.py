"""A move to the archive that was killed in the middle is ended by the next command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import START
from personal import Personal

from muninn_cli.store.lock import hold

ARCHIVED = ".muninn/archive/one.md~ONE.md"


@pytest.fixture
def archived(personal: Personal) -> Path:
    """Where `one.md` would lie in the archive; its folder is there."""
    personal.muninn("init")
    personal.put("one.md", "text", id="ONE")
    personal.put("away.md", "text", id="AWAY")
    personal.json("archive", "AWAY")
    return personal.root / ARCHIVED


def test_of_one_file_under_two_names_the_live_one_stays(personal, archived: Path) -> None:
    os.link(personal.root / "one.md", archived)
    assert personal.listed("--archived") == [".muninn/archive/away.md~AWAY.md", "one.md"]
    assert not archived.exists()
    assert (personal.root / "one.md").read_text().endswith("text")
    ledger = (personal.root / ".muninn" / "archive.jsonl").read_text()
    assert '"id":"ONE"' in ledger and '"reason":"restored"' in ledger


def test_an_equal_copy_may_be_on_its_way_and_is_left_alone(personal, archived: Path) -> None:
    shutil.copy(personal.root / "one.md", archived)
    personal.listed()
    assert archived.exists()


@pytest.mark.parametrize("name", ["runs", "vault-{}"])
def test_a_move_that_another_process_may_be_making_is_left_alone(
    personal, archived: Path, home: Path, name: str
) -> None:
    vault = personal.json("vault", "show", "personal")["vault"]["id"]
    os.link(personal.root / "one.md", archived)
    lock = home / "state" / "locks" / f"{name.format(vault)}.lock"
    with hold(lock, now=START, host="test", pid=os.getpid()):
        personal.listed()
    assert archived.exists()
