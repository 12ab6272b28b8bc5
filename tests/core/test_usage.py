"""The fold of the usage log: what counts, what is ignored, what repeats without effect."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.associations import Association, weight_at
from muninn_cli.core.silence import is_silent
from muninn_cli.core.usage import (
    Alias,
    AssociationChange,
    Event,
    MemoryUsage,
    Present,
    Recall,
    StabilityChange,
    Summary,
    Undo,
    VaultUsage,
    fold,
    format_event,
    must_restart,
    parse_event,
    recalls_since,
)

START = datetime(2026, 3, 1, 6, tzinfo=UTC)
LATER = START + timedelta(days=3000)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def recall(hours: float, *ids: str, via: str = "search") -> Recall:
    return Recall(START + hours * HOUR, tuple((name, 0.9) for name in ids or ("A",)), via)


def folded(*events: Event, now: datetime = LATER) -> VaultUsage:
    return fold(VaultUsage(), events, now)


def test_a_recall_counts_when_an_hour_has_passed_since_the_last_that_counted() -> None:
    usage = folded(recall(0), recall(0.5), recall(0.99), recall(1), recall(1.5)).of("A")
    assert usage.counted == (START, START + HOUR)
    assert usage.recalls == 2


def test_every_recall_moves_the_clock() -> None:
    assert folded(recall(0), recall(0.5)).of("A").last_recall == START + HOUR / 2


def test_an_agent_in_a_loop_counts_once_an_hour() -> None:
    usage = folded(*(recall(n / 60) for n in range(601))).of("A")
    assert usage.recalls == len(usage.counted) == 11
    assert len(usage.newest) == 5


def test_an_earlier_time_never_counts_and_moves_no_clock() -> None:
    usage = folded(recall(48), recall(24), recall(48))
    assert usage == folded(recall(48))


def test_a_time_more_than_a_day_ahead_of_now_is_ignored() -> None:
    assert folded(recall(24.01), now=START) == VaultUsage()
    assert folded(recall(24), now=START).of("A").recalls == 1


def test_a_refreshed_clock_is_no_count() -> None:
    usage = folded(recall(0, via="add"), recall(30, via="restore")).of("A")
    assert (usage.recalls, usage.counted, usage.last_recall) == (0, (), START + 30 * HOUR)


def test_newest_are_the_last_recalls_of_their_hours_newest_first() -> None:
    usage = folded(recall(0), recall(0.5), recall(5), recall(7), recall(7.5)).of("A")
    assert usage.newest == tuple(START + n * HOUR for n in (7.5, 5, 0.5))


def test_stability_is_kept_within_its_bounds() -> None:
    assert folded(StabilityChange(START, "A", 9999, "r")).of("A").stability == 365
    assert folded(StabilityChange(START, "A", 0.1, "r")).of("A").stability == 14


def test_an_undone_run_never_happened_but_recalls_stay() -> None:
    events = (
        StabilityChange(START, "A", 20, "r1"),
        recall(1),
        StabilityChange(START + DAY, "A", 60, "r2"),
        AssociationChange(START, "A", "B", 0.4, False, "r2"),
        Alias(START + DAY, "B", "A", "r2"),
        recall(30),
    )
    undone = folded(*events, Undo(START + 2 * DAY, "r2"))
    assert undone.of("A") == folded(events[0], events[1], events[5]).of("A")
    assert undone.associations == {}


def test_a_merged_memory_brings_its_usage_and_its_associations() -> None:
    usage = folded(
        recall(0, "A"),
        recall(0.5, "B"),
        recall(10, "B"),
        StabilityChange(START, "B", 50, "r0"),
        AssociationChange(START, "B", "C", 0.4, False, "r0"),
        AssociationChange(START, "A", "B", 0.9, False, "r0"),
        Alias(START + DAY, "B", "A", "r1"),
    )
    survivor = usage.of("A")
    assert survivor.counted == (START, START + 10 * HOUR)
    assert (survivor.recalls, survivor.stability) == (2, 50)
    assert usage.associations[("A", "C")].weight == pytest.approx(0.4)
    assert usage.of("B").recalls == 2


def test_a_memory_merged_again_adds_only_what_is_new() -> None:
    old = MemoryUsage(recalls=7, newest=(START,), counted=(START,))
    usage = folded(
        Summary(START, "B", old),
        Alias(START + DAY, "B", "A", "r1"),
        recall(48, "B"),
        Alias(START + 3 * DAY, "B", "A", "r2"),
    )
    assert usage.of("A").recalls == usage.of("B").recalls == 8


def test_an_inherited_association_is_not_undone_by_folding_again() -> None:
    events = [
        AssociationChange(START, "B", "C", 0.5, False, "r0"),
        AssociationChange(START + DAY, "A", "C", 0.1, False, "r0"),
        Alias(START + 2 * DAY, "B", "A", "r1"),
    ]
    once = folded(*events)
    assert fold(once, events, LATER) == once


def test_a_chain_of_merges_carries_everything_to_its_end() -> None:
    usage = folded(
        recall(0, "A"),
        recall(5, "B"),
        Alias(START + DAY, "A", "B", "r1"),
        Alias(START + 2 * DAY, "B", "C", "r2"),
    )
    assert usage.of("C").recalls == 2


def test_a_summary_stands_for_the_events_that_made_it() -> None:
    events = [recall(n * 30) for n in range(9)] + [StabilityChange(START, "A", 40, "r")]
    whole = folded(*events).of("A")
    assert folded(Summary(START, "A", whole)).of("A") == whole
    assert folded(*events, Summary(START, "A", whole)).of("A") == whole
    assert folded(Summary(START, "A", folded(*events[:4]).of("A")), *events[4:]).of("A") == whole


def test_a_summary_of_older_knowledge_changes_nothing() -> None:
    old, new = folded(recall(0)).of("A"), folded(recall(0), recall(50))
    assert fold(new, [Summary(START, "A", old)], LATER).of("A") == new.of("A")


def test_only_an_undo_or_a_merge_reaches_back() -> None:
    assert must_restart([Undo(START, "r")]) and must_restart([Alias(START, "A", "B", "r")])
    assert not must_restart([recall(0), StabilityChange(START, "A", 20, "r"), Present(START)])


def test_a_silence_is_more_than_sixty_days_without_an_event() -> None:
    newest = folded(recall(0), Present(START + DAY)).newest_event
    assert newest == START + DAY
    assert not is_silent(newest, START + 61 * DAY)
    assert is_silent(newest, START + 61 * DAY + timedelta(seconds=1))
    assert not is_silent(None, LATER)


def test_recalls_since_are_those_somebody_asked_for() -> None:
    events = [recall(0), recall(2, via="add"), Present(START), recall(3, "A", "B")]
    assert recalls_since(events, None) == [events[0], events[3]]
    assert recalls_since(events, START) == [events[3]]


def test_usage_survives_its_json() -> None:
    usage = folded(
        recall(0),
        recall(9),
        StabilityChange(START, "A", 90, "r"),
        StabilityChange(START + DAY, "A", 20.5, "r2"),
        Alias(START + DAY, "B", "A", "r3"),
    ).of("A")
    assert MemoryUsage.from_json(usage.to_json()) == usage
    assert MemoryUsage.from_json("{}") == MemoryUsage()


EXAMPLES: list[Event] = [
    Recall(START, (("A", 0.91), ("B", 0.5)), "search"),
    StabilityChange(START, "A", 16.8, "20260301-060000"),
    AssociationChange(START, "A", "B", 0.25, True, "20260301-060000"),
    Alias(START, "B", "A", "20260301-060000"),
    Undo(START, "20260301-060000"),
    Summary(START, "A", MemoryUsage(recalls=2, newest=(START,), counted=(START,))),
    Present(START),
]


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_survives_its_line(event: Event) -> None:
    assert parse_event(format_event(event)) == event
    assert "\n" not in format_event(event)


def test_the_line_of_a_recall_is_as_documented() -> None:
    line = '{"v":1,"t":"2026-03-01T06:00:00Z","k":"recall","hits":[["A",0.91],["B",0.5]],"via":"search"}'
    assert format_event(EXAMPLES[0]) == line


@pytest.mark.parametrize(
    "line",
    [
        "", "{", "[]", "null", "7", '"x"', "{}", '{"t":"2026-03-01T06:00:00Z"}',
        '{"t":"2026-02-30T06:00:00Z","k":"present"}', '{"t":5,"k":"present"}',
        '{"t":"2026-03-01T06:00:00Z","k":"tomorrow"}',
        '{"t":"2026-03-01T06:00:00Z","k":"stability","id":"A","s":NaN}',
        '{"t":"2026-03-01T06:00:00Z","k":"stability","id":"A","s":"high"}',
        '{"t":"2026-03-01T06:00:00Z","k":"stability","id":"../A","s":20}',
        '{"t":"2026-03-01T06:00:00Z","k":"recall","hits":[["A"]]}',
        '{"t":"2026-03-01T06:00:00Z","k":"recall","hits":"AB"}',
        '{"t":"2026-03-01T06:00:00Z","k":"undo","run":""}',
        '{"t":"2026-03-01T06:00:00Z","k":"summary","id":"A","usage":[1]}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_understood_is_no_event(line: str) -> None:
    assert parse_event(line) is None


ids = st.sampled_from(["A", "B", "C", "D"])
runs = st.sampled_from(["r1", "r2", "r3"])
instants = st.integers(0, 3000).map(lambda n: START + n * timedelta(minutes=20))
weights = st.floats(0, 1).map(lambda weight: round(weight, 6))
plain_events = st.one_of(
    st.builds(
        Recall,
        instants,
        st.lists(st.tuples(ids, weights), max_size=4).map(tuple),
        st.sampled_from(["search", "show", "add"]),
    ),
    st.builds(
        StabilityChange, instants, ids, st.floats(14, 365).map(lambda days: round(days, 4)), runs
    ),
    st.builds(AssociationChange, instants, ids, ids, weights, st.booleans(), runs),
    st.builds(Alias, instants, ids, ids, runs),
    st.builds(Present, instants),
)
any_events = st.one_of(plain_events, st.builds(Undo, instants, runs))


@given(st.lists(any_events, max_size=40), instants)
def test_folding_twice_changes_nothing(events: list[Event], now: datetime) -> None:
    once = fold(VaultUsage(), events, now)
    assert fold(once, events, now) == once


@given(st.lists(any_events, max_size=60), st.lists(st.integers(0, 60), max_size=60))
def test_many_short_folds_are_one_long_fold(events: list[Event], cuts: list[int]) -> None:
    usage, start = VaultUsage(), 0
    for end in [*sorted(cuts), len(events)]:
        new = events[start:end]
        if any(isinstance(event, Undo) for event in new):
            usage, new = VaultUsage(), events[:end]
        usage, start = fold(usage, new, LATER), max(start, end)
    assert usage == fold(VaultUsage(), events, LATER)


@given(st.lists(plain_events, max_size=40))
def test_a_fold_leaves_what_it_was_given_alone(events: list[Event]) -> None:
    before = folded(recall(0, "A"), AssociationChange(START, "A", "B", 0.5, False, "r"))
    copy = VaultUsage(dict(before.memories), dict(before.associations), before.newest_event)
    fold(before, events, LATER)
    assert before == copy


@given(st.lists(plain_events, max_size=40))
def test_the_fold_survives_the_log_and_its_own_json(events: list[Event]) -> None:
    read = [parse_event(format_event(event)) for event in events]
    usage = fold(VaultUsage(), events, LATER)
    assert fold(VaultUsage(), [event for event in read if event], LATER) == usage
    for each in usage.memories.values():
        assert MemoryUsage.from_json(each.to_json()) == each


@given(st.lists(instants, max_size=60))
def test_recalls_that_count_are_an_hour_apart_and_agree_with_their_number(
    times: list[datetime],
) -> None:
    usage = folded(*(Recall(at, (("A", 1.0),), "show") for at in times)).of("A")
    gaps = [
        later - earlier for earlier, later in zip(usage.counted, usage.counted[1:], strict=False)
    ]
    assert all(gap >= HOUR for gap in gaps)
    assert usage.recalls == len(usage.counted)
    assert list(usage.newest) == sorted(usage.newest, reverse=True)


def test_an_inherited_association_is_weighed_when_both_are_known() -> None:
    usage = folded(
        AssociationChange(START, "B", "C", 0.5, False, "r0"),
        AssociationChange(START + 60 * DAY, "A", "C", 0.1, False, "r0"),
        Alias(START + 61 * DAY, "B", "A", "r1"),
    )
    kept = usage.associations[("A", "C")]
    assert kept == Association(0.25, START + 60 * DAY)
    assert weight_at(kept, START + 120 * DAY) == pytest.approx(0.125)
