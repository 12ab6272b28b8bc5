"""Phase 2b: candidates go to a model, and what counts of its answers becomes changes.

A model proposes; dates, tiers and pins are known here and decide. Suggestions stay suggestions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from muninn_cli.core.changes import (
    Change,
    Cluster,
    ClusterReason,
    Judge,
    Member,
    Merge,
    Ref,
    Suggest,
    Supersede,
)
from muninn_cli.core.journal import ModelUse, Omission
from muninn_cli.dream.batches import MEMBER_TOKENS, batch, estimate
from muninn_cli.dream.candidates import key_of
from muninn_cli.dream.consolidate import NO_TIME, Consolidation, consolidate
from muninn_cli.dream.plan import Judged, LeftOut, Waiting
from muninn_cli.dream.survivors import survivor, titles_lost
from muninn_cli.dream.updates import is_newer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.dream.advice import Advice, MergeAdvice, Verdict
    from muninn_cli.dream.draft import Candidate, Draft
    from muninn_cli.dream.snapshot import Snapshot
    from muninn_cli.dream.tools import Tools

NO_MODEL = "no model was asked"
NO_BUDGET = "the token budget of one dream is spent (dream.max_tokens)"


def ask(draft: Draft, tools: Tools) -> Draft:
    """Have the candidates judged that nobody has judged yet, as far as budget and time go."""
    snapshot = draft.snapshot
    new = [each for each in draft.candidates if key_of(each, snapshot) not in snapshot.judged]
    if not tools.providers:
        return _waiting(draft, ((each, NO_MODEL) for each in new))
    clusters, rest = _clusters(new, draft, tools)
    budget = tools.settings.dream.max_tokens
    batches = batch(clusters, budget, snapshot.judged)
    if batches.batches:
        tools.notify(f"asking a model about {len(clusters)} sets: {batches.tokens} tokens or so")
    result = consolidate(
        batches,
        tools.providers,
        trust=tools.trust,
        templates=tools.templates,
        deadline=tools.model_deadline,
        budget=budget,
        language=tools.settings.journal.language,
        progress=lambda done, total: tools.progress("model", done, total),
    )
    draft = _judged(replace(draft, estimate=batches.tokens), clusters, result)
    return _waiting(_advised(draft, result.advice), rest)


def _clusters(
    candidates: Iterable[Candidate], draft: Draft, tools: Tools
) -> tuple[list[Cluster], list[tuple[Candidate, str]]]:
    """The candidates with their texts, as far as the budget can go, and why others have none."""
    left = tools.settings.dream.max_tokens
    clusters: list[Cluster] = []
    rest: list[tuple[Candidate, str]] = []
    for each in candidates:
        if refusing := _refusing(each, tools):
            rest.append((each, f"no provider that is set up may see {refusing}"))
        elif left <= 0:
            rest.append((each, NO_BUDGET))
        elif members := _members(each, draft.snapshot, tools):
            clusters.append(Cluster(each.reason, members))
            left -= 2 * sum(MEMBER_TOKENS + estimate(m.title + m.text) for m in members)
    return clusters, rest


def _refusing(candidate: Candidate, tools: Tools) -> str:
    """The name of a vault whose trust allows none of the providers; empty if there is none."""
    names = {provider.name for provider in tools.providers}
    for vault in {ref.vault for ref in candidate.refs}:
        trust = tools.trust.get(vault)
        if trust is None or trust.allowed.isdisjoint(names):
            return f"vault {trust.vault}" if trust else "one of the vaults"
    return ""


def _members(candidate: Candidate, snapshot: Snapshot, tools: Tools) -> tuple[Member, ...]:
    """The members as a judge sees them; none where a file has changed since it was indexed."""
    members = []
    for ref in candidate.refs:
        memory, facts = tools.read(ref), snapshot.facts[ref]
        if memory is None:
            return ()
        stability = facts.usage.stability
        kind = facts.vault.kind
        members.append(Member(ref, kind, memory.title, memory.body, facts.text, stability))
    return tuple(members)


def _judged(draft: Draft, clusters: Iterable[Cluster], result: Consolidation) -> Draft:
    """The draft with what came of asking, advice apart."""
    refs = {cluster.key: tuple(member.ref for member in cluster.members) for cluster in clusters}
    failures = (
        LeftOut(Omission.PROVIDER, detail=f"{each.provider}: {each.why}")
        for each in result.failures
    )
    waiting = (
        Waiting(each.cluster.reason, refs[each.cluster.key], each.cluster.key, each.why)
        for each in result.skipped
        if each.cluster.reason is not ClusterReason.CONNECTION
    )
    late = any(each.why == NO_TIME for each in result.skipped)
    return replace(
        draft,
        judged=tuple(Judged(refs[key], key) for key in dict.fromkeys(result.judged)),
        models=tuple(
            ModelUse(each.provider, each.model, each.requests, each.tokens_in + each.tokens_out)
            for each in result.usage
        ),
        waiting=(*draft.waiting, *waiting),
        left_out=(*draft.left_out, *failures, *((LeftOut(Omission.NO_TIME),) if late else ())),
    )


def _waiting(draft: Draft, candidates: Iterable[tuple[Candidate, str]]) -> Draft:
    """The draft with these candidates waiting for a judge; connections are only ever offered."""
    waiting = (
        Waiting(each.reason, each.refs, key_of(each, draft.snapshot), why)
        for each, why in candidates
        if each.reason is not ClusterReason.CONNECTION
    )
    return replace(draft, waiting=(*draft.waiting, *waiting))


def _advised(draft: Draft, advice: Advice) -> Draft:
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
