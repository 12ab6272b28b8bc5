"""`muninn export`: carry memories out, byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import escaped
from muninn_cli.cli.group import Command
from muninn_cli.cli.selection import filters, selecting_all
from muninn_cli.cli.shown import counted
from muninn_cli.core.records import to_json
from muninn_cli.core.times import epoch
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UsageError
from muninn_cli.recall.export import Missed, Outgoing, outgoing, refuse_vaults, write_files
from muninn_cli.store import files
from muninn_cli.store.index.filters import State
from muninn_cli.store.index.holdings import unreadable
from muninn_cli.store.index.rows import count
from muninn_cli.store.registry import real_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from muninn_cli.store.index.filters import Filters

_JSONL, _MARKDOWN = "jsonl", "markdown"


@click.command("export", cls=Command)
@click.argument("destination", type=click.Path(), required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice([_JSONL, _MARKDOWN]),
    default=_JSONL,
    help="One JSON object a line (default), or the files themselves into a folder.",
)
@click.option("--usage", is_flag=True, help="Carry recalls, stability and associations, too.")
@selecting_all
@click.pass_obj
def command(call: Call, /, destination: str | None, form: str, usage: bool, **chosen: Any) -> None:
    """Carry memories out to DESTINATION, a new file or folder, or to standard output.

    Every line holds a whole memory and its file, so that `muninn import` makes the same bytes of
    it again. Nothing is written over, and nothing counts as used.

    \b
    muninn export > memories.jsonl
    muninn export work.jsonl --vault work --archived --usage
    muninn export docker-notes --format markdown --tag docker
    """
    if form == _MARKDOWN and usage:
        raise UsageError("--usage goes into records, not into files", "leave out --format")
    export = _Export(call, filters(call.app, chosen), usage=usage)
    to_stdout = destination in (None, "-")
    if form == _MARKDOWN and to_stdout:
        raise UsageError("no folder is named", "muninn export FOLDER --format markdown")
    if to_stdout:
        export.to_stdout()
    else:
        place = real_path(call.app.world.cwd / str(destination))
        export.to_folder(place) if form == _MARKDOWN else export.to_file(place)
    export.tell_left()


@dataclass
class _Export:
    """One export on its way: what went out, by vault, and how many could not."""

    call: Call
    chosen: Filters
    usage: bool
    written: Counter[str] = field(default_factory=Counter)
    missed: int = 0

    def to_stdout(self) -> None:
        console = self.call.console
        rows = (self._json(piece) for piece in self._pieces())
        if console.json:
            console.data({"memories": list(rows)})
        else:
            console.lines(rows)

    def to_file(self, place: Path) -> None:
        if place.exists():
            raise ConflictError(f"there is a file already: {place}", "name another")
        if not place.parent.is_dir():
            raise NotFoundError(f"no such folder: {place.parent}", "make it first")
        with files.creating(place) as file:
            for piece in self._pieces():
                line = json.dumps(self._json(piece), ensure_ascii=False, allow_nan=False)
                file.write(escaped(line).encode() + b"\n")
        self._tell(place)

    def to_folder(self, place: Path) -> None:
        refuse_vaults(place, self.call.app.vaults)
        write_files(self._pieces(), place)
        self._tell(place)

    def tell_left(self) -> None:
        """Name what stayed behind. Raises MuninnError where that was not asked for."""
        app, notice = self.call.app, self.call.console.notice
        for file in unreadable(app.index, self.chosen.vaults):
            notice(f"not exported, since it is no text: {file.vault}/{file.path}: {file.cause}")
        archived = self.chosen._replace(states=frozenset({State.ARCHIVED}))
        count_archived = count(app.index, archived, now=epoch(app.now))
        if count_archived and State.ARCHIVED not in self.chosen.states:
            notice(f"{count_archived} archived texts were left out: --archived takes them along")
        if self.missed:
            raise MuninnError(f"{self.missed} memories could not be exported; the others were")

    def _pieces(self) -> Iterator[Outgoing]:
        """The memories that can be carried out, with a bar on the way."""
        app = self.call.app
        total = count(app.index, self.chosen, now=epoch(app.now))
        with app.progress("Exporting") as progress:
            found = outgoing(self.chosen, app.vaults, app.home, app.tools)
            for done, piece in enumerate(found, 1):
                progress(done, total)
                if isinstance(piece, Missed):
                    self.missed += 1
                    self.call.console.notice(f"not exported: {piece.name}: {piece.why}")
                else:
                    self.written[piece.record.vault] += 1
                    yield piece

    def _json(self, piece: Outgoing) -> dict[str, object]:
        return to_json(piece.record, piece.memory, piece.state.value, usage=self.usage)

    def _tell(self, place: Path) -> None:
        total = self.written.total()
        data = {
            "operation": "exported",
            "memories": total,
            "vaults": dict(sorted(self.written.items())),
            "file": str(place),
        }
        exported = counted(total, "memory", "memories")
        self.call.console.result(data, f"Exported {exported} to {place}")
