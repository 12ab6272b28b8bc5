"""Tiers and expiry: the worked example instant by instant, two years of each tier, odd clocks."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.memory_usage import MemoryUsage
from muninn_cli.core.terms import MemoryType, Tier
from muninn_cli.core.tiers import Life, Limits, choose_tier, effective, noted_since
from muninn_cli.core.times import rfc3339
from muninn_cli.core.usage import Recall, StabilityChange, VaultUsage, fold

LIMITS = Limits(t1_days=365, t2_days=90, t3_days=30, promote_after=5)
CREATED = datetime(2026, 3, 1, 6, tzinfo=UTC)
DAY = timedelta(days=1)


def on(text: str) -> datetime:
    return datetime.fromisoformat(
        f"2026-{text}:00+00:00" if text.count(":") == 1 else f"2026-{text}+00:00"
    )


def life(tier: Tier = Tier.T3, since: datetime | None = None, **changes: object) -> Life:
    fields: dict[str, object] = {
        "tier": tier,
        "tier_since": since,
        "created": CREATED,
        "first_seen": CREATED,
        "floor": None,
        "immortal": False,
    }
    return Life(**(fields | changes))  # type: ignore[arg-type]


def used(*instants: datetime) -> MemoryUsage:
    events = [Recall(at, (("ID", 0.9),), "search") for at in instants]
    return fold(VaultUsage(), events, now=CREATED + 9999 * DAY).of("ID")


RECALLS = (
    ("03-03T06:00", Tier.T3, 1, "04-02T06:00"),
    ("03-10T06:00", Tier.T3, 2, "04-09T06:00"),
    ("03-10T06:30", Tier.T3, 2, "04-09T06:30"),
    ("03-17T06:00", Tier.T3, 3, "04-16T06:00"),
    ("03-25T06:00", Tier.T3, 4, "04-24T06:00"),
    ("03-30T06:00", Tier.T2, 0, "06-28T06:00"),
)


@pytest.mark.parametrize("step", range(len(RECALLS)))
def test_each_recall_of_the_worked_example(step: int) -> None:
    moment, tier, count, expiry = RECALLS[step]
    now = effective(
        life(), used(*(on(each[0]) for each in RECALLS[: step + 1])), on(moment), LIMITS
    )
    assert (now.tier, now.counted, now.expires) == (tier, count, on(expiry))


def test_without_a_recall_it_expires_after_thirty_days_to_the_second() -> None:
    fresh = effective(life(), MemoryUsage(), CREATED, LIMITS)
    assert fresh.expires == on("03-31T06:00")
    assert not fresh.expired(on("03-31T05:59:59"))
    assert fresh.expired(on("03-31T06:00:00"))


def test_a_promotion_dates_from_the_fifth_recall_and_not_from_the_sweep() -> None:
    usage = used(*(on(each[0]) for each in RECALLS))
    unswept = effective(life(), usage, on("04-02T06:00"), LIMITS)
    assert rfc3339(unswept.tier_since or CREATED) == "2026-03-30T06:00:00Z"
    swept = effective(life(Tier.T2, unswept.tier_since), usage, on("04-02T06:00"), LIMITS)
    assert swept == unswept


@pytest.mark.parametrize("swept", [False, True])
def test_the_next_recall_is_number_one_towards_t1_swept_or_not(swept: bool) -> None:
    state = life(Tier.T2, on("03-30T06:00")) if swept else life()
    usage = used(*(on(each[0]) for each in RECALLS), on("03-31T06:00"))
    now = effective(state, usage, on("04-02T06:00"), LIMITS)
    assert (now.tier, now.counted, now.expires) == (Tier.T2, 1, on("06-29T06:00"))


def test_a_second_too_late_the_first_recall_is_out_of_the_window() -> None:
    before = [on(each[0]) for each in RECALLS[:-1]]
    late, last = on("04-02T06:00:01"), on("04-02T06:00:00")
    missed = effective(life(), used(*before, late), late, LIMITS)
    assert (missed.tier, missed.counted, missed.expires) == (Tier.T3, 4, late + 30 * DAY)
    assert effective(life(), used(*before, last), last, LIMITS).tier is Tier.T2


def test_unswept_promotions_follow_one_another_up_to_t1_and_no_further() -> None:
    now = effective(
        life(), used(*(CREATED + n * DAY for n in range(1, 40))), CREATED + 40 * DAY, LIMITS
    )
    assert (now.tier, now.tier_since) == (Tier.T1, CREATED + 10 * DAY)
    assert now.counted == 29


def test_an_old_promotion_is_kept_however_long_no_sweep_ran() -> None:
    usage = used(*(CREATED + n * DAY for n in range(1, 6)), CREATED + 80 * DAY, CREATED + 160 * DAY)
    assert effective(life(), usage, CREATED + 600 * DAY, LIMITS).tier is Tier.T2


@pytest.mark.parametrize(
    ("tier", "days"), [(Tier.T0, None), (Tier.T1, 365), (Tier.T2, 90), (Tier.T3, 30)]
)
def test_two_years_unused_day_by_day(tier: Tier, days: int | None) -> None:
    expired = [
        day
        for day in range(731)
        if effective(life(tier), MemoryUsage(), CREATED + day * DAY, LIMITS).expired(
            CREATED + day * DAY
        )
    ]
    assert expired == ([] if days is None else list(range(days, 731)))


@pytest.mark.parametrize(("tier", "days"), [(Tier.T1, 365), (Tier.T2, 90), (Tier.T3, 30)])
def test_a_recall_just_before_expiry_gives_a_whole_lifetime(tier: Tier, days: int) -> None:
    last = CREATED + days * DAY - timedelta(seconds=1)
    assert effective(life(tier), used(last), last, LIMITS).expires == last + days * DAY


def test_immortal_memories_neither_expire_nor_rise() -> None:
    usage = used(*(CREATED + n * DAY for n in range(1, 9)))
    now = effective(life(immortal=True), usage, CREATED + 4000 * DAY, LIMITS)
    assert (now.tier, now.expires) == (Tier.T3, None)


def test_time_counts_from_the_latest_of_created_first_seen_and_last_recall() -> None:
    seen = on("05-01T00:00")
    assert effective(life(first_seen=seen), MemoryUsage(), seen, LIMITS).expires == seen + 30 * DAY
    undated = life(created=None)
    assert effective(undated, MemoryUsage(), CREATED, LIMITS).expires == CREATED + 30 * DAY


def test_expires_is_a_floor_and_never_a_ceiling() -> None:
    far, near = on("12-31T00:00"), on("03-02T00:00")
    assert effective(life(floor=far), used(on("03-20T00:00")), CREATED, LIMITS).expires == far
    assert effective(life(floor=near), MemoryUsage(), CREATED, LIMITS).expires == on("03-31T06:00")


def test_the_end_of_the_calendar_is_no_error() -> None:
    last_day = datetime(9999, 12, 31, tzinfo=UTC)
    expires = effective(life(Tier.T1, created=last_day), MemoryUsage(), CREATED, LIMITS).expires
    assert expires is not None and expires > last_day


def test_thirty_days_are_thirty_times_24_hours_across_a_change_of_clocks() -> None:
    madrid = ZoneInfo("Europe/Madrid")
    start = datetime(2026, 3, 1, 2, 30, tzinfo=madrid)
    now = effective(
        life(created=start.astimezone(UTC), first_seen=start.astimezone(UTC)),
        MemoryUsage(),
        start,
        LIMITS,
    )
    assert not now.expired(datetime(2026, 3, 31, 3, 0, tzinfo=madrid))
    assert now.expired(datetime(2026, 3, 31, 3, 30, 1, tzinfo=madrid))
    assert now.expired(datetime(2026, 3, 31, 14, 30, 1, tzinfo=ZoneInfo("Pacific/Auckland")))


def test_a_clock_that_goes_back_moves_no_expiry() -> None:
    usage = used(on("03-10T06:00"))
    behind = fold(
        VaultUsage({"ID": usage}),
        [Recall(on("03-09T06:00"), (("ID", 1.0),), "search")],
        CREATED + DAY,
    )
    assert behind.of("ID") == usage
    assert effective(life(), usage, on("03-09T06:00"), LIMITS).expires == on("04-09T06:00")


def test_stability_beyond_the_lifetime_lengthens_life() -> None:
    strong = fold(VaultUsage(), [StabilityChange(CREATED, "ID", 60, "r")], CREATED).of("ID")
    assert effective(life(), strong, CREATED, LIMITS).expires == CREATED + 60 * DAY
    assert effective(life(Tier.T2), strong, CREATED, LIMITS).expires == CREATED + 90 * DAY


def test_a_weakening_leaves_at_least_seven_days() -> None:
    weakened = CREATED + 58 * DAY
    events = [StabilityChange(CREATED, "ID", 100, "r1"), StabilityChange(weakened, "ID", 60, "r2")]
    usage = fold(VaultUsage(), events, weakened).of("ID")
    assert effective(life(), usage, weakened, LIMITS).expires == weakened + 7 * DAY


def test_a_weakening_neither_revives_nor_lengthens() -> None:
    weakened = CREATED + 58 * DAY
    events = [StabilityChange(CREATED, "ID", 60, "r1"), StabilityChange(weakened, "ID", 20, "r2")]
    usage = fold(VaultUsage(), events, weakened).of("ID")
    assert effective(life(), usage, weakened, LIMITS).expires == CREATED + 60 * DAY


def test_a_tier_set_by_a_person_leaves_at_least_seven_days() -> None:
    set_at = CREATED + 200 * DAY
    now = effective(life(Tier.T3, since=set_at), MemoryUsage(), set_at, LIMITS)
    assert now.expires == set_at + 7 * DAY


offsets = st.lists(st.integers(0, 400 * 24 * 4), max_size=40)
strengths = st.lists(st.tuples(st.integers(0, 400 * 24 * 4), st.floats(14, 365)), max_size=8)


@given(offsets, strengths, st.sampled_from([Tier.T1, Tier.T2, Tier.T3]))
def test_no_event_brings_the_expiry_nearer_than_a_week(
    quarters: list[int], strengths: list[tuple[int, float]], tier: Tier
) -> None:
    quarter = timedelta(minutes=15)
    events = [Recall(CREATED + n * quarter, (("ID", 1.0),), "search") for n in quarters]
    events += [StabilityChange(CREATED + n * quarter, "ID", days, "r") for n, days in strengths]  # type: ignore[misc]
    usage, expiry = VaultUsage(), CREATED
    for event in sorted(events, key=lambda event: event.at):
        usage = fold(usage, [event], event.at)
        new = effective(life(tier), usage.of("ID"), event.at, LIMITS).expires
        assert new is not None
        if isinstance(event, Recall):
            assert new >= expiry
        else:
            assert new >= min(expiry, event.at + 7 * DAY)
        expiry = new


@given(offsets, st.integers(1, 39))
def test_writing_a_promotion_down_changes_nothing_then_or_later(
    quarters: list[int], when: int
) -> None:
    instants = sorted(CREATED + n * timedelta(minutes=15) for n in quarters)
    swept_at = instants[:when][-1] if instants else CREATED
    then = effective(life(), used(*instants[:when]), swept_at, LIMITS)
    later = CREATED + 401 * DAY
    unswept = effective(life(), used(*instants), later, LIMITS)
    swept = effective(life(then.tier, then.tier_since), used(*instants), later, LIMITS)
    assert swept == unswept


def test_the_first_tier_rule_that_applies_decides() -> None:
    assert choose_tier(Tier.T3, "adr", "agent", MemoryType.PROCEDURAL) == (Tier.T3, "explicit")
    assert choose_tier(None, "adr", "agent", MemoryType.PROCEDURAL) == (Tier.T0, "category")
    assert choose_tier(None, "", "agent", MemoryType.PROCEDURAL) == (Tier.T1, "agent procedural")
    assert choose_tier(None, "", "agent", MemoryType.EPISODIC) == (Tier.T2, "agent episodic")
    assert choose_tier(None, "", "agent", MemoryType.SEMANTIC) == (Tier.T2, "default")
    assert choose_tier(None, "", "cli", MemoryType.PROCEDURAL) == (Tier.T2, "default")


def test_a_tier_changed_by_hand_begins_now_and_one_written_by_muninn_when_it_says() -> None:
    now, since = on("06-01T00:00"), on("05-01T00:00")
    assert noted_since(Tier.T3, since, Tier.T2, since, now) == now
    assert noted_since(Tier.T3, None, Tier.T2, None, now) == now
    assert noted_since(Tier.T2, since, Tier.T3, None, now) == since
    assert noted_since(Tier.T2, since, Tier.T2, since, now) == since
    assert noted_since(Tier.T3, since, Tier.T3, now, now + DAY) == now
