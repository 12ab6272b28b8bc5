"""What the tests stand on: a home folder of their own, a clock they set, and two ways to run muninn."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from personal import Personal

from muninn_cli.cli import main
from muninn_cli.world import World

START = datetime(2026, 3, 28, 6, 0, tzinfo=UTC)


@dataclass
class Clock:
    """A clock that stands until it is set."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now


@dataclass(frozen=True)
class Result:
    """What one run gave."""

    code: int
    out: str
    err: str

    def __iter__(self):
        return iter((self.code, self.out, self.err))

    @property
    def json(self):
        """stdout as one JSON document."""
        return json.loads(self.out)

    @property
    def rows(self) -> list:
        """stdout as NDJSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self):
        """stderr as the JSON of a failure."""
        return json.loads(self.err)["error"]


class Stream(io.TextIOWrapper):
    """A stream in memory, with bytes below as real ones have; perhaps a terminal."""

    def __init__(self, text: str = "", *, terminal: bool = False, encoding: str = "utf-8") -> None:
        self.bytes = io.BytesIO(text.encode(encoding, "surrogateescape"))
        self._terminal = terminal
        super().__init__(self.bytes, encoding, errors="backslashreplace", newline="")

    def isatty(self) -> bool:
        return self._terminal

    def text(self) -> str:
        self.flush()
        return self.bytes.getvalue().decode(self.encoding)


@dataclass
class Muninn:
    """Runs commands in this process: `muninn("vault", "list")`.

    `env` is added to an environment of just MUNINN_HOME and HOME, with git off, since a
    repository for each test would take most of its time.
    """

    home: Path
    clock: Clock
    cwd: Path
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def __call__(
        self,
        *args: str,
        stdin: str = "",
        env: dict[str, str] | None = None,
        at: datetime | None = None,
        cwd: Path | None = None,
        terminal: bool = False,
        encoding: str = "utf-8",
    ) -> Result:
        if at is not None:
            self.clock.now = at
        world = self.world(stdin, env or {}, cwd or self.cwd, terminal, encoding)
        code = main([str(arg) for arg in args], world)
        return Result(code, world.stdout.text(), world.stderr.text())

    def world(
        self,
        stdin: str = "",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        terminal: bool = False,
        encoding: str = "utf-8",
    ) -> World:
        return World(
            env=self.env | (env or {}),
            folder=str(cwd or self.cwd),
            now=self.clock,
            randomness=self.chance.randbytes,
            stdin=Stream(stdin),
            stdout=Stream(terminal=terminal, encoding=encoding),
            stderr=Stream(terminal=terminal, encoding=encoding),
            host="test",
            pid=os.getpid(),
        )

    @property
    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.home.parent),
            "MUNINN_HOME": str(self.home),
            "MUNINN_GIT_AUTO": "false",
        }


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The place of muninn's home folder; nothing is there yet."""
    return tmp_path / "home"


@pytest.fixture
def muninn(home: Path, clock: Clock, tmp_path: Path) -> Muninn:
    return Muninn(home, clock, tmp_path)


@pytest.fixture
def personal(muninn: Muninn) -> Personal:
    """The first vault of the home folder."""
    return Personal(muninn)


@pytest.fixture
def muninn_process(muninn: Muninn):
    """Runs commands in a process of their own: `muninn_process("vault", "list")`."""

    def run(*args: str, stdin: str = "", env: dict[str, str] | None = None, **options) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "muninn_cli", *map(str, args)],
            input=stdin.encode(),
            env=os.environ | muninn.env | (env or {}),
            cwd=options.pop("cwd", muninn.cwd),
            capture_output=True,
            timeout=60,
            check=False,
            **options,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
