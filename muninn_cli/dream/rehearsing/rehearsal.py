"""The rehearsal: a dream measures itself before it touches a file.

Probes are asked of a scratch copy of the index, as things are and as the plan would leave them. A
change that loses an answer is taken out of the plan and named. Nothing else is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.changes import involved
from muninn_cli.core.journal import Measure, Omission
from muninn_cli.core.plain import one_line
from muninn_cli.dream.plan import LeftOut
from muninn_cli.dream.rehearsing.probes import SHOWN
from muninn_cli.dream.rehearsing.sampling import MOST, Moving, Sample, near, sample, states

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from muninn_cli.core.changes import Change, Ref
    from muninn_cli.dream.applying.writing import Writing
    from muninn_cli.dream.plan import Plan
    from muninn_cli.dream.rehearsing.probes import Probe
    from muninn_cli.dream.rehearsing.scratch import Files, Scratch
    from muninn_cli.dream.tools import Search
    from muninn_cli.providers.base import Deadline

SECONDS = 10.0
"""How long probes are asked, half of it before and half after."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a rehearsal works with: `scratch` shows nothing yet, `write` says what changes write.

    `deadline` is that of the dream, `seconds` the time for probes alone.
    """

    scratch: Scratch
    search: Search
    write: Callable[[Sequence[Change]], Writing]
    deadline: Deadline
    seconds: float = SECONDS

    def half(self) -> Deadline:
        """The end of half of the time for probes, from now on."""
        return self.deadline.within(self.seconds / 2)


def rehearse(plan: Plan, stage: Stage) -> Plan:
    """The plan without the changes that lose an answer or had to be probed and were not.

    Changes that no probe was made for, or that the sample left out, stay: a sample is a sample.
    But where there was no time for any, all of them wait.
    """
    moving = [change for change in plan.changes if isinstance(change, Moving)]
    if not moving:
        return plan
    files = stage.write(moving).files
    chosen = sample(moving, files, stage.scratch)
    before = _before(chosen, moving, stage)
    waiting = frozenset(moving) if chosen.probes and not before else chosen.unprobed(before)
    kept = [change for change in moving if change not in waiting]
    done = _Performance(stage, chosen, before, kept)
    done.run(files if kept == moving else stage.write(kept).files)
    left = tuple(_left_out(moving, waiting | done.late, done.harmful))
    out = {item.change for item in left}
    return replace(
        plan,
        changes=tuple(change for change in plan.changes if change not in out),
        left_out=(*plan.left_out, *left),
        measure=done.measure,
    )


def _left_out(
    changes: Iterable[Moving], late: Collection[Moving], harmful: Mapping[Moving, Probe]
) -> Iterator[LeftOut]:
    for change in changes:
        if change in late:
            yield LeftOut(Omission.NO_TIME, involved(change), change=change)
        elif change in harmful:
            detail = _lost(harmful[change])
            yield LeftOut(Omission.LOST_ANSWER, involved(change), detail, change)


def _lost(probe: Probe) -> str:
    """The memory that was asked about by its title: a purge finds that, and no sentence."""
    return f"“{one_line(probe.title, 80)}”"


class Answer(NamedTuple):
    """What a probe found, best first; `stating` is the first that answers it, None for nobody."""

    found: tuple[Ref, ...]
    stating: Ref | None


Answers = dict["Probe", Answer]


def ask(probe: Probe, stage: Stage) -> Answer:
    """Ask a probe of the scratch index as it stands."""
    scratch, (vault, _) = stage.scratch, probe.about
    found = tuple(stage.search(scratch.connection, probe.question, vault, SHOWN))
    if probe.head:
        return Answer(found, probe.head if probe.head in found else None)
    memories = ((ref, scratch.memory(ref)) for ref in found)
    stating = (ref for ref, memory in memories if memory and states(memory, probe.sentence))
    return Answer(found, next(stating, None))


def _before(chosen: Sample, changes: Sequence[Moving], stage: Stage) -> Answers:
    """The answers as things are: of the sample, then of some neighbours of what it is about."""
    limit = stage.half()
    answers: Answers = {}
    for probe in chosen.probes:
        if limit.left > 0:
            answers[probe] = ask(probe, stage)
    found = (ref for answer in answers.values() for ref in answer.found)
    for probe in near(changes, found, stage.scratch)[: MOST - len(answers)]:
        if limit.left > 0:
            answers[probe] = ask(probe, stage)
    return answers


@dataclass(slots=True)
class _Performance:
    """The plan shown, asked about, and cut down until every answer is there again.

    `answers` are those that were asked for in time. `harmful` are the changes taken out, each with
    a probe that it lost; `late` those that had to be probed and were not, or that may have lost an
    answer for which there was no time to ask again.
    """

    stage: Stage
    chosen: Sample
    before: Answers
    changes: list[Moving]
    answers: Answers = field(default_factory=dict)
    harmful: dict[Moving, Probe] = field(default_factory=dict)
    late: frozenset[Moving] = frozenset()

    @property
    def measure(self) -> Measure | None:
        if not self.answers:
            return None
        found = sum(self.before[probe].stating is not None for probe in self.answers)
        left = sum(answer.stating is not None for answer in self.answers.values())
        return Measure(len(self.answers), found, left)

    def run(self, files: Files) -> None:
        """`files` are those that the changes write."""
        self.stage.scratch.show(files)
        limit = self.stage.half()
        probes: Collection[Probe] = self.before
        while True:
            unsure = self._ask(probes, limit)
            late = (self.chosen.unprobed(self.answers) | unsure).intersection(self.changes)
            lost = [probe for probe in self.answers if self._is_lost(probe)]
            blamed = {change: probe for probe in lost for change in self._suspects(probe)[:1]}
            if not late and not blamed:
                return
            self.late |= late
            self.harmful |= blamed
            self.changes = [c for c in self.changes if c not in late and c not in blamed]
            probes = self._affected(self.stage.scratch.show(self.stage.write(self.changes).files))

    def _affected(self, shown: frozenset[Ref]) -> list[Probe]:
        """The probes whose answers the last step may have touched."""
        return [
            probe
            for probe, answer in self.answers.items()
            if self._is_lost(probe) or not shown.isdisjoint((probe.about, *answer.found))
        ]

    def _ask(self, probes: Iterable[Probe], limit: Deadline) -> set[Moving]:
        """Ask as long as there is time; what is not asked has no answer.

        Returns what may have lost an answer that is not asked for again.
        """
        unsure: set[Moving] = set()
        for probe in probes:
            if limit.left > 0:
                self.answers[probe] = ask(probe, self.stage)
            elif probe in self.answers:
                unsure.update(self._suspects(probe) if self._is_lost(probe) else ())
                del self.answers[probe]
        return unsure

    def _is_lost(self, probe: Probe) -> bool:
        """A superseded title must find its head, whatever it found before."""
        missing = self.answers[probe].stating is None
        return missing and bool(probe.head or self.before[probe].stating)

    def _suspects(self, probe: Probe) -> list[Moving]:
        """The changes that may have lost the answer, the likeliest first."""
        before, after = self.before[probe], self.answers[probe]
        for refs in ((probe.about, before.stating), before.found, after.found):
            touching = [c for c in self.changes if not set(refs).isdisjoint(involved(c))]
            if touching:
                return touching[::-1]
        return [c for c in self.changes if c.vault == probe.about.vault][::-1]
