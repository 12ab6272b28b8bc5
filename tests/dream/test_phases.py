"""A whole dream as far as its plan: every phase does its part, and a second dream has none."""

from dataclasses import replace

import pytest
from planning import DAY, NOW, Bedroom, full_house, of, waiting

from muninn_cli.core.changes import (
    Archive,
    Associate,
    ChangeTier,
    Merge,
    SetStability,
    Suggest,
    Supersede,
    involved,
)
from muninn_cli.dream.phases import PHASES, make_plan
from muninn_cli.dream.plan import read_plan
from muninn_cli.errors import TimedOutError

KINDS = (Merge, Supersede, ChangeTier, SetStability, Associate, Archive)


@pytest.fixture
def house(tmp_path) -> Bedroom:
    return full_house(tmp_path)


def test_every_phase_does_something(house: Bedroom) -> None:
    plan = house.plan()
    assert {kind for kind in KINDS if of(kind, plan)} == set(KINDS)
    assert {each.inferred for each in of(Associate, plan)} == {True, False}
    assert {each.reason for each in of(ChangeTier, plan)} == {"hub", "recalled often"}
    assert {each.reason for each in of(Merge, plan)} == {"same text", "same words"}
    assert {"near-duplicate", "contradiction"} == set(waiting(plan))
    assert [each.name for each in plan.vaults] == ["work", "home"]
    assert plan.legal == 1


def test_each_kind_of_change_comes_from_its_phase(house: Bedroom) -> None:
    kinds = {number: {type(c) for c in house.plan((number,)).changes} for number in PHASES}
    assert kinds == {
        0: set(),
        1: {Associate},
        2: {Merge, Supersede},
        3: {ChangeTier},
        4: {SetStability, ChangeTier, Archive},
        5: {Associate},
    }


def test_a_dream_that_leaves_a_phase_out_is_not_whole(house: Bedroom) -> None:
    assert house.plan().whole
    assert house.plan((1, 2, 3, 4, 5, 6)).whole
    assert not house.plan((0, 2)).whole


def test_planning_writes_neither_files_nor_state(house: Bedroom) -> None:
    house.plan((0,))
    before = contents(house)
    plan = house.plan()
    assert plan.changes
    assert contents(house) == before


def contents(house: Bedroom) -> dict[str, bytes]:
    """Every file but the index, which keeps pairs."""
    return {
        str(path): path.read_bytes()
        for path in house.base.rglob("*")
        if path.is_file() and not path.name.startswith("index.db")
    }


def test_planning_twice_gives_the_same_plan(house: Bedroom) -> None:
    first = house.plan()
    assert first.changes
    assert replace(house.plan(), seconds=0) == replace(first, seconds=0)


def test_a_plan_names_every_memory_it_is_about_as_it_was(house: Bedroom) -> None:
    plan = house.plan()
    facts = house.snapshot().facts
    refs = {ref for change in plan.changes for ref in involved(change)}
    assert {each.ref: each.hash for each in plan.subjects} == {r: facts[r].hash for r in refs}


def test_a_plan_survives_its_json(house: Bedroom) -> None:
    plan = house.plan()
    assert plan.changes
    assert read_plan(plan.to_json(), "plan.json") == plan


def test_nothing_of_a_legal_vault_is_in_a_plan(house: Bedroom) -> None:
    text = house.plan().to_json()
    assert "id-work" in text
    assert "id-law" not in text
    assert "secret" not in text
    assert "Acme" not in text


def test_where_only_suggestions_are_allowed_there_is_nothing_else(tmp_path) -> None:
    house = full_house(tmp_path)
    house.indexed.vaults = [each._replace(managed=False) for each in house.indexed.vaults]
    plan = house.plan()
    assert {type(change) for change in plan.changes} == {Suggest, SetStability, Associate}
    proposed = {type(change.what) for change in of(Suggest, plan)}
    assert proposed == {Merge, Supersede, ChangeTier}


def test_in_silence_nothing_leaves_and_nothing_weakens(house: Bedroom) -> None:
    assert of(Archive, house.plan())
    house.silent = True
    plan = house.plan()
    assert not of(Archive, plan)
    assert all(each.new > each.old for each in of(SetStability, plan))


def test_a_dream_out_of_time_raises_and_goes_on_from_there(house: Bedroom) -> None:
    with house.tools(seconds=0.0) as (snapshot, tools), pytest.raises(TimedOutError):
        make_plan(snapshot, tools)
    assert house.plan().changes


def test_a_second_dream_with_nothing_new_proposes_only_what_nobody_has_carried_out(
    tmp_path,
) -> None:
    """What only a person may do is proposed once."""
    house = full_house(tmp_path)
    house.indexed.vaults = [each._replace(managed=False) for each in house.indexed.vaults]
    first = house.plan()
    assert of(Suggest, first)
    house.suggested(first)
    house.dreamed(*house.indexed.vaults, at=NOW)
    house.indexed.now = NOW + DAY / 24
    assert not of(Suggest, house.plan())
