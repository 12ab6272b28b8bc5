"""Probes: the questions by which a dream is measured, made from the memories it touches. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muninn_cli.core.hashing import blake2b
from muninn_cli.core.markdown import without_fences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.core.changes import Ref
    from muninn_cli.core.memory import Memory

SHOWN = 5
"""An answer counts among the first five hits."""
_LONGEST = 300
"""Characters of a question."""
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_MARKS = re.compile(r"^\s*(?:>\s*|[-+*]\s+|\d+[.)]\s+)+(?:\[[ xX]\]\s+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about a memory with this title, to be asked in its vault.

    It is answered where a text that is found still states `sentence`; with a `head`, where that
    memory is found: it has taken the place of the one that was asked about.
    """

    about: Ref
    title: str
    question: str
    sentence: str
    head: Ref | None = None

    @property
    def order(self) -> bytes:
        """Chooses among probes: the same ones every time, and none for its place or its age."""
        text = "\0".join((*self.about, self.question))
        return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()


def probes_of(ref: Ref, memory: Memory, *, by_title: bool) -> Iterator[Probe]:
    """Its title, if that may be asked, and its first sentence: each must find the sentence."""
    sentence = first_sentence(memory.body) or memory.title
    questions = (cut(memory.title), sentence) if by_title else (sentence,)
    for question in dict.fromkeys(questions):
        if any(map(str.isalnum, question)):
            yield Probe(ref, memory.title, question, sentence)


def first_sentence(body: str) -> str:
    """The first sentence of a text that is no heading, without Markdown's marks; "" if none."""
    for paragraph in re.split(r"\n\s*\n", without_fences(body)):
        lines = [line for line in paragraph.splitlines() if not _HEADING.match(line)]
        text = " ".join(_MARKS.sub("", _first_item(lines)).split())
        if any(map(str.isalnum, text)):
            return cut(_SENTENCE_END.split(text, maxsplit=1)[0])
    return ""


def cut(question: str) -> str:
    """The beginning of a long question, in whole words where there are any."""
    if len(question) <= _LONGEST:
        return question
    end = question.rfind(" ", 0, _LONGEST)
    return question[: end if end > 0 else _LONGEST]


def _first_item(lines: list[str]) -> str:
    """The lines of a paragraph, or of the first item where it is a list."""
    for number, line in enumerate(lines):
        if number and _MARKS.match(line):
            return "\n".join(lines[:number])
    return "\n".join(lines)
