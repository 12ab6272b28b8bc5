"""Commits of what muninn wrote: one for each command, never before the files are on disk; and the
earlier texts of a memory, as commits have them.

What cannot be committed now (git busy, failing, missing, in the middle of a rebase) waits in
`pending_commits.jsonl` for the next commit. A failure here is a warning and never costs a memory.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.store import git, log
from muninn_cli.store.git import GitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_NOBODY = "git does not know who you are: `git config --global user.name NAME`, then user.email"


@dataclass(frozen=True)
class Entry:
    """Paths of one vault (relative to its root) that one command wrote, and its message."""

    vault: str
    paths: tuple[str, ...]
    message: str

    def line(self) -> str:
        """The entry as a line of `pending_commits.jsonl`."""
        value = {"v": 1, "vault": self.vault, "paths": self.paths, "message": self.message}
        return log.line_of(value)


def start(root: Path) -> str:
    """Make a vault a repository, unless it lies in one; returns a warning or an empty text."""
    if git.enclosing_repository(root) is not None:
        return ""
    try:
        git.init(root)
    except GitError as error:
        return f"{root} is not under git: {error}"
    return ""


def note(pending: Path, entry: Entry) -> None:
    """Remember what is to be committed."""
    log.append(pending, [entry.line()])


def waiting(pending: Path) -> list[Entry]:
    """The entries not committed yet, oldest first; a torn or foreign line is no entry."""
    lines, _ = log.read_lines(pending)
    return [entry for line in lines if (entry := _parse(line)) is not None]


def _parse(line: str) -> Entry | None:
    try:
        value = json.loads(line)
        return Entry(value["vault"], tuple(value["paths"]), value["message"])
    except (ValueError, KeyError, TypeError):
        return None


def commit(pending: Path, vault: str, root: Path) -> str:
    """Commit the waiting entries of a vault, each by itself; returns a warning or an empty text.

    The caller holds a lock, so that commits come one by one. Entries that were committed, or that
    no longer differ from the last commit, are taken off the list, but for paths where a person
    has staged work; from the first failure on they stay.
    """
    mine = [entry for entry in waiting(pending) if entry.vault == vault]
    left: dict[Entry, Entry] = {}
    warning = ""
    try:
        if mine:
            warning = _hindrance(root)
        for entry in mine if not warning else ():
            left[entry] = replace(entry, paths=git.commit(root, entry.paths, entry.message))
    except (GitError, OSError) as error:
        warning = _NOBODY if "identity unknown" in str(error) else str(error)
    log.rewrite(pending, lambda lines: list(_without_done(lines, left)))
    staged = [path for entry in left.values() for path in entry.paths]
    if staged and not warning:
        warning = f"in {staged[0]} there is work that you have staged"
    return f"not committed in {root}: {warning}; the next commit will try again" if warning else ""


def forget(pending: Path, vault: str) -> None:
    """Take the entries of a vault off the list; they hold no text, only names."""
    mine = [entry for entry in waiting(pending) if entry.vault == vault]
    log.rewrite(pending, lambda lines: [line for line in lines if _parse(line) not in mine])


def _hindrance(root: Path) -> str:
    """Why nothing may be committed; a repository further up is not the vault's."""
    return git.hindrance(root) if git.is_repository(root) else "it is no git repository"


def _without_done(lines: Iterable[str], left: Mapping[Entry, Entry]) -> Iterator[str]:
    """The lines, each entry that was carried out with only what is left of it."""
    for line in lines:
        entry = _parse(line)
        if entry is None or entry not in left:
            yield line
        elif left[entry].paths:
            yield left[entry].line()
