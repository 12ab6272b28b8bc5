"""The rehearsal: a dream measures itself before it touches a file.

Probes are asked of a scratch copy of the index, as things are and as the plan would leave them. A
change that loses an answer is taken out of the plan and named. Nothing else is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.changes import Archive, Merge, Ref, Supersede, involved
from muninn_cli.core.journal import Measure, Omission
from muninn_cli.core.likeness import keeps_facts
from muninn_cli.core.plain import one_line
from muninn_cli.dream.plan import LeftOut
from muninn_cli.dream.probes import MOST, Probe, chosen, cut, probes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from muninn_cli.core.changes import Change
    from muninn_cli.core.memory import Memory
    from muninn_cli.dream.plan import Plan
    from muninn_cli.dream.scratch import Scratch
    from muninn_cli.dream.tools import Search
    from muninn_cli.dream.writing import Writing
    from muninn_cli.providers.base import Deadline

SECONDS = 10.0
"""How long a rehearsal may take; what is not probed by then waits for the next dream."""
SHOWN = 5
"""An answer counts among the first five hits."""
FOR_NEIGHBOURS = 50
"""Probes kept for memories near those that the plan touches."""

Moving = Merge | Supersede | Archive
"""Changes by which an answer can be lost."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a rehearsal works with: `scratch` shows nothing yet, `write` says what changes write."""

    scratch: Scratch
    search: Search
    write: Callable[[Sequence[Change]], Writing]
    deadline: Deadline


def rehearse(plan: Plan, stage: Stage) -> Plan:
    """The plan without the changes that lose an answer or could not be probed, and its measure."""
    moving = [change for change in plan.changes if isinstance(change, Moving)]
    if not moving:
        return plan
    before = _before(moving, stage)
    done = _Performance(stage, before, [c for c in moving if c not in before.waiting]).run()
    late = before.waiting | done.late
    left = [LeftOut(Omission.NO_TIME, involved(c), change=c) for c in moving if c in late]
    left += [
        LeftOut(Omission.LOST_ANSWER, involved(change), _lost(probe), change)
        for change, probe in done.harmful.items()
    ]
    out = {item.change for item in left}
    return replace(
        plan,
        changes=tuple(change for change in plan.changes if change not in out),
        left_out=(*plan.left_out, *left),
        measure=done.measure,
    )


def _lost(probe: Probe) -> str:
    return f"“{one_line(probe.question, 80)}” would find no answer"


class Answer(NamedTuple):
    """What a probe found, best first; `stating` is the first that answers it, None for nobody."""

    found: tuple[Ref, ...]
    stating: Ref | None


Answers = dict[Probe, Answer]


def ask(probe: Probe, stage: Stage) -> Answer:
    """Ask a probe of the scratch index as it stands."""
    scratch, (vault, _) = stage.scratch, probe.about
    found = tuple(stage.search(scratch.connection, probe.question, vault, SHOWN))
    if probe.head:
        return Answer(found, probe.head if probe.head in found else None)
    memories = ((ref, scratch.memory(ref)) for ref in found)
    stating = (ref for ref, memory in memories if memory and states(memory, probe.sentence))
    return Answer(found, next(stating, None))


def states(memory: Memory, sentence: str) -> bool:
    """Whether a memory says a sentence: all its values, names, negations, significant words."""
    return keeps_facts("\n".join((memory.title, memory.body)), sentence)


@dataclass(slots=True)
class _Before:
    """The answers as things are, in the order in which they were asked for.

    `own` are the probes made for each change, the first to be asked first; `doubtful` those that a
    change may well lose. `waiting` are changes that could not be probed.
    """

    own: dict[Moving, list[Probe]]
    doubtful: frozenset[Probe]
    answers: Answers = field(default_factory=dict)
    waiting: frozenset[Moving] = frozenset()

    def unprobed(self, asked: Collection[Probe]) -> frozenset[Moving]:
        """The changes of which too little was asked: nothing at all, or not all that is doubtful.

        What nothing casts a doubt on and the hash did not choose needs no probe.
        """
        return frozenset(
            change
            for change, probes in self.own.items()
            if any(probe in self.doubtful and probe not in asked for probe in probes)
            or (
                any(map(self.answers.__contains__, probes))
                and not any(map(asked.__contains__, probes))
            )
        )


def _before(changes: Sequence[Moving], stage: Stage) -> _Before:
    """Ask the probes of the changes, then some of their neighbours, in half of the time."""
    limit = stage.deadline.within(stage.deadline.left / 2)
    own, doubtful = _own(changes, stage)
    before = _Before(own, doubtful)
    first = _first(own, doubtful)
    for probe in first:
        if limit.left > 0:
            before.answers[probe] = ask(probe, stage)
    late = dict.fromkeys(probe for probe in first if probe not in before.answers)
    before.waiting = before.unprobed(before.answers) | frozenset(
        change
        for change, probes in own.items()
        if not late.keys().isdisjoint(probes) and before.answers.keys().isdisjoint(probes)
    )
    for probe in _near(changes, before.answers, stage.scratch):
        if limit.left > 0:
            before.answers[probe] = ask(probe, stage)
    return before


