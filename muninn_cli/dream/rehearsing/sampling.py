"""Which probes a dream is measured by: of the memories it touches, and of those near them.

Only reads. What a change may well lose comes first, then one probe of each change, and so on; the
hash of a probe decides between equals, and the number is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Archive, Merge, Ref, Supersede, involved
from muninn_cli.core.likeness import keeps_facts
from muninn_cli.dream.rehearsing.probes import SHOWN, Probe, cut, probes_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from muninn_cli.core.memory import Memory
    from muninn_cli.dream.rehearsing.scratch import Files, Scratch

MOST = 200
"""Probes of one dream."""
FOR_NEIGHBOURS = 50
"""Probes kept for memories near those that the plan touches."""

Moving = Merge | Supersede | Archive
"""Changes by which an answer can be lost."""


@dataclass(frozen=True, slots=True)
class Sample:
    """`probes` in the order in which to ask them.

    `doubtful` are the probes, by change, without an answer to each of which the change must wait:
    those whose sentence the survivor of a merge does not state, chosen or not, and the one that
    was chosen of what is superseded.
    """

    probes: tuple[Probe, ...]
    doubtful: Mapping[Moving, frozenset[Probe]]

    def unprobed(self, asked: Collection[Probe]) -> frozenset[Moving]:
        """The changes about which too little was asked."""
        return frozenset(
            change
            for change, probes in self.doubtful.items()
            if not all(probe in asked for probe in probes)
        )


def sample(changes: Sequence[Moving], files: Files, scratch: Scratch) -> Sample:
    """The probes of these changes, which write `files`; `scratch` shows nothing yet."""
    heads = _heads(changes)
    ranks: dict[Probe, int] = {}
    doubtful: dict[Moving, frozenset[Probe]] = {}
    for change in changes:
        own = _own(change, heads, scratch)
        for rank, probe in enumerate(own):
            ranks[probe] = min(rank, ranks.get(probe, rank))
        if isinstance(change, Merge):
            survivor = Ref(change.vault, change.survivor)
            kept = scratch.reading(survivor, files.get(survivor))
            lost = frozenset(p for p in own if kept is None or not states(kept, p.sentence))
            doubtful |= {change: lost} if lost else {}
    doubted = frozenset[Probe]().union(*doubtful.values())
    ordered = sorted(ranks, key=lambda probe: (probe not in doubted, ranks[probe], probe.order))
    probes = tuple(ordered[: MOST - FOR_NEIGHBOURS])
    return Sample(probes, {**doubtful, **_superseding(changes, probes)})


def _superseding(
    changes: Iterable[Moving], probes: Iterable[Probe]
) -> dict[Moving, frozenset[Probe]]:
    """By supersession, the probe of the title that it hides."""
    of_head = {probe.about: frozenset((probe,)) for probe in probes if probe.head}
    return {
        change: of_head[old]
        for change in changes
        if isinstance(change, Supersede) and (old := Ref(change.vault, change.old)) in of_head
    }


def near(changes: Iterable[Moving], found: Iterable[Ref], scratch: Scratch) -> list[Probe]:
    """Probes of what was found beside the memories of the changes."""
    touched = {ref for change in changes for ref in involved(change)}
    beside = sorted(set(found) - touched)
    return sorted(set(_probes(beside, scratch)), key=attrgetter("order"))


def states(memory: Memory, sentence: str) -> bool:
    """Whether a memory says a sentence: all its values, names, negations, significant words."""
    return keeps_facts("\n".join((memory.title, memory.body)), sentence)


def _own(change: Moving, heads: Mapping[Ref, Ref], scratch: Scratch) -> list[Probe]:
    """The probes of a change, in the order of their hash."""
    match change:
        case Supersede(vault=vault, old=old):
            return list(_of_title(Ref(vault, old), heads, scratch))
        case Merge():
            return sorted(_probes(involved(change), scratch), key=attrgetter("order"))
        case Archive():
            return []  # what expires or goes over budget is not asked for its own text


def _of_title(old: Ref, heads: Mapping[Ref, Ref], scratch: Scratch) -> Iterator[Probe]:
    """The title of what is superseded, which must find the memory that takes its place."""
    memory = scratch.memory(old)
    if memory and any(map(str.isalnum, memory.title)) and _tells(memory, old, scratch):
        yield Probe(old, memory.title, cut(memory.title), "", heads[old])


def _heads(changes: Iterable[Moving]) -> dict[Ref, Ref]:
    """By memory that is superseded, the one at the end of its chain."""
    next_of = {
        Ref(c.vault, c.old): Ref(c.vault, c.new) for c in changes if isinstance(c, Supersede)
    }
    heads = {}
    for old in next_of:
        line = [old]
        while line[-1] in next_of and next_of[line[-1]] not in line:
            line.append(next_of[line[-1]])
        heads[old] = line[-1]
    return heads


def _probes(refs: Iterable[Ref], scratch: Scratch) -> Iterator[Probe]:
    for ref in refs:
        memory = scratch.memory(ref)
        if memory:
            yield from probes_of(ref, memory, by_title=_tells(memory, ref, scratch))


def _tells(memory: Memory, ref: Ref, scratch: Scratch) -> bool:
    """Whether a title tells its memory from others: one that more memories have than are looked at
    finds some of them, and which is chance."""
    return scratch.namesakes(ref.vault, memory.title, SHOWN + 1) <= SHOWN
