"""One call of the program: its world, the options given everywhere, and what they open."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.cli.console import Console, Palette

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.world import World

_WIDTH = 80
_WIDEST = 100


@dataclass
class Flags:
    """Options that every command takes, before or after its name."""

    json: bool = False
    quiet: bool = False
    verbose: int = 0
    color: str | None = None


@dataclass
class Call:
    """What a command is handed: `call.console` to speak, `call.app` for everything else."""

    world: World
    flags: Flags = field(default_factory=Flags)

    @cached_property
    def app(self) -> App:
        from muninn_cli.app import App

        return App(self.world, self.console.notice, self.console.progress)

    @cached_property
    def console(self) -> Console:
        """Made when first spoken to, so that all options are known by then."""
        palette = Palette(self.world.env, self.flags.color, self._color_setting)
        return Console(self.world, self.flags, palette)

    @property
    def width(self) -> int:
        """Columns for help texts."""
        columns = self.world.env.get("COLUMNS", "")
        if columns.isdecimal():
            return min(int(columns), _WIDEST)
        try:
            return min(os.get_terminal_size(self.world.stdout.fileno()).columns, _WIDEST)
        except (OSError, ValueError):
            return _WIDTH

    def _color_setting(self) -> str:
        """`ui.color`; auto where settings cannot be read: that failure must still be told."""
        try:
            return self.app.settings.ui.color
        except Exception:
            return "auto"
