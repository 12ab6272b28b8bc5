import pytest
from dreaming import Bed

from muninn_cli.core.changes import Archive, ChangeTier
from muninn_cli.core.journal import Omission
from muninn_cli.core.terms import Tier
from muninn_cli.dream.rehearsing.rehearsal import rehearse


@pytest.fixture
def bed(tmp_path) -> Bed:
    return Bed(tmp_path)


def filler(bed: Bed, count: int = 8) -> None:
    topics = [
        "garden",
        "invoices",
        "trains",
        "bread",
        "chess",
        "violin",
        "glaciers",
        "ferries",
        "beetles",
        "kites",
    ]
    for topic in topics[:count]:
        bed.put(topic, f"A note about {topic} and how they are looked after in spring.")


def test_a_merge_that_loses_an_answer_is_taken_out_and_named(bed):
    filler(bed)
    bed.put("purple", "My favourite colour is purple.")
    bed.put("cyan", "My favourite colour is cyan.")
    harmful = bed.merge("cyan", "purple")
    plan = bed.plan(harmful)

    rehearsed = rehearse(plan, bed.stage(plan))

    assert rehearsed.changes == ()
    (left,) = rehearsed.left_out
    assert (left.why, left.change) == (Omission.LOST_ANSWER, harmful)
    assert "purple" in left.detail
    assert rehearsed.measure.before == rehearsed.measure.after == rehearsed.measure.asked


def test_a_merge_of_the_same_text_stays_and_loses_nothing(bed):
    filler(bed)
    bed.put("one", "The staging server listens on port 8443 behind nginx.")
    bed.put("two", "The staging server listens on port 8443, behind nginx!")
    plan = bed.plan(bed.merge("one", "two"))

    rehearsed = rehearse(plan, bed.stage(plan))

    assert rehearsed.changes == plan.changes
    assert not rehearsed.left_out
    assert rehearsed.measure.after >= rehearsed.measure.before > 0


def test_only_the_harmful_one_of_several_changes_goes(bed):
    filler(bed)
    bed.put("one", "The staging server listens on port 8443 behind nginx.")
    bed.put("two", "The staging server listens on port 8443, behind nginx!")
    bed.put("purple", "My favourite colour is purple.")
    bed.put("cyan", "My favourite colour is cyan.")
    good, harmful = bed.merge("one", "two"), bed.merge("cyan", "purple")
    promotion = ChangeTier(
        bed.vault.id, "trains", Tier.T2, Tier.T1, bed.indexed.now, "recalled often"
    )
    plan = bed.plan(good, promotion, harmful)

    rehearsed = rehearse(plan, bed.stage(plan))

    assert rehearsed.changes == (good, promotion)
    assert [left.change for left in rehearsed.left_out] == [harmful]


def test_changes_that_only_together_lose_an_answer_do_not_both_stay(bed):
    """Either of two texts that say the same may go, but not both."""
    filler(bed)
    for name in ("first", "second"):
        bed.put(name, "The gate code of the north warehouse is 4471.")
    bed.put("other", "The gate code of the south warehouse is unknown.")
    bed.put("third", "The gate code of the harbour is unknown.")
    together = (bed.merge("other", "first"), bed.merge("third", "second"))
    plan = bed.plan(*together)

    rehearsed = rehearse(plan, bed.stage(plan))

    assert len(rehearsed.changes) < 2
    assert rehearsed.measure.after >= rehearsed.measure.before


def test_a_rewritten_text_must_state_what_its_sources_state(bed):
    filler(bed)
    bed.put("one", "The backup of the accounts runs at 03:15 every night.")
    bed.put("two", "The nightly backup of the accounts begins at 03:15.")
    keeps = bed.merge(
        "one",
        "two",
        content="The nightly backup of the accounts runs and begins at 03:15 every night.",
    )
    loses = bed.merge("one", "two", content="The backup of the accounts runs every night.")
    for merge, stays in ((keeps, True), (loses, False)):
        plan = bed.plan(merge)
        assert bool(rehearse(plan, bed.stage(plan)).changes) is stays


def test_a_superseded_title_must_find_what_took_its_place(bed):
    filler(bed)
    bed.put("api-one", "The orders API answers under /v1/orders.")
    bed.put("api-two", "The orders API answers under /v2/orders now.")
    bed.put("lunch", "Soup on Mondays.")
    found = bed.supersede("api-one", "api-two")
    lost = bed.supersede("api-one", "lunch")
    for change, stays in ((found, True), (lost, False)):
        plan = bed.plan(change)
        assert bool(rehearse(plan, bed.stage(plan)).changes) is stays


def test_what_expires_is_not_asked_for_its_own_text(bed):
    filler(bed)
    bed.put("ticket", "Ticket 8812 is about a broken printer on floor three.")
    plan = bed.plan(Archive(bed.vault.id, "ticket", "expired"))
    assert rehearse(plan, bed.stage(plan)).changes == plan.changes


def test_without_time_changes_wait_and_are_named(bed):
    filler(bed)
    bed.put("one", "The staging server listens on port 8443 behind nginx.")
    bed.put("two", "The staging server listens on port 8443, behind nginx!")
    plan = bed.plan(bed.merge("one", "two"))

    rehearsed = rehearse(plan, bed.stage(plan, seconds=0.0))

    assert rehearsed.changes == ()
    assert [left.why for left in rehearsed.left_out] == [Omission.NO_TIME]


def test_a_rehearsal_writes_no_byte_into_a_vault(bed):
    bed.put("one", "The staging server listens on port 8443 behind nginx.")
    bed.put("two", "The staging server listens on port 8443, behind nginx!")
    before = {path: path.read_bytes() for path in bed.vault.root.rglob("*")}
    plan = bed.plan(bed.merge("one", "two"))
    rehearse(plan, bed.stage(plan))
    assert {path: path.read_bytes() for path in bed.vault.root.rglob("*")} == before
