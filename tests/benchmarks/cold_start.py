"""How long a cold command takes, its sync included, against `python -c 'import click'` in the same run.

    python tests/benchmarks/cold_start.py [--notes 10000] [--rounds 15]

Nothing has changed since the last sync, but for what earlier searches noted as used where the table
says "use noted". The question is a title: one everyday word and one rare one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from notes import write_notes
from table import machine, print_table, process_costs, progress

BASE = "python -c 'import click'"
COMMANDS = {
    "muninn --help": ("--help",),
    "search --mode fulltext": ("search", "{question}", "--mode", "fulltext", "--no-recall"),
    "search --mode semantic": ("search", "{question}", "--mode", "semantic", "--no-recall"),
    "search (hybrid)": ("search", "{question}", "--no-recall"),
    "search --mode fulltext, use noted": ("search", "{question}", "--mode", "fulltext"),
    "search (hybrid), use noted": ("search", "{question}"),
    "list --limit 10": ("list", "--limit", "10"),
    "show": ("show", "note-000001", "--no-recall"),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--notes", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=15)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "MUNINN_HOME": f"{folder}/home", "MUNINN_GIT_AUTO": "false"}
        muninn = [sys.executable, "-m", "muninn_cli"]
        progress(f"writing and indexing {chosen.notes} notes")
        subprocess.run([*muninn, "init", "--quiet"], env=env, check=True, stdout=subprocess.DEVNULL)
        vault = Path(folder) / "home" / "vaults" / "personal"
        write_notes(vault, chosen.notes)
        subprocess.run([*muninn, "sync", "--quiet"], env=env, check=True, stdout=subprocess.DEVNULL)
        question = title_of(vault / "000" / "note-000000.md")
        commands = {
            name: [*muninn, *(word.format(question=question) for word in words)]
            for name, words in COMMANDS.items()
        }
        base = [sys.executable, "-c", "import click"]
        costs = process_costs({BASE: base, **commands}, env, chosen.rounds)
    print(machine())
    rows = [
        (
            name,
            f"{cost.wall:.0f}",
            f"{cost.wall / costs[BASE].wall:.2f}",
            f"{cost.processor:.0f}",
            f"{cost.processor / costs[BASE].processor:.2f}",
        )
        for name, cost in costs.items()
    ]
    head = ("command", "ms", "ratio", "processor ms", "ratio")
    print_table(f"Cold start, {chosen.notes:,} memories, least of {chosen.rounds}", head, rows)


def title_of(path: Path) -> str:
    """The title of a generated note, without its number."""
    line = path.read_text(encoding="utf-8").split("title: ")[1].split("\n")[0]
    return line.rpartition(" ")[0]


if __name__ == "__main__":
    main()
