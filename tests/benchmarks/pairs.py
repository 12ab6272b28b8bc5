"""Comparing every memory with every other, against the bare blocked matrix product.

python tests/benchmarks/pairs.py [--notes 100000] [--new 100] [--bound 0.75]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from homes import START
from notes import write_notes
from table import machine, print_table, progress, seconds

from muninn_cli.dream.pairing import pairs
from muninn_cli.providers.base import Deadline
from muninn_cli.store.index.connection import open_reader, open_writer

ROWS, COLUMNS = 2048, 4096


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--notes", type=int, default=100_000)
    options.add_argument("--new", type=int, default=100)
    options.add_argument("--bound", type=float, default=0.75)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        index = indexed(Path(folder) / "home", chosen.notes)
        vectors = read(index)
        progress("comparing")
        product = min(seconds(lambda: every_two(vectors)), seconds(lambda: every_two(vectors)))
        whole = seconds(lambda: update(index, chosen.bound))
        kept = count(index)
        new = vectors[-chosen.new :]
        alone = seconds(lambda: new @ vectors.T, 5)
        with_reading = seconds(lambda: new @ read(index).T, 5)
        later = min(after_new(index, chosen.new, chosen.bound) for _ in range(5))
    print(machine())
    head = ("what", "s", "ratio")
    title = f"{chosen.notes:,} memories at {chosen.bound}: {kept:,} pairs kept"
    rows = [("bare blocked product", f"{product:.2f}", "1")]
    print_table(title, head, [*rows, ("pairs", f"{whole:.2f}", f"{whole / product:.2f}")])
    rows = [
        (f"bare product of {chosen.new} new", f"{alone:.3f}", "1"),
        (
            "the same, vectors read from the index",
            f"{with_reading:.3f}",
            f"{with_reading / alone:.2f}",
        ),
        ("pairs", f"{later:.3f}", f"{later / alone:.2f}"),
    ]
    print_table(f"After {chosen.new} new memories, least of 5", head, rows)


def indexed(home: Path, notes: int) -> Path:
    env = {**os.environ, "MUNINN_HOME": str(home), "MUNINN_GIT_AUTO": "false"}
    muninn = [sys.executable, "-m", "muninn_cli"]
    progress(f"writing and indexing {notes} notes")
    subprocess.run([*muninn, "init"], env=env, check=True, stdout=subprocess.DEVNULL)
    write_notes(home / "vaults" / "personal", notes)
    subprocess.run([*muninn, "sync"], env=env, check=True, stdout=subprocess.DEVNULL)
    return home / "index.db"


def read(index: Path) -> np.ndarray:
    """The vectors of all chunks."""
    with open_reader(index) as reader:
        blobs = [row[0] for row in reader.execute("SELECT own FROM embedding")]
    return np.frombuffer(b"".join(blobs), "<f4").reshape(len(blobs), -1)


def every_two(vectors: np.ndarray) -> None:
    """The product alone: each block of rows with all before it, nothing kept."""
    out = np.empty((ROWS, COLUMNS), np.float32)
    for first in range(0, len(vectors), ROWS):
        rows = vectors[first : first + ROWS]
        for start in range(0, first + len(rows), COLUMNS):
            columns = vectors[start : min(start + COLUMNS, first + len(rows))]
            np.matmul(rows, columns.T, out=out[: len(rows), : len(columns)])


def update(index: Path, bound: float) -> None:
    deadline = Deadline.after(36_000)
    pairs.update(index, [1], bound, START, deadline=deadline, progress=lambda *_: None)


def after_new(index: Path, new: int, bound: float) -> float:
    """Seconds that the last memories take, as if they were new."""
    with open_writer(index) as writer:
        newest = f"SELECT memory FROM paired ORDER BY memory DESC LIMIT {new}"
        writer.execute(f"DELETE FROM paired WHERE memory IN ({newest})")
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return seconds(lambda: update(index, bound))


def count(index: Path) -> int:
    with open_reader(index) as reader:
        return int(reader.value("SELECT count(*) FROM pair"))


if __name__ == "__main__":
    main()
