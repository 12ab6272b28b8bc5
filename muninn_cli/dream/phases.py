"""The phases of a dream in their order, and the plan they come to.

Planning reads an index and files, asks models, and writes nothing but the index's own pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from muninn_cli.core.associations import pair_of, weight_at
from muninn_cli.core.changes import Associate, Change, Merge, Ref, involved
from muninn_cli.dream.draft import Draft
from muninn_cli.dream.phase0_orient import orient
from muninn_cli.dream.phase1_replay import strengthen
from muninn_cli.dream.phase2_dedup import dedup
from muninn_cli.dream.phase2b_consolidate import ask
from muninn_cli.dream.phase3_schema import promote
from muninn_cli.dream.phase4_stability import weigh
from muninn_cli.dream.phase5_inference import infer_associations
from muninn_cli.dream.plan import Plan, Subject

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from muninn_cli.dream.snapshot import Facts, Snapshot
    from muninn_cli.dream.tools import Tools

Phase = Callable[[Draft, "Tools"], Draft]

PHASES: Mapping[int, tuple[Phase, ...]] = {
    0: (orient,),
    1: (strengthen,),
    2: (dedup, ask),
    3: (promote,),
    4: (weigh,),
    5: (infer_associations,),
}
"""What each phase does; phase 6, the journal, tells of a plan and adds nothing to it."""
ACTING = frozenset(range(1, 6))
"""The phases that a dream must have, all of them, to count as one."""


def make_plan(snapshot: Snapshot, tools: Tools, phases: Collection[int] | None = None) -> Plan:
    """The plan of a dream with these phases, or with all. Raises TimedOutError.

    The map of phase 0 is always drawn. Without a model `Tools.providers` is empty.
    """
    chosen = {0, *(PHASES.keys() if phases is None else phases)}
    begun = tools.deadline.clock()
    draft = Draft(snapshot)
    for number, steps in PHASES.items():
        for step in steps if number in chosen else ():
            draft = step(draft, tools)
    changes = (*_passed_on(draft), *(c for c in draft.changes if not isinstance(c, Associate)))
    return Plan(
        now=snapshot.now,
        phases=tuple(sorted(chosen)),
        vaults=draft.maps,
        legal=snapshot.legal,
        changes=changes,
        subjects=tuple(_subjects(changes, snapshot)),
        changed=tuple(map(_subject, snapshot.changed)),
        left_out=draft.left_out,
        waiting=draft.waiting,
        judged=draft.judged,
        estimate=draft.estimate,
        models=draft.models,
        narrative=draft.narrative,
        whole=chosen >= ACTING,
        seconds=tools.deadline.clock() - begun,
    )


def _passed_on(draft: Draft) -> list[Associate]:
    """What was learned, as learned of the memories that stay: where a memory is merged, of the
    one that it is merged into, unless that one has a stronger association of its own."""
    merged = {
        Ref(change.vault, loser): change.survivor
        for change in draft.changes
        if isinstance(change, Merge)
        for loser in change.losers
    }
    found: dict[tuple[str, str, str], Associate] = {}
    for change in draft.changes:
        if isinstance(change, Associate):
            ends = (merged.get(Ref(change.vault, each), each) for each in (change.a, change.b))
            a, b = pair_of(*ends)
            passed = replace(change, a=a, b=b)
            if a == b or (passed != change and _own_weight(passed, draft) >= change.new):
                continue
            known = found.get((change.vault, a, b))
            if known is None or known.new < change.new:
                found[change.vault, a, b] = passed
    return list(found.values())


def _own_weight(change: Associate, draft: Draft) -> float:
    """What the pair weighs at that time, as far as its vault knows."""
    known = draft.snapshot.associations.get(change.vault, {}).get((change.a, change.b))
    return weight_at(known, change.at) if known else 0.0


def _subjects(changes: Iterable[Change], snapshot: Snapshot) -> Iterator[Subject]:
    refs = dict.fromkeys(ref for change in changes for ref in involved(change))
    return (_subject(snapshot.facts[ref]) for ref in refs)


def _subject(facts: Facts) -> Subject:
    return Subject(facts.ref, facts.title, facts.path, facts.hash, facts.text)