def _first(own: Mapping[Moving, Sequence[Probe]], doubtful: Collection[Probe]) -> list[Probe]:
    """The doubtful probes first, then the first of each change, then the second, and so on."""
    ranks: dict[Probe, int] = {}
    for probes in own.values():
        for rank, probe in enumerate(probes):
            ranks[probe] = min(rank, ranks.get(probe, rank))
    ordered = sorted(ranks, key=lambda probe: (probe not in doubtful, ranks[probe], probe.order))
    return ordered[: MOST - FOR_NEIGHBOURS]


def _own(
    changes: Sequence[Moving], stage: Stage
) -> tuple[dict[Moving, list[Probe]], frozenset[Probe]]:
    """The probes of each change in the order of their hash, and those that it may well lose."""
    after = stage.write(changes).files
    heads = _heads(changes)
    own: dict[Moving, list[Probe]] = {}
    doubtful: set[Probe] = set()
    for change in changes:
        match change:
            case Supersede(vault=vault, old=old):
                probes = list(_of_title(Ref(vault, old), heads, stage.scratch))
                doubtful.update(probes)
            case Merge(vault=vault, survivor=survivor):
                probes = sorted(_probes(involved(change), stage.scratch), key=attrgetter("order"))
                kept = stage.scratch.reading(Ref(vault, survivor), after.get(Ref(vault, survivor)))
                doubtful.update(p for p in probes if not (kept and states(kept, p.sentence)))
            case Archive():
                probes = []  # what expires or goes over budget is not asked for its own text
        own[change] = probes
    return own, frozenset(doubtful)


def _of_title(old: Ref, heads: Mapping[Ref, Ref], scratch: Scratch) -> Iterator[Probe]:
    """The title of what is superseded, which must find the memory that takes its place."""
    memory = scratch.memory(old)
    if memory and any(map(str.isalnum, memory.title)):
        yield Probe(old, cut(memory.title), "", heads[old])


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
            yield from probes_of(ref, memory)


def _near(changes: Iterable[Moving], answers: Answers, scratch: Scratch) -> list[Probe]:
    """Probes of the memories that were found beside those of the plan."""
    touched = {ref for change in changes for ref in involved(change)}
    near = {ref for answer in answers.values() for ref in answer.found} - touched
    return chosen(_probes(sorted(near), scratch), MOST - len(answers))


@dataclass(slots=True)
class _Performance:
    """The plan shown, asked about, and cut down until every answer is there again.

    `answers` are those that were asked for in time. `harmful` are the changes taken out, each with
    a probe that it lost; `late` those that could not be probed in time.
    """

    stage: Stage
    before: _Before
    changes: list[Moving]
    answers: Answers = field(default_factory=dict)
    harmful: dict[Moving, Probe] = field(default_factory=dict)
    late: frozenset[Moving] = frozenset()

    @property
    def measure(self) -> Measure | None:
        asked = len(self.answers)
        if not asked:
            return None
        found = sum(bool(self.before.answers[probe].stating) for probe in self.answers)
        return Measure(asked, found, sum(bool(each.stating) for each in self.answers.values()))

    def run(self) -> _Performance:
        waiting = dict.fromkeys(self.before.answers)
        while True:
            shown = self.stage.scratch.show(self.stage.write(self.changes).files)
            self._ask(waiting if not self.answers else self._affected(shown))
            late = self.before.unprobed(self.answers).intersection(self.changes)
            lost = [probe for probe in self.answers if self._is_lost(probe)]
            blamed = {change: probe for probe in lost for change in self._suspects(probe)[:1]}
            if not late and not blamed:
                return self
            self.late |= late
            self.harmful |= blamed
            self.changes = [c for c in self.changes if c not in late and c not in blamed]

    def _affected(self, shown: frozenset[Ref]) -> list[Probe]:
        """The probes whose answers the last step may have touched."""
        return [
            probe
            for probe, answer in self.answers.items()
            if self._is_lost(probe) or not shown.isdisjoint((probe.about, *answer.found))
        ]

    def _ask(self, probes: Iterable[Probe]) -> None:
        """Ask as long as there is time; what is not asked has no answer."""
        for probe in probes:
            if self.stage.deadline.left > 0:
                self.answers[probe] = ask(probe, self.stage)
            else:
                self.answers.pop(probe, None)

    def _is_lost(self, probe: Probe) -> bool:
        """A superseded title must find its head, whatever it found before."""
        missing = not self.answers[probe].stating
        return missing and bool(probe.head or self.before.answers[probe].stating)

    def _suspects(self, probe: Probe) -> list[Moving]:
        """The changes that may have lost the answer, the likeliest first."""
        before, after = self.before.answers[probe], self.answers[probe]
        for refs in ((probe.about, before.stating), before.found, after.found):
            touching = [c for c in self.changes if not set(refs).isdisjoint(involved(c))]
            if touching:
                return touching[::-1]
        return [c for c in self.changes if c.vault == probe.about.vault][::-1]
