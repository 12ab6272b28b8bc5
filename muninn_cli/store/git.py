"""Calls of the `git` program: each a question or a commit of named paths, with a time limit.

Never pushes, amends, skips hooks or signing, touches what a person has staged, or asks for
anything on the terminal.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.times import epoch, from_epoch, rfc3339

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Sequence
    from datetime import datetime

TIME_LIMIT = 10.0
"""Seconds after which a call of git is ended."""

GRACE = 2.0
"""Seconds a git that was told to end has to clean up."""

ARGUMENTS = 500
"""Paths given on one command line at most."""

LONGEST_MESSAGE = 10_000
"""Characters; what is given to a program as one argument has a limit."""

SHORT_COMMIT = 10
"""Characters of a commit's name shown to people."""

_STATES = {
    "MERGE_HEAD": "a merge is in progress",
    "rebase-merge": "a rebase is in progress",
    "rebase-apply": "a rebase is in progress",
    "CHERRY_PICK_HEAD": "a cherry-pick is in progress",
    "REVERT_HEAD": "a revert is in progress",
    "BISECT_LOG": "a bisect is in progress",
    "index.lock": "another git holds index.lock, or was killed and left it",
}
_FOREIGN = frozenset(
    {
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_NAMESPACE",
    }
)
"""Set while git runs a hook: a muninn called from there must not write into that repository."""


class GitError(Exception):
    """Git is missing, failed, or took too long; the text is one line for a person."""


class Revision(NamedTuple):
    """One commit that touched a file, at `time` (RFC 3339, UTC); `path` is the file's place in it,
    relative to the vault."""

    commit: str
    time: str
    subject: str
    path: str


def is_repository(root: Path) -> bool:
    """Whether the folder is the top of a git work tree; a look at the disk, no call."""
    return (root / ".git").exists()


def enclosing_repository(root: Path) -> Path | None:
    """The nearest folder from `root` upward that is a git work tree."""
    return next((folder for folder in (root, *root.parents) if is_repository(folder)), None)


def init(root: Path) -> None:
    """Make the folder a repository."""
    _git(root, "init", "--quiet")


def hindrance(root: Path) -> str:
    """Why nothing may be committed here now, or an empty text."""
    folder = Path(os.fsdecode(_git(root, "rev-parse", "--absolute-git-dir")).rstrip("\n"))
    for name, reason in _STATES.items():
        if (folder / name).exists():
            return reason
    if not (folder / "HEAD").read_bytes().startswith(b"ref:"):
        return "HEAD is detached"
    return ""


def commit(root: Path, paths: tuple[str, ...], message: str) -> tuple[str, ...]:
    """Commit exactly these paths (relative to `root`), where anything of them changed.

    New files are added by name, and unstaged again when the commit fails. What git cannot hold
    for us is passed over; returned are the paths where a person has staged work of their own:
    they have to wait.
    """
    changed = ("diff", "--cached", "--no-renames", "--name-only", "-z", "--relative")
    staged = set(_names(_git(root, *changed)))
    ours = tuple(path for path in _possible(root, paths) if path not in staged)
    known = set(_names(_git(root, "ls-files", "-z", *_limit(ours))))
    touched = set(_names(_git(root, "ls-files", "-zmd", *_limit(ours))))
    new = [path for path in ours if path not in known and (root / path).is_file()]
    chosen = [*new, *(path for path in ours if path in touched)]
    if chosen:
        _commit(root, new, chosen, _plain(message))
    return tuple(path for path in paths if path in staged)


def _commit(root: Path, new: list[str], chosen: list[str], message: str) -> None:
    try:
        _on_paths(root, new, "add", "--intent-to-add")
        _on_paths(root, chosen, "commit", "--quiet", "--only", f"--message={message}")
    except GitError:
        # A hook may hang when the commit is made already: to unstage would then be to remove.
        committed = _committed(root)
        left = [path for path in new if path not in committed]
        _on_paths(root, left, "rm", "--cached", "--quiet", "--force", "--ignore-unmatch")
        raise


def _committed(root: Path) -> frozenset[str]:
    """What the last commit holds."""
    if not has_commits(root):
        return frozenset()
    return frozenset(_names(_git(root, "ls-tree", "-rz", "--name-only", "HEAD")))


