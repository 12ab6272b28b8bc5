"""How long a cold command takes, against `python -c 'import click'` in the same run.

python tests/benchmarks/cold_start.py [--notes 10000] [--rounds 15]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from notes import write_notes
from table import machine, print_table, process_milliseconds, progress

COMMANDS = {
    "muninn --help": ("--help",),
    "search --mode fulltext": ("search", "servidor backup", "--mode", "fulltext", "--no-recall"),
    "search --mode semantic": ("search", "servidor backup", "--mode", "semantic", "--no-recall"),
    "search --mode hybrid": ("search", "servidor backup", "--no-recall"),
    "list --limit 10": ("list", "--limit", "10"),
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
        subprocess.run([*muninn, "init", "--quiet"], env=env, check=True)
        write_notes(Path(folder) / "home" / "vaults" / "personal", chosen.notes)
        subprocess.run([*muninn, "sync", "--quiet"], env=env, check=True)
        base = process_milliseconds([sys.executable, "-c", "import click"], env, chosen.rounds)
        rows = [("python -c 'import click'", f"{base:.0f}", "1")]
        for name, arguments in COMMANDS.items():
            time = process_milliseconds([*muninn, *arguments], env, chosen.rounds)
            rows.append((name, f"{time:.0f}", f"{time / base:.2f}"))
    print(machine())
    title = f"Cold start, {chosen.notes:,} memories, processor time, least of {chosen.rounds}"
    print_table(title, ("command", "ms", "ratio"), rows)


if __name__ == "__main__":
    main()
