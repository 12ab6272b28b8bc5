"""`muninn demo`: a first look at muninn on a sample vault, in a home folder of its own."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from muninn_cli.cli import main
from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Command
from muninn_cli.errors import MuninnError

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLES = Path(__file__).parent.parent / "samples" / "vault"
SEARCH_ENGLISH = "how do we get a file back from the backup"
SEARCH_SPANISH = "qué no puede comer Marta"
ADDED = "The staging server is rebuilt every Monday at 06:00."
STEPS: tuple[tuple[str, Sequence[str]], ...] = (
    ("Fourteen notes, English and Spanish, are in the vault. Add one more:", ("add", ADDED)),
    ("Ask in English; the answer is in Spanish:", ("search", SEARCH_ENGLISH, "--limit", "2")),
    ("Ask in Spanish:", ("search", SEARCH_SPANISH, "--limit", "1")),
    (
        "What would a dream do? Nothing is changed by asking:",
        ("dream", "--dry-run", "--force", "--no-llm"),
    ),
    ("Let it dream:", ("dream", "--force", "--no-llm")),
    ("And take it back, byte for byte:", ("undo",)),
)


@click.command("demo", cls=Command)
@click.pass_obj
def command(call: Call) -> None:
    """Try muninn on a small sample vault; nothing of yours is read or written.

    The sample is copied to a temporary home folder, which stays for you to look around in.

    \b
    muninn demo
    muninn demo --color always
    """
    home = Path(tempfile.mkdtemp(prefix="muninn-demo-"))
    shutil.copytree(SAMPLES, home / "vaults" / "personal")
    demo = _Demo(call, home)
    demo.show("init")
    for words, arguments in STEPS:
        call.console.print(f"\n{words}")
        demo.show(*arguments)
    call.console.print(f"\nLook around: export MUNINN_HOME={home}")


@dataclass(frozen=True)
class _Demo:
    """Runs commands in the demo's home as a person would type them."""

    call: Call
    home: Path

    def show(self, *arguments: str) -> None:
        """Print a command line, then run it."""
        words = (f'"{each}"' if " " in each else each for each in arguments)
        self.call.console.print(Styled(f"$ muninn {' '.join(words)}", "bold"))
        self.run(*arguments)

    def run(self, *arguments: str) -> None:
        """Run a command. Raises MuninnError where it fails."""
        env = {**self.call.world.env, "MUNINN_HOME": str(self.home), "MUNINN_GIT_AUTO": "false"}
        code = main(arguments, self.call.world._replace(env=env))
        if code:
            raise MuninnError(f"muninn {arguments[0]} ended with {code}")
