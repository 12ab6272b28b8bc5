"""Checks of the files that hold muninn's state: that each is a file, and can be understood."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from muninn_cli.doctor.finding import Finding
from muninn_cli.store import log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from muninn_cli.doctor.checkup import Checkup
    from muninn_cli.paths import Home
    from muninn_cli.store.vault import Vault

WRONG_KIND = "wrong_kind"


def check_kinds(checkup: Checkup) -> Iterator[Finding]:
    """Folders in the place of files, and files in the place of folders."""
    yield from _of_wrong_kind("", _files(checkup.app.home), _folders(checkup.app.home))
    for held in checkup.vaults:
        vault = held.vault
        found = _of_wrong_kind(vault.name, [vault.ledger], [vault.inner, vault.archive])
        yield from (_below(vault, each) for each in found)


def _files(home: Home) -> list[Path]:
    return [home.journal, *home.state.rglob("*.json*"), *home.locks.glob("*.lock")]


def _folders(home: Home) -> list[Path]:
    logs = [home.state / name for name in ("usage", "seen", "aliases")]
    return [home.vaults, home.state, home.locks, home.runs, *logs]


def _of_wrong_kind(vault: str, files: list[Path], folders: list[Path]) -> Iterator[Finding]:
    for path in files:
        if path.is_dir():
            cause = "is a folder, where muninn keeps a file"
            yield Finding(WRONG_KIND, vault, str(path), cause, hint="move it out of the way")
    for path in folders:
        if path.is_file():
            cause = "is a file, where muninn keeps a folder"
            yield Finding(WRONG_KIND, vault, str(path), cause, hint="move it out of the way")


def _below(vault: Vault, found: Finding) -> Finding:
    return replace(found, path=found.path.removeprefix(f"{vault.root}/"))


def check_contents(checkup: Checkup) -> Iterator[Finding]:
    """Lines of logs, and whole files, that are no JSON: muninn goes on as if they were not there.

    A last line without its end is on its way, or torn and closed by the next one.
    """
    home = checkup.app.home
    for path in sorted(set(home.state.rglob("*.jsonl")) - set(home.runs.rglob("*"))):
        numbers = [n for n, line in enumerate(_lines(path), 1) if not _is_json(line)]
        if numbers:
            count = "1 line is" if len(numbers) == 1 else f"{len(numbers)} lines are"
            cause = f"{count} torn or damaged, and passed over"
            yield Finding("state_line", "", str(path), cause, numbers[0], mend=partial(_drop, path))
    for path in sorted(home.state.glob("*.json")):
        if path.is_file() and not _is_json(path.read_text(errors="replace")):
            cause = "cannot be understood, and is passed over"
            yield Finding("state_file", "", str(path), cause, hint="remove it, or bring it back")


def _lines(path: Path) -> list[str]:
    return log.read_lines(path)[0] if path.is_file() else []


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _drop(path: Path) -> None:
    log.rewrite(path, lambda lines: [line for line in lines if _is_json(line)])


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (check_kinds, check_contents)
