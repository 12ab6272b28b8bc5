"""Eight processes at once on one home, and files that change while they are indexed.

python tests/faults/crowds.py [--rounds N] [--adds N] [--steps N] [--seconds N] [--git]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from processes import Home
from table import Trial, told

from muninn_cli.store.index.connection import open_reader

PROCESSES = 8
NOTES = 60
BEHIND = "answers come from the index as it was"


def one_of_eight(home: Home, worker: int, steps: int) -> list[str]:
    """Add, search, edit and pin, as an agent would; returns what went wrong."""
    faults = []
    for step in range(steps):
        word = f"w{worker}s{step}"
        text = f"Worker {worker} measured the value {word} in step {step}"
        added = home.muninn("add", text, "--title", word, "--force", "--json")
        calls = [added, home.muninn("search", word, "--json")]
        editor = {"EDITOR": f"sed -i s/measured/checked{word}/"}
        calls.append(home.muninn("edit", word, "--json", env=editor))
        calls.append(home.muninn("pin", word, "--json"))
        faults += [f"{word}: {call.err.strip()}" for call in calls if call.code or odd(call.err)]
        if word not in calls[1].out and BEHIND not in calls[1].err:
            faults.append(f"{word} was added and not found")
    return faults


def odd(err: str) -> bool:
    """Whether more is told than that a read did not wait for a writer."""
    return any(BEHIND not in line for line in err.splitlines())


def crowd(home: Home, steps: int) -> list[str]:
    """Everything that eight processes wrote is there, once, and committed."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        told = pool.map(lambda worker: one_of_eight(home, worker, steps), range(PROCESSES))
        faults = [fault for several in told for fault in several]
    listed = {hit["title"] for hit in home.muninn("list", "--json").json["hits"]}
    wanted = {f"w{worker}s{step}" for worker in range(PROCESSES) for step in range(steps)}
    faults += [f"lost: {word}" for word in sorted(wanted - listed)]
    for word in sorted(wanted & listed):
        text = (home.vault / f"{word}.md").read_text()
        if f"checked{word}" not in text or "pinned: true" not in text:
            faults.append(f"an edit was lost: {word}")
    return faults + uncommitted(home) + home.sick()


def uncommitted(home: Home) -> list[str]:
    if not home.git:
        return []
    status = ["git", "status", "--porcelain"]
    left = subprocess.run(status, cwd=home.vault, capture_output=True, text=True, check=True)
    return [f"not committed: {line}" for line in left.stdout.splitlines()]


def adding(home: Home, count: int) -> list[str]:
    """All that eight processes add is there, committed, and the index is sound."""
    home.muninn("init")

    def add(worker: int) -> list[str]:
        texts = (f"Worker {worker} counted {number} cranes" for number in range(count))
        calls = [home.muninn("add", text, "--title", text, "--force") for text in texts]
        return [call.err.strip() for call in calls if call.code or odd(call.err)]

    with ThreadPoolExecutor(PROCESSES) as pool:
        faults = [fault for several in pool.map(add, range(PROCESSES)) for fault in several]
    listed = {hit["id"] for hit in home.muninn("list", "--json").json["hits"]}
    there = len(list(home.vault.glob("*.md")))
    if not len(listed) == there == PROCESSES * count:
        faults.append(f"{len(listed)} listed, {there} on disk, of {PROCESSES * count}")
    with open_reader(home.root / "index.db") as connection:
        sound = [each[0] for each in connection.execute("PRAGMA integrity_check")]
    faults += [f"integrity: {each}" for each in sound if each != "ok"]
    return faults + uncommitted(home) + home.sick()


