"""Phase 4: what is used grows stronger, what is not weaker, and the sweep is planned."""

import pytest
from planning import DAY, HOUR, NOW, Bedroom, of

from muninn_cli.core.changes import Archive, ChangeTier, SetStability
from muninn_cli.core.journal import Omission
from muninn_cli.core.terms import Kind, Tier
from muninn_cli.core.usage import StabilityChange
from muninn_cli.dream.phases import make_plan


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


def used(bedroom: Bedroom, recalls: int = 5, kind: Kind = Kind.PERSONAL, **fields) -> None:
    vault = bedroom.vault(kind=kind)
    bedroom.put(vault, "used", "The VPN password is rotated by Luis.", **fields)
    for day in range(recalls, 0, -1):
        bedroom.recall(vault, "used", at=NOW - day * DAY)


def dull(bedroom: Bedroom, days: float = 50.0, **fields) -> None:
    """A memory that nobody needed for a hundred days."""
    vault = bedroom.vault()
    old = {"created": "2025-11-01", "tier": "T1", **fields}
    bedroom.put(vault, "dull", "The old office had a plotter.", **old)
    bedroom.sync(NOW - 100 * DAY)
    bedroom.log(vault, StabilityChange(NOW - 90 * DAY, "dull", days, "before"))


def stability(bedroom: Bedroom) -> dict[str, float]:
    return {each.id: each.new for each in of(SetStability, bedroom.plan((4,)))}


def test_five_recalls_in_thirty_days_strengthen(bedroom: Bedroom) -> None:
    used(bedroom)
    assert stability(bedroom) == pytest.approx({"used": 14 * 1.2})


def test_four_do_not_nor_do_older_ones(bedroom: Bedroom) -> None:
    used(bedroom, 4)
    bedroom.recall(bedroom.vault(), "used", at=NOW - 31 * DAY)
    assert stability(bedroom) == {}


def test_without_a_counted_recall_since_the_last_change_nothing_grows(bedroom: Bedroom) -> None:
    used(bedroom)
    bedroom.log(bedroom.vault(), StabilityChange(NOW - 23 * HOUR, "used", 20.0, "before"))
    assert stability(bedroom) == {}
    bedroom.recall(bedroom.vault(), "used", at=NOW - 2 * HOUR)
    assert stability(bedroom) == pytest.approx({"used": 24.0})


def test_it_changes_at_most_once_in_twelve_hours(bedroom: Bedroom) -> None:
    used(bedroom)
    bedroom.log(bedroom.vault(), StabilityChange(NOW - 11 * HOUR, "used", 20.0, "before"))
    bedroom.recall(bedroom.vault(), "used", at=NOW - 2 * HOUR)
    assert stability(bedroom) == {}


def test_nothing_grows_beyond_a_year(bedroom: Bedroom) -> None:
    used(bedroom)
    bedroom.log(bedroom.vault(), StabilityChange(NOW - 40 * DAY, "used", 350.0, "before"))
    assert stability(bedroom) == {"used": 365.0}


