"""What dreams leave in the state: when each was, what was judged, and what a person said no to.

Whatever stands there is read leniently: a line that cannot be understood is no line, a damaged
stamp is none. Nothing here reads a memory or knows a text.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

from muninn_cli.core.changes import ChangeKey, Ref
from muninn_cli.core.memory_usage import read_instant
from muninn_cli.core.times import rfc3339
from muninn_cli.core.usage import Alias, AssociationChange, StabilityChange, Undo
from muninn_cli.dream.snapshot import Remembered
from muninn_cli.dream.suggestions import open_suggestions
from muninn_cli.store import files, log
from muninn_cli.store.seen import Seen, SeenRecord
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from muninn_cli.dream.plan import Judged
    from muninn_cli.paths import Home
    from muninn_cli.store.vault import Vault

KEPT = timedelta(days=90)
"""Stamps older than this stay only where no later one has taken their place."""


@dataclass(frozen=True, slots=True)
class Dreamed:
    """One dream that moved the stamps of these vaults (ids); `whole` if it was of all vaults.

    `run` is empty where it changed nothing.
    """

    run: str
    at: datetime
    vaults: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Stamps:
    """The dreams that count, in the order in which they were."""

    dreams: tuple[Dreamed, ...] = ()

    @property
    def last(self) -> datetime | None:
        """When all vaults were last dreamed of, by the clock that stood latest."""
        return max((each.at for each in self.dreams if each.whole), default=None)

    def last_of(self, vault: str) -> datetime | None:
        """When a vault was last dreamed of, alone or with the others."""
        return max((each.at for each in self.dreams if vault in each.vaults), default=None)

    def after(self, dreamed: Dreamed) -> Stamps:
        """The stamps after one more dream, without those that no longer matter."""
        known = Stamps((*self.dreams, dreamed))
        latest = {known.last, *map(known.last_of, {v for d in known.dreams for v in d.vaults})}
        kept = (d for d in known.dreams if dreamed.at - d.at <= KEPT or d.at in latest)
        return Stamps(tuple(kept))

    def before(self, run: str) -> Stamps:
        """The stamps without the last dream, if that was this run; else as they are."""
        if run and self.dreams and self.dreams[-1].run == run:
            return Stamps(self.dreams[:-1])
        return self


def read_stamps(path: Path) -> Stamps:
    """The stamps of `dream.json`; none where there is no such file or it is damaged."""
    try:
        stored = json.loads(path.read_bytes())["dreams"]
        return Stamps(tuple(map(_dreamed, stored)))
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return Stamps()


def _dreamed(stored: Mapping[str, Any]) -> Dreamed:
    vaults = tuple(map(str, stored["vaults"]))
    return Dreamed(str(stored["run"]), read_instant(stored["t"]), vaults, stored["whole"] is True)


def write_stamps(path: Path, stamps: Stamps) -> None:
    """Put these stamps in place; with none left, the file goes."""
    if not stamps.dreams:
        files.remove(path)
        return
    dreams = [
        {"t": rfc3339(d.at), "run": d.run, "whole": d.whole, "vaults": list(d.vaults)}
        for d in stamps.dreams
    ]
    text = json.dumps({"v": 1, "dreams": dreams}, ensure_ascii=False, indent=1)
    files.write(path, f"{text}\n".encode())


def remembered(home: Home, vaults: Sequence[Vault]) -> Remembered:
    """What the state says to a dream of these vaults."""
    stamps = read_stamps(home.dream_stamp)
    last = {vault.id: at for vault in vaults if (at := stamps.last_of(vault.id)) is not None}
    return Remembered(
        last_dream=last,
        seen={vault.id: _sights(home.seen(vault.id), last.get(vault.id)) for vault in vaults},
        dismissed=frozenset(key for key, _ in dismissals(home.dismissed)),
        suggested=frozenset(each.key for each in open_suggestions(home.suggestions)),
        judged=judged_clusters(home.judged),
        undone={
            frozenset(Ref(vault.id, each) for each in ids): at
            for vault in vaults
            for ids, at in _undone(UsageLog(home.usage(vault.id)))
        },
    )


def _undone(usage: UsageLog) -> Iterator[tuple[frozenset[str], datetime]]:
    """The memories and pairs of which undone dreams had learned, and when each was undone.

    What such a dream had learned of a survivor it had learned of the memories merged into it.
    """
    events, _ = usage.read()
    undone = {event.run: event.at for event in events if isinstance(event, Undo)}
    merged: defaultdict[str, set[str]] = defaultdict(set)
    for event in events if undone else ():
        match event:
            case Alias(loser=loser, survivor=survivor, run=run) if run in undone:
                merged[survivor] |= {survivor, loser}
                yield frozenset((loser, survivor)), undone[run]
    for event in events if undone else ():
        match event:
            case StabilityChange(id=memory_id, run=run) if run in undone:
                ends = [merged.get(memory_id, {memory_id})]
            case AssociationChange(a=a, b=b, run=run) if run in undone:
                ends = [merged.get(a, {a}), merged.get(b, {b})]
            case _:
                continue
        for ids in product(*ends):
            yield frozenset(ids), undone[run]


def _sights(path: Path, last: datetime | None) -> dict[str, SeenRecord]:
    """What was seen of a vault. A dream later than its stamp was undone: it was none."""
    return {
        memory_id: record
        if record.last_dreamed is None or (last is not None and record.last_dreamed <= last)
        else replace(record, last_dreamed=None)
        for memory_id, record in Seen(path).load().items()
    }


def note_judged(path: Path, judged: Iterable[Judged], now: datetime) -> None:
    """Remember clusters that a model or a person has judged: they are not asked about again."""
    lines = [
        log.line_of(
            {"v": 1, "t": rfc3339(now), "key": each.key, "refs": [list(ref) for ref in each.refs]}
        )
        for each in judged
    ]
    log.append(path, lines)


def note_dismissed(
    path: Path, dismissed: Iterable[tuple[ChangeKey, Iterable[Ref]]], now: datetime
) -> None:
    """Remember what was dismissed or undone: not proposed again until a text changes."""
    lines = [
        log.line_of(
            {
                "v": 1,
                "t": rfc3339(now),
                "kind": key.kind,
                "hashes": sorted(key.hashes),
                "refs": list(map(list, refs)),
            }
        )
        for key, refs in dismissed
    ]
    log.append(path, lines)


def dismissals(path: Path) -> list[tuple[ChangeKey, tuple[Ref, ...]]]:
    """What `note_dismissed` wrote to a file, oldest first."""
    found = []
    for stored in log.objects(path):
        with suppress(ValueError, TypeError, LookupError):
            key = ChangeKey(str(stored["kind"]), frozenset(map(str, stored["hashes"])))
            refs = tuple(Ref(str(vault), str(memory)) for vault, memory in stored["refs"])
            found.append((key, refs))
    return found


def judged_clusters(path: Path) -> frozenset[str]:
    """The keys of clusters that have been judged."""
    return frozenset(str(stored["key"]) for stored in log.objects(path) if "key" in stored)
