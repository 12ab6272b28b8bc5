"""Keys of providers: read from the environment or a command, shown to nobody.

A key is never a command-line flag, never stored, and never part of a message.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from muninn_cli.config.settings import ProviderSettings
from muninn_cli.errors import ProviderError

COMMAND_SECONDS = 10


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where the key of a provider comes from: a command if there is one, else a variable."""

    provider: str
    variable: str
    command: str
    env: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, provider: str, settings: ProviderSettings, env: Mapping[str, str]) -> KeySource:
        return cls(provider, settings.key_env, settings.key_command, env)

    @property
    def missing(self) -> str:
        """Why there can be no key, empty where there may be one. Runs no command."""
        if self.command or self.env.get(self.variable, "").strip():
            return ""
        return f"no key: {self.variable or f'providers.{self.provider}.key_env'} is not set"

    def read(self) -> str:
        """The key, empty where none is set. Raises ProviderError where it cannot be had."""
        key = self._run() if self.command else self.env.get(self.variable, "")
        key = key.strip()
        if not key.isascii() or not key.isprintable():
            raise self._error("the key has characters that no key has")
        return key

    def require(self) -> str:
        """As `read`, but ProviderError where there is no key."""
        if self.missing:
            raise self._error(self.missing)
        key = self.read()
        if not key:
            raise self._error("the key command printed no key")
        return key

    def _run(self) -> str:
        import subprocess

        try:
            done = subprocess.run(
                shlex.split(self.command),
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=COMMAND_SECONDS,
                check=True,
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            # Its output may hold the key: only the kind of failure is told.
            raise self._error(f"the key command failed ({type(error).__name__})") from None
        return done.stdout.partition("\n")[0]

    def _error(self, why: str) -> ProviderError:
        settings = f"providers.{self.provider}.key_env or providers.{self.provider}.key_command"
        return ProviderError(f"{self.provider}: {why}", f"set {settings}")
