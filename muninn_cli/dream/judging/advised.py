"""What a model's advice comes to as changes, with what a model does not know decided here.

Dates, types and what dreams may touch are the files' to say; what they do not bear out is dropped
and named, or becomes a suggestion.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from muninn_cli.core.changes import Change, Judge, Merge, Ref, Suggest, Supersede
from muninn_cli.core.journal import Omission
from muninn_cli.dream.pairing.updates import is_newer
from muninn_cli.dream.plan import LeftOut
from muninn_cli.dream.survivors import survivor, titles_lost

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.judging.advice import Advice, MergeAdvice, Verdict
    from muninn_cli.dream.snapshot import Snapshot


def advised(draft: Draft, advice: Advice) -> Draft:
    """The draft with the changes that advice comes to."""
    draft = draft.proposing(_merge(each, draft.snapshot) for each in advice.merges)
    verdicts, contradicted = _dated(advice.verdicts, draft.snapshot)
    draft = draft.proposing(_supersessions(verdicts, draft))
    draft = draft.proposing(
        Suggest(each.refs, _hashes(each.refs, draft.snapshot), each.text)
        for each in advice.suggestions
    )
    dropped = [f"{each.what}: {each.why}" for each in advice.dropped] + contradicted
    return replace(
        draft,
        advice=advice.stability,
        narrative=advice.narrative,
        left_out=(
            *draft.left_out,
            *(LeftOut(Omission.ANSWER_PART, detail=each) for each in dropped),
        ),
    )


def _merge(advice: MergeAdvice, snapshot: Snapshot) -> Change:
    """The merge; only a suggestion where type or validity differ."""
    members = [snapshot.facts[Ref(advice.vault, each)] for each in advice.ids]
    stays = survivor(facts for facts in members if facts.ref.id in advice.may_survive)
    others = [facts for facts in members if facts is not stays]
    merge = Merge(
        advice.vault,
        stays.ref.id,
        tuple(facts.ref.id for facts in others),
        advice.reason,
        Judge.MODEL,
        advice.content,
        titles_lost(stays, others),
    )
    if len({(facts.type, facts.valid_from) for facts in members}) == 1:
        return merge
    refs = tuple(facts.ref for facts in members)
    return Suggest(refs, _hashes(refs, snapshot), advice.reason, merge)


def _dated(
    verdicts: Iterable[Verdict], snapshot: Snapshot
) -> tuple[list[tuple[Verdict, bool]], list[str]]:
    """Verdicts, and whether the files' own dates bear them out; those they deny, as text."""
    kept: list[tuple[Verdict, bool]] = []
    denied: list[str] = []
    for each in verdicts:
        newer, older = (snapshot.facts[Ref(each.vault, id_)] for id_ in (each.newer, each.older))
        if is_newer(older, newer):
            denied.append(f"{each.older} superseded by {each.newer}: its date is the later one")
        else:
            kept.append((each, is_newer(newer, older)))
    return kept, denied


def _supersessions(verdicts: list[tuple[Verdict, bool]], draft: Draft) -> Iterator[Change]:
    """Every older memory points to the end of its line; without dates a person decides."""
    ahead = {Ref(v.vault, v.older): Ref(v.vault, v.newer) for v, dated in verdicts if dated}
    for verdict, dated in verdicts:
        old, new = Ref(verdict.vault, verdict.older), Ref(verdict.vault, verdict.newer)
        while dated and new in ahead:
            new = ahead[new]
        new = draft.head(new)
        change = Supersede(old.vault, old.id, new.id, verdict.reason, Judge.MODEL)
        if old in draft.gone or old == new:
            continue
        if dated:
            yield change
        else:
            yield Suggest((old, new), _hashes((old, new), draft.snapshot), verdict.reason, change)


def _hashes(refs: Iterable[Ref], snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(snapshot.facts[ref].text for ref in refs)
