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
    Member,
    Merge,
    Ref,
)
from muninn_cli.core.journal import ModelUse, Omission
from muninn_cli.dream.judging.advised import advised
from muninn_cli.dream.judging.batches import MEMBER_TOKENS, NO_BUDGET, batch, estimate
from muninn_cli.dream.judging.consolidate import NO_TIME, Consolidation, consolidate
from muninn_cli.dream.pairing.candidates import Judgements, key_of
from muninn_cli.dream.plan import Judged, LeftOut, Waiting
from muninn_cli.store.index.census import text_name
from muninn_cli.store.index.entries import texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.dream.draft import Candidate, Draft
    from muninn_cli.dream.snapshot import Snapshot
    from muninn_cli.dream.tools import Tools

NO_MODEL = "no model was asked"
NOT_ALLOWED = "no provider that is set up may see"


def ask(draft: Draft, tools: Tools) -> Draft:
    """Have the candidates judged that nobody has judged yet, as far as budget and time go."""
    snapshot = draft.snapshot
    judgements = Judgements(snapshot.judged)
    new = [each for each in draft.candidates if not judgements.cover(key_of(each, snapshot))]
    if not tools.providers:
        return _waiting(draft, ((each, NO_MODEL) for each in new))
    clusters, rest = _clusters(new, draft, tools)
    budget = tools.settings.dream.max_tokens
    batches = batch(clusters, budget)
    if batches.batches:
        tools.notify(
            f"{len(clusters)} sets are for a model to judge: {batches.tokens} tokens or so"
        )
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
    draft = _rewritten(advised(draft, result.advice), tools)
    return _waiting(_unseen(draft, rest), rest)


def _clusters(
    candidates: Iterable[Candidate], draft: Draft, tools: Tools
) -> tuple[list[Cluster], list[tuple[Candidate, str]]]:
    """The candidates with their texts, as far as the budget can go, and why others have none."""
    left = tools.settings.dream.max_tokens
    clusters: list[Cluster] = []
    rest: list[tuple[Candidate, str]] = []
    for each in candidates:
        if refusing := _refusing(each, tools):
            rest.append((each, f"{NOT_ALLOWED} {refusing}"))
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


def _unseen(draft: Draft, rest: Iterable[tuple[Candidate, str]]) -> Draft:
    """The draft that names the vaults which no provider may see."""
    causes = (
        why
        for each, why in rest
        if each.reason is not ClusterReason.CONNECTION and why.startswith(NOT_ALLOWED)
    )
    named = tuple(LeftOut(Omission.PROVIDER, detail=why) for why in dict.fromkeys(causes))
    return replace(draft, left_out=(*draft.left_out, *named))


def _members(candidate: Candidate, snapshot: Snapshot, tools: Tools) -> tuple[Member, ...]:
    """The members as a judge sees them; none where a file has changed since it was indexed."""
    members = []
    for ref in candidate.refs:
        memory, facts = tools.read(ref), snapshot.facts[ref]
        if memory is None:
            return ()
        stability = facts.usage.stability
        members.append(Member(ref, memory.title, memory.body, facts.text, stability))
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


def _rewritten(draft: Draft, tools: Tools) -> Draft:
    """The draft with what is judged by implication: a set that has a memory with a new text.

    Who has merged two of three has seen all three, and need not see what is left of them.
    """
    names = {ref: facts.text for ref, facts in draft.snapshot.facts.items()}
    new = dict(_new_names(draft.changes, tools))
    implied = []
    for each in draft.judged:
        left = tuple(dict.fromkeys(map(draft.head, each.refs)))
        if len(left) > 1 and not new.keys().isdisjoint(left):
            key = " ".join(sorted({**names, **new}[ref] for ref in left))
            implied.append(Judged(left, key))
    return replace(draft, judged=(*draft.judged, *implied))


def _new_names(changes: Iterable[Change], tools: Tools) -> Iterator[tuple[Ref, str]]:
    """What will name the texts that merges write, by memory."""
    for change in changes:
        if isinstance(change, Merge) and change.content is not None:
            ref = Ref(change.vault, change.survivor)
            memory = tools.read(ref)
            if memory is not None:
                body = f"{change.content.strip()}\n"
                pieces = texts(memory._replace(body=body)).pieces
                yield ref, text_name([piece.hash for piece in pieces])


def _waiting(draft: Draft, candidates: Iterable[tuple[Candidate, str]]) -> Draft:
    """The draft with these candidates waiting for a judge; connections are only ever offered."""
    waiting = (
        Waiting(each.reason, each.refs, key_of(each, draft.snapshot), why)
        for each, why in candidates
        if each.reason is not ClusterReason.CONNECTION
    )
    return replace(draft, waiting=(*draft.waiting, *waiting))
