"""A text that a person or a program hands in: as an argument, on standard input, in an editor.

Bytes are UTF-8 whatever the locale says; what is not is refused, never changed.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from muninn_cli.cli.editor import edited
from muninn_cli.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.world import World

DRAFT = "memory.md"


@contextmanager
def typed(world: World, given: str | None) -> Iterator[str]:
    """The text: `given`, standard input for `-`, else an editor where somebody sits at a terminal.

    Where the block inside fails, what was typed in the editor stays, and the error tells where.
    """
    if given not in (None, "-"):
        yield given
    elif given is None and world.stdin.isatty():
        with edited(world, DRAFT, b"") as data:
            yield decoded(data, "the text")
    else:
        yield decoded(world.stdin.buffer.read(), "standard input")


def decoded(data: bytes, name: str) -> str:
    """Bytes as text, without a byte order mark. Raises UnreadableError for what is no UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        hint = "convert it first, for example: iconv -f latin1 -t utf-8"
        raise UnreadableError(f"{name} is not UTF-8: {place}", hint) from None
