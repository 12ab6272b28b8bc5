"""Where things live: every place below muninn's home folder, and how that folder is found.

Nothing here makes or changes a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.errors import ConflictError, MuninnError

if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_VARIABLE = "MUNINN_HOME"
_HOME_HINT = f"set {HOME_VARIABLE} to a folder, for example: export {HOME_VARIABLE}=/path/to/memory"


class Home(NamedTuple):
    """Muninn's home folder; `state` is what cannot be rebuilt, `index_db` what can."""

    root: Path

    @property
    def config(self) -> Path:
        return self.root / "config.toml"

    @property
    def vaults(self) -> Path:
        return self.root / "vaults"

    @property
    def templates(self) -> Path:
        """A person's own templates, used before the shipped ones."""
        return self.root / "templates"

    @property
    def journal(self) -> Path:
        return self.root / "dream.journal.md"

    @property
    def dream_due(self) -> Path:
        return self.root / "dream.due"

    @property
    def index_db(self) -> Path:
        return self.root / "index.db"

    @property
    def state(self) -> Path:
        return self.root / "state"

    def usage(self, vault_id: str) -> Path:
        return self.state / "usage" / f"{vault_id}.jsonl"

    def seen(self, vault_id: str) -> Path:
        return self.state / "seen" / f"{vault_id}.jsonl"

    def aliases(self, vault_id: str) -> Path:
        """Derived ids that outlived a move: path now, id kept."""
        return self.state / "aliases" / f"{vault_id}.jsonl"

    @property
    def removed_vaults(self) -> Path:
        """Ids of vaults that were taken off the list, for when they come back."""
        return self.state / "removed_vaults.json"

    @property
    def dream_stamp(self) -> Path:
        return self.state / "dream.json"

    @property
    def suggestions(self) -> Path:
        return self.state / "suggestions.jsonl"

    @property
    def judged(self) -> Path:
        return self.state / "judged.jsonl"

    @property
    def dismissed(self) -> Path:
        return self.state / "dismissed.jsonl"

    @property
    def tombstones(self) -> Path:
        return self.state / "tombstones.jsonl"

    @property
    def pending_commits(self) -> Path:
        return self.state / "pending_commits.jsonl"

    @property
    def runs(self) -> Path:
        return self.state / "runs"

    def run(self, run_id: str) -> Path:
        return self.runs / run_id

    @property
    def scratch(self) -> Path:
        """Where a dream measures itself; gone when it ends, and a killed one's with the next."""
        return self.state / "scratch"

    @property
    def locks(self) -> Path:
        return self.state / "locks"

    def lock(self, name: str) -> Path:
        return self.locks / f"{name}.lock"


def find_home(env: Mapping[str, str], user_home: Path | None, cwd: Path) -> Home:
    """MUNINN_HOME, else `~/.muninn`.

    Raises MuninnError where neither is known, ConflictError where the folder is another
    program's.
    """
    root = _named_root(env.get(HOME_VARIABLE, ""), user_home, cwd)
    if root is None:
        raise MuninnError("no home folder: HOME is not set", _HOME_HINT)
    if _holds(root, "data/pebble"):
        message = f"{root} belongs to another program called muninn (it holds data/pebble)"
        raise ConflictError(message, _HOME_HINT)
    return Home(root)


def _holds(root: Path, inside: str) -> bool:
    try:
        return (root / inside).exists()
    except PermissionError as error:
        raise MuninnError(f"{root} cannot be looked into: {error.strerror}") from None


def _named_root(name: str, user_home: Path | None, cwd: Path) -> Path | None:
    if not name:
        return user_home / ".muninn" if user_home else None
    return expanded(name, user_home, cwd)


def expanded(name: str, user_home: Path | None, base: Path) -> Path:
    """A path that a person wrote: `~` is their home folder, a relative one starts at `base`."""
    if user_home and (name == "~" or name.startswith("~/")):
        return user_home / name[2:]
    return base / name
