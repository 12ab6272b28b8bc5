"""Candidates: what only a judge can settle, in the order in which it is worth asking. Pure."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from muninn_cli.core.changes import ChangeKey, ClusterReason
from muninn_cli.core.times import epoch
from muninn_cli.dream.draft import Candidate
from muninn_cli.dream.snapshot import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from muninn_cli.core.changes import Ref
    from muninn_cli.dream.draft import Draft
    from muninn_cli.dream.snapshot import Facts, Snapshot
    from muninn_cli.store.index.pairs import Row

    Cosines = Mapping[frozenset[Ref], float]

MOST_MEMBERS = 8
"""Memories of one contradiction that a judge sees at once; the next see the last of them again."""


def contradictions(pairs: Iterable[tuple[Facts, Facts]], cosines: Cosines) -> list[Candidate]:
    """Memories that contradict one another, each set in the order of what it says.

    Fifty versions of one fact are not a thousand pairs: neighbours in time share a candidate.
    """
    found = []
    for group in _connected(pairs):
        refs = [facts.ref for facts in sorted(group, key=_age)]
        for start in range(0, len(refs) - 1, MOST_MEMBERS - 1):
            shown = refs[start : start + MOST_MEMBERS]
            found.append(_candidate(ClusterReason.CONTRADICTION, shown, cosines))
    return sorted(found, key=lambda each: -each.cosine)


def near_duplicates(
    groups: Iterable[Sequence[Facts]],
    cosines: Cosines,
    may_merge: Callable[[Facts, Facts], bool],
) -> list[Candidate]:
    """Memories that are near: first those of which a judge may merge at least two.

    Each set stands in the order of what it says.
    """
    found = []
    for group in groups:
        refs = [facts.ref for facts in sorted(group, key=_age)]
        hopeful = any(may_merge(one, other) for one, other in combinations(group, 2))
        each = _candidate(ClusterReason.NEAR_DUPLICATE, refs, cosines)
        found.append((not hopeful, -each.cosine, each))
    return [each for *_, each in sorted(found, key=lambda item: item[:2])]


def connections(draft: Draft, rows: Iterable[Row]) -> Iterator[Candidate]:
    """Memories of two vaults that may belong together; `rows` are pairs, the most alike first."""
    facts_of = {facts.num: facts for facts in draft.snapshot.facts.values()}
    seen: set[frozenset[Ref]] = set()
    for row in rows:
        if not {row.a, row.b} <= facts_of.keys():
            continue
        refs = tuple(draft.head(facts_of[num].ref) for num in (row.a, row.b))
        if frozenset(refs) not in seen and all(_may_connect(draft, ref) for ref in refs):
            seen.add(frozenset(refs))
            yield Candidate(ClusterReason.CONNECTION, refs, row.cosine)


def _may_connect(draft: Draft, ref: Ref) -> bool:
    facts = draft.staying.get(ref)
    return facts is not None and facts.consolidate and facts.reach is not Reach.NONE


def _candidate(reason: ClusterReason, refs: Sequence[Ref], cosines: Cosines) -> Candidate:
    """A candidate as alike as the two of its members that are most alike."""
    known = (cosines.get(frozenset(pair), 0.0) for pair in combinations(refs, 2))
    return Candidate(reason, tuple(refs), max(known, default=0.0))


def key_of(found: Candidate, snapshot: Snapshot) -> str:
    """The key of the cluster that a candidate becomes."""
    return " ".join(sorted(snapshot.facts[ref].text for ref in found.refs))


class Judgements:
    """What models have judged already: sets of texts, by the keys of their clusters.

    Memories that were judged together, and of which some are gone since, are judged.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self._with: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for texts in map(frozenset, map(str.split, keys)):
            for text in texts:
                self._with[text].append(texts)

    def cover(self, key: str) -> bool:
        """Whether all texts of a cluster were judged together."""
        texts = frozenset(key.split())
        return any(texts <= judged for judged in self._with.get(min(texts), ()))


def is_settled(found: Candidate, snapshot: Snapshot) -> bool:
    """Whether a person has said no to it, or is being asked."""
    texts = frozenset(snapshot.facts[ref].text for ref in found.refs)
    kinds = {found.reason.value, _PROPOSES.get(found.reason, found.reason.value)}
    if any(ChangeKey(kind, texts) in snapshot.dismissed for kind in kinds):
        return True
    asked = ChangeKey(ClusterReason.CONNECTION.value, texts)
    return found.reason is ClusterReason.CONNECTION and asked in snapshot.suggested


_PROPOSES = {
    ClusterReason.CONTRADICTION: "supersede",
    ClusterReason.NEAR_DUPLICATE: "merge",
}
"""What comes of a cluster, by its reason, as `core.changes.key_of` calls it."""


def _connected(pairs: Iterable[tuple[Facts, Facts]]) -> list[list[Facts]]:
    """Sets of memories that hang together."""
    group_of: dict[int, list[Facts]] = {}
    for one, other in pairs:
        left = group_of.setdefault(one.num, [one])
        right = group_of.setdefault(other.num, [other])
        if left is not right:
            small, large = sorted((left, right), key=len)
            large += small
            group_of |= {facts.num: large for facts in small}
    return list({id(group): group for group in group_of.values()}.values())


def _age(facts: Facts) -> tuple[float, str]:
    return (epoch(facts.said_at) if facts.said_at else epoch(facts.first_seen), facts.ref.id)