def first_runs(home: Home) -> list[str]:
    """Eight first commands on a home that is not there yet."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        texts = [f"The first word of process {number}" for number in range(PROCESSES)]
        calls = list(pool.map(lambda text: home.muninn("add", text, "--force"), texts))
    faults = [call.err.strip() for call in calls if call.code or call.err]
    count = len(home.muninn("list", "--json").json["hits"])
    if count != PROCESSES:
        faults.append(f"{count} of {PROCESSES} memories are there")
    return faults + home.sick()


class Restless:
    """Writes, rewrites, moves, swaps and deletes notes, as editors and sync programs do."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder = folder
        self._chance = chance
        self._number = 0
        for _ in range(NOTES):
            self._write(self._new())

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        acts = (self._create, self._rewrite, self._save, self._move, self._swap, self._delete)
        while time.monotonic() < end:
            self._chance.choice(acts)()
            time.sleep(self._chance.uniform(0, 0.01))

    def _new(self) -> Path:
        self._number += 1
        folder = self._folder / self._chance.choice(["", "a", "b", "a/c"])
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"note-{self._number}.md"

    def _any(self) -> Path:
        return self._chance.choice(sorted(self._folder.rglob("note-*.md")))

    def _text(self) -> str:
        self._number += 1
        front = f"---\nid: N{self._number}\n---\n" if self._number % 2 else ""
        return f"{front}The counter of this note shows word{self._number} now\n"

    def _write(self, path: Path) -> None:
        path.write_text(self._text())

    def _create(self) -> None:
        self._write(self._new())

    def _rewrite(self) -> None:
        self._write(self._any())

    def _save(self) -> None:
        """As most editors save: a temp file, then a rename over the note."""
        path = self._any()
        temp = path.with_name(f".{path.name}.tmp")
        temp.write_text(self._text())
        temp.replace(path)

    def _move(self) -> None:
        self._any().replace(self._new())

    def _swap(self) -> None:
        one, other = self._any(), self._any()
        if one != other:
            aside = one.with_name("aside.tmp")
            one.replace(aside)
            other.replace(one)
            aside.replace(other)

    def _delete(self) -> None:
        if len(list(self._folder.rglob("note-*.md"))) > NOTES // 2:
            self._any().unlink()


def restless(home: Home, chance: random.Random, seconds: float) -> list[str]:
    """After all that, the index holds just what is on the disk."""
    home.muninn("init")
    notes = Restless(home.vault, chance)
    faults: list[str] = []
    stopped = threading.Event()

    def look(command: tuple[str, ...]) -> None:
        while not stopped.is_set():
            call = home.muninn(*command)
            if call.code or "unexpected" in call.err:
                faults.append(f"{command[0]} ended with {call.code}: {call.err.strip()}")

    lookers = [("sync",), ("search", "counter"), ("list",)]
    threads = [threading.Thread(target=look, args=(command,)) for command in lookers]
    for thread in threads:
        thread.start()
    notes.run(seconds)
    stopped.set()
    for thread in threads:
        thread.join()
    return faults + in_step(home)


def in_step(home: Home) -> list[str]:
    """Where list and search differ from the disk."""
    home.muninn("sync", "--yes")
    hits = home.muninn("list", "--json").json["hits"]
    on_disk = {path.relative_to(home.vault).as_posix() for path in home.vault.rglob("note-*.md")}
    faults = [f"not listed: {path}" for path in on_disk - {hit["path"] for hit in hits}]
    faults += [f"a ghost: {path}" for path in {hit["path"] for hit in hits} - on_disk]
    ids = [hit["id"] for hit in hits]
    faults += [f"an id twice: {each}" for each in set(ids) if ids.count(each) > 1]
    for path in sorted(on_disk)[:10]:
        word = (home.vault / path).read_text().split()[-2]
        found = home.muninn("search", word, "--mode", "fulltext", "--json", "--no-recall").json
        if path not in [hit["path"] for hit in found["hits"]]:
            faults.append(f"{word} of {path} is not found")
    return faults + [each for each in home.sick() if "doubled_id" not in each]


def trials(rounds: int, adds: int, steps: int, seconds: float, *, git: bool) -> Iterator[Trial]:
    kinds: dict[str, Callable[[Home, random.Random], list[str]]] = {
        "eight first runs": lambda home, _chance: first_runs(home),
        f"eight adding {adds} each": lambda home, _chance: adding(home, adds),
        "eight at work": lambda home, _chance: crowd(home, steps),
        "restless files": lambda home, chance: restless(home, chance, seconds),
    }
    for name, kind in kinds.items():
        faults = []
        for number in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                home = Home(Path(folder), git=git)
                found = kind(home, random.Random(number))
                faults += [f"round {number}: {each}" for each in found]
        yield Trial(name, rounds, faults)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of each kind")
    parser.add_argument("--adds", type=int, default=50, metavar="N", help="of each of the eight")
    parser.add_argument("--steps", type=int, default=6, metavar="N", help="each of the eight takes")
    parser.add_argument("--seconds", type=float, default=6, metavar="N", help="files are restless")
    parser.add_argument("--git", action="store_true", help="in a vault that is kept in git")
    options = parser.parse_args()
    rounds, adds, steps, seconds = options.rounds, options.adds, options.steps, options.seconds
    return told(trials(rounds, adds, steps, seconds, git=options.git))


if __name__ == "__main__":
    sys.exit(main())
