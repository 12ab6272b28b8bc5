"""A vault that is not there, an index that is broken, a git that fails: nothing is lost by it.

python tests/faults/losses.py [--rounds N] [--every N]
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from scene import COMMANDS, TODAY, Command, Scene
from table import Trial, told

from muninn_cli.store import git


def listed(scene: Scene) -> list[tuple[str, ...]]:
    """What there is, with how long it lives: what no loss of the index may change."""
    answer = scene.run("list", "--archived", "--expired", "--history", "--json", at=TODAY)
    return [(hit["id"], hit["path"], hit["tier"], hit["expires"]) for hit in answer.json["hits"]]


def found(scene: Scene) -> list[str]:
    answer = scene.run("search", "smoke test on Friday", "--json", "--no-recall", at=TODAY)
    return [answer.err, *(hit["id"] for hit in answer.json["hits"])] if not answer.code else []


# An unmounted vault


def unmounted(scene: Scene, commands: Sequence[Command]) -> Trial:
    """Every command while the vault is away; then it comes back as it was."""
    faults: list[str] = []
    for command in commands:
        before, _ = scene.outcome(command)
        scene.begin()
        was = listed(scene)
        away = scene.folder / "away"
        scene.root.rename(away)
        answer = scene.command(command)
        if "unexpected" in answer.err or not answer.err:
            faults.append(f"{command.name} says: {answer.err.strip() or answer.out.strip()}")
        if scene.root.exists():
            faults.append(f"{command.name} made a folder in its place")
        else:
            away.rename(scene.root)
        if scene.files() != before:
            faults.append(f"{command.name} changed a file")
        if listed(scene) != was:
            faults.append(f"{command.name}: what is listed is another")
    return Trial("an unmounted vault", len(commands), faults)


def emptied(scene: Scene) -> Trial:
    """The mount point is there and empty: not a mass deletion, until a person says so."""
    scene.begin()
    was = listed(scene)
    away = scene.folder / "away"
    scene.root.rename(away)
    scene.root.mkdir()
    answer = scene.run("sync", at=TODAY)
    faults = [] if answer.code == 1 and "gone at once" in answer.err else [answer.err]
    scene.root.rmdir()
    away.rename(scene.root)
    if listed(scene) != was:
        faults.append("what is listed is another")
    return Trial("an empty mount point", 1, faults)


# A broken index


def truncated(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def flipped(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(200):
        data[chance.randrange(len(data))] ^= 0xFF
    path.write_bytes(data)


def zeroed(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    start = chance.randrange(len(data))
    data[start : start + 8192] = bytes(len(data[start : start + 8192]))
    path.write_bytes(data)


def garbage(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(5000))


def empty(path: Path, _chance: random.Random) -> None:
    path.write_bytes(b"")


def gone(path: Path, _chance: random.Random) -> None:
    path.unlink()


def without_log(path: Path, _chance: random.Random) -> None:
    path.with_name("index.db-wal").unlink(missing_ok=True)


BREAKAGES = (truncated, flipped, zeroed, garbage, empty, gone, without_log)


def broken_index(
    scene: Scene, breakage: Callable[[Path, random.Random], None], rounds: int
) -> Trial:
    """After the doctor has mended it, lists are those of before; made anew, answers are, too.

    (Nobody sees a flipped bit inside of a text or a vector.)
    """
    faults: list[str] = []
    for number in range(rounds):
        scene.begin()
        was, answers = listed(scene), found(scene)
        breakage(scene.home / "index.db", random.Random(number))
        told_of = scene.run("search", "smoke", "--no-recall", at=TODAY).err
        if "unexpected" in told_of:
            faults.append(f"round {number}: {told_of.strip()}")
        scene.run("doctor", "--fix", at=TODAY)
        left = scene.run("doctor", "--json", at=TODAY).json["findings"]
        faults += [f"round {number}: {each['path']}: {each['cause']}" for each in left]
        if listed(scene) != was:
            faults.append(f"round {number}: what is listed is another")
        scene.run("reindex", at=TODAY)
        if found(scene) != answers:
            faults.append(f"round {number}: what is found is another")
    return Trial(f"index: {breakage.__name__}", rounds, faults)


# A git that does not work

GITS = {
    "missing": None,
    "fails": "#!/bin/sh\necho no commits today >&2\nexit 1\n",
    "hangs": "#!/bin/sh\nsleep 60\n",
}


def bad_git(scene: Scene, name: str, script: str | None, commands: Sequence[Command]) -> Trial:
    """Each command is done, with one warning; the next one commits what waited."""
    faults: list[str] = []
    programs = scene.folder / "programs"
    programs.mkdir(exist_ok=True)
    path, limit = os.environ["PATH"], git.TIME_LIMIT
    for command in commands:
        _, after = scene.outcome(command)
        scene.begin()
        if script is not None:
            (programs / "git").write_text(script)
            (programs / "git").chmod(0o755)
        os.environ["PATH"] = str(programs) if script is None else f"{programs}:{path}"
        editor = {"EDITOR": dict(command.env).get("EDITOR", "").replace("sed", "/bin/sed")}
        git.TIME_LIMIT = 0.3
        answer = scene.run(*command.args, at=command.at, env=editor)
        os.environ["PATH"], git.TIME_LIMIT = path, limit
        (programs / "git").unlink(missing_ok=True)
        if answer.code or scene.files() != after:
            faults.append(f"{command.name} was not done: {answer.err.strip()}")
        warnings = [line for line in answer.err.splitlines() if "not committed" in line]
        if command.args[0] != "reindex" and len(warnings) != 1:
            faults.append(f"{command.name} warned {len(warnings)} times: {answer.err.strip()}")
        scene.run("add", "One more", "--title", "more", "--force", at=command.at)
        faults += [f"{command.name}: {each}" for each in _uncommitted(scene)]
    return Trial(f"git {name}", len(commands), faults)


def _uncommitted(scene: Scene) -> list[str]:
    status = ["git", "status", "--porcelain"]
    done = subprocess.run(status, cwd=scene.root, capture_output=True, text=True, check=True)
    return [f"not committed: {line}" for line in done.stdout.splitlines()]


def trials(rounds: int, every: int) -> Iterator[Trial]:
    commands = COMMANDS[::every]
    with tempfile.TemporaryDirectory() as name:
        scene = Scene(Path(name))
        yield unmounted(scene, commands)
        yield emptied(scene)
        for breakage in BREAKAGES:
            yield broken_index(scene, breakage, rounds)
    with tempfile.TemporaryDirectory() as name:
        scene = Scene(Path(name), git=True)
        for kind, script in GITS.items():
            yield bad_git(scene, kind, script, commands)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, metavar="N", help="of each breakage")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only N-th commands")
    options = parser.parse_args()
    return told(trials(options.rounds, options.every))


if __name__ == "__main__":
    sys.exit(main())
