"""A home on which real processes work, with the real clock."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conftest import Result


@dataclass(frozen=True)
class Home:
    """A home below `folder`, which need not be there yet, in an environment of its own."""

    folder: Path
    git: bool = False

    @property
    def root(self) -> Path:
        return self.folder / "home"

    @property
    def vault(self) -> Path:
        return self.root / "vaults" / "personal"

    @property
    def env(self) -> dict[str, str]:
        identity = {"NAME": "Ana", "EMAIL": "ana@example.com"}
        kept = ("PATH", "PYTHONPATH")
        return {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "HOME": str(self.folder),
            "MUNINN_HOME": str(self.root),
            "MUNINN_GIT_AUTO": str(self.git).lower(),
            **{f"GIT_AUTHOR_{key}": value for key, value in identity.items()},
            **{f"GIT_COMMITTER_{key}": value for key, value in identity.items()},
        }

    def muninn(self, *args: str, env: dict[str, str] | None = None, limit: float = 120) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "muninn_cli", *args],
            env=self.env | (env or {}),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def sick(self) -> list[str]:
        """What the doctor finds."""
        findings = self.muninn("doctor", "--json").json["findings"]
        return [f"{each['code']} {each['path']}: {each['cause']}" for each in findings]
