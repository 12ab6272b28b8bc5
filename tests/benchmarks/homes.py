"""A muninn home for benchmarks: commands run in this process, at times that the script chooses."""

from __future__ import annotations

import io
import json
import random
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from muninn_cli.cli import main
from muninn_cli.world import World

START = datetime(2026, 3, 1, 6, tzinfo=UTC)


@dataclass
class Home:
    """Runs commands: `home("search", "x", at=later)` gives the JSON answer."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    @property
    def vault(self) -> Path:
        return self.root / "vaults" / "personal"

    def __call__(self, *arguments: str, at: datetime = START) -> dict:
        out, errors = io.StringIO(), io.StringIO()
        world = World(
            env={"MUNINN_HOME": str(self.root), "MUNINN_GIT_AUTO": "false", **self.env},
            folder=str(self.root.parent),
            now=lambda: at,
            randomness=self.chance.randbytes,
            stdin=io.StringIO(),
            stdout=out,
            stderr=errors,
            host="benchmark",
            pid=1,
        )
        code = main(["--json", *arguments], world)
        if code:
            sys.exit(f"muninn {' '.join(arguments)} ended with {code}: {errors.getvalue()}")
        return json.loads(out.getvalue())

    def write(self, name: str, text: str, *, at: datetime, **fields: str) -> str:
        """Put a memory file into the vault, as a person would; returns its id."""
        memory_id = f"B{self.chance.getrandbits(100):025X}"
        lines = {"id": memory_id, **fields, "created": at.strftime("%Y-%m-%dT%H:%M:%SZ")}
        front = "".join(f"{key}: {value}\n" for key, value in lines.items())
        self.vault.mkdir(parents=True, exist_ok=True)
        (self.vault / f"{name}.md").write_text(f"---\n{front}---\n{text}\n", encoding="utf-8")
        return memory_id

    def body(self, path: str) -> str:
        """The text of a memory by its path in the vault."""
        return (self.vault / path).read_text(encoding="utf-8").split("---\n", 2)[2]
