"""The model's answer: read as untrusted input, checked item by item against what was shown.

Only ids that were shown count, only inside the cluster they were shown in, and each has one
part. What does not count is named, never applied. An answer that cannot be read is no answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, TypeVar

import msgspec

from muninn_cli.core.changes import Cluster, ClusterReason, Member, Ref
from muninn_cli.core.plain import one_line, plain
from muninn_cli.dream.judging.advice import (
    Advice,
    Dropped,
    MergeAdvice,
    Roles,
    StabilityAdvice,
    Suggestion,
    Verdict,
)
from muninn_cli.dream.judging.loose_json import read_object
from muninn_cli.dream.judging.merge_check import content_problem, firm_veto, same_text, say_it_all

STABILITY_LOWEST, STABILITY_HIGHEST = 14.0, 365.0
STABILITY_DOWN, STABILITY_UP = 1.25, 1.2
MOST_ITEMS = 200
REASON_LENGTH, TEXT_LENGTH, NARRATIVE_LENGTH = 200, 400, 1_500

Ids = Annotated[list[str], msgspec.Meta(min_length=2)]


class _Merge(msgspec.Struct):
    ids: Ids
    content: str | None = None
    reason: str | None = None


class _Verdict(msgspec.Struct):
    newer: str
    older: str
    reason: str | None = None


class _Suggestion(msgspec.Struct):
    ids: Ids
    text: str


class _Stability(msgspec.Struct):
    id: str
    days: float


_LISTS = ("merges", "contradictions", "suggestions", "stability")
_KEYS = frozenset((*_LISTS, "journal"))
Item = TypeVar("Item", bound=msgspec.Struct)
Counted = TypeVar("Counted")


class NoAnswerError(Exception):
    """The text is no answer: it holds no JSON object of the expected shape, or several."""


class _NotCountedError(Exception):
    """One item of an answer does not count; the message says why."""


def _array_of(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": _object_of(**properties)}


def _object_of(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT: dict[str, Any] = {"type": "string"}
_IDS: dict[str, Any] = {"type": "array", "items": _TEXT}
ANSWER_SCHEMA = _object_of(
    merges=_array_of(ids=_IDS, content={"type": ["string", "null"]}, reason=_TEXT),
    contradictions=_array_of(newer=_TEXT, older=_TEXT, reason=_TEXT),
    suggestions=_array_of(ids=_IDS, text=_TEXT),
    stability=_array_of(id=_TEXT, days={"type": "number"}),
    journal=_TEXT,
)
"""The answer's JSON schema, in what the strict modes of all providers understand."""


def read_answer(text: str, clusters: Sequence[Cluster], before: Advice | None = None) -> Advice:
    """What counts of an answer about these clusters. `before`: advice that already stands.

    Raises NoAnswerError.
    """
    answer = read_object(text, _KEYS)
    if answer is None:
        raise NoAnswerError("the answer is not one JSON object of the asked shape")
    roles = Roles(before or Advice())
    unknown = sorted(answer.keys() - _KEYS)[:MOST_ITEMS]
    dropped = [Dropped(one_line(key, 80), "unknown operation") for key in unknown]

    def counted(key: str, shape: type[Item], check: Callable[[Item], Counted]) -> list[Counted]:
        return _counted(key, answer.get(key), shape, check, dropped)

    merges = counted("merges", _Merge, lambda item: _merge(item, clusters, roles))
    verdicts = counted("contradictions", _Verdict, lambda item: _verdict(item, clusters, roles))
    suggestions = counted("suggestions", _Suggestion, lambda item: _suggestion(item, clusters))
    stability = counted("stability", _Stability, lambda item: _stability(item, clusters))
    narrative = _narrative(answer.get("journal"), dropped)
    return Advice(
        merges=tuple(merge for merge in merges if isinstance(merge, MergeAdvice)),
        verdicts=tuple(verdicts),
        suggestions=(*(merge for merge in merges if isinstance(merge, Suggestion)), *suggestions),
        stability=_once_each(stability, dropped),
        narrative=narrative,
        dropped=tuple(dropped),
    )


def _counted(
    key: str,
    items: object,
    shape: type[Item],
    check: Callable[[Item], Counted],
    dropped: list[Dropped],
) -> list[Counted]:
    """The items of one list that pass; the others are added to `dropped`."""
    if items is None:
        return []
    if not isinstance(items, list):
        dropped.append(Dropped(key, "not a list"))
        return []
    if len(items) > MOST_ITEMS:
        dropped.append(Dropped(key, f"items from number {MOST_ITEMS + 1} on: too many"))
    passed = []
    for item in items[:MOST_ITEMS]:
        try:
            passed.append(check(msgspec.convert(item, shape)))
        except (msgspec.ValidationError, _NotCountedError) as error:
            what = f"{key}: {json.dumps(item, ensure_ascii=False)}"
            dropped.append(Dropped(one_line(what, 120), one_line(str(error), REASON_LENGTH)))
    return passed


