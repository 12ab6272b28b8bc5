"""The order of memories that contradict one another: the newest first, the others after it.

Without a verdict both stay. Newer is what holds since later, as the files say; where that is equal
or unknown the order is left as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from muninn_cli.store.index.conflicts import Conflict


def newest_first(
    order: Sequence[int], conflicts: Iterable[Conflict]
) -> tuple[list[int], dict[int, int]]:
    """The order with the newest of each contested set at the best place of the set.

    Also gives, for each of the others, the newest one of its set. Sets are joined by their pairs.
    """
    since: dict[int, float | None] = {}
    sets: dict[int, set[int]] = {}
    for one in conflicts:
        since |= {one.a: one.a_since, one.b: one.b_since}
        joined = sets.get(one.a, {one.a}) | sets.get(one.b, {one.b})
        sets |= dict.fromkeys(joined, joined)
    places = {num: place for place, num in enumerate(order)}
    result = list(order)
    contested: dict[int, int] = {}
    for members in {id(each): each for each in sets.values()}.values():
        newest = _newest(members, since)
        if newest is None:
            continue
        contested |= dict.fromkeys(members - {newest}, newest)
        best = min(members, key=places.__getitem__)
        result.remove(newest)
        result.insert(result.index(best) if best != newest else places[newest], newest)
    return result, contested


def _newest(members: set[int], since: dict[int, float | None]) -> int | None:
    """The only one that holds since latest; None where that is unknown."""
    known = [(at, num) for num in members if (at := since[num]) is not None]
    if len(known) < len(members):
        return None
    latest = max(known)
    return latest[1] if sum(at == latest[0] for at, _ in known) == 1 else None
