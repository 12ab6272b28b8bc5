"""How one memory has been used: a value, its few transitions, and its JSON.

Each transition can be repeated with no effect: a recall not later than the newest one, a
stability not later than the last change and a merge already done change nothing. That is what
makes folding a log twice the same as folding it once. Nothing here knows the time.
"""

from __future__ import annotations

import json
import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from muninn_cli.core.times import parse_time, rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BASE_STABILITY = 14.0
"""Days; no memory is ever weaker."""
LONGEST_STABILITY = 365.0
COUNT_EVERY = timedelta(hours=1)
"""Recalls closer together count once: an agent in a loop must not make a memory immortal."""
NEWEST_KEPT = 5


class Weakening(NamedTuple):
    """The stability, in days, that a memory had before it was lowered at `at`."""

    at: datetime
    before: float


class MemoryUsage(NamedTuple):
    """Recalls and stability of one memory.

    `recalls` is how often it was recalled, once an hour at most; `newest` the newest of these,
    at most five, newest first, each at the last recall of its hour; `counted` the instants that
    counted, oldest first. `weakened` are the weakenings since the last recall. `merged` names the
    memories whose usage was taken in, and when.
    """

    recalls: int = 0
    newest: tuple[datetime, ...] = ()
    counted: tuple[datetime, ...] = ()
    stability: float = BASE_STABILITY
    stability_changed: datetime | None = None
    weakened: tuple[Weakening, ...] = ()
    merged: tuple[tuple[str, datetime], ...] = ()

    @property
    def last_recall(self) -> datetime | None:
        return self.newest[0] if self.newest else None

    def recalled(self, at: datetime, *, counts: bool) -> MemoryUsage:
        """A recall moves the clock, and counts when an hour has passed since the last counted."""
        if self.newest and at <= self.newest[0]:
            return self
        counts = counts and (not self.counted or at - self.counted[-1] >= COUNT_EVERY)
        return MemoryUsage(
            self.recalls + counts,
            (at, *self.newest)[:NEWEST_KEPT] if counts else (at, *self.newest[1:]),
            (*self.counted, at) if counts else self.counted,
            self.stability,
            self.stability_changed,
            tuple(weakening for weakening in self.weakened if weakening.at > at),
            self.merged,
        )

    def with_stability(self, at: datetime, days: float) -> MemoryUsage:
        """A new stability, kept within 14 to 365 days."""
        if self.stability_changed and at <= self.stability_changed:
            return self
        days = min(max(days, BASE_STABILITY), LONGEST_STABILITY)
        weakened = self.weakened
        if days < self.stability:
            weakened = (*weakened, Weakening(at, self.stability))
        return MemoryUsage(self.recalls, self.newest, self.counted, days, at, weakened, self.merged)

    def has_merged(self, other_id: str, at: datetime) -> bool:
        """Whether the usage of `other_id`, as it was at `at`, is part of this one."""
        return any(name == other_id and at <= when for name, when in self.merged)

    def merge(self, other_id: str, other: MemoryUsage, at: datetime) -> MemoryUsage:
        """Take in another memory's usage; recalls of both within one hour count once."""
        counted = _hourly(self.counted + other.counted)
        again = any(name == other_id for name, _ in self.merged)
        uncounted = 0 if again else other.recalls - len(other.counted)
        return MemoryUsage(
            self.recalls + len(counted) - len(self.counted) + uncounted,
            tuple(sorted({*self.newest, *other.newest}, reverse=True)[:NEWEST_KEPT]),
            counted,
            max(self.stability, other.stability),
            _later(self.stability_changed, other.stability_changed),
            tuple(sorted({*self.weakened, *other.weakened}, key=lambda w: (w.at, w.before))),
            (*self.merged, (other_id, at)),
        )

    def settled(self, until: datetime) -> MemoryUsage:
        """The same without the counted recalls up to `until`, which no promotion needs."""
        counted = tuple(at for at in self.counted if at > until)
        return MemoryUsage(
            self.recalls,
            self.newest,
            counted or self.counted[-1:],
            self.stability,
            self.stability_changed,
            self.weakened,
            self.merged,
        )

    def or_newer(self, stored: MemoryUsage) -> MemoryUsage:
        """Take recalls, and stability, from `stored` where it knows later ones."""
        recalls, stability = self, self
        if stored.newest and (not self.newest or stored.newest[0] > self.newest[0]):
            recalls = stored
        if _later(self.stability_changed, stored.stability_changed) != self.stability_changed:
            stability = stored
        return MemoryUsage(
            recalls.recalls,
            recalls.newest,
            recalls.counted,
            stability.stability,
            stability.stability_changed,
            stability.weakened,
            self.merged + tuple(pair for pair in stored.merged if pair not in self.merged),
        )

    def as_dict(self) -> dict[str, object]:
        """What is not default, times in RFC 3339."""
        whole = {
            "recalls": self.recalls,
            "newest": [rfc3339(at) for at in self.newest],
            "counted": [rfc3339(at) for at in self.counted],
            "stability": self.stability,
            "stability_changed": self.stability_changed and rfc3339(self.stability_changed),
            "weakened": [[rfc3339(w.at), w.before] for w in self.weakened],
            "merged": [[name, rfc3339(at)] for name, at in self.merged],
        }
        return {key: value for key, value in whole.items() if value}

    def to_json(self) -> str:
        return json.dumps(self.as_dict(), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> MemoryUsage:
        return cls.from_dict(json.loads(text))

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> MemoryUsage:
        """Read `as_dict` back. Raises ValueError, TypeError or IndexError for anything else."""
        changed = stored.get("stability_changed")
        return cls(
            recalls=int(stored.get("recalls", 0)),
            newest=tuple(read_instant(text) for text in stored.get("newest", ())),
            counted=tuple(read_instant(text) for text in stored.get("counted", ())),
            stability=read_number(stored.get("stability", BASE_STABILITY)),
            stability_changed=read_instant(changed) if changed else None,
            weakened=tuple(
                Weakening(read_instant(pair[0]), read_number(pair[1]))
                for pair in stored.get("weakened", ())
            ),
            merged=tuple(
                (str(pair[0]), read_instant(pair[1])) for pair in stored.get("merged", ())
            ),
        )


UNUSED = MemoryUsage()


def read_instant(stored: object) -> datetime:
    """An instant of a state file, in whole seconds. Raises ValueError for anything else."""
    when = parse_time(stored) if isinstance(stored, str) else None
    if when is None:
        raise ValueError(f"no instant: {stored!r}")
    return when.instant.replace(microsecond=0)


def read_number(stored: object) -> float:
    """A finite number of a state file. Raises ValueError for anything else."""
    if isinstance(stored, int | float) and math.isfinite(stored):
        return float(stored)
    raise ValueError(f"no number: {stored!r}")


def _hourly(instants: Iterable[datetime]) -> tuple[datetime, ...]:
    """Those at least an hour after the one kept before, oldest first."""
    kept: list[datetime] = []
    for at in sorted(instants):
        if not kept or at - kept[-1] >= COUNT_EVERY:
            kept.append(at)
    return tuple(kept)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(filter(None, (one, other)), default=None)
