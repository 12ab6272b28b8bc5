"""Earlier texts of a memory, as the commits of its vault's repository have them. Only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.times import parse_moment
from muninn_cli.errors import MuninnError, NotFoundError
from muninn_cli.store import git

if TYPE_CHECKING:
    from datetime import datetime

    from muninn_cli.store.git import Revision
    from muninn_cli.store.vault import Vault

_HINT = "a commit as `muninn history` lists them, a time such as 2026-03-28, or 30d"


class Version(NamedTuple):
    """A commit that touched a memory, and its text there; None where that commit removed it."""

    revision: Revision
    data: bytes | None


def versions(vault: Vault, path: str, memory_id: str) -> list[Version]:
    """The commits of the memory in a file, newest first, through its renames.

    Commits in which the file states another id are another memory's. Raises NotFoundError where
    the vault is in no repository, MuninnError where git fails.
    """
    if git.enclosing_repository(vault.root) is None:
        hint = f"muninn vault git {vault.name} on"
        raise NotFoundError(f"the vault {vault.name} is not kept in git: it has no history", hint)
    try:
        found = git.revisions(vault.root, path) if git.has_commits(vault.root) else []
        texts = git.contents(vault.root, found)
    except git.GitError as error:
        raise MuninnError(f"{vault.root}: {error}") from error
    pairs = map(Version, found, texts)
    return [each for each in pairs if _is_of(each, memory_id, vault)]


def version_at(known: list[Version], vault: Vault, when: str, now: datetime) -> Version:
    """The version that stood at a commit (by any name git knows), or at a time, or so long ago.

    Raises NotFoundError where there is no such commit, or the memory was not there then.
    """
    commit = _commit(vault, when, now)
    by_commit = {each.revision.commit: each for each in known}
    paths = {each.revision.path for each in known}
    try:
        reached = git.reachable(vault.root, commit, paths) if known else []
        touched = [by_commit[each] for each in reached if each in by_commit]
        found = next((each for each in touched if each.data is not None), None)
        there = [found.revision._replace(commit=commit)] if found else []
        texts = git.contents(vault.root, there)
    except git.GitError as error:
        raise MuninnError(f"{vault.root}: {error}") from error
    if found is None or texts[0] is None:
        raise _not_there(when)
    return Version(found.revision, texts[0])


def _commit(vault: Vault, when: str, now: datetime) -> str:
    try:
        return git.resolve(vault.root, when)
    except git.GitError:
        moment = parse_moment(when, now)
    if moment is None:
        raise NotFoundError(f"no such commit or time: {when}", _HINT)
    try:
        commit = git.before(vault.root, moment)
    except git.GitError:
        commit = ""
    if not commit:
        raise _not_there(when)
    return commit


def _not_there(when: str) -> NotFoundError:
    return NotFoundError(f"the memory was not there at {when}", _HINT)


def _is_of(version: Version, memory_id: str, vault: Vault) -> bool:
    if version.data is None:
        return True
    memory = read(version.data, version.revision.path, vault.id_name)
    return not (isinstance(memory, Memory) and memory.written_id and memory.id != memory_id)
