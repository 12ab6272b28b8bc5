from dataclasses import replace

import pytest
from dreaming import Bed

from muninn_cli.core.changes import Archive, ChangeTier
from muninn_cli.core.journal import Omission
from muninn_cli.core.terms import Tier
from muninn_cli.dream.rehearsing.rehearsal import rehearse
from muninn_cli.providers.base import Deadline


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


class Watch:
    """A clock that only a search moves: one second each, and after `slow_after` of them many."""

    def __init__(self, search, slow_after: float = float("inf")) -> None:
        self._search = search
        self._slow_after = slow_after
        self.asked = 0
        self.now = 0.0

    def __call__(self, *question):
        self.asked += 1
        self.now += 1.0 if self.asked <= self._slow_after else 1000.0
        return self._search(*question)

    def stage(self, bed: Bed, plan, seconds: float = 600.0):
        deadline = Deadline(float("inf"), lambda: self.now)
        return replace(bed.stage(plan, seconds), search=self, deadline=deadline)


def test_what_may_have_lost_an_answer_waits_where_nobody_can_ask_again(bed):
    """The supersession is blamed first; with it gone, the answer of `alpha` is still lost."""
    alpha = bed.put("alpha", "The gate code is 4471.")
    sierra = bed.put("sierra", "The gate code is 4471!")
    bed.put("former", "The gate code is 1200.")
    culprit, blamed = bed.merge("sierra", "alpha"), bed.supersede("former", "alpha")
    plan = bed.plan(culprit, blamed)

    def search(connection, query, *_):
        if "sierra" in query or query.endswith("!"):
            return [sierra]
        count = "SELECT count(*) FROM memory WHERE id = 'alpha' AND NOT archived"
        return [alpha] if connection.value(count) else []

    slow = rehearse(plan, Watch(search).stage(bed, plan))
    assert {left.why for left in slow.left_out} == {Omission.LOST_ANSWER}
    assert slow.changes == ()

    hurried = rehearse(plan, Watch(search).stage(bed, plan, 2.0 * slow.measure.asked))
    assert hurried.changes == ()
    assert {left.change: left.why for left in hurried.left_out} == {
        culprit: Omission.NO_TIME,
        blamed: Omission.LOST_ANSWER,
    }


def test_a_supersession_waits_where_nobody_asks_for_what_takes_its_place(bed):
    filler(bed)
    for version in ("one", "two", "three"):
        bed.put(f"api-{version}", f"The orders API answers under /v-{version}/orders.")
    bed.put("lunch", "Soup on Mondays.")
    for name in ("purple", "also-purple"):
        bed.put(name, "My favourite colour is purple.")
    bed.put("cyan", "My favourite colour is cyan.")
    lost = bed.supersede("api-one", "lunch")
    plan = bed.plan(bed.merge("cyan", "purple"), lost)
    before = rehearse(plan, Watch(bed.search).stage(bed, plan))
    assert Omission.LOST_ANSWER in {left.why for left in before.left_out if left.change == lost}

    hurried = rehearse(plan, Watch(bed.search, before.measure.asked).stage(bed, plan))
    assert [left.why for left in hurried.left_out if left.change == lost] == [Omission.NO_TIME]
    assert hurried.changes == ()


def test_a_lost_answer_is_named_by_a_title_and_not_by_a_text(bed):
    filler(bed)
    colours = ("purple", "green", "yellow", "white")
    for colour in colours:
        bed.put(colour, f"My favourite colour is {colour}.", title=f"Ana's {colour} taste")
    bed.put("cyan", "My favourite colour is cyan.", title="Colours")
    for colour in colours:
        plan = bed.plan(bed.merge("cyan", colour))
        (left,) = rehearse(plan, bed.stage(plan)).left_out
        assert left.detail == f"“Ana's {colour} taste”"
