"""The list of vaults in config.toml: read, looked up, and changed.

`[vaults.NAME]` holds id, path, kind, managed, git. A vault's files are never moved, changed or
removed here: taking it off the list leaves them as they are, and its id is kept for its return.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.config.load import VAULTS, place_of
from muninn_cli.core.naming import collision_key
from muninn_cli.core.suggestion import did_you_mean
from muninn_cli.errors import ConflictError, NotFoundError, UnreadableError, UsageError
from muninn_cli.paths import expanded
from muninn_cli.store.vault import Vault, kind_of, own_rules, with_own_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.config import ConfigFile, Settings
    from muninn_cli.paths import Home

VAULT_VARIABLE = "MUNINN_VAULT"
PROJECT_FILE = ".muninn.toml"
_KEYS = {"id": str, "path": str, "kind": str, "managed": bool, "git": bool, "id_name": str}
_REQUIRED = ("id", "path")
_LIST_HINT = "see `muninn vault list`"


def registered(file: ConfigFile, home: Home, user_home: Path | None) -> tuple[Vault, ...]:
    """The vaults on the list, in its order. Raises UnreadableError with path and line."""
    tables = file.tables.get(VAULTS, {})
    if not isinstance(tables, dict):
        raise UnreadableError(f"{file.path}: {VAULTS} is not a table")
    vaults = tuple(_vault(file, home, user_home, *item) for item in tables.items())
    for one, other in itertools.combinations(vaults, 2):
        if one.id == other.id or overlap(one.root, other.root):
            both = f"{VAULTS}.{one.name} and {VAULTS}.{other.name}"
            raise UnreadableError(f"{file.path}: {both} share an id or a folder", _LIST_HINT)
    return vaults


def overlap(one: Path, other: Path) -> bool:
    """Whether two real paths are the same folder or one lies in the other."""
    return one == other or one in other.parents or other in one.parents


def _vault(file: ConfigFile, home: Home, user_home: Path | None, name: str, table: object) -> Vault:
    keys = _checked_table(file, name, table)
    root = real_path(expanded(str(keys["path"]), user_home, home.root))
    rules = own_rules(root)
    return Vault(
        id=str(keys["id"]),
        name=name,
        root=root,
        kind=with_own_rules(kind_of(name, root, str(keys.get("kind", ""))), rules),
        managed=bool(keys.get("managed", False)),
        git=bool(keys.get("git", False)),
        id_name=str(keys.get("id_name", name)),
        denied=rules.denied,
        problem=rules.problem,
    )


def _checked_table(file: ConfigFile, name: str, table: object) -> Mapping[str, object]:
    where = f"{VAULTS}.{name}"
    if not isinstance(table, dict):
        raise UnreadableError(f"{file.path}: {where} is not a table")
    for key, value in table.items():
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS)
            place = place_of(file, f"{where}.{key}")
            raise UnreadableError(f"{place}: a vault has no key {key} ({where})", hint)
        if not isinstance(value, _KEYS[key]):
            place = place_of(file, f"{where}.{key}")
            raise UnreadableError(f"{place}: {where}.{key} must be a {_KEYS[key].__name__}")
    missing = next((key for key in _REQUIRED if not table.get(key)), None)
    if missing:
        raise UnreadableError(f"{file.path}: {where} has no {missing}")
    return table


def find(vaults: Sequence[Vault], wanted: str, cwd: Path) -> Vault:
    """The vault of a name, an id, a path however it is written, or a name in any case.

    Raises NotFoundError with the nearest name, ConflictError where case alone tells two apart.
    """
    named = [vault for vault in vaults if wanted in (vault.name, vault.id)]
    matches = named or _at(vaults, wanted, cwd) or _alike(vaults, wanted)
    if len(matches) > 1:
        names = ", ".join(vault.name for vault in matches)
        raise ConflictError(f"which vault is {wanted}: {names}?", "write it as it is listed")
    if not matches:
        hint = did_you_mean(wanted, [vault.name for vault in vaults]) or _LIST_HINT
        raise NotFoundError(f"no such vault: {wanted}", hint)
    return matches[0]


def _at(vaults: Sequence[Vault], wanted: str, cwd: Path) -> list[Vault]:
    root = real_path(cwd / wanted) if wanted else None
    return [vault for vault in vaults if vault.root == root]


def _alike(vaults: Sequence[Vault], wanted: str) -> list[Vault]:
    key = collision_key(wanted)
    return [vault for vault in vaults if collision_key(vault.name) == key]


def real_path(path: Path) -> Path:
    """The path with every symlink followed. Raises UsageError for one that cannot be a path."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise UsageError(f"{str(path)!r} is no path: {error}") from error


def default_vault(
    vaults: Sequence[Vault],
    explicit: str | None,
    env: Mapping[str, str],
    cwd: Path,
    settings: Settings,
) -> Vault:
    """The vault a command means: as told, else MUNINN_VAULT, `.muninn.toml`, `vault.default`."""
    if explicit is not None:
        return find(vaults, explicit, cwd)
    if env.get(VAULT_VARIABLE):
        return _named_by(VAULT_VARIABLE, vaults, env[VAULT_VARIABLE], cwd)
    project = _project_file(cwd)
    if project is not None:
        return _named_by(str(project), vaults, _project_vault(project), cwd)
    return _named_by("vault.default", vaults, settings.vault.default, cwd)


def _named_by(source: str, vaults: Sequence[Vault], name: str, cwd: Path) -> Vault:
    try:
        return find(vaults, name, cwd)
    except NotFoundError as error:
        message = f"{source} names a vault that is not there: {name}"
        raise NotFoundError(message, error.hint) from None


def _project_file(cwd: Path) -> Path | None:
    """The nearest `.muninn.toml` from the current folder upward."""
    candidates = (folder / PROJECT_FILE for folder in (cwd, *cwd.parents))
    return next((path for path in candidates if path.is_file()), None)


def _project_vault(path: Path) -> str:
    """What a project's file names: `vault`, and nothing else may stand in it."""
    from muninn_cli.config import read_config

    tables = read_config(path).tables
    name = tables.get("vault")
    if not isinstance(name, str) or len(tables) > 1:
        hint = 'it may only name a vault: vault = "NAME"'
        raise UnreadableError(f"{path} holds something else than a vault's name", hint)
    return name
