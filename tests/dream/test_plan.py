"""The JSON of a plan: nothing is lost, unknown keys are ignored, damage is named."""

import json
from datetime import UTC, datetime

import pytest

from muninn_cli.core.changes import (
    Archive,
    Associate,
    ChangeTier,
    ClusterReason,
    Judge,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
)
from muninn_cli.core.journal import Measure, ModelUse, Omission
from muninn_cli.core.terms import Kind, Tier
from muninn_cli.dream.plan import Judged, LeftOut, Plan, Subject, VaultMap, Waiting, read_plan
from muninn_cli.errors import UnreadableError

AT = datetime(2026, 3, 28, 6, 0, 0, 123456, tzinfo=UTC)
A, B = Ref("v1", "a"), Ref("v2", "b")
MERGE = Merge("v1", "a", ("b", "c"), 'same "words"', Judge.MODEL, "Ein Text\nñ 🐦", ("Título",))
CHANGES = (
    MERGE,
    Supersede("v1", "a", "b", "now", Judge.RULE),
    ChangeTier("v1", "a", Tier.T3, Tier.T2, AT, "hub"),
    SetStability("v1", "a", 14.0, 16.8, "recalled"),
    Associate("v1", "a", "b", 0.1, 0.30000000000000004, AT, inferred=True),
    Archive("v1", "a", "expired"),
    Suggest((A, B), ("h1", "h2"), "both bake", None),
    Suggest((A,), ("h1",), "", MERGE),
)
PLAN = Plan(
    now=AT,
    phases=(0, 2),
    vaults=(VaultMap("v1", "work", Kind.WORK, 3, 2, 1, 0, 1, {Tier.T1: 2}, 2, 0.5, 14.0, 0, 0),),
    legal=7,
    changes=CHANGES,
    subjects=(Subject(A, "Título", "notes/ñ.md", "aa", "bb"),),
    changed=(Subject(B, "B", "b.md", "cc", "dd"),),
    left_out=(LeftOut(Omission.LOST_ANSWER, (A,), "why", MERGE), LeftOut(Omission.PROVIDER)),
    waiting=(Waiting(ClusterReason.NEAR_DUPLICATE, (A, B), "k1 k2", "no model"),),
    judged=(Judged((A,), "k1"),),
    estimate=1234,
    models=(ModelUse("ollama", "local:1b", 1, 150),),
    narrative=("A quiet night.",),
    whole=False,
    seconds=4.2,
    measure=Measure(10, 9, 10),
    run="20260328-060000",
)


def test_nothing_is_lost() -> None:
    assert read_plan(PLAN.to_json(), "plan.json") == PLAN


def test_a_reader_ignores_keys_it_does_not_know() -> None:
    stored = json.loads(PLAN.to_json())
    for part in (stored, *stored["changes"], *stored["subjects"], *stored["vaults"]):
        part["later"] = {"v": 2}
    assert read_plan(json.dumps(stored), "plan.json") == PLAN


def test_a_plan_of_an_earlier_reader_may_lack_what_has_a_default() -> None:
    stored = json.loads(PLAN.to_json())
    for key in ("narrative", "measure", "run"):
        del stored[key]
    plan = read_plan(json.dumps(stored), "plan.json")
    assert (plan.narrative, plan.measure, plan.run) == ((), None, "")


def damaged() -> list[str]:
    whole = PLAN.to_json()
    other_version = whole.replace('"v": 1,', '"v": 2,', 1)
    no_change = whole.replace('"change": "merge"', '"change": "explode"')
    nested = whole.replace('"what": {', '"what": {"change": "associate", "x":', 1)
    no_time = whole.replace(AT.isoformat().replace("+00:00", "Z"), "yesterday")
    parts = [whole[: len(whole) // 2], other_version, no_change, nested, no_time]
    return ["", "[]", "null", "{}", '{"v": 1}', *parts]


@pytest.mark.parametrize("text", damaged())
def test_what_is_no_plan_is_named(text: str) -> None:
    assert text != PLAN.to_json()
    with pytest.raises(UnreadableError, match=r"plan\.json"):
        read_plan(text, "plan.json")


def test_the_key_of_a_change_is_made_of_texts() -> None:
    kind, hashes = PLAN.key(Archive("v1", "a", "expired"))
    assert (kind, hashes) == ("archive", frozenset({"bb"}))
    assert PLAN.key(SetStability("v1", "a", 1.0, 2.0, "")) is None
