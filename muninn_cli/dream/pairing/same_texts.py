"""Memories that say the same word for word: found by their texts, whatever their vectors say."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from muninn_cli.core.likeness import normal_form, text_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from muninn_cli.dream.pairing.relations import Texts
    from muninn_cli.dream.permission import Permission
    from muninn_cli.dream.snapshot import Facts

NEIGHBOURS = 7
"""Of memories with one text under different titles, so many that each is compared with."""


def same_said(groups: Iterable[Sequence[Facts]], texts: Texts) -> Iterator[list[Facts]]:
    """Memories that say the same under any title; `groups` are those whose texts have one key.

    What says nothing of its own is not the same as anything.
    """
    for group in groups:
        sets: defaultdict[bytes, list[Facts]] = defaultdict(list)
        for facts in group:
            text = texts.of(facts.ref)
            if text is not None:
                sets[text_hash(text.body)].append(facts)
        yield from (found for found in sets.values() if len(found) > 1)


def same_texts(
    groups: Iterable[Sequence[Facts]], texts: Texts, permission: Permission
) -> Iterator[list[Facts]]:
    """The sets of memories with one text, one title, one type and one validity.

    `groups` say the same. Two that a person has kept apart are in no set together.
    """
    for group in groups:
        sets: defaultdict[tuple[object, ...], list[Facts]] = defaultdict(list)
        for facts in group:
            text = texts.of(facts.ref)
            title = normal_form(text.title) if text else ""
            sets[title, facts.type, facts.valid_from].append(facts)
        for found in sets.values():
            yield from (each for each in _unparted(found, permission) if len(each) > 1)


def under_other_titles(
    groups: Iterable[Sequence[Facts]], heads: Mapping[int, Facts]
) -> Iterator[tuple[Facts, Facts]]:
    """Pairs that say the same and are in no set together; `heads` stand for their sets."""
    for group in groups:
        left = list({head.num: head for head in (heads.get(f.num, f) for f in group)}.values())
        for place, one in enumerate(left):
            for other in left[place + 1 : place + 1 + NEIGHBOURS]:
                yield one, other


def _unparted(memories: Sequence[Facts], permission: Permission) -> Iterator[list[Facts]]:
    """Sets in which nobody has said no to a merge of any two."""
    sets: list[list[Facts]] = []
    for facts in memories:
        for found in sets:
            if not permission.parted(facts.ref, *(each.ref for each in found)):
                found.append(facts)
                break
        else:
            sets.append([facts])
    yield from sets
