"""Commits of what muninn wrote: one for each command, never before the files are on disk; and the
earlier texts of a memory, as commits have them.

What cannot be committed now (git busy, failing, missing, in the middle of a rebase) waits in
`pending_commits.jsonl` for the next commit. A failure here is a warning and never costs a memory.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from muninn_cli.store import git, log
from muninn_cli.store.git import GitError


@dataclass(frozen=True)
class Entry:
    """Paths of one vault (relative to its root) that one command wrote, and its message."""

    vault: str
    paths: tuple[str, ...]
    message: str

    def line(self) -> str:
        """The entry as a line of `pending_commits.jsonl`."""
        value = {"v": 1, "vault": self.vault, "paths": self.paths, "message": self.message}
        return json.dumps(value, ensure_ascii=False)


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
    no longer differ from the last commit, are taken off the list; from the first failure on they
    stay.
    """
    mine = [entry for entry in waiting(pending) if entry.vault == vault]
    done: list[Entry] = []
    warning = ""
    try:
        if mine and (reason := git.hindrance(root)):
            warning = reason
        for entry in mine if not warning else ():
            git.commit(root, entry.paths, entry.message)
            done.append(entry)
    except (GitError, OSError) as error:
        warning = str(error)
    log.rewrite(pending, lambda lines: [line for line in lines if _parse(line) not in done])
    return f"not committed in {root}: {warning}; the next commit will try again" if warning else ""
