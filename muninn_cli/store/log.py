"""Append-only logs of one JSON object a line: state and ledger.

A torn last line is left unread, and stays where it is. A log is rewritten only to shorten it or
to erase from it; lines that other processes append meanwhile are never lost, though one may then
stand there twice: whoever reads a log must not mind a line that is repeated.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from muninn_cli.core.times import parse_time
from muninn_cli.errors import BusyError, ConflictError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

_AT_ONCE = 1000
"""Lines appended in one write."""
_ATTEMPTS = 20
_LOOK = 4096
"""Bytes of an end in which the last line is looked for."""


def line_of(value: Mapping[str, object]) -> str:
    """One line of JSON, without its line end; names that are no Unicode are escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text


def read_lines(path: Path, offset: int = 0) -> tuple[list[str], int]:
    """The whole lines from a byte offset on, and the offset after the last of them."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        file.seek(offset)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        return _split(whole), offset + len(whole)
    return [], 0


def objects(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a log's whole lines; a line that holds none is skipped."""
    found = []
    for line in read_lines(path)[0]:
        with suppress(ValueError, RecursionError):
            stored = json.loads(line)
            if isinstance(stored, dict):
                found.append(stored)
    return found


def size(path: Path) -> int:
    """Bytes of a log, 0 where there is none."""
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def last_time(path: Path) -> datetime | None:
    """The time that the last whole line bears (`t`, or `first_seen`), if it bears one.

    A cheap look: a few bytes are read, and one line is parsed.
    """
    lines, _ = read_lines(path, max(size(path) - _LOOK, 0))
    try:
        stated = json.loads(lines[-1])
        when = parse_time(stated.get("t") or stated["first_seen"])
    except (LookupError, ValueError, AttributeError, TypeError):
        return None
    return when.instant if when else None


def append(path: Path, lines: Sequence[str]) -> None:
    """Append lines, each whole; again where the log was rewritten at that very moment."""
    from muninn_cli.store import files

    for start in range(0, len(lines), _AT_ONCE):
        text = "\n".join(lines[start : start + _AT_ONCE])
        before = _inode(path)
        files.append_line(path, text)
        if before not in (None, _inode(path)):
            files.append_line(path, text)


def rewrite(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    """Put `change(lines)` in place of the lines; a log that is not there stays so.

    Raises BusyError where other processes append without a pause.
    """
    from muninn_cli.store import files

    for _ in range(_ATTEMPTS):
        try:
            with path.open("rb") as old:
                data = old.read()
                lines = _split(data)
                changed = change(lines)
                if changed == lines:
                    return
                new = "".join(f"{line}\n" for line in changed).encode(errors="surrogateescape")
                files.replace(path, new, files.content_hash(data))
                late = _split(old.read())  # appended after the last look at the old file
            append(path, late)
            return
        except FileNotFoundError:
            return
        except ConflictError:
            continue
    raise BusyError(f"{path} is being written to without a pause", "try again later")


def _split(data: bytes) -> list[str]:
    """Lines of text. Only a line feed ends one: JSON may hold any other separator."""
    text = data.decode(errors="surrogateescape")
    return [line for line in text.split("\n") if line]


def _inode(path: Path) -> int | None:
    try:
        return os.stat(path).st_ino  # noqa: PTH116
    except FileNotFoundError:
        return None
