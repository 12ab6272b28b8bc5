"""A plan: what a dream would do, as a value and as JSON, which loses nothing.

A plan names memories, places and hashes; of texts it holds titles, and what a merge would write.
Nothing here writes a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_type_hints

from muninn_cli.core.changes import (
    Archive,
    Associate,
    Change,
    ChangeKey,
    ChangeTier,
    ClusterReason,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
    key_of,
)
from muninn_cli.core.journal import Measure, ModelUse, Omission
from muninn_cli.core.terms import Kind, Tier
from muninn_cli.errors import UnreadableError

VERSION = 1


@dataclass(frozen=True, slots=True)
class Subject:
    """A memory that a plan is about, as the plan saw it.

    `hash` is the content hash of its file, in hex; `text` names its title and text.
    """

    ref: Ref
    title: str
    path: str
    hash: str
    text: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that a dream left as it was: memories, or a change that was taken out."""

    why: Omission
    refs: tuple[Ref, ...] = ()
    detail: str = ""
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A cluster that nobody has judged yet, and why; `key` is that of the cluster."""

    reason: ClusterReason
    refs: tuple[Ref, ...]
    key: str
    why: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A cluster that a model has judged; `key` is that of the cluster."""

    refs: tuple[Ref, ...]
    key: str


@dataclass(frozen=True, slots=True)
class VaultMap:
    """One vault before the dream. Means are over its live memories, 0 where there are none.

    `tiers` counts live memories by tier; `embedded` those with a vector; `expiring` those that
    expire within the days of `tiers.warn_days`; `over_budget` what is beyond the budgets.
    """

    id: str
    name: str
    kind: Kind
    memories: int
    live: int
    superseded: int
    expired: int
    changed: int
    tiers: dict[Tier, int]
    embedded: int
    relevance: float
    stability: float
    expiring: int
    over_budget: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a dream would do.

    `vaults` are those that dreamed, `subjects` the memories of `changes`. `changes` stand in the
    order in which they are to be carried out. `judged` are the clusters that a model has judged in
    this dream, `waiting` those that nobody has. `estimate` are tokens. `whole`: no phase
    of 1 to 5 was left out, so that the stamps may move. `changed` are the memories that were new
    or had a new text. `run` and `measure` are filled in by who rehearses and applies.
    """

    now: datetime
    phases: tuple[int, ...]
    vaults: tuple[VaultMap, ...]
    legal: int
    changes: tuple[Change, ...]
    subjects: tuple[Subject, ...]
    changed: tuple[Subject, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    judged: tuple[Judged, ...] = ()
    estimate: int = 0
    models: tuple[ModelUse, ...] = ()
    narrative: tuple[str, ...] = ()
    whole: bool = True
    seconds: float = 0.0
    measure: Measure | None = None
    run: str = ""

    def key(self, change: Change) -> ChangeKey | None:
        """How a no to this change is remembered; None where nobody can say no."""
        texts = {subject.ref: subject.text for subject in self.subjects}
        return key_of(change, lambda ref: texts.get(ref, ref.id))

    def to_json(self) -> str:
        """One JSON object, on several lines."""
        return json.dumps({"v": VERSION, **_written(self)}, ensure_ascii=False, indent=1)


_CHANGES: dict[str, type[Any]] = {
    "merge": Merge,
    "supersede": Supersede,
    "tier": ChangeTier,
    "stability": SetStability,
    "associate": Associate,
    "archive": Archive,
    "suggest": Suggest,
}
_NAMES = {shape: name for name, shape in _CHANGES.items()}


def change_as_dict(change: Change) -> dict[str, Any]:
    """A change as JSON holds it; `change` names its kind."""
    import msgspec

    written: dict[str, Any] = {"change": _NAMES[type(change)], **msgspec.to_builtins(change)}
    if isinstance(change, Suggest) and change.what:
        written["what"] = change_as_dict(change.what)
    return written


def change_from_dict(stored: Mapping[str, Any]) -> Change:
    """Read `change_as_dict` back. Raises ValueError, LookupError or TypeError."""
    import msgspec

    shape = _CHANGES[stored["change"]]
    if shape is not Suggest:
        change: Change = msgspec.convert(stored, shape)
        return change
    what = stored.get("what")
    return Suggest(
        msgspec.convert(stored["refs"], tuple[Ref, ...]),
        msgspec.convert(stored["hashes"], tuple[str, ...]),
        msgspec.convert(stored["text"], str),
        _proposal(change_from_dict(what)) if what else None,
    )


def _proposal(change: Change) -> Merge | Supersede | Archive | ChangeTier:
    if isinstance(change, Merge | Supersede | Archive | ChangeTier):
        return change
    raise ValueError("nobody can be asked for that")


def read_plan(text: str, where: str) -> Plan:
    """A plan from its JSON; keys that are not known are ignored. Raises UnreadableError."""
    import msgspec

    try:
        stored = json.loads(text)
        if stored["v"] != VERSION:
            raise UnreadableError(f"{where}: a plan of version {stored['v']!r}")
        return _plan(stored)
    except (ValueError, TypeError, LookupError, msgspec.ValidationError) as error:
        raise UnreadableError(f"{where}: this is no plan of a dream ({error})") from error


def _plan(stored: Mapping[str, Any]) -> Plan:
    import msgspec

    own: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
        "changes": change_from_dict,
        "left_out": _left_out,
    }
    values: dict[str, Any] = {
        name: tuple(map(own[name], stored[name]))
        if name in own
        else msgspec.convert(stored[name], shape)
        for name, shape in get_type_hints(Plan).items()
        if name in stored
    }
    return Plan(**values)


def _left_out(stored: Mapping[str, Any]) -> LeftOut:
    import msgspec

    change = stored["change"]
    return LeftOut(
        Omission(stored["why"]),
        msgspec.convert(stored["refs"], tuple[Ref, ...]),
        msgspec.convert(stored["detail"], str),
        change_from_dict(change) if change else None,
    )


def _written(plan: Plan) -> dict[str, Any]:
    import msgspec

    written: dict[str, Any] = msgspec.to_builtins(plan)
    written["changes"] = [change_as_dict(change) for change in plan.changes]
    for left, stored in zip(plan.left_out, written["left_out"], strict=True):
        stored["change"] = left.change and change_as_dict(left.change)
    return written
