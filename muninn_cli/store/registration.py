"""Putting vaults on the list and taking them off: create, register, manage, rename, remove.

Two vaults never overlap, and muninn's own folder is never one. Nothing of a vault's memories is
written, moved or removed here.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.config.edit import remove_key, rename_table, set_key, set_setting, vault_table
from muninn_cli.config.load import VAULTS
from muninn_cli.core.naming import collision_key
from muninn_cli.core.terms import Kind
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UsageError
from muninn_cli.paths import expanded
from muninn_cli.store import history, removed
from muninn_cli.store.config_file import editing, make_folder, new_vault_id, start_git
from muninn_cli.store.git import enclosing_repository
from muninn_cli.store.registry import find, overlap, real_path, registered
from muninn_cli.store.vault import Vault, checked_name, is_legal_place

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from muninn_cli.config import ConfigFile
    from muninn_cli.config.values import Plain
    from muninn_cli.paths import Home
    from muninn_cli.store.config_file import ConfigEdit
    from muninn_cli.world import World


@dataclass(frozen=True)
class Listed:
    """A vault as it now is on the list; `changed` is false where it was so before."""

    vault: Vault
    changed: bool = True
    notice: str = ""


@dataclass(frozen=True)
class Registrar:
    """Changes the list of vaults of one home folder; every change is one locked rewrite."""

    home: Home
    world: World

    def create(self, name: str, kind: Kind | None = None, *, git: bool = True) -> Listed:
        """Make a managed vault below the home folder."""
        name = checked_name(name)
        with editing(self.home, self.world) as config:
            vaults = self._vaults(config.file)
            _refuse_taken(vaults, name)
            root = _free_folder(real_path(self.home.vaults), name, vaults)
            self._refuse_overlap(vaults, root)
            make_folder(root)
            return self._put(config, name, root, kind, managed=True, git=git)

    def register(
        self, path: str, name: str | None = None, kind: Kind | None = None, *, git: bool = False
    ) -> Listed:
        """Put an existing folder on the list, unmanaged; the same folder again changes nothing."""
        root = self._existing_folder(path)
        with editing(self.home, self.world) as config:
            vaults = self._vaults(config.file)
            same = next((vault for vault in vaults if vault.root == root), None)
            if same is not None:
                return _again(same, name)
            self._refuse_overlap(vaults, root)
            name = _folder_name(root) if name is None else checked_name(name)
            _refuse_taken(vaults, name)
            return self._put(config, name, root, kind, managed=False, git=git)

    def manage(self, name: str, *, on: bool = True) -> Listed:
        """Say whether time acts in a vault: expiry, promotion, merges by themselves."""
        with editing(self.home, self.world) as config:
            before = self._find(config.file, name)
            file = config.save(set_key(config.file.text, (VAULTS, before.name, "managed"), on))
            return Listed(self._find(file, name), before.managed != on)

    def keep_in_git(self, name: str, *, on: bool = True) -> Listed:
        """Say whether muninn commits what it writes in a vault; a folder becomes a repository.

        What lies there already is for the person to commit. Raises ConflictError inside another
        repository, MuninnError where git cannot make one. Off leaves the repository as it is.
        """
        with editing(self.home, self.world) as config:
            before = self._find(config.file, name)
            if on:
                _require_repository(before.root)
            file = config.save(set_key(config.file.text, (VAULTS, before.name, "git"), on))
            return Listed(self._find(file, name), before.git != on)

    def rename(self, old: str, new: str) -> Listed:
        """Give a vault another name; its folder, its id and the ids in it stay."""
        new = checked_name(new)
        with editing(self.home, self.world) as config:
            vault = self._find(config.file, old)
            others = [other for other in self._vaults(config.file) if other.id != vault.id]
            _refuse_taken(others, new)
            file = config.save(_renamed(config.file, vault, new))
            return Listed(self._find(file, new), vault.name != new)

    def remove(self, name: str) -> Vault:
        """Take a vault off the list; its files stay, and its id waits for its return."""
        with editing(self.home, self.world) as config:
            vault = self._find(config.file, name)
            removed.note(self.home.removed_vaults, vault)
            config.save(remove_key(config.file.text, (VAULTS, vault.name)))
            return vault

    def _vaults(self, file: ConfigFile) -> tuple[Vault, ...]:
        return registered(file, self.home, self.world.user_home)

    def _find(self, file: ConfigFile, name: str) -> Vault:
        return find(self._vaults(file), name, self.world.cwd)

    def _put(
        self,
        config: ConfigEdit,
        name: str,
        root: Path,
        kind: Kind | None,
        *,
        managed: bool,
        git: bool,
    ) -> Listed:
        under_git, notice = start_git(root) if git else (False, "")
        keys: dict[str, Plain] = {**self._identity(root, name), "path": self._written(root)}
        written = _written_kind(name, root, kind)
        if written:
            keys["kind"] = written
        keys |= {"managed": managed, "git": under_git}
        file = config.save(_ended(config.file.text) + vault_table(name, keys))
        return Listed(self._find(file, name), notice=notice)

    def _identity(self, root: Path, name: str) -> dict[str, str]:
        """A new id, or the one that a vault at this place had."""
        former = removed.former(self.home.removed_vaults, root)
        if former is None:
            return {"id": new_vault_id(self.world)}
        kept_name = {} if former.id_name == name else {"id_name": former.id_name}
        return {"id": former.id, **kept_name}

    def _written(self, root: Path) -> str:
        """The path for config.toml: relative below the home folder, so that it may move."""
        home = real_path(self.home.root)
        return str(root.relative_to(home)) if root.is_relative_to(home) else str(root)

    def _existing_folder(self, path: str) -> Path:
        root = real_path(expanded(path, self.world.user_home, self.world.cwd))
        if not root.exists():
            raise NotFoundError(f"no such folder: {root}", "make one with `muninn vault create`")
        if not root.is_dir():
            raise UsageError(f"{root} is no folder")
        if any("\ud800" <= character <= "\udfff" for character in str(root)):
            raise UsageError(f"{str(root)!r} is not UTF-8, so config.toml cannot hold it")
        return root

    def _refuse_overlap(self, vaults: Iterable[Vault], root: Path) -> None:
        """Raise ConflictError where the folder meets another vault or muninn's own folder."""
        home = real_path(self.home.root)
        if overlap(root, home) and root.parent != real_path(self.home.vaults):
            raise ConflictError(
                f"{root} overlaps muninn's own folder {home}",
                "keep the vault elsewhere, or make it with `muninn vault create NAME`",
            )
        for vault in vaults:
            if overlap(root, vault.root):
                message = f"{root} overlaps the vault {vault.name} ({vault.root})"
                raise ConflictError(message, "one memory belongs to one vault")


