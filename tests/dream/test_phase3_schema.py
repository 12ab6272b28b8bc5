"""Phase 3: a hub rises by one tier, once by the same use, and never to T0."""

import pytest
from planning import DAY, HOUR, NOW, Bedroom, of

from muninn_cli.core.changes import ChangeTier, Suggest
from muninn_cli.core.terms import Tier


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


def hub(
    bedroom: Bedroom, spokes: int = 10, weight: float = 0.4, *, recall=True, managed=True, **fields
) -> None:
    vault = bedroom.vault(managed=managed)
    bedroom.put(vault, "hub", "Architecture of the shop.", **{"tier": "T3", **fields})
    for number in range(spokes):
        bedroom.put(vault, f"spoke-{number:02d}", f"Part {number} of the shop is {number} old.")
        bedroom.associate(vault, "hub", f"spoke-{number:02d}", weight, NOW)
    if recall:
        for hours in (3, 2, 1):
            bedroom.recall(vault, "hub", at=NOW - hours * HOUR)


def risen(bedroom: Bedroom) -> list[ChangeTier]:
    return of(ChangeTier, bedroom.plan((3,)))


def test_a_hub_rises_by_one_tier(bedroom: Bedroom) -> None:
    hub(bedroom)
    (change,) = risen(bedroom)
    assert (change.id, change.old, change.new) == ("hub", Tier.T3, Tier.T2)
    assert (change.since, change.reason) == (NOW, "hub")


@pytest.mark.parametrize(
    "less",
    [{"spokes": 9}, {"weight": 0.29}, {"recall": False}, {"tier": "T1"}, {"tier": "T0"}],
    ids=lambda less: str(next(iter(less.items()))),
)
def test_less_is_no_schema(bedroom: Bedroom, less: dict) -> None:
    hub(bedroom, **less)
    assert risen(bedroom) == []


def test_associations_with_what_is_gone_do_not_count(bedroom: Bedroom) -> None:
    hub(bedroom)
    assert risen(bedroom)
    (bedroom.vault().root / "spoke-00.md").unlink()
    assert risen(bedroom) == []


def test_what_this_dream_learns_counts(bedroom: Bedroom) -> None:
    hub(bedroom, spokes=9)
    vault = bedroom.vault()
    bedroom.put(vault, "late", "The last part.")
    bedroom.associate(vault, "hub", "late", 0.29, NOW - DAY)
    assert risen(bedroom) == []
    bedroom.recall(vault, "hub", "late", at=NOW - HOUR / 2)
    assert of(ChangeTier, bedroom.plan((1, 3)))


def test_a_hub_does_not_rise_again_by_the_same_recalls(bedroom: Bedroom) -> None:
    hub(bedroom)
    assert risen(bedroom)
    stamp = (NOW - HOUR / 2).isoformat()
    bedroom.put(bedroom.vault(), "hub", "Architecture.", tier="T2", tier_since=stamp)
    assert risen(bedroom) == []
    bedroom.recall(bedroom.vault(), "hub", at=NOW - HOUR / 4)
    assert [change.new for change in risen(bedroom)] == [Tier.T1]


def test_in_an_unmanaged_vault_it_is_suggested(bedroom: Bedroom) -> None:
    hub(bedroom, managed=False)
    plan = bedroom.plan((3,))
    assert [type(each.what) for each in of(Suggest, plan)] == [ChangeTier]
    assert len(plan.changes) == 1
