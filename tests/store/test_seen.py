"""What was seen of a vault: the last line of each memory holds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from muninn_cli.core.terms import Tier
from muninn_cli.store.seen import Seen, SeenRecord

START = datetime(2026, 3, 1, 6, tzinfo=UTC)
RECORD = SeenRecord("A", b"\x01" * 16, START)


def test_nothing_was_seen_before_the_first_record(tmp_path: Path) -> None:
    assert Seen(tmp_path / "seen.jsonl").load() == {}


def test_the_last_record_of_a_memory_holds(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "seen.jsonl")
    later = replace(RECORD, last_dreamed=START, tier_since=START, tier=Tier.T3)
    other = replace(RECORD, id="B")
    seen.append([RECORD, other])
    seen.append([later])
    assert seen.load() == {"A": later, "B": other}


def test_lines_that_cannot_be_understood_are_skipped(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "seen.jsonl")
    seen.append([RECORD])
    with seen.path.open("a") as file:
        file.write('{"id":"A","hash":"zz","first_seen":"2026-03-01"}\n[]\n{"id":"C"}\n{"id"')
    assert seen.load() == {"A": RECORD}


def test_compaction_leaves_one_line_a_memory(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "seen.jsonl")
    for hour in range(60):
        seen.append(
            [
                replace(RECORD, id=f"M{n}", last_dreamed=START + timedelta(hours=hour))
                for n in range(40)
            ]
        )
    before = seen.load()
    seen.compact()
    assert len(seen.path.read_text().splitlines()) == 40
    assert seen.load() == before


def test_erasing_leaves_no_trace(tmp_path: Path) -> None:
    seen = Seen(tmp_path / "seen.jsonl")
    seen.append([RECORD, replace(RECORD, id="AB")])
    seen.erase("A")
    assert list(seen.load()) == ["AB"]
