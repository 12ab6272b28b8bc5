"""How long a memory lives: which tier it gets, and its tier and expiry at any moment.

`effective` is a pure fold over the counted recalls, so the answer is the same whether a sweep
has written a promotion into the file or not. All instants are aware, in UTC; a day is 24 hours.
"""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.terms import MemoryType, Source, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.core.memory_usage import MemoryUsage

GRACE = timedelta(days=7)
"""A weakening, or a person's change of tier, leaves a memory at least this long."""
_UP = {Tier.T3: Tier.T2, Tier.T2: Tier.T1}
_FOR_EVER = datetime.max.replace(tzinfo=UTC)


class Limits(NamedTuple):
    """Days that each tier lives unused, and the counted recalls that lift a memory."""

    t1_days: int
    t2_days: int
    t3_days: int
    promote_after: int

    def lifetime(self, tier: Tier) -> timedelta:
        """How long a tier lives unused; for T0, which lives for ever, a T1's."""
        match tier:
            case Tier.T0 | Tier.T1:
                return timedelta(days=self.t1_days)
            case Tier.T2:
                return timedelta(days=self.t2_days)
            case Tier.T3:
                return timedelta(days=self.t3_days)


class Life(NamedTuple):
    """What a memory's file and state say of its age.

    `tier_since` is the later of the file's and the one noted when a person changed the tier;
    `floor` is the file's `expires`. `immortal`: pinned, T0, or in a vault where time does not
    act (legal or unmanaged).
    """

    tier: Tier
    tier_since: datetime | None
    created: datetime | None
    first_seen: datetime
    floor: datetime | None
    immortal: bool


class Effective(NamedTuple):
    """A memory's tier, since when, its expiry (None: never), and the recalls of its window."""

    tier: Tier
    tier_since: datetime | None
    expires: datetime | None
    counted: int

    def expired(self, now: datetime) -> bool:
        return self.expires is not None and now >= self.expires


def choose_tier(
    explicit: Tier | None, category: str, source: str, memory_type: MemoryType
) -> tuple[Tier, str]:
    """The tier of a new memory, and the name of the rule that decided."""
    if explicit is not None:
        return explicit, "explicit"
    if category:
        return Tier.T0, "category"
    if source == Source.AGENT and memory_type is MemoryType.PROCEDURAL:
        return Tier.T1, "agent procedural"
    if source == Source.AGENT and memory_type is MemoryType.EPISODIC:
        return Tier.T2, "agent episodic"
    return Tier.T2, "default"


def effective(life: Life, usage: MemoryUsage, now: datetime, limits: Limits) -> Effective:
    """Tier and expiry as they are at `now`."""
    if life.immortal or life.tier is Tier.T0:
        return Effective(life.tier, life.tier_since, None, 0)
    tier, since, window = _promoted(life, usage.counted, limits)
    counted = sum(now - at <= limits.lifetime(tier) for at in window)
    return Effective(tier, since, _expiry(life, since, usage, limits.lifetime(tier)), counted)


def up(tier: Tier) -> Tier | None:
    """The next more durable tier; None where nothing but a person lifts it."""
    return _UP.get(tier)


def noted_since(
    tier: Tier,
    since: datetime | None,
    noted_tier: Tier,
    noted: datetime | None,
    now: datetime,
) -> datetime | None:
    """The `tier_since` to note after reading a file that states `tier` and `since`.

    `noted_tier` and `noted` are those of the reading before. muninn never writes a tier without
    a later `tier_since`, so another tier without one is a person's change, and begins now.
    """
    if since is not None and (noted is None or since > noted):
        return since
    return noted if tier is noted_tier else now


def _promoted(
    life: Life, counted: Iterable[datetime], limits: Limits
) -> tuple[Tier, datetime | None, deque[datetime]]:
    """Tier, since when, and the counted recalls within the window that ends with the last."""
    tier, since = life.tier, life.tier_since
    window: deque[datetime] = deque()
    for at in counted:
        if since is not None and at <= since:
            continue
        window.append(at)
        while at - window[0] > limits.lifetime(tier):
            window.popleft()
        if tier in _UP and len(window) >= limits.promote_after:
            tier, since, window = _UP[tier], at, deque()
    return tier, since, window


def _expiry(
    life: Life, since: datetime | None, usage: MemoryUsage, lifetime: timedelta
) -> datetime:
    starts = (life.created, life.first_seen, usage.last_recall)
    start = max(instant for instant in starts if instant is not None)

    def after(stability: float) -> datetime:
        return _plus(start, max(lifetime, timedelta(days=stability)))

    held = [min(after(w.before), _plus(w.at, GRACE)) for w in usage.weakened]
    graced = _plus(since, GRACE) if since else start
    return max([after(usage.stability), graced, life.floor or start, *held])


def _plus(start: datetime, span: timedelta) -> datetime:
    try:
        return start + span
    except OverflowError:
        return _FOR_EVER
