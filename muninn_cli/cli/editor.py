"""A person's editor on a draft: what was typed is never discarded."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from muninn_cli.errors import MuninnError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.world import World


@contextmanager
def edited(world: World, name: str, data: bytes) -> Iterator[bytes]:
    """Open a draft called `name` in VISUAL, EDITOR or vi, and give the bytes as they are then.

    Where the block inside fails, the draft stays, and the error's hint tells where.
    """
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="muninn-"))
    draft = folder / name
    draft.write_bytes(data)
    try:
        _run(world, draft)
        yield draft.read_bytes()
    except BaseException as error:
        if not _is_worth_keeping(draft, data):
            shutil.rmtree(folder, ignore_errors=True)
        elif isinstance(error, MuninnError):
            error.hint = f"your text is kept in {draft}"
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _is_worth_keeping(draft: Path, data: bytes) -> bool:
    typed = draft.read_bytes() if draft.exists() else b""
    return bool(typed.strip()) and typed != data


def _run(world: World, draft: Path) -> None:
    import shlex
    import subprocess

    editor = world.env.get("VISUAL") or world.env.get("EDITOR")
    if not editor and not world.stdin.isatty():
        raise MuninnError("there is no terminal for an editor", "set EDITOR to a program")
    editor = editor or "vi"
    try:
        command = [*shlex.split(editor), str(draft)]
        code = subprocess.run(command, env=dict(world.env), check=False).returncode
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        hint = "set EDITOR to another, for example: export EDITOR=nano"
        raise MuninnError(f"the editor {editor!r} cannot be run: {why}", hint) from error
    if code:
        raise MuninnError(f"the editor {editor!r} ended with {code}: nothing was changed")
