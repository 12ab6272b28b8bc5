"""What a dream notes for the next one: what was judged for good, and why a person is asked."""

from dataclasses import replace

import pytest
from dreaming import Bed

from muninn_cli.core.changes import Suggest
from muninn_cli.core.journal import Omission
from muninn_cli.dream.applying.entry import journal_entry
from muninn_cli.dream.applying.noting import note_proposals
from muninn_cli.dream.plan import Judged, Plan
from muninn_cli.dream.rehearsing.rehearsal import rehearse
from muninn_cli.dream.state import judged_clusters


@pytest.fixture
def bed(tmp_path) -> Bed:
    return Bed(tmp_path)


def judged_plan(bed: Bed) -> Plan:
    """A model has judged two sets, and one of them is to be merged."""
    for name in ("one", "two"):
        bed.put(name, f"The staging server listens on port 8443, says {name}.")
    far = [bed.put(name, f"A note about {name}.") for name in ("bread", "chess")]
    merge = bed.merge("one", "two")
    plan = bed.plan(merge)
    near = tuple(each.ref for each in plan.subjects)
    return replace(plan, judged=(Judged(near, "merged"), Judged(tuple(far), "apart")))


def noted(bed: Bed, plan: Plan) -> set[str]:
    note_proposals(plan, bed.indexed.home, bed.indexed.now)
    return set(judged_clusters(bed.indexed.home.judged))


def test_what_a_model_judged_is_noted(bed):
    applied = bed.apply(judged_plan(bed)).plan
    assert applied.changes
    assert noted(bed, applied) == {"merged", "apart"}


def test_a_merge_that_waits_for_time_is_judged_again(bed):
    plan = judged_plan(bed)
    waiting = rehearse(plan, bed.stage(plan, seconds=0.0))
    assert [left.why for left in waiting.left_out] == [Omission.NO_TIME]
    assert noted(bed, waiting) == {"apart"}


def test_a_merge_of_a_file_that_was_edited_meanwhile_is_judged_again(bed):
    plan = judged_plan(bed)
    place = bed.vault.root / "two.md"
    place.write_text(place.read_text().replace("---\n", "---\ntags: [new]\n", 1))
    applied = bed.apply(plan).plan
    assert [left.why for left in applied.left_out] == [Omission.EDITED]
    assert noted(bed, applied) == {"apart"}


def why_asked(bed: Bed, kind: str, **fields: str) -> list[Omission]:
    refs = (bed.put("one", "Port 1.", **fields), bed.put("two", "Port 2."))
    change = bed.merge("one", "two") if kind == "merge" else bed.supersede("one", "two")
    plan = bed.plan(Suggest(refs, ("a", "b"), "told", change))
    entry = journal_entry(plan, bed.snapshot(), bed.indexed.now, 0.0, dry_run=False)
    return [each.why for each in entry.omitted]


def test_a_verdict_without_dates_is_told_as_such(bed):
    assert why_asked(bed, "supersede") == [Omission.NO_VERDICT]


def test_a_merge_across_types_is_told_as_such(bed):
    assert why_asked(bed, "merge", type="episodic") == [Omission.UNLIKE]


@pytest.mark.parametrize("kind", ["merge", "supersede"])
def test_a_change_of_a_pinned_memory_is_told_as_such(bed, kind):
    assert why_asked(bed, kind, pinned="true") == [Omission.PROTECTED]
