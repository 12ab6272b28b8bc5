"""`muninn demo`: a first look at muninn on a sample vault, in a home folder of its own."""

from __future__ import annotations

import json
import shutil
import tempfile
from io import StringIO
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

    from muninn_cli.world import World

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
    steps = (("A home folder with a vault:", ("init",)), *STEPS)
    if call.console.json:
        answers = [_answered(call, home, words, arguments) for words, arguments in steps]
        call.console.data({"operation": "shown", "home": str(home), "steps": answers})
        return
    for number, (words, arguments) in enumerate(steps):
        call.console.print(f"\n{words}" if number else words)
        call.console.print(Styled(f"$ {_typed(arguments)}", "bold"))
        colour = ("--color", call.flags.color) if call.flags.color else ()
        _run(call.world, home, (*colour, *arguments))
    call.console.print(f"\nLook around: export MUNINN_HOME={home}")


def _answered(call: Call, home: Path, words: str, arguments: Sequence[str]) -> dict[str, object]:
    """A step as JSON, with the document that its command prints."""
    said = StringIO()
    _run(call.world._replace(stdout=said), home, ("--json", *arguments))
    return {"words": words, "command": _typed(arguments), "answer": json.loads(said.getvalue())}


def _typed(arguments: Sequence[str]) -> str:
    """A command line as a person would type it."""
    return " ".join(("muninn", *(f'"{each}"' if " " in each else each for each in arguments)))


def _run(world: World, home: Path, arguments: Sequence[str]) -> None:
    """Run a command in the demo's home, with no setting of the person's own."""
    env = {name: value for name, value in world.env.items() if not name.startswith("MUNINN_")}
    env |= {"MUNINN_HOME": str(home), "MUNINN_GIT_AUTO": "false"}
    code = main(arguments, world._replace(env=env, folder=str(home)))
    if code:
        raise MuninnError(f"`{_typed(arguments)}` ended with {code}")
