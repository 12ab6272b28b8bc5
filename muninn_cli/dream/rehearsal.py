"""The rehearsal: a dream measures itself before it touches a file.

Probes are asked of a scratch copy of the index, as things are and as the plan would leave them. A
change that loses an answer is taken out of the plan and named. Nothing else is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.changes import Archive, Merge, Ref, Supersede, involved
from muninn_cli.core.journal import Measure, Omission
from muninn_cli.core.likeness import keeps_facts
from muninn_cli.core.plain import one_line
from muninn_cli.dream.plan import LeftOut
from muninn_cli.dream.probes import MOST, Probe, chosen, cut, probes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    outcome = _Performance(stage, before, [c for c in moving if c not in before.waiting]).run()
    left = [LeftOut(Omission.NO_TIME, involved(c), change=c) for c in moving if outcome.waits(c)]
    left += [
        LeftOut(Omission.LOST_ANSWER, involved(change), _lost(probe), change)
        for change, probe in outcome.harmful.items()
    ]
    out = {item.change for item in left}
    asked = len(before.answers)
    measure = Measure(asked, _count(before.answers), _count(outcome.answers)) if asked else None
    return replace(
        plan,
        changes=tuple(change for change in plan.changes if change not in out),
        left_out=(*plan.left_out, *left),
        measure=measure,
    )


def _lost(probe: Probe) -> str:
    return f"“{one_line(probe.question, 80)}” would find no answer"


class Answer(NamedTuple):
    """What a probe found, best first; `stating` are those that answer it."""

    found: tuple[Ref, ...]
    stating: frozenset[Ref]


Answers = dict[Probe, Answer]


def _count(answers: Mapping[Probe, Answer]) -> int:
    return sum(bool(answer.stating) for answer in answers.values())


def ask(probe: Probe, stage: Stage) -> Answer:
    """Ask a probe of the scratch index as it stands."""
    scratch, (vault, _) = stage.scratch, probe.about
    found = tuple(stage.search(scratch.connection, probe.question, vault, SHOWN))
    if probe.head:
        return Answer(found, frozenset({probe.head}.intersection(found)))
    memories = ((ref, scratch.memory(ref)) for ref in found)
    stating = (ref for ref, memory in memories if memory and states(memory, probe.sentence))
    return Answer(found, frozenset(stating))


def states(memory: Memory, sentence: str) -> bool:
    """Whether a memory says a sentence: all its values, names, negations, significant words."""
    return keeps_facts("\n".join((memory.title, memory.body)), sentence)


@dataclass(slots=True)
class _Before:
    """The answers as things are; `waiting` are changes that could not be probed."""

    answers: Answers = field(default_factory=dict)
    waiting: set[Moving] = field(default_factory=set)


def _before(changes: Sequence[Moving], stage: Stage) -> _Before:
    """Ask the probes of the changes, then some of their neighbours, in half of the time."""
    before = _Before()
    limit = stage.deadline.within(stage.deadline.left / 2)
    doubtful, others = _own(changes, stage)
    first = chosen(doubtful, MOST - FOR_NEIGHBOURS)
    second = chosen(others.keys() - doubtful.keys(), MOST - FOR_NEIGHBOURS - len(first))
    unasked = doubtful.keys() - set(first)
    for probe in (*first, *second):
        if limit.left > 0:
            before.answers[probe] = ask(probe, stage)
        else:
            unasked.add(probe)
    owners = {**others, **doubtful}
    before.waiting = {change for probe in unasked for change in owners[probe]}
    for probe in _near(changes, before.answers, stage.scratch):
        if limit.left > 0:
            before.answers[probe] = ask(probe, stage)
    return before


def _own(changes: Sequence[Moving], stage: Stage) -> tuple[_Owners, _Owners]:
    """The probes of the changes, each with its changes: those that a change puts in doubt apart."""
    after = stage.write(changes).files
    doubtful: _Owners = {}
    others: _Owners = {}
    heads = _heads(changes)
    for change in changes:
        match change:
            case Supersede(vault=vault, old=old):
                memory = stage.scratch.memory(Ref(vault, old))
                if memory and any(map(str.isalnum, memory.title)):
                    head = heads[Ref(vault, old)]
                    probe = Probe(Ref(vault, old), cut(memory.title), "", head)
                    doubtful.setdefault(probe, []).append(change)
            case Merge(vault=vault, survivor=survivor):
                kept = stage.scratch.reading(Ref(vault, survivor), after.get(Ref(vault, survivor)))
                for probe in _probes(involved(change), stage.scratch):
                    safe = kept is not None and states(kept, probe.sentence)
                    (others if safe else doubtful).setdefault(probe, []).append(change)
            case Archive():
                pass  # what expires or goes over budget is not asked for its own text
    return doubtful, others


_Owners = dict[Probe, list[Moving]]


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
    """The plan shown, asked about, and cut down until every answer is there again."""

    stage: Stage
    before: _Before
    changes: list[Moving]
    answers: Answers = field(default_factory=dict)
    harmful: dict[Moving, Probe] = field(default_factory=dict)
    late: set[Moving] = field(default_factory=set)

    def waits(self, change: Moving) -> bool:
        return change in self.before.waiting or change in self.late

    def run(self) -> _Performance:
        self.answers = dict(self.before.answers)
        while True:
            shown = self.stage.scratch.show(self.stage.write(self.changes).files)
            self._ask(shown)
            lost = [probe for probe in self.answers if self._is_lost(probe)]
            blamed = {change: probe for probe in lost for change in self._suspects(probe)[:1]}
            if not blamed:
                return self
            self.harmful |= blamed
            self._take_out(blamed)

    def _ask(self, shown: frozenset[Ref]) -> None:
        """Ask again whatever the last step may have touched; without time, take that back."""
        vaults = {ref.vault for ref in shown}
        for probe in self.answers:
            if probe.about.vault not in vaults:
                continue
            if self.stage.deadline.left > 0:
                self.answers[probe] = ask(probe, self.stage)
            else:
                late = [change for change in self.changes if change.vault == probe.about.vault]
                self.late.update(late)
                self._take_out(late)
                self.answers[probe] = self.before.answers[probe]

    def _take_out(self, changes: Iterable[Moving]) -> None:
        out = set(changes)
        self.changes = [change for change in self.changes if change not in out]

    def _is_lost(self, probe: Probe) -> bool:
        """A superseded title must find its head, whatever it found before."""
        missing = not self.answers[probe].stating
        return missing and bool(probe.head or self.before.answers[probe].stating)

    def _suspects(self, probe: Probe) -> list[Moving]:
        """The changes that may have lost the answer, the likeliest first."""
        before, after = self.before.answers[probe], self.answers[probe]
        for refs in ([probe.about], before.stating, before.found, after.found):
            touching = [c for c in self.changes if not set(refs).isdisjoint(involved(c))]
            if touching:
                return touching[::-1]
        return [c for c in self.changes if c.vault == probe.about.vault][::-1]
