"""A disk that fills up, folders that may not be written to, and a home that is read-only.

    python tests/faults/disks.py [--every N] [--only NAME]

The full disk is a small tmpfs, left out where none can be mounted; `--every N` tries every N-th
amount of free space.
The others run as nobody when called by root, whom no permission stops.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from scene import COMMANDS, Command, Result, Scene
from table import Trial, told

NOBODY = 65534
FREE = (0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
"""Kilobytes that are left on the disk."""
READERS = (
    Command("list", ("list",)),
    Command("search", ("search", "Friday smoke test")),
    Command("show", ("show", "kept")),
    Command("archive list", ("archive", "list")),
    Command("doctor", ("doctor",)),
)


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A tmpfs of eight megabytes; None for those who may not mount one."""
    place = folder / "disk"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path, free: int) -> Path:
    """Leave only so many kilobytes free; returns the file that takes the rest."""
    filler = disk / "filler"
    left = os.statvfs(disk)
    size = left.f_bavail * left.f_frsize - free * 1024
    with filler.open("wb") as file:
        file.write(bytes(max(size, 0)))
    return filler


def told_well(answer: Result) -> list[str]:
    """A failure is a line or two that name the cause, never a fault of muninn's own."""
    if "unexpected" in answer.err or "Traceback" in answer.err:
        return [f"not told well: {answer.err.strip()}"]
    if answer.code and not answer.err + answer.out:
        return [f"ended with {answer.code} and not a word"]
    return []


def full(scene: Scene, command: Command, disk: Path, every: int) -> Trial:
    before, after = scene.outcome(command)
    faults: list[str] = []
    for free in FREE[::every]:
        scene.begin()
        filler = fill(disk, free)
        answer = scene.command(command)
        filler.unlink()
        found = told_well(answer)
        if answer.code not in (0, 1, 5):
            found.append(f"ended with {answer.code}: {answer.err.strip()}")
        if answer.code and "disk" not in answer.err:  # SQLite also says `disk I/O error`
            found.append(f"the cause is not named: {answer.err.strip()}")
        found += scene.faults(command, before, after)
        faults += [f"{free} kB free: {each}" for each in found]
    return Trial(f"full disk: {command.name}", len(FREE[::every]), faults)


def as_nobody(scene: Scene, command: Command) -> Result:
    """Run a command in a process that permissions hold for."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        answer = scene.command(command)
        os.write(writing, f"{answer.code}\0{answer.out}\0{answer.err}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        code, out, err = pipe.read().split("\0")
    os.waitpid(child, 0)
    return Result(int(code), out, err)


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    """Nobody may write below a folder."""
    places = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in (*places, *files):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        yield
    finally:
        for path in (*places, *files):
            path.chmod(0o700 if path.is_dir() else 0o600)


def read_only(scene: Scene, command: Command, what: str) -> Trial:
    """A home, or only the vault in it, that may not be written to."""
    before, after = scene.outcome(command)
    scene.begin()
    folder = scene.home if what == "home" else scene.root
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", str(NOBODY), str(scene.folder)], check=True)
    with closed(folder):
        answer = as_nobody(scene, command)
    faults = told_well(answer)
    is_reader = command in READERS
    if is_reader and answer.code and command.name != "doctor":
        faults.append(f"cannot even be read: {answer.err.strip()}")
    is_done = answer.code == 0 and "permission denied" not in answer.out
    if not is_reader and is_done and scene.files() == before != after:
        faults.append(f"said that it was done: {answer.out.strip()}")
    faults += scene.faults(command, before, after)
    return Trial(f"read-only {what}: {command.name}", 1, faults)


def trials(every: int, only: str | None) -> Iterator[Trial]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        writers = [each for each in COMMANDS if only in (None, each.name)]
        readers = [each for each in READERS if only in (None, each.name)]
        with small_disk(folder) as disk:
            scene = Scene(disk) if disk else None
            for command in writers if scene and disk else ():
                yield full(scene, command, disk, every)
        scene = Scene(folder)
        for command in (*writers, *readers):
            yield read_only(scene, command, "vault")
            yield read_only(scene, command, "home")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only the N-th sizes")
    parser.add_argument("--only", metavar="NAME", help="only the command of this name")
    options = parser.parse_args()
    return told(trials(options.every, options.only))


if __name__ == "__main__":
    sys.exit(main())
