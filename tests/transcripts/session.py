"""Sessions of a shell in Markdown: run again, and compared with what stands there.

A fenced block marked `console` holds commands after `$ ` and what they print; one marked `sh` only
commands. All blocks of a file are one session in one home, with a clock that stands and ids that
are always the same, so that what is printed can be compared to the letter.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from conftest import Muninn

_BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SECONDS = re.compile(r"\b(in|en) \d+([.,])\d s\b")


@dataclass
class Block:
    """A fenced block: its kind, its text, and where the text begins in the file."""

    kind: str
    text: str
    start: int

    @property
    def commands(self) -> list[str]:
        """The command lines of muninn."""
        lines = self.text.splitlines()
        if self.kind == "console":
            return [line[2:] for line in lines if line.startswith("$ ")]
        return [line for line in lines if line.startswith("muninn ")]


@dataclass
class Session:
    """Runs command lines in one home and gives what a person would see."""

    muninn: Muninn
    seen: list[str] = field(default_factory=list)

    def run(self, line: str) -> str:
        """Run one line; every command must work."""
        self.muninn.clock.advance(seconds=1)
        program, *arguments = shlex.split(line, comments=True)
        assert program == "muninn", line
        result = self.muninn(*arguments)
        assert result.code == 0, f"{line}: {result.err}"
        return self._plain(result.out + result.err)

    def _plain(self, text: str) -> str:
        """Without what differs from run to run: the home folder and the seconds."""
        text = text.replace(str(self.muninn.home.parent), "~")
        return _SECONDS.sub(r"\1 0\g<2>4 s", text)


def blocks(text: str, first: str, last: str) -> list[Block]:
    """The blocks between two headings."""
    begin, end = text.index(first), text.index(last)
    return [
        Block(match[1], match[2], match.start(2)) for match in _BLOCK.finditer(text, begin, end)
    ]


def replayed(path: Path, session: Session, first: str, last: str) -> str:
    """The file with what its commands print now."""
    text = path.read_text(encoding="utf-8")
    moved = 0
    for block in blocks(text, first, last):
        printed = [(line, session.run(line)) for line in block.commands]
        if block.kind == "console":
            new = "".join(f"$ {line}\n{out}" for line, out in printed)
            start = block.start + moved
            text = text[:start] + new + text[start + len(block.text) :]
            moved += len(new) - len(block.text)
    return text
