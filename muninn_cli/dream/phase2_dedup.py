"""Phase 2: what says the same is merged, what was updated is superseded, the rest is for a judge.

Only what no veto keeps apart is merged here, and only what says so in plain words is superseded.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.likeness import MOST_CHUNKS, Clusters, clusters
from muninn_cli.core.likeness import Pair as Alike
from muninn_cli.dream.pairing.candidates import (
    connections,
    contradictions,
    is_settled,
    near_duplicates,
)
from muninn_cli.dream.pairing.pairs import update
from muninn_cli.dream.pairing.relations import Relation, Relations, Texts, renew
from muninn_cli.dream.pairing.same_texts import same_said, same_texts, under_other_titles
from muninn_cli.dream.pairing.updates import successors, supersessions
from muninn_cli.dream.permission import Permission
from muninn_cli.dream.snapshot import Reach
from muninn_cli.dream.survivors import merges, survivor
from muninn_cli.errors import TimedOutError
from muninn_cli.store.index import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from muninn_cli.core.changes import Merge
    from muninn_cli.dream.draft import Candidate, Draft
    from muninn_cli.dream.snapshot import DreamVault, Facts
    from muninn_cli.dream.tools import Tools

MOST_PAIRS = 300_000
"""Pairs of one vault, and pairs across vaults, that a dream looks at: the most alike."""
SAME_TEXT, SAME_WORDS = "same text", "same words"
"""The reasons of merges by rule."""


def dedup(draft: Draft, tools: Tools) -> Draft:
    """Merges, supersessions and candidates of every vault, and connections across vaults.

    Raises TimedOutError where not all memories could be compared in time; what was compared is
    kept for the next dream.
    """
    snapshot = draft.snapshot
    compared = update(
        tools.index,
        [vault.num for vault in snapshot.vaults.values()],
        tools.review_at,
        snapshot.now,
        deadline=tools.deadline,
        progress=lambda done, total: tools.progress("pairs", done, total),
    )
    if not compared:
        raise TimedOutError("the time ran out before all memories were compared")
    renew(tools.index)
    for vault in snapshot.vaults.values():
        draft = _Vault(draft, vault, tools).dedup()
    found = connections(draft, pairs.abroad(tools.connection, MOST_PAIRS))
    unsettled = (each for each in found if not is_settled(each, snapshot))
    return replace(draft, candidates=(*draft.candidates, *unsettled))


class _Pair(NamedTuple):
    one: Facts
    other: Facts
    cosine: float

    @property
    def ids(self) -> frozenset[str]:
        return frozenset((self.one.ref.id, self.other.ref.id))


class _Vault:
    """One vault while it is deduplicated."""

    def __init__(self, draft: Draft, vault: DreamVault, tools: Tools) -> None:
        self._draft = draft
        self._tools = tools
        self._vault = vault
        self._permission = Permission(draft.snapshot)
        self._memories = {
            facts.num: facts
            for facts in draft.staying.values()
            if facts.ref.vault == vault.id and facts.reach is not Reach.NONE
        }
        self._by_id = {facts.ref.id: facts for facts in self._memories.values()}
        rows = pairs.at_home(tools.connection, vault.num, tools.review_at, MOST_PAIRS)
        self._rows = [row for row in rows if {row.a, row.b} <= self._memories.keys()]
        self._texts = Texts(tools.read)
        reading = tools.deadline.within(tools.deadline.left / 2)
        self._relations = Relations(self._texts, tools.index, reading, self._rows)

    def dedup(self) -> Draft:
        """The draft with what was found in this vault."""
        sets = list(same_texts(self._same_said, self._texts, self._permission))
        merged = [merge for group in sets for merge in merges(group, SAME_TEXT)]
        alike = self._pairs({each.num: survivor(group) for group in sets for each in group})
        replaced = self._replaced(alike)
        alike = [pair for pair in alike if replaced.keys().isdisjoint((pair[0].num, pair[1].num))]
        found = self._clusters(alike)
        self._relations.save()
        return self._with(found, merged, replaced, self._candidates(found, alike))

    @cached_property
    def _same_said(self) -> list[list[Facts]]:
        """The memories that say the same word for word, as far as a dream may touch them."""
        known = self._memories
        groups = pairs.same_text(self._tools.connection, self._vault.num)
        touched = ([known[num] for num in group if num in known] for group in groups)
        return list(same_said(touched, self._texts))

    def _pairs(self, heads: Mapping[int, Facts]) -> list[_Pair]:
        """The alike pairs of what is left of the sets, each once, the most alike first."""
        found: dict[frozenset[str], _Pair] = {}
        for one, other, cosine in self._alike(heads):
            pair = _Pair(heads.get(one.num, one), heads.get(other.num, other), cosine)
            both = pair.one.consolidate and pair.other.consolidate and pair.one is not pair.other
            if both and not self._permission.parted(pair.one.ref, pair.other.ref):
                found.setdefault(pair.ids, pair)
        return list(found.values())

    def _alike(self, heads: Mapping[int, Facts]) -> Iterator[_Pair]:
        for one, other in under_other_titles(self._same_said, heads):
            yield _Pair(one, other, 1.0)
        for row in self._rows:
            yield _Pair(self._memories[row.a], self._memories[row.b], row.cosine)

    def _replaced(self, alike: Sequence[_Pair]) -> dict[int, Facts]:
        partners: defaultdict[int, list[Facts]] = defaultdict(list)
        for one, other, _ in alike:
            partners[one.num].append(other)
            partners[other.num].append(one)
        memories = [self._memories[num] for num in partners]
        return successors(partners, memories, self._texts, self._relations)

    def _clusters(self, alike: Sequence[_Pair]) -> Clusters:
        """Merges by rule, near duplicates and contradictions among pairs that can be read."""
        long = pairs.long_memories(self._tools.connection, MOST_CHUNKS)

        def same(a: str, b: str) -> bool:
            one, other = self._by_id[a], self._by_id[b]
            short = long.isdisjoint((one.num, other.num))
            one_kind = (one.type, one.valid_from) == (other.type, other.valid_from)
            return short and one_kind and self._relation(a, b) is Relation.SAME

        return clusters(
            [
                Alike(one.ref.id, other.ref.id, cosine)
                for one, other, cosine in alike
                if self._relations.between(one, other) is not None
            ],
            merge_at=self._tools.settings.dream.merge_at,
            same=same,
            contradicts=lambda a, b: self._relation(a, b) is Relation.VALUE,
            survivor=lambda group: survivor(self._by_id[each] for each in group).ref.id,
        )

    def _relation(self, a: str, b: str) -> Relation | None:
        return self._relations.between(self._by_id[a], self._by_id[b])

    def _candidates(self, found: Clusters, alike: Sequence[_Pair]) -> Iterator[Candidate]:
        """What is for a judge: contradictions first, then near duplicates."""
        cosines = {frozenset((one.ref, other.ref)): cosine for one, other, cosine in alike}
        against = ((self._by_id[a], self._by_id[b]) for a, b in found.contradictions)
        near = [[self._by_id[each] for each in group] for group in found.near]
        mergeable = (Relation.SAME, Relation.WORDING)
        everything = (
            *contradictions(against, cosines),
            *near_duplicates(near, cosines, lambda a, b: self._relations.known(a, b) in mergeable),
        )
        return (each for each in everything if not is_settled(each, self._draft.snapshot))

    def _with(
        self,
        found: Clusters,
        merged: Sequence[Merge],
        replaced: Mapping[int, Facts],
        candidates: Iterator[Candidate],
    ) -> Draft:
        groups = ([self._by_id[each] for each in group] for group in found.merges)
        alike = [merge for group in groups for merge in merges(group, SAME_WORDS)]
        draft = self._draft.proposing((*merged, *alike))
        updates = ((self._memories[old], new) for old, new in replaced.items())
        draft = draft.proposing(supersessions(draft, updates))
        return replace(draft, candidates=(*draft.candidates, *candidates))
