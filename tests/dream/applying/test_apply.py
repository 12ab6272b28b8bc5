from datetime import timedelta

import pytest
from dreaming import Bed, tree

from muninn_cli.core.changes import Archive, Associate, ChangeTier, SetStability
from muninn_cli.core.journal import Omission
from muninn_cli.core.memory_file import read
from muninn_cli.core.terms import Tier
from muninn_cli.core.usage import VaultUsage, fold
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.usage import UsageLog


@pytest.fixture
def bed(tmp_path) -> Bed:
    return Bed(tmp_path)


def memory(bed: Bed, name: str):
    data = (bed.vault.root / f"{name}.md").read_bytes()
    return read(data, f"{name}.md", bed.vault.id_name)


def usage(bed: Bed) -> VaultUsage:
    log = UsageLog(bed.indexed.home.usage(bed.vault.id))
    return fold(VaultUsage(), log.read()[0], bed.indexed.now)


def test_a_merge_hands_on_what_the_losers_have(bed):
    bed.put("kept", "Same text.", tags="[a, b]", created="2026-03-02T00:00:00Z")
    bed.put(
        "gone", "Same text.", tags="[B, c]", created="2026-01-01T00:00:00Z", aliases="[old name]"
    )
    bed.put("older", "Former text.", superseded_by='"gone"')
    loser = (bed.vault.root / "gone.md").read_bytes()

    applied = bed.apply(bed.plan(bed.merge("kept", "gone")))

    kept = memory(bed, "kept")
    assert (kept.tags, kept.aliases, kept.merged_from) == (
        ("a", "b", "c"),
        ("old name",),
        ("gone",),
    )
    assert kept.created.text == "2026-01-01T00:00:00Z"
    assert memory(bed, "older").superseded_by == "kept"
    (archived,) = VaultArchive(bed.vault).kept()
    assert (archived.entry.reason, archived.entry.into) == ("merged", "kept")
    assert archived.entry.run == applied.plan.run
    assert (bed.vault.archive / archived.entry.file).read_bytes() == loser
    assert usage(bed).of("kept").has_merged("gone", bed.indexed.now)


def test_a_merge_without_a_new_text_touches_no_other_byte_of_the_survivor(bed):
    place = bed.indexed.put(
        "kept.md", "Body\r\n\r\n  kept as it is  \r\n", id='"kept"', title="  'odd'  # why"
    )
    bed.put("gone", "Same text.", tags="[c]")
    before = place.read_bytes()

    bed.apply(bed.plan(bed.merge("kept", "gone")))

    after = place.read_bytes()
    added = b'merged_from: ["gone"]\n'
    assert added in after and b"tags: [c]\n" in after
    assert after.replace(added, b"").replace(b"tags: [c]\n", b"") == before


def test_a_new_text_archives_the_old_one_as_a_version(bed):
    bed.put("kept", "The old text.")
    bed.put("gone", "Another old text.")
    before = (bed.vault.root / "kept.md").read_bytes()

    bed.apply(bed.plan(bed.merge("kept", "gone", content="The new text.")))

    assert memory(bed, "kept").body.strip() == "The new text."
    kept = {each.handle: each.entry for each in VaultArchive(bed.vault).kept()}
    version = kept["kept~1"]
    assert (version.piece, version.reason) == ("version", "replaced text")
    assert (bed.vault.archive / version.file).read_bytes() == before


def test_a_file_that_takes_its_title_from_its_heading_keeps_it(bed):
    bed.indexed.put("kept.md", "# My heading\n\nText.\n", id='"kept"')
    bed.put("gone", "Text.")
    bed.apply(bed.plan(bed.merge("kept", "gone", content="Another text.")))
    assert memory(bed, "kept").title == "My heading"


def test_superseding_points_both_ways_and_moves_nothing(bed):
    bed.put("old", "Port 1.")
    bed.put("new", "Port 2 now.", supersedes='["earlier"]')
    bed.apply(bed.plan(bed.supersede("old", "new")))
    assert memory(bed, "old").superseded_by == "new"
    assert memory(bed, "new").supersedes == ("earlier", "old")


def test_tiers_archive_and_usage_are_carried_out(bed):
    now = bed.indexed.now
    for name in "abc":
        bed.put(name, f"Text of {name}.", tier="T2")
    since = now - timedelta(days=1)
    vault = bed.vault.id
    applied = bed.apply(
        bed.plan(
            ChangeTier(vault, "a", Tier.T2, Tier.T1, since, "recalled often"),
            Archive(vault, "b", "expired"),
            SetStability(vault, "c", 14.0, 16.8, "recalled often"),
            Associate(vault, "a", "c", 0.0, 0.4, now),
        )
    )
    assert (memory(bed, "a").tier, memory(bed, "a").tier_since.instant) == (Tier.T1, since)
    assert not (bed.vault.root / "b.md").exists()
    assert usage(bed).of("c").stability == 16.8
    assert usage(bed).associations["a", "c"].weight == 0.4
    log = bed.indexed.home.usage(vault).read_text()
    assert log.count(f'"run":"{applied.plan.run}"') == 2


def test_a_derived_id_is_written_as_it_is(bed):
    bed.indexed.put("kept.md", "Text.\n")
    bed.put("gone", "Text.")
    bed.indexed.sync()
    derived = bed.indexed.live["kept.md"]
    bed.apply(bed.plan(bed.merge(derived, "gone")))
    assert f'id: "{derived}"' in (bed.vault.root / "kept.md").read_text()


def test_a_file_that_was_edited_meanwhile_keeps_the_edit_and_is_named(bed):
    for name in ("kept", "gone", "other", "double"):
        bed.put(name, "Same text.")
    merge, good = bed.merge("kept", "gone"), bed.merge("other", "double")
    plan = bed.plan(merge, good)
    edited = bed.vault.root / "gone.md"
    edited.write_text(edited.read_text() + "one line more\n")
    before = tree(bed.vault.root)

    applied = bed.apply(plan)

    (left,) = applied.plan.left_out
    assert (left.why, left.change) == (Omission.EDITED, merge)
    assert "gone.md" in left.detail
    assert applied.plan.changes == (good,)
    after = tree(bed.vault.root)
    assert after["gone.md"] == before["gone.md"] and after["kept.md"] == before["kept.md"]
    assert "double.md" not in after


def test_changes_of_one_file_follow_one_another(bed):
    bed.put("kept", "Same text.", tier="T2")
    bed.put("gone", "Same text.", tags="[c]")
    since = bed.indexed.now
    rise = ChangeTier(bed.vault.id, "kept", Tier.T2, Tier.T1, since, "recalled often")
    bed.apply(bed.plan(bed.merge("kept", "gone"), rise))
    kept = memory(bed, "kept")
    assert (kept.tags, kept.tier) == (("c",), Tier.T1)


def test_nothing_to_carry_out_makes_no_run(bed):
    bed.put("a", "Text.")
    assert bed.apply(bed.plan()).plan.run == ""
    assert not list(bed.indexed.home.runs.glob("*"))
