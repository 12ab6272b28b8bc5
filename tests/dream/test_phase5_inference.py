"""Phase 5: an association over one step, marked as inferred and never a premise."""

import pytest
from planning import DAY, NOW, Bedroom, of

from muninn_cli.core.changes import Associate
from muninn_cli.core.usage import AssociationChange


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    bedroom = Bedroom(tmp_path)
    vault = bedroom.vault()
    for name in "abcd":
        bedroom.put(vault, name, f"Note {name}.")
    bedroom.associate(vault, "a", "b", 0.9, NOW)
    bedroom.associate(vault, "b", "c", 0.8, NOW)
    return bedroom


def inferred(bedroom: Bedroom, phases=(5,)) -> dict[str, float]:
    found = of(Associate, bedroom.plan(phases))
    assert all(each.inferred for each in found)
    return {each.a + each.b: each.new for each in found}


def test_two_strong_associations_make_a_third(bedroom: Bedroom) -> None:
    assert inferred(bedroom) == pytest.approx({"ac": 0.9 * 0.8 * 0.8})


def test_an_inferred_one_is_no_premise(bedroom: Bedroom) -> None:
    change = AssociationChange(NOW, "c", "d", 0.95, inferred=True, run="before")
    bedroom.log(bedroom.vault(), change)
    assert set(inferred(bedroom)) == {"ac"}


def test_a_weak_one_is_no_premise(bedroom: Bedroom) -> None:
    bedroom.associate(bedroom.vault(), "c", "d", 0.69, NOW)
    assert set(inferred(bedroom)) == {"ac"}


def test_what_is_inferred_already_is_not_inferred_again(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    weight = round(inferred(bedroom)["ac"], 6)
    bedroom.log(vault, AssociationChange(NOW, "a", "c", weight, inferred=True, run="before"))
    assert inferred(bedroom) == {}
    bedroom.indexed.now = NOW + DAY
    assert inferred(bedroom) == {}


def test_nothing_is_inferred_about_what_is_merged_away(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    assert inferred(bedroom)
    bedroom.put(vault, "c", "Whales sleep upright.", title="Whales")
    bedroom.put(vault, "d", "Whales sleep upright.", title="Whales", tier="T1")
    assert inferred(bedroom, (2, 5)) == {}
