"""The composition root: opens what one command needs, when it needs it, and owns the clock."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.config import ConfigFile, Settings, read_config, settings_from
from muninn_cli.paths import Home, find_home
from muninn_cli.store.registry import default_vault, registered

if TYPE_CHECKING:
    from collections.abc import Callable

    from muninn_cli.store.config_file import MadeHome
    from muninn_cli.store.registration import Registrar
    from muninn_cli.store.vault import Vault
    from muninn_cli.world import World


class App:
    """What the use cases work on; `notify` tells a person something beside the data."""

    def __init__(self, world: World, notify: Callable[[str], None]) -> None:
        self.world = world
        self.notify = notify

    @cached_property
    def home(self) -> Home:
        return find_home(self.world.env, self.world.user_home, self.world.cwd)

    @cached_property
    def config(self) -> ConfigFile:
        """config.toml as it is; empty where there is none."""
        return read_config(self.home.config)

    @cached_property
    def settings(self) -> Settings:
        return settings_from(self.config, self.world.env)

    @cached_property
    def vaults(self) -> tuple[Vault, ...]:
        """Every vault on the list; a first one is made where there is no home yet."""
        _ = self.settings  # a setting that is wrong is told before anything is done
        self.make_home()
        return registered(self.config, self.home, self.world.user_home)

    def vault(self, named: str | None = None) -> Vault:
        """The vault that a command means."""
        world = self.world
        return default_vault(self.vaults, named, world.env, world.cwd, self.settings)

    @property
    def registrar(self) -> Registrar:
        """Changes the list of vaults."""
        from muninn_cli.store.registration import Registrar

        _ = self.vaults  # a list that is changed must be there
        return Registrar(self.home, self.world)

    def make_home(self, *, git: bool = True) -> MadeHome | None:
        """Make the home folder where there is none; None where it was there."""
        from muninn_cli.store.config_file import ensure_home

        if self.config.exists:
            return None
        made = ensure_home(self.home, self.world, git=git and self.settings.git.auto)
        vars(self).pop("config")
        if made and made.notice:
            self.notify(made.notice)
        return made
