"""Long notes about software: questions over two public documentation vaults.

    python tests/benchmarks/code_notes.py FOLDER

FOLDER holds the vaults `dendron-docs` and `react-docs-es`; they are copied, not written to.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import tempfile
from pathlib import Path

from homes import Home
from quality import HEAD, Question, ranks, table
from table import machine, print_table, progress

QUESTIONS = Path(__file__).parent / "code_questions.tsv"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("folder", type=Path)
    source = options.parse_args().folder
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        asked = list(csv.DictReader(file, delimiter="\t"))
    print(machine())
    for name in dict.fromkeys(row["vault"] for row in asked):
        progress(f"indexing {name}")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(source / name, Path(folder) / name)
            home = Home(Path(folder) / "home")
            home("vault", "add", str(Path(folder) / name))
            home("sync")
            questions = [
                Question(row["question"], frozenset(row["paths"].split("|")))
                for row in asked
                if row["vault"] == name
            ]
            rows = table(lambda way, at=home, put=questions: ranks(at, put, way))
            print_table(f"{name}: {len(questions)} questions", HEAD, rows)


if __name__ == "__main__":
    main()
