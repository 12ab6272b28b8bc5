"""Checks of what a crash or a wrong clock leaves behind: locks, runs, commits, times."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.core.times import rfc3339
from muninn_cli.core.usage import is_ahead
from muninn_cli.doctor.finding import Finding
from muninn_cli.errors import MuninnError, UnreadableError
from muninn_cli.store import history
from muninn_cli.store.lock import hold, look
from muninn_cli.store.run_folder import RunFolder
from muninn_cli.store.runs import Runs
from muninn_cli.store.seen import Seen
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from muninn_cli.app import App
    from muninn_cli.doctor.checkup import Checkup
    from muninn_cli.store.vault import Vault


def check_locks(checkup: Checkup) -> Iterator[Finding]:
    """Notes that a killed process left in a lock which nobody holds."""
    for path in sorted(filter(Path.is_file, checkup.app.home.locks.glob("*.lock"))):
        seen = look(path)
        if seen.noted and not seen.held:
            cause = f"nobody holds this lock; it was left by {seen.noted}"
            mend = partial(_clear, checkup.app, path)
            yield Finding("stale_lock", "", str(path), cause, mend=mend)


def _clear(app: App, path: Path) -> None:
    """Whoever lets a lock go takes the notes out of it."""
    with hold(path, now=app.time, host=app.world.host, pid=app.world.pid):
        return


def check_runs(checkup: Checkup) -> Iterator[Finding]:
    """Runs that were killed, and run folders that cannot be understood."""
    home = checkup.app.home
    if look(home.lock("runs")).held:
        return  # another process is in the middle of one
    mend = partial(_take_up, checkup)
    for path in sorted(home.runs.iterdir()) if home.runs.is_dir() else ():
        if path.is_dir():
            yield from _of_run(RunFolder(path), mend)


def _of_run(folder: RunFolder, mend: Callable[[], None]) -> Iterator[Finding]:
    try:
        if folder.is_planned:
            folder.plan()
        if folder.is_finished:
            folder.receipt()
            return
    except UnreadableError as error:
        lost = "undone" if folder.is_finished else "rolled back, though it was killed"
        cause = f"a run that can no longer be {lost}: {error.message}"
        hint = "texts from before it are in its folder `before`; then remove the folder"
        yield Finding("odd_run", "", str(folder.path), cause, hint=hint)
        return
    cause = "a run was killed in the middle; it is rolled back by the next command"
    yield Finding("unfinished_run", "", str(folder.path), cause, mend=mend)


def _take_up(checkup: Checkup) -> None:
    """Roll back what was killed. Raises MuninnError where that cannot be done yet."""
    app = checkup.app
    vaults = [held.vault for held in checkup.vaults]
    for receipt in Runs(app.home, vaults, app.world.host, app.world.pid).recover(app.time):
        if receipt.left:
            causes = "; ".join(f"{left.name}: {left.why}" for left in receipt.left)
            raise MuninnError(causes)


def check_commits(checkup: Checkup) -> Iterator[Finding]:
    """What still waits to be committed."""
    app = checkup.app
    listed = {held.vault.id: held.vault for held in checkup.vaults}
    waiting = Counter(entry.vault for entry in history.waiting(app.home.pending_commits))
    for vault_id, count in waiting.items():
        vault = listed.get(vault_id)
        path = str(app.home.pending_commits)
        changes = "1 change waits" if count == 1 else f"{count} changes wait"
        if vault is None:
            cause = f"{changes} to be committed in {vault_id}, a vault that is not on the list"
            hint = "`muninn vault add` it again, or take the lines out"
            yield Finding("pending_commit", "", path, cause, hint=hint)
        elif not vault.git:
            cause = f"{changes} to be committed in {vault.name}, which is not kept in git any more"
            mend = partial(_forget_commits, app, vault)
            yield Finding("pending_commit", "", path, cause, mend=mend)
        else:
            cause = f"{changes} to be committed in {vault.name}"
            yield Finding("pending_commit", "", path, cause, mend=partial(_commit, app, vault))


def _commit(app: App, vault: Vault) -> None:
    with app.locked("commits"):
        warning = history.commit(app.home.pending_commits, vault.id, vault.root)
    if warning:
        raise MuninnError(warning)


def _forget_commits(app: App, vault: Vault) -> None:
    """A person has said that muninn is to commit nothing here any more."""
    with app.locked("commits"):
        history.forget(app.home.pending_commits, vault.id)


def check_clock(checkup: Checkup) -> Iterator[Finding]:
    """Events that lie in the future, and a silence that a wrong clock makes as well as a leave."""
    app = checkup.app
    for held in checkup.vaults:
        for path, times in _times(app, held.vault):
            ahead = [at for at in times if is_ahead(at, app.time)]
            if ahead:
                cause = (
                    f"{len(ahead)} events lie in the future, the last at {rfc3339(max(ahead))}:"
                    " they do not count until then"
                )
                yield Finding("future_event", held.vault.name, str(path), cause)
    if checkup.settings and checkup.vaults and app.silent and app.newest_event:
        cause = (
            f"nothing has happened since {rfc3339(app.newest_event)}, so the clock is not believed:"
            " nothing expires and no recall is noted"
        )
        hint = "if the clock is right: muninn sweep --yes"
        yield Finding("silence", "", str(app.home.state), cause, hint=hint)


def _times(app: App, vault: Vault) -> Iterator[tuple[Path, list[datetime]]]:
    usage, seen = UsageLog(app.home.usage(vault.id)), Seen(app.home.seen(vault.id))
    yield usage.path, [event.at for event in usage.read()[0]]
    yield seen.path, [record.first_seen for record in seen.load().values()]


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (
    check_locks,
    check_runs,
    check_commits,
    check_clock,
)
