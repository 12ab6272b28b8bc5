"""A home with memories, the commands that change it, and what must hold after one was killed."""

from __future__ import annotations

import gc
import json
import os
import random
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conftest import Clock, Muninn, Result

from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.terms import Kind
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.ledger import Piece
from muninn_cli.store.vault import Vault
from muninn_cli.world import World

START = datetime(2026, 3, 1, 6, tzinfo=UTC)
TODAY = START + timedelta(days=25)
LATER = START + timedelta(days=31)
"""When a T3 memory that nobody asked for has expired."""

TEXTS = {
    "kept": "The invoice service listens on port 8443 behind the proxy",
    "copy": "The invoice service listens on port 8443, behind the proxy!",
    "edited": "Releases go out on Friday after the smoke test",
    "gone": "The wiki moved to the new host last week",
    "older": "The office is on the third floor",
    "newer": "The office is now on the fifth floor",
    "short": "Ticket 4711 waits for the vendor",
    "brief": "Ticket 4712 waits for the customer",
    "often": "Restart the crawler with the nightly flag",
}
_SHORT_LIVED = ("short", "brief", "often")
_LOGS = ("archive.jsonl",)
"""Files of a vault that grow; the others are one text or another, whole."""


@dataclass(frozen=True)
class Command:
    """One command to be killed: its arguments, when it is called, and its environment."""

    name: str
    args: tuple[str, ...]
    at: datetime = TODAY
    env: tuple[tuple[str, str], ...] = ()


COMMANDS = (
    Command("add", ("add", "Backups are kept for ninety days in the cold store", "--title", "new")),
    Command("add (merged)", ("add", TEXTS["kept"].upper(), "--tag", "network", "--tier", "T1")),
    Command("add (incoming)", ("add", f"{TEXTS['kept']} server", "--tag", "network")),
    Command("edit", ("edit", "edited"), env=(("EDITOR", "sed -i s/Friday/Thursday/"),)),
    Command("pin", ("pin", "kept")),
    Command("tier", ("tier", "set", "kept", "T1")),
    Command("archive", ("archive", "kept")),
    Command("restore", ("restore", "gone")),
    Command("supersede", ("supersede", "older", "newer")),
    Command("sweep", ("sweep", "--yes"), at=LATER),
    Command("dream", ("dream", "--force", "--no-llm"), at=LATER),
    Command("purge", ("purge", "edited", "--yes")),
    Command("sync", ("reindex",)),
)


class _Here(Muninn):
    """Commands of this machine, whose own locks it may take over at once."""

    def world(self, *args, **options) -> World:
        return super().world(*args, **options)._replace(host=os.uname().nodename)


