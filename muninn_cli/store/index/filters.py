"""Which memories a search, a list or a look-up may see, as one SQL condition.

A filter acts inside the query, before anything is cut; nothing is filtered afterwards.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.schema import ALWAYS_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class State(StrEnum):
    """Where a memory stands; only live ones are shown unless others are asked for."""

    LIVE = "live"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


STATE = f"""CASE
    WHEN m.archived THEN '{State.ARCHIVED}'
    WHEN m.until <= {ALWAYS_HIDDEN} THEN '{State.SUPERSEDED}'
    WHEN m.until <= :now THEN '{State.EXPIRED}'
    ELSE '{State.LIVE}' END"""


class Filters(NamedTuple):
    """What may be seen: an empty tuple or None lets everything pass, but `vaults` names all.

    `vaults` holds numbers of the index; a memory must carry all of `tags` and one of the other
    values; `since` (included) and `until` (not) bound its creation, in seconds since 1970.
    """

    vaults: tuple[int, ...]
    states: frozenset[State] = frozenset({State.LIVE})
    tiers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None

    @property
    def only_live(self) -> bool:
        """Whether vault and expiry say it all: both stand beside the vectors, too."""
        return self == Filters(self.vaults)


class Condition(NamedTuple):
    """SQL about `m`, a row of `memory`, and its values by name: `now` and `vaults` among them."""

    sql: str
    values: Mapping[str, str | float]


def condition(filters: Filters, now: float) -> Condition:
    """The SQL of the filters; `now` is in seconds since 1970."""
    values: dict[str, str | float] = {"now": float(now), "vaults": int_list(filters.vaults)}
    clauses = ["m.vault IN (SELECT value FROM json_each(:vaults))", _states(filters.states)]
    for column, allowed in (
        ("tier_now", filters.tiers),
        ("type", filters.types),
        ("source", filters.sources),
    ):
        if allowed:
            names = _named(values, column, allowed)
            clauses.append(f"m.{column} IN ({', '.join(names)})")
    for name in _named(values, "tag", filters.tags):
        clauses.append(f"EXISTS (SELECT 1 FROM tag t WHERE t.tag = {name} AND t.memory = m.num)")
    for bound, comparison in ((filters.since, ">= :since"), (filters.until, "< :until")):
        if bound is not None:
            clauses.append(f"coalesce(m.created, m.first_seen) {comparison}")
            values[comparison.rpartition(":")[2]] = bound
    return Condition(" AND ".join(clauses), values)


def int_list(numbers: Iterable[int]) -> str:
    """Whole numbers as the JSON that `json_each` reads: no limit on how many."""
    return f"[{','.join(map(str, numbers))}]"


def _states(states: frozenset[State]) -> str:
    if states == {State.LIVE}:
        return "m.until > :now"
    allowed = ", ".join(f"'{state}'" for state in sorted(states))
    return f"{STATE} IN ({allowed})"


def _named(values: dict[str, str | float], name: str, wanted: tuple[str, ...]) -> list[str]:
    """Add texts to the values under numbered names; returns the names, each with its colon."""
    keys = [f"{name}{number}" for number in range(len(wanted))]
    values.update(zip(keys, wanted, strict=True))
    return [f":{key}" for key in keys]