def _possible(root: Path, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Without what git ignores (unless tracked), and what lies in a repository inside this one."""
    listing = ("ls-files", "-zo", "--ignored", "--exclude-standard", *_limit(paths))
    ignored = set(_names(_git(root, *listing)))
    top = enclosing_repository(root)
    return tuple(
        path
        for path in paths
        if path not in ignored and enclosing_repository((root / path).parent) == top
    )


def _plain(message: str) -> str:
    """A message as a program can be given it: a title may hold NUL, or half of a character."""
    text = message[:LONGEST_MESSAGE].replace("\0", "")
    return text.encode(errors="replace").decode()


def _limit(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths as arguments where they fit on a command line; without them git lists them all."""
    return ("--", *paths) if len(paths) <= ARGUMENTS else ()


def _on_paths(root: Path, paths: list[str], *arguments: str) -> None:
    if paths:
        named = "\0".join(paths)
        _git(root, *arguments, "--pathspec-from-file=-", "--pathspec-file-nul", given=named)


def revisions(root: Path, path: str) -> list[Revision]:
    """The commits of a file, newest first, through its renames.

    Git takes a like file that was there before for the source of a new one: whether an older
    path is the same memory is for the caller to find out.
    """
    form = "--format=%H%x00%ct%x00%s%x00"
    listing = ("log", "--follow", "--no-merges", "--relative", "--name-only", "-z", form)
    as_we_read = ("--encoding=UTF-8", "--no-show-signature", "--no-color")
    tokens = os.fsdecode(_git(root, *listing, *as_we_read, "--", path)).split("\0")
    return [
        Revision(commit, rfc3339(from_epoch(int(seconds))), subject, name.removeprefix("\n"))
        for commit, seconds, subject, _, name in zip(*[iter(tokens)] * 5, strict=False)
    ]


def contents(root: Path, revisions: Sequence[Revision]) -> list[bytes | None]:
    """The bytes of each file in its commit; None where it was not there, or cannot be named."""
    names = [f"{each.commit}:./{each.path}" for each in revisions]
    asked = "".join("none\n" if "\n" in name else f"{name}\n" for name in names)
    out, found = _git(root, "cat-file", "--batch", given=asked), list[bytes | None]()
    for _ in names:
        head, _, out = out.partition(b"\n")
        words = head.split(b" ")
        if words[-1] == b"missing" or len(words) != 3:
            found.append(None)
            continue
        size = int(words[2])
        found.append(out[:size])
        out = out[size + 1 :]
    return found


def reachable(root: Path, revision: str, paths: Iterable[str]) -> list[str]:
    """The commits that touched any of these paths and lead to a revision, newest first."""
    listing = ("rev-list", "--full-history", revision, "--", *paths)
    return os.fsdecode(_git(root, *listing)).split()


def before(root: Path, moment: datetime) -> str:
    """The last commit at a moment, or an empty text."""
    out = _git(root, "rev-list", "-1", f"--before={int(epoch(moment))}", "HEAD")
    return os.fsdecode(out).strip()


def has_commits(root: Path) -> bool:
    """Whether anything was ever committed on this branch."""
    return bool(_git(root, "rev-parse", "--verify", "--quiet", "HEAD", fine=(0, 1)))


def resolve(root: Path, revision: str) -> str:
    """The full name of a commit given by any name git knows."""
    out = _git(root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    return os.fsdecode(out).strip()


def is_ignored(root: Path, path: str) -> bool:
    """Whether git would pass over a new file at this path."""
    plain = "--no-literal-pathspecs"  # the others are not for this command
    listing = ("check-ignore", "--stdin", "-z", "--no-index")
    return bool(_git(root, plain, *listing, given=f"{path}\0", fine=(0, 1)))


def commits_with_text(root: Path, text: str) -> list[str]:
    """Commits that added or removed a text, newest first: what a purge cannot scrub."""
    out = _git(root, "log", "--all", "--no-show-signature", "--format=%H", f"-S{text}")
    return os.fsdecode(out).split()


def _names(out: bytes) -> list[str]:
    return [os.fsdecode(name) for name in out.split(b"\0") if name]


def _git(root: Path, *arguments: str, given: str = "", fine: tuple[int, ...] = (0,)) -> bytes:
    """Run git in `root` with `given` as its input; returns its output.

    Raises GitError where it ends with a code that is not `fine`.
    """
    import subprocess

    command = next(argument for argument in arguments if not argument.startswith("-"))
    try:
        process = subprocess.Popen(
            ["git", "--literal-pathspecs", *arguments],
            cwd=root,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError:
        cause = "git is not installed" if root.is_dir() else f"{root} is not there"
        raise GitError(cause) from None
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror}") from None
    try:
        out, errors = process.communicate(os.fsencode(given), timeout=TIME_LIMIT)
    except BaseException as error:
        _end(process)
        if isinstance(error, subprocess.TimeoutExpired):
            limit = f"{TIME_LIMIT:.0f} s"
            raise GitError(f"git {command} took longer than {limit}") from None
        raise
    if process.returncode not in fine:
        raise GitError(f"git {command} failed: {_first_line(errors or out)}")
    return out


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and its hooks: a hook left alive would hold our pipes open for ever.

    SIGTERM first, so that git removes its own lock files.
    """
    import signal
    import subprocess

    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.communicate(timeout=GRACE)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
        return


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return kept | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "GIT_EDITOR": "true"}


def _first_line(output: bytes) -> str:
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines()]
    return next((line for line in lines if line), "it gave no reason")
