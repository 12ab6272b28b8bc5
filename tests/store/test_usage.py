"""The usage log on disk: reading on, compaction with the same fold, erasure."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muninn_cli.core.usage import (
    Alias,
    AssociationChange,
    Event,
    Present,
    Recall,
    StabilityChange,
    Summary,
    Undo,
    VaultUsage,
    fold,
    parse_event,
)
from muninn_cli.store.usage import UsageLog

START = datetime(2026, 3, 1, 6, tzinfo=UTC)
DAY = timedelta(days=1)
NOW = START + 500 * DAY


@pytest.fixture
def usage_log(tmp_path: Path) -> UsageLog:
    return UsageLog(tmp_path / "usage" / "v.jsonl")


def recall(days: float, *ids: str) -> Recall:
    return Recall(START + days * DAY, tuple((name, 0.9) for name in ids or ("A",)), "search")


def folded(usage_log: UsageLog) -> VaultUsage:
    return fold(VaultUsage(), usage_log.read()[0], NOW)


def test_a_log_is_read_on_from_where_one_left_off(usage_log: UsageLog) -> None:
    assert usage_log.read() == ([], 0)
    usage_log.append(recall(0))
    first, position = usage_log.read()
    usage_log.append(recall(1), recall(2))
    assert usage_log.read(position)[0] == [recall(1), recall(2)]
    assert first == [recall(0)]


def test_a_torn_last_line_is_ignored_and_read_once_it_is_whole(usage_log: UsageLog) -> None:
    usage_log.append(recall(0))
    _, position = usage_log.read()
    whole = usage_log.path.read_bytes()
    usage_log.append(recall(1))
    data = usage_log.path.read_bytes()
    usage_log.path.write_bytes(data[:-9])
    assert usage_log.read(position) == ([], position) and position == len(whole)
    usage_log.path.write_bytes(data)
    assert usage_log.read(position)[0] == [recall(1)]


def test_lines_of_other_versions_are_skipped_and_kept(usage_log: UsageLog) -> None:
    usage_log.append(recall(0))
    with usage_log.path.open("a") as file:
        file.write('{"v":2,"t":"2027-07-01T00:00:00Z","k":"dreamt of","id":"A"}\nnonsense\n')
    usage_log.append(recall(490))
    assert usage_log.read()[0] == [recall(0), recall(490)]


def test_the_newest_event_is_the_newest_that_is_not_in_the_future(usage_log: UsageLog) -> None:
    assert usage_log.newest(NOW) is None
    usage_log.append(recall(3), recall(1), Present(START + 2 * DAY), recall(900))
    assert usage_log.newest(NOW) == START + 3 * DAY
    assert usage_log.newest(START) is None


def test_the_newest_event_is_found_behind_many_lines_from_the_future(usage_log: UsageLog) -> None:
    usage_log.append(recall(3))
    usage_log.append(*(recall(2000 + n) for n in range(900)))
    assert usage_log.newest(NOW) == START + 3 * DAY


def test_lines_older_than_400_days_become_one_summary_a_memory(usage_log: UsageLog) -> None:
    usage_log.append(*(recall(n, "A", "B") for n in range(90)), recall(300, "A"))
    before = folded(usage_log)
    usage_log.compact(NOW, {})
    events, _ = usage_log.read()
    assert [type(event) for event in events] == [Summary, Summary, Recall]
    assert folded(usage_log) == before


def test_a_compacted_log_is_left_alone_the_next_time(usage_log: UsageLog) -> None:
    usage_log.append(*(recall(n) for n in range(9)), recall(300))
    usage_log.compact(NOW, {})
    data = usage_log.path.read_bytes()
    usage_log.compact(NOW, {})
    assert usage_log.path.read_bytes() == data


def test_a_log_without_old_lines_is_not_touched(usage_log: UsageLog) -> None:
    usage_log.append(recall(200), recall(100))
    before = usage_log.path.read_bytes()
    usage_log.compact(NOW, {})
    assert usage_log.path.read_bytes() == before


def test_a_position_from_before_a_compaction_reads_from_the_start(usage_log: UsageLog) -> None:
    usage_log.append(*(recall(n) for n in range(9)), recall(300))
    events, position = usage_log.read()
    usage = fold(VaultUsage(), events, NOW)
    usage_log.compact(NOW, {})
    usage_log.append(recall(400, "B"))
    events, later = usage_log.read(position)
    assert fold(usage, events, NOW) == folded(usage_log)
    assert usage_log.read(later)[0] == []


def test_a_position_from_before_is_known_even_when_the_log_has_grown_past_it(
    usage_log: UsageLog,
) -> None:
    usage_log.append(*(recall(n) for n in range(9)))
    _, position = usage_log.read()
    usage_log.compact(NOW, {})
    usage_log.append(*(recall(300 + n, "B") for n in range(20)))
    assert len(usage_log.read(position)[0]) == 21


def test_settled_recalls_are_dropped_but_not_the_last_nor_the_numbers(usage_log: UsageLog) -> None:
    usage_log.append(*(recall(n) for n in range(9)), recall(300, "B"))
    usage_log.compact(NOW, {"A": NOW})
    usage = folded(usage_log).of("A")
    assert usage.counted == (START + 8 * DAY,)
    assert (usage.recalls, len(usage.newest)) == (9, 5)


def test_a_run_undone_lately_stays_undone_when_it_was_old(usage_log: UsageLog) -> None:
    usage_log.append(
        StabilityChange(START + 98 * DAY, "A", 40, "r1"),
        recall(99),
        Undo(START + 150 * DAY, "r1"),
    )
    usage_log.compact(NOW, {})
    assert folded(usage_log).of("A").stability == 14


def test_erasing_takes_every_trace_of_a_memory_and_of_no_other(usage_log: UsageLog) -> None:
    usage_log.append(
        recall(0, "A", "B"),
        recall(1, "A"),
        StabilityChange(START, "A", 20, "r"),
        AssociationChange(START, "A", "B", 0.3, False, "r"),
        Alias(START, "A", "B", "r"),
        recall(2, "AB"),
    )
    _, position = usage_log.read()
    usage_log.erase("A")
    assert b'"A"' not in usage_log.path.read_bytes()
    assert usage_log.read(position)[0] == [recall(0, "B"), recall(2, "AB")]


ids = st.sampled_from(["A", "B", "C"])
runs = st.sampled_from(["r1", "r2"])
instants = st.integers(0, 480).map(lambda n: START + n * DAY)
events = st.one_of(
    st.builds(
        lambda at, names: Recall(at, tuple((name, 0.5) for name in names), "show"),
        instants,
        st.lists(ids, min_size=1, max_size=3),
    ),
    st.builds(StabilityChange, instants, ids, st.integers(14, 365).map(float), runs),
    st.builds(
        AssociationChange, instants, ids, ids, st.sampled_from([0.25, 0.5]), st.booleans(), runs
    ),
    st.builds(Alias, instants, ids, ids, runs),
    st.builds(Undo, instants, runs),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
@given(st.lists(events, max_size=30))
def test_compaction_never_changes_the_fold(tmp_path: Path, logged: list[Event]) -> None:
    usage_log = UsageLog(tmp_path / "log.jsonl")
    usage_log.path.unlink(missing_ok=True)
    usage_log.append(*sorted(logged, key=lambda event: event.at))
    before = folded(usage_log)
    usage_log.compact(NOW, {})
    after = folded(usage_log)
    assert after.memories == before.memories
    assert after.associations == before.associations


def test_the_header_of_a_compacted_log_is_no_event() -> None:
    assert parse_event('{"v":1,"k":"log","generation":3}') is None
