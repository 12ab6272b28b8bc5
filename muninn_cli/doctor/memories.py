"""Checks of memory files: what cannot be read as meant, ids, names, conflicts."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from muninn_cli.core.memory_file import quote_id
from muninn_cli.core.naming import collision_key, is_conflict_copy
from muninn_cli.doctor.finding import Finding
from muninn_cli.store import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from muninn_cli.app import App
    from muninn_cli.doctor.checkup import Checkup, MemoryFile, VaultFiles
    from muninn_cli.store.vault import Vault

_BY_HAND = "mend the file by hand; until then muninn reads what it can and never rewrites it"


def check_reading(checkup: Checkup) -> Iterator[Finding]:
    """Files and folders that cannot be read, front matter that does not parse, odd values."""
    for held in checkup.vaults:
        name = held.vault.name
        if held.is_there:
            for folder, cause in held.unlisted.items():
                yield Finding("unreadable", name, folder, f"the folder cannot be listed: {cause}")
        for path, cause in held.unreadable.items():
            yield Finding("unreadable", name, path, cause)
        for file in (*held.live, *held.archived):
            code = "value" if file.memory.editable else "malformed"
            hint = "" if file.memory.editable else _BY_HAND
            for problem in file.memory.problems:
                if held.vault.managed or not problem.is_foreign:
                    yield Finding(code, name, file.path, problem.cause, problem.line, hint)


def check_ids(checkup: Checkup) -> Iterator[Finding]:
    """Ids that two files state, and ids that YAML reads as something else than text."""
    for held in checkup.vaults:
        yield from _doubled_ids(held)
        for file in held.live:
            if file.bare_id:
                yield _bare_id(checkup.app, held.vault, file)


def notices_of_ids(checkup: Checkup) -> Iterator[str]:
    """Files without an id of their own are no fault: one is made from their place."""
    for held in checkup.vaults:
        without = [file.path for file in held.live if not file.memory.written_id]
        if without and held.vault.managed:
            count = "1 file states" if len(without) == 1 else f"{len(without)} files state"
            named = ", ".join(without[:3]) + (", …" if len(without) > 3 else "")
            yield (
                f"{held.vault.name}: {count} no id ({named}); muninn makes one from the place, and"
                " writes it down when it first edits the file"
            )


def _doubled_ids(held: VaultFiles) -> Iterator[Finding]:
    stating: defaultdict[str, list[MemoryFile]] = defaultdict(list)
    for file in held.live:
        if file.memory.written_id and not is_conflict_copy(file.name):
            stating[file.memory.id].append(file)
    for memory_id, (first, *others) in stating.items():
        for other in others:
            yield Finding(
                "doubled_id",
                held.vault.name,
                other.path,
                f"states the id {memory_id}, as {first.path} does",
                other.lines.get("id", 0),
                "take the id out of the copy, or the copy out of the vault",
            )


def _bare_id(app: App, vault: Vault, file: MemoryFile) -> Finding:
    cause = f"the id {file.memory.id} has no quotes, so YAML does not read it as text"
    if not vault.ages:
        return Finding(
            "unquoted_id", vault.name, file.path, cause, file.lines.get("id", 0), "put it in quotes"
        )
    mend = partial(_quote_id, app, vault, file)
    return Finding("unquoted_id", vault.name, file.path, cause, file.lines.get("id", 0), mend=mend)


def _quote_id(app: App, vault: Vault, file: MemoryFile) -> None:
    place = vault.root / file.path
    with app.writing(vault):
        files.replace(place, quote_id(place.read_bytes()), file.hash)
    app.commit(vault, [file.path], f"Quote the id of {file.path}")


def check_names(checkup: Checkup) -> Iterator[Finding]:
    """Names that are one file on a system that ignores case or Unicode form."""
    for held in checkup.vaults:
        first: dict[str, str] = {}
        for path in sorted(held.hashes()):
            yield from _collisions(held.vault.name, path, first)


def _collisions(vault: str, path: str, first: dict[str, str]) -> Iterator[Finding]:
    """The part of a path, if any, that collides with one seen before."""
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        part = "/".join(parts[:count])
        known = first.setdefault(collision_key(part), part)
        if known != part:
            if part not in first.values():
                first[part] = part
                cause = f"is the same name as {known} where case or accents do not count"
                yield Finding("colliding_name", vault, part, cause, hint="rename one of them")
            return


def check_conflicts(checkup: Checkup) -> Iterator[Finding]:
    """Conflicts that git left in a text, and copies that a sync program left of a file."""
    for held in checkup.vaults:
        for file in held.live:
            for line in file.conflicts:
                cause = "a conflict of git is not settled; dreams leave this memory alone"
                yield Finding(
                    "conflict", held.vault.name, file.path, cause, line, "choose a side by hand"
                )
            if is_conflict_copy(file.name):
                cause = "a sync program left this copy of another file"
                hint = "take over what is new in it, then remove it"
                yield Finding("conflict_copy", held.vault.name, file.path, cause, hint=hint)


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (
    check_reading,
    check_ids,
    check_names,
    check_conflicts,
)
