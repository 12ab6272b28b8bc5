"""Notes in Spanish asked in Spanish and in English, with few words in common.

    python tests/benchmarks/spanish.py [--one-session]

With --one-session all notes are one session in a random order: false neighbours, which must cost
next to nothing.
"""

from __future__ import annotations

import argparse
import csv
import random
import tempfile
from datetime import timedelta
from pathlib import Path

from homes import START, Home
from quality import HEAD, Question, ranks, table
from table import machine, print_table

NOTES = Path(__file__).parent / "spanish_notes.tsv"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--one-session", action="store_true")
    one_session = options.parse_args().one_session
    with NOTES.open(encoding="utf-8", newline="") as file:
        notes = list(csv.DictReader(file, delimiter="\t"))
    random.Random(5).shuffle(notes)
    fields = {"session": "all"} if one_session else {}
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home("init")
        for number, note in enumerate(notes):
            at = START - timedelta(minutes=len(notes) - number)
            home.write(f"note-{number}", note["body"], at=at, title=note["title"], **fields)
        home("sync")
        print(machine())
        for language, column in (("Spanish", "question_es"), ("English", "question_en")):
            questions = [
                Question(note[column], frozenset({f"note-{number}.md"}))
                for number, note in enumerate(notes)
            ]
            rows = table(lambda way, asked=questions: ranks(home, asked, way))
            title = f"{len(notes)} notes in Spanish, asked in {language}"
            print_table(title + (", one false session" if one_session else ""), HEAD, rows)


if __name__ == "__main__":
    main()
