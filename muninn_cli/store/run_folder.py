"""The folder of one run: plan, before-images and receipt, each written whole.

No plan: nothing was touched yet. A plan and no receipt: the run is on its way, or was killed.
A plan names places and hashes; the texts are in `before/`, and in `after/` what an undo took away.
`changes.jsonl` is a dream's: what an undo of it is a no to.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from muninn_cli.core.memory_usage import read_instant
from muninn_cli.core.times import rfc3339
from muninn_cli.errors import UnreadableError
from muninn_cli.store import files, log
from muninn_cli.store.steps import Record
from muninn_cli.store.vault import ARCHIVE, LEDGER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path


class State(StrEnum):
    """What became of a run; UNFINISHED means that it is on its way or was killed."""

    UNFINISHED = "unfinished"
    DONE = "done"
    ROLLED_BACK = "rolled back"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Left:
    """Something that was not done: a batch or a file by name, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is about to do. `number` orders runs, whatever the clock says.

    `usage` are the ids of the vaults whose usage logs get events of this run.
    """

    run: str
    number: int
    command: str
    at: datetime
    records: tuple[Record, ...]
    usage: tuple[str, ...]

    @property
    def paths(self) -> dict[str, tuple[str, ...]]:
        """The files that are touched, relative to their vaults' roots, by vault id."""
        touched: dict[str, set[str]] = {}
        for each in self.records:
            paths = touched.setdefault(each.vault, set())
            if each.kind != "text":
                paths.add(each.path)
            if each.file:
                paths |= {f"{ARCHIVE}/{each.file}", LEDGER}
        return {vault: tuple(sorted(paths)) for vault, paths in touched.items()}


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a run did: names of its batches, those dropped, and the files an undo left alone.

    `run` is empty where nothing was left to do. `paths` as in `Plan`.
    """

    run: str
    state: State
    done: tuple[str, ...] = ()
    dropped: tuple[Left, ...] = ()
    left: tuple[Left, ...] = ()
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def recovery(self) -> str:
        """What became of a run that had been killed, for people."""
        if self.state is State.UNFINISHED:
            return f"run {self.run} was killed, and cannot be rolled back yet"
        return f"rolled back run {self.run}, which had been killed"


class RunFolder:
    """One run's folder; its name is the run's id."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = path / "before"
        self.after = path / "after"
        self.changes = path / "changes.jsonl"
        self._plan = path / "plan.json"
        self._receipt = path / "receipt.json"

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def is_planned(self) -> bool:
        return self._plan.exists()

    @property
    def is_finished(self) -> bool:
        return self._receipt.exists()

    def save_image(self, number: int, data: bytes) -> None:
        files.write(self.before / str(number), data)

    def save_plan(self, plan: Plan) -> None:
        stored = {
            "v": 1,
            "run": plan.run,
            "number": plan.number,
            "command": plan.command,
            "t": rfc3339(plan.at),
            "usage": plan.usage,
            "steps": [each.as_dict() for each in plan.records],
        }
        files.write(self._plan, log.line_of(stored).encode() + b"\n")

    def plan(self) -> Plan:
        """Raises UnreadableError where somebody has damaged the plan."""
        with _understood(self._plan):
            stored: dict[str, Any] = json.loads(self._plan.read_bytes())
            return Plan(
                stored["run"],
                stored["number"],
                stored["command"],
                read_instant(stored["t"]),
                tuple(Record.from_dict(each) for each in stored["steps"]),
                tuple(stored["usage"]),
            )

    def finish(self, receipt: Receipt, at: datetime) -> None:
        stored = {
            "v": 1,
            "run": receipt.run,
            "t": rfc3339(at),
            "state": receipt.state,
            "done": receipt.done,
            "dropped": [[left.name, left.why] for left in receipt.dropped],
            "left": [[left.name, left.why] for left in receipt.left],
        }
        files.write(self._receipt, log.line_of(stored).encode() + b"\n")

    def reopen(self) -> None:
        """Take the receipt away: from now on the run counts as killed, and is rolled back."""
        files.remove(self._receipt)

    def receipt(self) -> Receipt:
        """Raises UnreadableError where somebody has damaged it."""
        if not self.is_finished:
            return Receipt(self.id, State.UNFINISHED)
        with _understood(self._receipt):
            stored: dict[str, Any] = json.loads(self._receipt.read_bytes())
            return Receipt(
                stored["run"],
                State(stored["state"]),
                tuple(stored["done"]),
                tuple(Left(*each) for each in stored["dropped"]),
                tuple(Left(*each) for each in stored["left"]),
                self.plan().paths,
            )

    def scrub(self, vault: str, ids: Collection[str]) -> None:
        """Destroy the images of these memories, and the steps that name their places.

        So are images that belong to no step: those of a batch that was dropped. Raises
        UnreadableError where nobody can tell which is whose.
        """
        plan = self.plan()
        kept = tuple(each for each in plan.records if each.vault != vault or each.id not in ids)
        wanted = {str(each.number) for each in kept}
        for image in (*self.before.glob("*"), *self.after.glob("*")):
            if image.name not in wanted:
                files.remove(image)
        if kept != plan.records:
            self.save_plan(replace(plan, records=kept))
        marks = [f'"{memory_id}"' for memory_id in ids]
        log.rewrite(self.changes, lambda lines: [line for line in lines if not _names(line, marks)])

    def discard(self) -> None:
        """Remove the folder and all that muninn wrote into it.

        The plan goes first, then the receipt: what has no plan counts as nothing that was done.
        """
        for path in (self._plan, self._receipt, *self._files()):
            files.remove(path)
        for folder in (self.before, self.after, self.path):
            with suppress(OSError):
                folder.rmdir()

    def _files(self) -> Iterator[Path]:
        yield self.changes
        for folder in (self.before, self.after):
            yield from folder.glob("*")
        yield from self.path.rglob(f"{files.TEMP_PREFIX}*")


def _names(line: str, marks: list[str]) -> bool:
    return any(mark in line for mark in marks)


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableError(f"{path} is not a file of muninn's: {error}") from error
