"""Whether a merge that a model proposes keeps what its sources say, and adds no value.

Pure judgement: nothing is merged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from muninn_cli.core.changes import Member
from muninn_cli.core.markdown import sentences
from muninn_cli.core.plain import plain

SHORTEST = 0.4
LONGEST = 4.0
"""A merged text is this many times as long as its longest source, at least and at most."""
_LIST_NUMBER = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)


def same_text(content: str, member: Member) -> bool:
    """Whether a merged text is the member's own, up to white space."""
    return content.split() == plain(member.text).split()


def firm_veto(members: Sequence[Member]) -> str:
    """What forbids the merge whatever a judge says, empty for nothing: another value in a body."""
    from muninn_cli.core.likeness import Text, veto

    texts = [Text(member.title, member.text) for member in members]
    for left, right in combinations(texts, 2):
        found = veto(left, right)
        if found is not None and not found.crossable:
            return f"{found.kind}: {found.left} / {found.right}"
    return ""


def content_problem(content: str, members: Sequence[Member]) -> str:
    """Why a merged text cannot stand for its sources, empty if it can."""
    longest = max(len(plain(member.text).strip()) for member in members)
    length = len(content.strip())
    if not SHORTEST * longest <= length <= LONGEST * longest:
        return f"its text has {length} characters, the longest source {longest}"
    if invented := _invented_numbers(content, members):
        return f"its text states {invented[0]}, which no source does"
    for member in members:
        if lost := _lost(member, content):
            return f"its text loses what {member.ref.id} says: {' '.join(lost)}"
    return ""


def say_it_all(members: Sequence[Member]) -> list[Member]:
    """The members whose own title and text keep what every other one says."""
    return [
        member
        for member in members
        if all(
            not _lost(other, f"{member.title}\n{member.text}")
            for other in members
            if other is not member
        )
    ]


def _lost(member: Member, text: str) -> tuple[str, ...]:
    """What the member says, sentence by sentence, that the text does not state."""
    from muninn_cli.core.likeness import lost_facts

    losses = (lost_facts(text, sentence) for sentence in sentences(member.text))
    return next(filter(None, losses), ())


def _invented_numbers(content: str, members: Sequence[Member]) -> list[str]:
    stated = {
        number
        for member in members
        for number in re.findall(r"\d+", f"{member.title}\n{member.text}")
    }
    numbers = re.findall(r"\d+", _LIST_NUMBER.sub("", content))
    return [number for number in numbers if number not in stated]
