"""Checks of the home folder and the vaults' places: settings, permissions, git, templates."""

from __future__ import annotations

import os
import re
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.config.origins import faults
from muninn_cli.core.journal import JournalEntry, UndoEntry
from muninn_cli.doctor.finding import Finding
from muninn_cli.errors import MuninnError, UnreadableError
from muninn_cli.rendering import Templates
from muninn_cli.store import files, git
from muninn_cli.store.vault import LEDGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from muninn_cli.app import App
    from muninn_cli.doctor.checkup import Checkup
    from muninn_cli.store.vault import Vault

_COMMITTED = {
    "*.md": "the vault's memories, so they are",
    LEDGER: ".muninn/, so the archive is",
}
"""What a vault under git has committed: a path of each kind, and what it means to miss it."""

_TEMP = re.compile(re.escape(files.TEMP_PREFIX) + ".*", re.DOTALL)
_PLACEHOLDER = re.compile(r"\..+\.md\.icloud", re.DOTALL)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check_settings(checkup: Checkup) -> Iterator[Finding]:
    """Settings that are not known or cannot hold, and a default vault that is not there."""
    app = checkup.app
    for error in faults(app.config, app.world.env):
        yield Finding("setting", "", str(app.home.config), error.message, hint=error.hint)
    if checkup.settings and not checkup.vaults:
        yield _no_vault(app)
    elif checkup.settings:
        try:
            app.vault()
        except MuninnError as error:
            yield Finding("default_vault", "", str(app.home.config), error.message, hint=error.hint)


def _no_vault(app: App) -> Finding:
    """An emptied config.toml knows no vault any more, though their folders are all there."""
    folders = sorted(app.home.vaults.iterdir()) if app.home.vaults.is_dir() else []
    hint = f"muninn vault add {folders[0]}" if folders else "muninn vault create personal"
    return Finding("no_vault", "", str(app.home.config), "no vault is on the list", hint=hint)


def check_permissions(checkup: Checkup) -> Iterator[Finding]:
    """A home folder that others may enter, and what muninn may not write to."""
    home = checkup.app.home
    mode = stat.S_IMODE(home.root.stat().st_mode)
    if mode & _OTHERS:
        cause = f"others on this machine may look into it (its mode is {mode:o}, not 700)"
        yield Finding("open_home", "", str(home.root), cause, mend=partial(_close, home.root))
    for path in (home.root, home.state, *sorted(home.state.rglob("*"))):
        if path.exists() and not os.access(path, os.W_OK):
            cause = "muninn may not write here"
            yield Finding("read_only", "", str(path), cause, hint="check who owns it")


def _close(root: Path) -> None:
    with files.named(root):
        root.chmod(stat.S_IRWXU)


def check_vaults(checkup: Checkup) -> Iterator[Finding]:
    """Vaults that are gone, that cannot be written to, whose own rules or git are not in order."""
    for held in checkup.vaults:
        vault = held.vault
        if not held.is_there:
            cause = f"{vault.root} cannot be listed: {held.unlisted['']}"
            hint = f"bring it back, or `muninn vault remove {vault.name}`"
            yield Finding("vault_gone", vault.name, "", cause, hint=hint)
            continue
        if vault.managed and not os.access(vault.root, os.W_OK):
            yield Finding("read_only", vault.name, "", f"muninn may not write to {vault.root}")
        if vault.problem:
            cause = f"no language model may see the vault: {vault.problem}"
            yield Finding("vault_rules", vault.name, ".muninn/vault.toml", cause)
        if vault.git:
            yield from _git_findings(vault)


def _git_findings(vault: Vault) -> Iterator[Finding]:
    if not git.is_repository(vault.root):
        cause = "is to be kept in git, and is no repository"
        hint = f"muninn vault git {vault.name} on, or off"
        yield Finding("no_repository", vault.name, "", cause, hint=hint)
        return
    try:
        ignored = [path for path in _COMMITTED if git.is_ignored(vault.root, path)]
        hindrance = git.hindrance(vault.root)
    except git.GitError as error:
        yield Finding("git", vault.name, "", str(error))
        return
    for path in ignored:
        cause = f"git ignores {_COMMITTED[path]} in no commit"
        hint = "take it out of .gitignore or .git/info/exclude"
        yield Finding("ignored", vault.name, path.partition("/")[0], cause, hint=hint)
    if hindrance:
        yield Finding("git", vault.name, "", f"nothing can be committed: {hindrance}")


def check_leftovers(checkup: Checkup) -> Iterator[Finding]:
    """Files that a crash left half-written: what is in them may stand nowhere else."""
    home = checkup.app.home
    cause, hint = "a command that was killed left this behind", "look into it, then remove it"
    for path in _hidden_files(home.root, _TEMP, but=home.vaults):
        yield Finding("leftover", "", str(path), cause, hint=hint)
    for held in checkup.vaults:
        root = held.vault.root
        for path in _hidden_files(root, _TEMP, but=root / ".git"):
            shown = path.relative_to(root).as_posix()
            yield Finding("leftover", held.vault.name, shown, cause, hint=hint)


def check_placeholders(checkup: Checkup) -> Iterator[Finding]:
    """Notes that a cloud drive keeps elsewhere: neither gone nor there to be read."""
    for held in checkup.vaults:
        root = held.vault.root
        for path in _hidden_files(root, _PLACEHOLDER, but=root / ".git"):
            name = path.name.removeprefix(".").removesuffix(".icloud")
            shown = path.with_name(name).relative_to(root).as_posix()
            cause = "iCloud has not downloaded it, so muninn does not see it"
            hint = "let iCloud keep this folder downloaded"
            yield Finding("not_downloaded", held.vault.name, shown, cause, hint=hint)


def _hidden_files(root: Path, kind: re.Pattern[str], *, but: Path) -> Iterator[Path]:
    """Files of a kind below a folder, without what lies below another."""
    for folder, folders, names in os.walk(root):
        place = Path(folder)
        folders[:] = [each for each in folders if place / each != but]
        yield from (place / each for each in names if kind.fullmatch(each))


def check_templates(checkup: Checkup) -> Iterator[Finding]:
    """A person's own templates that do not render, or that nothing uses."""
    own = checkup.app.home.templates
    shipped = Templates().folders[-1]
    for path in sorted(own.glob("*.j2")):
        if not (shipped / path.name).exists():
            cause = "muninn has no template of this name, so it is never used"
            yield Finding("template", "", str(path), cause)
            continue
        try:
            _try(Templates(own), path.name, checkup.app)
        except UnreadableError as error:
            yield Finding("template", "", str(path), error.message)


def _try(templates: Templates, name: str, app: App) -> None:
    kind, language, *_ = name.split(".")
    match kind:
        case "journal":
            templates.journal(JournalEntry(app.time, "20260328-060000", 1, 1, 0, 1.0), language)
        case "undo":
            templates.journal(UndoEntry(app.time, "20260328-060000", 1), language)
        case _:
            templates.check(name)


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (
    check_settings,
    check_permissions,
    check_vaults,
    check_leftovers,
    check_placeholders,
    check_templates,
)