class Scene:
    """A home at `folder`/home, brought back to the same beginning before each command.

    `unindexed` is a number of files that the index does not know yet.
    """

    def __init__(self, folder: Path, *, git: bool = False, unindexed: int = 0) -> None:
        self.folder = folder
        self.git = git
        self._unindexed = unindexed
        self.home = folder / "home"
        self._pristine = folder / "pristine"
        self._build()

    @property
    def root(self) -> Path:
        return self.home / "vaults" / "personal"

    @cached_property
    def vault(self) -> Vault:
        shown = self.run("vault", "show", "personal", "--json").json["vault"]
        return Vault(shown["id"], "personal", self.root, Kind.PERSONAL, True, self.git, "personal")

    def run(self, *args: str, at: datetime = START, env: dict[str, str] | None = None) -> Result:
        """Run a command in this process, always with the same clock and the same chance."""
        muninn = _Here(self.home, Clock(at), self.folder, random.Random(" ".join(args)))
        return muninn(*args, env={"MUNINN_GIT_AUTO": str(self.git).lower(), **(env or {})})

    def command(self, command: Command) -> Result:
        return self.run(*command.args, at=command.at, env=dict(command.env))

    def _build(self) -> None:
        for name, text in TEXTS.items():
            tier = "T3" if name in _SHORT_LIVED else "T2"
            added = self.run("add", text, "--title", name, "--tier", tier, "--force", "--json")
            assert added.code == 0, added.err
        for day in range(5):
            self.run("show", "often", at=START + timedelta(days=20 + day))
        assert self.run("archive", "gone", at=TODAY).code == 0
        assert self.run("sync", at=TODAY).code == 0
        for number in range(self._unindexed):
            place = self.root / "bulk" / f"{number}.md"
            place.parent.mkdir(exist_ok=True)
            place.write_text(f"---\nid: BULK{number}\n---\nThe meter of flat {number} was read\n")
        shutil.copytree(self.home, self._pristine, symlinks=True)

    def begin(self) -> None:
        """Bring the home back to the beginning."""
        gc.collect()  # a connection still open would keep the space of the index it had
        shutil.rmtree(self.home)
        shutil.copytree(self._pristine, self.home, symlinks=True)

    def files(self) -> dict[str, bytes]:
        """Every file of the vault that a person can see, and the archive."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".git" not in path.parts and not path.name.endswith(".tmp")
        }

    def outcome(self, command: Command) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """The files before and after a command that nobody interrupts."""
        self.begin()
        before = self.files()
        answer = self.command(command)
        assert answer.code == 0, (command.name, answer.err)
        return before, self.files()

    def faults(
        self, command: Command, before: dict[str, bytes], after: dict[str, bytes]
    ) -> list[str]:
        """What is wrong once the next command has run after one that was killed."""
        faults: list[str] = []
        listed = self.run("list", "--archived", "--expired", "--history", "--json", at=command.at)
        if listed.code:
            faults.append(f"the next command failed: {listed.err.strip()}")
        now = self.files()
        faults += _torn(now, before, after, whole_lines=False)
        if command.args[0] != "purge":
            faults += _lost(now, before, after)
        faults += self._doubles()
        faults += [told for told, fixed in self._found(command.at) if not fixed]
        faults += [f"after --fix: {told}" for told, _ in self._found(command.at, "--fix")]
        now = self.files()
        faults += [f"--fix: {each}" for each in _torn(now, before, after, whole_lines=True)]
        if command.args[0] != "purge":
            faults += [f"--fix: {each}" for each in _lost(now, before, after)]
        return faults

    def _found(self, at: datetime, *options: str) -> list[tuple[str, bool]]:
        """What the doctor finds, and whether it can mend that; but for files left half-written."""
        findings = self.run("doctor", *options, "--json", at=at).json["findings"]
        return [
            (f"{each['code']} {each['path']}: {each['cause']}", each["fix"])
            for each in findings
            if each["code"] != "leftover"
        ]

    def _doubles(self) -> list[str]:
        """Ids of memories that are live and archived."""
        live = set()
        for path in self.root.rglob("*.md"):
            if ".muninn" not in path.parts:
                memory = read(path.read_bytes(), path.relative_to(self.root).as_posix(), "personal")
                live.add(memory.id if isinstance(memory, Memory) else "")
        kept = VaultArchive(self.vault).kept()
        archived = {each.entry.id for each in kept if each.entry.piece is Piece.MEMORY}
        return [f"live and archived: {memory_id}" for memory_id in live & archived]


def _torn(
    now: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes], *, whole_lines: bool
) -> list[str]:
    """Files that are neither as before nor as after, but for logs, which grow line by line.

    A line that was torn is passed over by every reader until the doctor takes it out.
    """
    torn = []
    for path, data in now.items():
        if path.endswith(_LOGS):
            if not data.startswith(before.get(path, b"")):
                torn.append(f"a log lost what it held: {path}")
            elif whole_lines and not all(map(_is_json, data.decode().splitlines())):
                torn.append(f"a log holds a torn line: {path}")
        elif data not in (before.get(path), after.get(path)):
            torn.append(f"half-written: {path}")
    return torn


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _lost(now: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Texts that are nowhere any more, neither as they were nor as the command leaves them."""
    return [
        f"lost: {path}"
        for path, data in before.items()
        if not path.endswith(_LOGS)
        and data not in now.values()
        and (after.get(path) is None or after[path] not in now.values())
    ]