def _require_repository(root: Path) -> None:
    """Make the folder a repository where it is none."""
    if not root.is_dir():
        raise NotFoundError(f"no such folder: {root}")
    around = enclosing_repository(root)
    if around not in (None, root):
        message = f"{root} lies in the git repository {around}: muninn makes none in it"
        raise ConflictError(message, "commit there by yourself")
    if around is None and (warning := history.start(root)):
        raise MuninnError(warning)


def _refuse_taken(vaults: Iterable[Vault], name: str) -> None:
    if any(vault.name == name for vault in vaults):
        raise ConflictError(f"there is a vault called {name}", "choose another name")


def _free_folder(parent: Path, name: str, vaults: Iterable[Vault]) -> Path:
    """`parent/name`, or `name-2`, `-3` … where a vault is there, or a name of another case.

    A folder of just this name that is no vault is taken as it is: a vault may come back.
    """
    listed = {vault.root.name for vault in vaults if vault.root.parent == parent}
    present = {path.name for path in parent.iterdir()} if parent.exists() else set()
    present = {collision_key(other) for other in present - {name} | listed}
    numbers = (f"-{number}" for number in itertools.count(2))
    suffixes = itertools.chain([""], numbers)
    return next(parent / (name + s) for s in suffixes if collision_key(name + s) not in present)


def _again(vault: Vault, name: str | None) -> Listed:
    if name is not None and name != vault.name:
        hint = f"`muninn vault rename {vault.name} {name}`"
        raise ConflictError(f"{vault.root} is the vault {vault.name}", hint)
    return Listed(vault, changed=False)


def _folder_name(root: Path) -> str:
    """The name of the folder, if a vault may have it."""
    try:
        return checked_name(root.name)
    except UsageError as error:
        raise UsageError(error.message, "give it a name with --name") from error


def _written_kind(name: str, root: Path, kind: Kind | None) -> str:
    """The kind for config.toml: as told; a name that is a kind; empty where it follows."""
    if kind is not None:
        return kind.value
    if is_legal_place(name, root):
        return ""
    return name if name in set(Kind) else ""


def _renamed(file: ConfigFile, vault: Vault, new: str) -> str:
    """config.toml with a vault under its new name, never less strict than before."""
    text = set_key(file.text, (VAULTS, vault.name, "id_name"), vault.id_name)
    if is_legal_place(new, vault.root):
        text = remove_key(text, (VAULTS, vault.name, "kind"))
    elif vault.kind is Kind.LEGAL:
        text = set_key(text, (VAULTS, vault.name, "kind"), Kind.LEGAL.value)
    if new != vault.name:
        text = rename_table(text, VAULTS, vault.name, new)
    return _default_follows(file, text, vault.name, new)


def _default_follows(file: ConfigFile, text: str, old: str, new: str) -> str:
    """The text with `vault.default` naming the vault as it is called now."""
    from muninn_cli.config import settings_from

    if settings_from(file, {}).vault.default != old:
        return text
    return set_setting(text, "vault.default", new)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"
