"""What a sync costs as a vault grows, against what nobody can do without.

    python tests/benchmarks/sync_scale.py [--notes 1000 10000 100000] [--rounds 10]

A sync with nothing changed is measured against a bare walk (scandir and stat of every file); making
the index anew against reading every file and inserting the finished rows, of all tables, into an
empty index, and against the same with the embedding of the texts (model2vec alone). The peak memory
is that of the process that makes it. The rounds embed a fifth of the notes again: the index may grow
by little.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from indexed import Indexed
from model2vec import StaticModel
from notes import write_notes
from table import cost_of, machine, print_table, progress, seconds

from muninn_cli.embedding.folder import BUILTIN_FOLDER
from muninn_cli.store.index.connection import make_empty, open_reader, open_writer
from muninn_cli.store.index.filling import embedded_text
from muninn_cli.store.index.vectors import make_table

NOW = datetime(2026, 11, 1, tzinfo=UTC)
TABLES = ("vault", "folder", "file", "memory", "tag", "name", "link", "chunk", "embedding", "word")
BATCH = 2000
SHARE = 5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--notes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--folder", type=Path, help=argparse.SUPPRESS)  # the process measured
    chosen = options.parse_args()
    if chosen.folder:
        vault_of(chosen.folder).sync()
        return
    print(machine())
    for count in chosen.notes:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), count, chosen.rounds)


def vault_of(folder: Path) -> Indexed:
    """A home with one vault in this folder, made where there is none."""
    indexed = Indexed(folder, now=NOW)
    indexed.vault("notes", managed=False)
    return indexed


def measure(folder: Path, count: int, rounds: int) -> None:
    progress(f"{count} notes: writing")
    indexed = vault_of(folder)
    write_notes(indexed.root, count)
    index = indexed.home.index_db
    progress("making the index")
    anew = cost_of([sys.executable, __file__, "--folder", str(folder)], dict(os.environ))
    size = index.stat().st_size
    insert = read_and_insert(indexed.root, index, folder / "bare.db")
    embed = seconds(lambda: embedded(index))
    progress("syncing with nothing changed")
    indexed.sync()  # files too young to trust are settled now
    walk = seconds(lambda: bare_walk(indexed.root), 7)
    clean = seconds(indexed.sync, 7)
    grown = [size, *embedded_again(indexed, rounds)]
    made = anew.wall / 1000
    rows = [
        ("bare walk", f"{1000 * walk:.0f} ms", "1"),
        ("sync, nothing changed", f"{1000 * clean:.0f} ms", f"{clean / walk:.2f}"),
        ("read and insert alone", f"{insert:.1f} s", "1"),
        ("read, embed and insert alone", f"{insert + embed:.1f} s", ""),
        ("index made anew", f"{made:.1f} s", f"{made / insert:.2f}"),
        ("the same, against embedding too", "", f"{made / (insert + embed):.2f}"),
        ("peak memory of that", f"{anew.peak / 1e6:.0f} MB", ""),
        ("index", f"{size / 1e6:.0f} MB", "1"),
        (f"after {rounds} rounds", f"{grown[-1] / 1e6:.0f} MB", f"{grown[-1] / size:.3f}"),
    ]
    print_table(f"{count:,} notes", ("what", "cost", "ratio"), rows)


def bare_walk(root: Path) -> int:
    """Look at every file of a folder and those below it, and keep nothing."""
    total, waiting = 0, [str(root)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_size
    return total


def read_and_insert(root: Path, source: Path, target: Path) -> float:
    """Seconds to read every file and to insert all rows of an index, ready made, into a new one."""
    make_empty(target)
    with open_reader(source) as reader, open_writer(target) as writer:
        meta = reader.execute("SELECT key, value FROM meta").fetchall()
        writer.executemany("INSERT INTO meta VALUES(?, ?)", meta)
        make_table(writer, 256)
        spent = seconds(lambda: [path.read_bytes() for path in root.rglob("*.md")])
        for table, rows in batches(reader):
            statement = f"INSERT INTO {table} VALUES({', '.join('?' * len(rows[0]))})"

            def insert(statement: str = statement, rows: list[tuple] = rows) -> None:
                with writer.writing():
                    writer.executemany(statement, rows)

            spent += seconds(insert)
    return spent


def embedded(index: Path) -> None:
    """Embed the texts of all chunks as model2vec does, as one batch."""
    with open_reader(index) as reader:
        query = "SELECT m.title, c.text FROM chunk c JOIN memory m ON m.num = c.memory"
        texts = [embedded_text(title, text) for title, text in reader.execute(query)]
    model = StaticModel.from_pretrained(BUILTIN_FOLDER.root)
    model.encode(texts, max_length=None, normalize=True, use_multiprocessing=False)


def batches(reader) -> Iterator[tuple[str, list[tuple]]]:
    """The rows of all tables, and for full text and vectors what goes into those."""
    queries = {table: f"SELECT * FROM {table}" for table in TABLES}
    queries["fulltext(rowid, title, tags, body)"] = """
        SELECT c.num, m.title, m.tags, c.text FROM chunk c JOIN memory m ON m.num = c.memory"""
    queries["vector(rowid, window, vault, until)"] = """
        SELECT c.num, coalesce(e.window, e.own), m.vault, m.until
        FROM embedding e JOIN chunk c ON c.num = e.chunk JOIN memory m ON m.num = c.memory"""
    for table, query in queries.items():
        cursor = reader.execute(query)
        while rows := [row for row, _ in zip(cursor, range(BATCH), strict=False)]:
            yield table, rows


def embedded_again(indexed: Indexed, rounds: int) -> Iterator[int]:
    """The size of the index after each round in which another fifth of the notes is changed."""
    paths = sorted(indexed.root.rglob("*.md"))
    for number in range(rounds):
        progress(f"round {number + 1}")
        for path in paths[number % SHARE :: SHARE]:
            text = re.sub(r"\nRound \d+\.\n", "\n", path.read_text(encoding="utf-8"))
            path.write_text(f"{text}\nRound {number}.\n", encoding="utf-8")
        indexed.sync()
        yield indexed.home.index_db.stat().st_size


if __name__ == "__main__":
    main()
