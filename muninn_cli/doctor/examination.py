"""The examination: everything is read once, then every check looks at it. Writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.doctor import (
    archives,
    indexes,
    memories,
    places,
    references,
    state_files,
    states,
)
from muninn_cli.doctor.checkup import Checkup, read_vault
from muninn_cli.doctor.finding import Facts, Finding, Report
from muninn_cli.errors import MuninnError, UnreadableError
from muninn_cli.store.registry import registered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from muninn_cli.app import App
    from muninn_cli.config import Settings
    from muninn_cli.store.vault import Vault

_MODULES = (places, state_files, memories, references, archives, states, indexes)


def examine(app: App) -> Report:
    """Look at everything; never fails because of what is wrong, and never makes a home folder."""
    try:
        exists = app.config.exists
    except UnreadableError as error:
        finding = Finding("setting", "", str(app.home.config), error.message, hint=error.hint)
        return Report((finding,), Facts())
    if not exists:
        cause = "there is no home folder of muninn yet"
        missing = Finding("no_home", "", str(app.home.root), cause, hint="muninn init")
        return Report((missing,), Facts())
    return _examine(app)


def _examine(app: App) -> Report:
    findings: list[Finding] = []
    vaults = _vaults(app, findings)
    with app.progress("Reading") as progress:
        held = []
        for number, vault in enumerate(vaults, 1):
            held.append(read_vault(vault))
            progress(number, len(vaults))
    checkup = Checkup(app, _settings(app), tuple(held))
    for module in _MODULES:
        for check in module.CHECKS:
            findings += _checked(check, checkup)
    findings = list(_once(dict.fromkeys(findings)))
    findings.sort(key=lambda each: (each.vault, each.path, each.line, each.code))
    return Report(tuple(findings), indexes.facts_of_index(checkup), tuple(_notices(checkup)))


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Without what only follows from a file that is a folder, or the other way round."""
    found = list(findings)
    wrong = [each for each in found if each.code == state_files.WRONG_KIND]
    causes = tuple(f"{each.path}/" for each in wrong)
    for each in found:
        if each in wrong or not f"{each.path}/".startswith(causes):
            yield each


def _checked(check: Callable[[Checkup], Iterator[Finding]], checkup: Checkup) -> Iterator[Finding]:
    """What a check finds; where it may not even look, that is what is wrong."""
    try:
        yield from check(checkup)
    except OSError as error:
        path = str(error.filename or checkup.app.home.root)
        yield Finding("unreadable", "", path, f"cannot be read: {error.strerror}")


def _settings(app: App) -> Settings | None:
    try:
        return app.settings
    except MuninnError:
        return None


def _vaults(app: App, findings: list[Finding]) -> tuple[Vault, ...]:
    try:
        return registered(app.config, app.home, app.world.user_home)
    except MuninnError as error:
        findings.append(
            Finding("vault_list", "", str(app.home.config), error.message, hint=error.hint)
        )
        return ()


def _notices(checkup: Checkup) -> Iterator[str]:
    yield from memories.notices_of_ids(checkup)
    yield from references.notices_of_links(checkup)