def test_an_association_strengthened_past_a_third_strengthens_both(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for name in "ab":
        bedroom.put(vault, name, f"Note {name}.")
    bedroom.associate(vault, "a", "b", 0.28, NOW - DAY)
    bedroom.recall(vault, "a", "b", at=NOW - HOUR)
    found = of(SetStability, bedroom.plan((1, 4)))
    assert {each.id for each in found} == {"a", "b"}


@pytest.mark.parametrize(
    "fields", [{"pinned": "true"}, {"tier": "T0"}, {"consolidate": "false"}], ids=str
)
def test_protected_memories_keep_theirs(bedroom: Bedroom, fields: dict) -> None:
    used(bedroom, **fields)
    assert stability(bedroom) == {}


def test_legal_memories_keep_theirs(bedroom: Bedroom) -> None:
    used(bedroom, kind=Kind.LEGAL)
    assert stability(bedroom) == {}


def test_what_nobody_needs_weakens_and_never_below_the_base(bedroom: Bedroom) -> None:
    dull(bedroom)
    assert stability(bedroom) == {"dull": 40.0}
    bedroom.log(bedroom.vault(), StabilityChange(NOW - 80 * DAY, "dull", 15.0, "before"))
    assert stability(bedroom) == {"dull": 14.0}
    bedroom.log(bedroom.vault(), StabilityChange(NOW - 70 * DAY, "dull", 14.0, "before"))
    assert stability(bedroom) == {}


def test_what_was_recalled_since_the_last_dream_does_not_weaken(bedroom: Bedroom) -> None:
    dull(bedroom, created="2020-01-01")
    vault = bedroom.vault()
    bedroom.recall(vault, "dull", at=NOW - 95 * DAY)
    bedroom.dreamed(vault, at=NOW - 96 * DAY)
    assert stability(bedroom) == {}
    bedroom.dreamed(vault, at=NOW - 94 * DAY)
    assert stability(bedroom) == {"dull": 40.0}


def test_what_is_not_here_for_thirty_days_does_not_weaken(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "old", "A note of long ago.", created="2020-01-01", tier="T1")
    bedroom.log(vault, StabilityChange(NOW - 2 * DAY, "old", 50.0, "before"))
    assert stability(bedroom) == {}


def test_a_survivor_grows_from_the_usage_it_inherits(bedroom: Bedroom) -> None:
    used(bedroom, title="VPN", tier="T3")
    vault = bedroom.vault()
    text = "The VPN password is rotated by Luis."
    bedroom.put(vault, "kept", text, title="VPN", tier="T1")
    bedroom.log(vault, StabilityChange(NOW - 40 * DAY, "used", 20.0, "before"))
    (change,) = of(SetStability, bedroom.plan((2, 4)))
    assert (change.id, change.old, change.new) == ("kept", 20.0, 24.0)


def expired(bedroom: Bedroom, number: int = 1, vault=None, **fields) -> None:
    vault = vault or bedroom.vault()
    for each in range(number):
        old = {"tier": "T3", "created": "2025-01-01", **fields}
        bedroom.put(vault, f"stale-{each}", f"Ticket {each * 77}.", **old)
    bedroom.sync(NOW - 100 * DAY)


def test_the_sweep_archives_the_expired_and_writes_promotions_down(bedroom: Bedroom) -> None:
    expired(bedroom)
    used(bedroom, tier="T3")
    plan = bedroom.plan((4,))
    assert [(each.id, each.reason) for each in of(Archive, plan)] == [("stale-0", "expired")]
    (promotion,) = of(ChangeTier, plan)
    assert (promotion.id, promotion.new, promotion.since) == ("used", Tier.T2, NOW - DAY)


def test_no_more_than_a_share_is_archived_and_the_rest_is_named(bedroom: Bedroom) -> None:
    expired(bedroom, 8)
    plan = bedroom.plan((4,))
    assert len(of(Archive, plan)) == 5
    (held,) = plan.left_out
    assert (held.why, len(held.refs)) == (Omission.HELD_BACK, 3)


def test_an_unmanaged_vault_is_not_swept(bedroom: Bedroom) -> None:
    expired(bedroom, vault=bedroom.vault(managed=False))
    plan = bedroom.plan((4,))
    assert not plan.changes


@pytest.mark.parametrize(
    "fields", [{"pinned": "true"}, {"consolidate": "false"}], ids=["pinned", "consolidate"]
)
def test_protected_memories_are_not_archived(bedroom: Bedroom, fields: dict) -> None:
    expired(bedroom, **fields)
    assert not bedroom.plan((4,)).changes


def test_what_survives_a_merge_is_not_swept_away_by_the_same_dream(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for name in ("one", "two"):
        bedroom.put(vault, name, "Ticket about a printer.", title="Printer", tier="T3")
    plan = bedroom.plan(**{"budgets.t3": 0})
    gone = [change.losers for change in plan.changes if hasattr(change, "losers")]
    assert len(gone) == 1
    assert of(Archive, plan) == []


def test_what_came_after_the_snapshot_waits_for_the_next_dream(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "there", "The VPN password is rotated by Luis.")
    with bedroom.tools() as (snapshot, tools):
        bedroom.put(vault, "late", "The printer is old.", tier="T3")
        for day in range(8, 2, -1):
            bedroom.recall(vault, "late", at=NOW - day * DAY)
        bedroom.indexed.sync()
        assert of(ChangeTier, make_plan(snapshot, tools, (4,))) == []
    assert [each.id for each in of(ChangeTier, bedroom.plan((4,)))] == ["late"]
