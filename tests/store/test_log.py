"""Append-only logs: torn lines, rewriting while others append."""

import multiprocessing
import time
from contextlib import suppress
from pathlib import Path

import pytest

from muninn_cli.errors import BusyError
from muninn_cli.store import files, log


def test_a_log_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    assert log.read_lines(tmp_path / "none.jsonl") == ([], 0)
    log.rewrite(tmp_path / "none.jsonl", lambda lines: ["new"])
    assert not (tmp_path / "none.jsonl").exists()


def test_a_torn_last_line_is_left_and_the_offset_stays_before_it(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}\n{"b"')
    assert log.read_lines(path) == (['{"a":1}'], 8)
    log.append(path, ['{"c":3}'])
    assert log.read_lines(path, 8)[0] == ['{"b"', '{"c":3}']


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = ['"one\u2028still one"', '"two\x0bstill\rtwo"']
    log.append(path, lines)
    assert log.read_lines(path)[0] == lines


def test_a_name_that_is_no_unicode_survives(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log.append(path, [log.line_of({"path": "a\udcffb"}), log.line_of({"path": "café"})])
    assert b"caf\xc3\xa9" in path.read_bytes()
    assert '"a\\udcffb"' in log.read_lines(path)[0][0]


def test_a_line_appended_while_the_new_log_takes_its_place_is_carried_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    log.append(path, ["old"])
    replace = files.replace

    def late(target: Path, data: bytes, expected: bytes) -> None:
        with path.open("ab", buffering=0) as still_open:
            replace(target, data, expected)
            still_open.write(b"late\n")

    monkeypatch.setattr(files, "replace", late)
    log.rewrite(path, lambda lines: ["new"])
    assert log.read_lines(path)[0] == ["new", "late"]


def test_a_line_that_went_into_the_old_log_is_appended_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    log.append(path, ["old"])
    append_line = files.append_line

    def overtaken(target: Path, line: str) -> None:
        monkeypatch.setattr(files, "append_line", append_line)
        with path.open("ab", buffering=0) as still_open:
            files.write(path, b"new\n")
            still_open.write(line.encode())

    monkeypatch.setattr(files, "append_line", overtaken)
    log.append(path, ["mine"])
    assert log.read_lines(path)[0] == ["new", "mine"]


def _appender(path: Path, name: str, count: int) -> None:
    for number in range(count):
        log.append(path, [f"{name}-{number}"])
        time.sleep(0.001)


def test_no_line_is_lost_when_a_log_is_rewritten_while_others_append(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log.append(path, ["first"])
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_appender, args=(path, name, 150)) for name in "ab"]
    for writer in writers:
        writer.start()
    rewrites = 0
    while any(writer.is_alive() for writer in writers) or rewrites < 3:
        rewrites += 1
        with suppress(BusyError):
            log.rewrite(path, lambda lines: [*dict.fromkeys(lines), f"line {len(lines)}"])
    for writer in writers:
        writer.join()
    expected = {"first", *(f"{name}-{number}" for name in "ab" for number in range(150))}
    assert expected <= set(log.read_lines(path)[0])
