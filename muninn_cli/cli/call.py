"""One call of the program: its world, the options given everywhere, and what they open."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.cli.console import Console, Palette
from muninn_cli.cli.fitting import Sheet

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.store.scout import Scout
    from muninn_cli.world import World

_WIDTH = 80
_WIDEST = 100
"""Columns for prose: longer lines are hard to read."""
_NARROWEST = 24


class Flags:
    """Options that every command takes, before or after its name."""

    json = False
    quiet = False
    verbose = 0
    color: str | None = None


class Call:
    """What a command is handed: `call.console` to speak, `call.app` for everything else."""

    def __init__(self, world: World, scout: Scout | None = None) -> None:
        self.world = world
        self.scout = scout
        self.flags = Flags()

    @cached_property
    def app(self) -> App:
        from muninn_cli.app import App

        return App(self.world, self.console.notice, self.console.progress, self.scout)

    @cached_property
    def console(self) -> Console:
        """Made when first spoken to, so that all options are known by then."""
        palette = Palette(self.world.env, self.flags.color, self._color_setting)
        return Console(self.world, self.flags, palette)

    @cached_property
    def sheet(self) -> Sheet:
        """What is written on: the terminal, as wide as it is, or a pipe."""
        columns = self._columns()
        return Sheet(min(columns or _WIDTH, _WIDEST), columns)

    def _columns(self) -> int | None:
        stated = self.world.env.get("COLUMNS", "")
        if stated.isdecimal():
            return max(int(stated), _NARROWEST)
        try:
            size = os.get_terminal_size(self.world.stdout.fileno())
        except (OSError, ValueError):
            return None
        return max(size.columns, _NARROWEST) if size.columns else _WIDTH

    def _color_setting(self) -> str:
        """`ui.color`; auto where settings cannot be read: that failure must still be told."""
        try:
            return self.app.settings.ui.color
        except Exception:
            return "auto"
