"""What a command says: data to stdout, words for people to stderr.

Text of memories never controls the terminal: control and bidi characters are shown as escapes.
Output never fails on a character that the stream cannot encode, and JSON is always valid.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import TextIO

    from muninn_cli.cli.call import Flags
    from muninn_cli.errors import MuninnError
    from muninn_cli.world import World

_UNSAFE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
"""Control characters but tab and newline, line separators, bidi marks, invisible spaces."""

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34}


class Styled(NamedTuple):
    """Text to be shown in a style, where the terminal shows styles."""

    text: str
    style: str


def escaped(text: str) -> str:
    r"""The text with characters that steer a terminal written as `\u001b`.

    The result of a JSON text is the same JSON.
    """
    return re.sub(_UNSAFE, lambda match: f"\\u{ord(match.group()):04x}", text)


def one_line(text: str) -> str:
    """The text, escaped, with its line breaks escaped too."""
    return escaped(text).replace("\n", "\\n").replace("\t", " ")


class Palette:
    """Whether a stream shows colour: --color, NO_COLOR, FORCE_COLOR, `ui.color`, a terminal."""

    def __init__(
        self, env: Mapping[str, str], option: str | None, setting: Callable[[], str]
    ) -> None:
        self._env = env
        self._option = option
        self._setting = setting

    def shows(self, stream: TextIO) -> bool:
        choice = self._option or self._from_environment() or self._setting()
        if choice == "auto":
            return _is_terminal(stream) and self._env.get("TERM") != "dumb"
        return choice == "always"

    def _from_environment(self) -> str:
        if self._env.get("NO_COLOR"):
            return "never"
        forced = self._env.get("FORCE_COLOR", "")
        return {"": "", "0": "never"}.get(forced, "always")


class Console:
    """The two streams of one call.

    `json` says whether data is to be JSON; a command hands its data to `result`, with the text
    for people beside it.
    """

    def __init__(self, world: World, flags: Flags, palette: Palette) -> None:
        self._out, self._err, self._in = world.stdout, world.stderr, world.stdin
        self._is_dumb = world.env.get("TERM") == "dumb"
        self._flags = flags
        self._palette = palette

    @property
    def json(self) -> bool:
        return self._flags.json

    @property
    def verbose(self) -> bool:
        return self._flags.verbose > 0

    def result(self, data: Mapping[str, object], *text: str | Styled) -> None:
        """Print data as JSON where that is asked for, else its text."""
        if self.json:
            self.data(data)
        else:
            self.print(*text)

    def data(self, data: Mapping[str, object]) -> None:
        """Print one JSON document on one line."""
        self.write(self._encoded({"v": 1, **data}))

    def lines(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Print NDJSON: one object a line."""
        for row in rows:
            self.write(self._encoded(row))

    def print(self, *parts: str | Styled) -> None:
        """Print text for people, and a line break."""
        self.write(self._rendered(self._out, parts) + "\n")

    def write(self, text: str) -> None:
        """Write to stdout exactly this."""
        self._out.write(text)

    def notice(self, text: str) -> None:
        """Tell a person something beside the data, unless they want quiet."""
        if not self._flags.quiet:
            self._tell(one_line(text))

    def detail(self, text: str) -> None:
        """Tell those who asked for more."""
        if self.verbose:
            self._tell(one_line(text))

    def error(self, error: MuninnError) -> None:
        """Show a failure: as JSON with --json, else a line and its hint, which may have several."""
        if self.json:
            fields = {"code": error.code, "message": error.message, "hint": error.hint}
            self._tell(self._encoded({"v": 1, "error": fields}).rstrip("\n"))
            return
        name = self._rendered(self._err, [Styled("muninn:", "red")])
        self._tell(f"{name} {one_line(error.message)}")
        for line in error.hint.splitlines():
            self._tell(f"  {one_line(line)}")

    def progress(self, label: str) -> AbstractContextManager[Callable[[int, int], None]]:
        """A bar to be told `done, total` while long work goes on; only where it can be drawn."""
        from muninn_cli.cli.progress import bar

        drawn = _is_terminal(self._err) and not self._is_dumb and not self._flags.quiet
        return bar(label, self._err, shown=drawn)

    def confirm(self, question: str) -> bool:
        """Ask on stderr; anything but a yes is a no, and so is the end of the input.

        With --json the answer is read all the same, and stderr is left to a failure alone.
        """
        if not self.json:
            self._err.write(f"{one_line(question)} [y/N] ")
            self._err.flush()
        answer = self._in.readline()
        if not answer and not self.json:
            self._err.write("\n")
        return answer.strip().lower() in ("y", "yes", "s", "sí", "si")

    def _tell(self, line: str) -> None:
        """Write a line to stderr; nobody can be told that stderr is gone."""
        try:
            self._err.write(line + "\n")
            self._err.flush()
        except OSError:
            return

    def _rendered(self, stream: TextIO, parts: Sequence[str | Styled]) -> str:
        colour = any(isinstance(p, Styled) for p in parts) and self._palette.shows(stream)
        safe = escaped if _is_terminal(stream) else str
        return "".join(_rendered(part, colour, safe) for part in parts)

    def _encoded(self, value: Mapping[str, object]) -> str:
        import json

        encoding = (getattr(self._out, "encoding", None) or "utf-8").lower().replace("-", "")
        text = json.dumps(value, ensure_ascii=encoding != "utf8", allow_nan=False)
        return escaped(text) + "\n"


def _rendered(part: str | Styled, colour: bool, safe: Callable[[str], str]) -> str:
    if isinstance(part, str):
        return safe(part)
    text = safe(part.text)
    return f"\x1b[{_CODES[part.style]}m{text}\x1b[0m" if colour else text


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False
