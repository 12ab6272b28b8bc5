"""The only writer of config.toml, and the maker of muninn's home folder.

Changes are serialised by a lock and refused where a person edited the file meanwhile; a home
folder is complete as soon as its config.toml can be seen.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.config import ConfigFile, read_config
from muninn_cli.core.ids import new_id
from muninn_cli.core.times import epoch
from muninn_cli.errors import MuninnError
from muninn_cli.store import files, history
from muninn_cli.store.git import enclosing_repository
from muninn_cli.store.lock import hold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from muninn_cli.config.values import Plain
    from muninn_cli.paths import Home
    from muninn_cli.world import World

FIRST_VAULT = "personal"
_PATIENCE = 30.0
"""Seconds to wait for another muninn that changes config.toml."""


@dataclass(frozen=True)
class MadeHome:
    """A home folder made just now; `notice` says what could not be done, or is empty."""

    notice: str = ""


def ensure_home(home: Home, world: World, *, git: bool = True) -> MadeHome | None:
    """Make the home folder, config.toml and the vault `personal`, where there is no config.toml.

    None where it was there. Any number of processes may call it at once: one makes it.
    """
    if home.config.exists():
        return None
    with _locked(home, world):
        if home.config.exists():
            return None
        return _make(home, world, git=git)


@dataclass
class ConfigEdit:
    """config.toml while this process alone may change it."""

    file: ConfigFile

    def save(self, text: str) -> ConfigFile:
        """Give the file another text; ConflictError where a person edited it meanwhile."""
        if text != self.file.text:
            files.replace(self.file.path, text.encode(), files.content_hash(self.file.data))
            self.file = read_config(self.file.path)
        return self.file


@contextmanager
def editing(home: Home, world: World) -> Iterator[ConfigEdit]:
    """Hold config.toml for a change; other processes wait."""
    with _locked(home, world):
        yield ConfigEdit(read_config(home.config))


@contextmanager
def _locked(home: Home, world: World) -> Iterator[None]:
    make_folder(home.root)
    lock = home.lock("config")
    with hold(lock, now=world.now(), host=world.host, pid=world.pid, wait=_PATIENCE):
        yield


def _make(home: Home, world: World, *, git: bool) -> MadeHome:
    from muninn_cli.config.edit import commented, vault_table

    root = home.vaults / FIRST_VAULT
    make_folder(root)
    under_git, notice = start_git(root) if git else (False, "")
    keys: dict[str, Plain] = {
        "id": new_vault_id(world),
        "path": f"vaults/{FIRST_VAULT}",
        "managed": True,
        "git": under_git,
    }
    files.create_at(home.config, (commented() + vault_table(FIRST_VAULT, keys)).encode())
    return MadeHome(notice)


def start_git(root: Path) -> tuple[bool, str]:
    """Make a vault a repository unless it lies in another; whether it is one, and a notice."""
    around = enclosing_repository(root)
    if around is not None and around != root:
        return False, f"{root} lies in the git repository {around}: muninn makes none in it"
    notice = history.start(root)
    return not notice, notice


def new_vault_id(world: World) -> str:
    """A random id for a vault."""
    return new_id(int(epoch(world.now()) * 1000), world.randomness(10))


def make_folder(path: Path) -> None:
    """Make a folder that only its owner may enter: memories are nobody else's business."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise MuninnError(f"{path} cannot be made: {error.strerror}") from error
