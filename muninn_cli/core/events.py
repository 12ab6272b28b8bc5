"""The lines of a usage log: a closed union of events, read leniently and written in one way.

An event never holds a query's text. A line that cannot be understood is None, never an error:
a torn line, or one of a later version, must not hide the others.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple

from muninn_cli.core.ids import valid_id
from muninn_cli.core.memory_usage import MemoryUsage, read_instant, read_number
from muninn_cli.core.times import rfc3339

REFRESHES = frozenset({"add", "restore", "unpin"})
"""Ways of a recall that move the clock and never count: nobody asked for the memory."""


class Recall(NamedTuple):
    """Memories shown at `at`, best first, each with its score; `via` is search, show, mcp, ..."""

    at: datetime
    hits: tuple[tuple[str, float], ...]
    via: str

    @property
    def counts(self) -> bool:
        return self.via not in REFRESHES


class StabilityChange(NamedTuple):
    """A memory's new stability in days."""

    at: datetime
    id: str
    days: float
    run: str


class AssociationChange(NamedTuple):
    """The weight of a pair, as it is at `at`: its last recall together, or its inference."""

    at: datetime
    a: str
    b: str
    weight: float
    inferred: bool
    run: str


class Alias(NamedTuple):
    """The usage of `loser` goes on in `survivor`."""

    at: datetime
    loser: str
    survivor: str
    run: str


class Undo(NamedTuple):
    """The stability, association and alias events of `run` never happened."""

    at: datetime
    run: str


class Summary(NamedTuple):
    """One memory's usage up to `at`, in place of the events that made it."""

    at: datetime
    id: str
    usage: MemoryUsage


class Present(NamedTuple):
    """Somebody was here and the clock is right: what ends a silence."""

    at: datetime


Event = Recall | StabilityChange | AssociationChange | Alias | Undo | Summary | Present


def format_event(event: Event) -> str:
    """One line of JSON, without its line end."""
    line = {"v": 1, "t": rfc3339(event.at), **_written(event)}
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _written(event: Event) -> dict[str, object]:
    fields: dict[str, object]
    match event:
        case Recall(hits=hits, via=via):
            shown = [[name, round(score, 4)] for name, score in hits]
            fields = {"k": "recall", "hits": shown, "via": via}
        case StabilityChange(id=memory_id, days=days, run=run):
            fields = {"k": "stability", "id": memory_id, "s": round(days, 4), "run": run}
        case AssociationChange(a=a, b=b, weight=weight, inferred=inferred, run=run):
            fields = {"k": "association", "a": a, "b": b, "w": round(weight, 6)}
            fields |= {"inferred": inferred, "run": run}
        case Alias(loser=loser, survivor=survivor, run=run):
            fields = {"k": "alias", "from": loser, "to": survivor, "run": run}
        case Undo(run=run):
            fields = {"k": "undo", "run": run}
        case Summary(id=memory_id, usage=usage):
            fields = {"k": "summary", "id": memory_id, "usage": usage.as_dict()}
        case Present():
            fields = {"k": "present"}
    return fields


def parse_event(line: str) -> Event | None:
    """The event of a line; None for anything else."""
    try:
        stored = json.loads(line)
        return _read(stored, read_instant(stored["t"]))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _read(stored: dict[str, Any], at: datetime) -> Event | None:
    event: Event | None = None
    match stored["k"]:
        case "recall":
            hits = tuple((_id(name), read_number(score)) for name, score in stored["hits"])
            event = Recall(at, hits, str(stored.get("via", "")))
        case "stability":
            event = StabilityChange(at, _id(stored["id"]), read_number(stored["s"]), _run(stored))
        case "association":
            a, b, weight = _id(stored["a"]), _id(stored["b"]), read_number(stored["w"])
            weight = min(max(weight, 0.0), 1.0)
            event = AssociationChange(at, a, b, weight, stored["inferred"] is True, _run(stored))
        case "alias":
            event = Alias(at, _id(stored["from"]), _id(stored["to"]), _run(stored))
        case "undo" if stored["run"]:
            event = Undo(at, _run(stored))
        case "summary":
            event = Summary(at, _id(stored["id"]), MemoryUsage.from_dict(stored["usage"]))
        case "present":
            event = Present(at)
    return event


def _id(stored: object) -> str:
    if isinstance(stored, str) and valid_id(stored):
        return stored
    raise ValueError(f"no id: {stored!r}")


def _run(stored: dict[str, Any]) -> str:
    return str(stored.get("run", ""))