def _shown(ids: Sequence[str], clusters: Sequence[Cluster]) -> tuple[Cluster, list[Member]]:
    """The cluster that shows all of these ids, and its members of these ids."""
    for cluster in clusters:
        members = {member.ref.id: member for member in cluster.members}
        if all(id_ in members for id_ in ids):
            return cluster, [members[id_] for id_ in ids]
    known = {member.ref.id for cluster in clusters for member in cluster.members}
    unknown = [id_ for id_ in ids if id_ not in known]
    raise _NotCountedError(
        f"{unknown[0]} was not shown" if unknown else "these were not shown together"
    )


def _of_one_vault(ids: Sequence[str], clusters: Sequence[Cluster]) -> list[Member]:
    if len(set(ids)) != len(ids):
        raise _NotCountedError("the same id twice")
    cluster, members = _shown(ids, clusters)
    if cluster.reason is ClusterReason.CONNECTION:
        raise _NotCountedError("memories shown for a connection are only connected")
    return members


def _merge(item: _Merge, clusters: Sequence[Cluster], roles: Roles) -> MergeAdvice | Suggestion:
    members = _of_one_vault(item.ids, clusters)
    refs = tuple(member.ref for member in members)
    reason = one_line(item.reason or "", REASON_LENGTH)
    if veto := firm_veto(members):
        return Suggestion(refs, one_line(f"{reason} ({veto})".strip(), TEXT_LENGTH))
    may_survive, content = _survivors(plain(item.content or "").strip(), members)
    if taken := roles.merge(refs):
        raise _NotCountedError(taken)
    return MergeAdvice(
        vault=refs[0].vault,
        ids=tuple(item.ids),
        may_survive=tuple(member.ref.id for member in may_survive),
        content=content,
        reason=reason,
    )


def _survivors(content: str, members: list[Member]) -> tuple[list[Member], str | None]:
    """Who may survive, and the new text, None where a survivor keeps its own."""
    if not content:
        survivors = say_it_all(members)
        if not survivors:
            raise _NotCountedError("it has no text, and no source says what all of them say")
        return survivors, None
    if problem := content_problem(content, members):
        raise _NotCountedError(problem)
    same = [member for member in members if same_text(content, member)]
    return (same, None) if same else (members, content)


def _verdict(item: _Verdict, clusters: Sequence[Cluster], roles: Roles) -> Verdict:
    newer, older = _of_one_vault((item.newer, item.older), clusters)
    if taken := roles.supersede(newer.ref, older.ref):
        raise _NotCountedError(taken)
    reason = one_line(item.reason or "", REASON_LENGTH)
    return Verdict(newer.ref.vault, newer.ref.id, older.ref.id, reason)


def _suggestion(item: _Suggestion, clusters: Sequence[Cluster]) -> Suggestion:
    _, members = _shown(item.ids, clusters)
    text = one_line(item.text, TEXT_LENGTH)
    if len(set(item.ids)) != len(item.ids):
        raise _NotCountedError("the same id twice")
    if not text:
        raise _NotCountedError("it says nothing")
    return Suggestion(tuple(member.ref for member in members), text)


def _stability(item: _Stability, clusters: Sequence[Cluster]) -> StabilityAdvice:
    _, (member,) = _shown((item.id,), clusters)
    days = max(member.stability / STABILITY_DOWN, min(item.days, member.stability * STABILITY_UP))
    return StabilityAdvice(member.ref, max(STABILITY_LOWEST, min(days, STABILITY_HIGHEST)))


def _once_each(
    advice: Iterable[StabilityAdvice], dropped: list[Dropped]
) -> tuple[StabilityAdvice, ...]:
    first: dict[Ref, StabilityAdvice] = {}
    for item in advice:
        if first.setdefault(item.ref, item) is not item:
            dropped.append(Dropped(f"stability: {item.ref.id}", "given more than once"))
    return tuple(first.values())


def _narrative(value: object, dropped: list[Dropped]) -> tuple[str, ...]:
    if value is not None and not isinstance(value, str):
        dropped.append(Dropped("journal", "not a text"))
        return ()
    text = one_line(value or "", NARRATIVE_LENGTH)
    return (text,) if text else ()
