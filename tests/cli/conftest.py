"""A home with a few memories in it, made once and copied for every test that wants it."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from conftest import Clock, Muninn
from examples import furnish


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Path:
    """The folder that `here` is copied from."""
    base = tmp_path_factory.mktemp("made")
    furnish(base)
    return base


@pytest.fixture
def here(made, tmp_path, monkeypatch) -> Muninn:
    """A copy of that folder, in which commands may do as they like."""
    base = tmp_path / "base"
    shutil.copytree(made, base, symlinks=True)
    config = base / "home" / "config.toml"
    config.write_text(config.read_text().replace(str(made), str(base)))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Muninn(base / "home", Clock(), base, random.Random(2))
