"""Forgetting: archive, restore, purge, sweep, pin and tier, supersede; on real files and index."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muninn_cli.config import read_config, settings_from
from muninn_cli.core.terms import Kind, Tier
from muninn_cli.core.times import epoch, rfc3339
from muninn_cli.core.usage import Recall, StabilityChange, VaultUsage, fold
from muninn_cli.embedding import open_embedder, word_vectors
from muninn_cli.errors import ConflictError, UnreadableError
from muninn_cli.forget.archive import archive, restore
from muninn_cli.forget.marks import set_pinned, set_tier
from muninn_cli.forget.purge import purge
from muninn_cli.forget.supersede import supersede, take_back
from muninn_cli.forget.sweep import plan_vault, sweep, tidy
from muninn_cli.paths import Home
from muninn_cli.store import files
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.filters import Filters, State
from muninn_cli.store.index.rows import Row, newest_rows, vault_numbers
from muninn_cli.store.ledger import Entry, Piece, Reason
from muninn_cli.store.reading import Opened, opened
from muninn_cli.store.runs import Runs
from muninn_cli.store.steps import ArchiveText, Batch
from muninn_cli.store.sync import sync
from muninn_cli.store.usage import UsageLog
from muninn_cli.store.vault import Vault

NOW = datetime(2026, 3, 1, 6, tzinfo=UTC)
DAY = timedelta(days=1)
BUDGETS = {Tier.T1: 100, Tier.T2: 100, Tier.T3: 100}


@dataclass
class Shelf:
    """A vault with its index, state and runs."""

    home: Home
    vault: Vault

    def put(
        self, path: str, text: str = "text", *, created: datetime = NOW, **fields: object
    ) -> None:
        place = self.vault.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        lines = {"id": Path(path).stem.upper(), "created": rfc3339(created), **fields}
        block = "".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None)
        place.write_bytes(f"---\n{block}---\n{text}\n".encode())

    def sync(self, now: datetime = NOW) -> None:
        settings = settings_from(read_config(self.home.config), {})
        sync(
            self.home,
            [self.vault],
            settings=settings,
            embedder=lambda: open_embedder("builtin", self.home.root),
            word_vectors=word_vectors,
            now=now,
            accept_losses=True,
        )

    def rows(self, now: datetime = NOW) -> dict[str, Row]:
        """All memories that are not archived, by id, synced."""
        self.sync(now)
        connection = open_reader(self.home.index_db)
        numbers = vault_numbers(connection, [self.vault.id])
        states = frozenset({State.LIVE, State.EXPIRED, State.SUPERSEDED})
        found = newest_rows(connection, Filters(numbers, states), now=epoch(now))
        return {row.id: row for row in found}

    def open(self, memory_id: str, now: datetime = NOW) -> Opened:
        return opened(self.rows(now)[memory_id], self.vault)

    def recall(self, memory_id: str, *days: float) -> None:
        events = [Recall(NOW + day * DAY, ((memory_id, 0.9),), "search") for day in days]
        self.usage.append(*events)

    @property
    def usage(self) -> UsageLog:
        return UsageLog(self.home.usage(self.vault.id))

    @property
    def runs(self) -> Runs:
        return Runs(self.home, [self.vault], "test", os.getpid())

    @property
    def archived(self) -> list[str]:
        return [kept.handle for kept in VaultArchive(self.vault).kept()]

    def sweep(self, now: datetime, **options: bool):
        self.sync(now)
        options = {"silent": False, **options}
        with open_reader(self.home.index_db) as connection:
            planned = plan_vault(self.vault, connection, BUDGETS, 0.2, now, **options)
        return planned.plan, sweep([planned], self.runs, self.home, now)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    root = tmp_path / "vault"
    root.mkdir()
    vault = Vault("v1", "work", root, Kind.WORK, managed=True, git=False, id_name="work")
    return Shelf(Home(tmp_path / "home"), vault)


def text_of(shelf: Shelf, path: str) -> bytes:
    return (shelf.vault.root / path).read_bytes()


# Archive and restore


def test_an_archived_memory_comes_back_with_its_bytes_and_its_usage(shelf: Shelf) -> None:
    shelf.put("deep/one.md", tier="T3")
    shelf.recall("ONE", 1, 2)
    before = text_of(shelf, "deep/one.md")
    row = shelf.rows(NOW + 3 * DAY)["ONE"]
    moved = archive(shelf.open("ONE"), row.path, row.usage, shelf.vault, NOW + 3 * DAY)
    assert shelf.archived == ["ONE"] and "ONE" not in shelf.rows()
    os.unlink(shelf.home.usage("v1"))
    restore(moved.file, shelf.vault, shelf.usage, NOW + 40 * DAY, live=None, to=None)
    assert text_of(shelf, "deep/one.md") == before
    assert fold(VaultUsage(), shelf.usage.read()[0], NOW + 41 * DAY).of("ONE").recalls == 2


def test_a_restored_memory_begins_a_new_life(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T3")
    row = shelf.rows()["ONE"]
    moved = archive(shelf.open("ONE"), row.path, row.usage, shelf.vault, NOW)
    late = NOW + 300 * DAY
    restore(moved.file, shelf.vault, shelf.usage, late, live=None, to=None)
    restored = shelf.rows(late)["ONE"]
    assert (restored.state, restored.expires) == (State.LIVE, late + 30 * DAY)
    assert restored.usage.recalls == 0


def test_a_memory_that_is_live_elsewhere_is_not_restored_beside_itself(shelf: Shelf) -> None:
    shelf.put("one.md")
    row = shelf.rows()["ONE"]
    moved = archive(shelf.open("ONE"), row.path, row.usage, shelf.vault, NOW)
    shelf.put("other.md", id="ONE")
    with pytest.raises(ConflictError) as error:
        restore(moved.file, shelf.vault, shelf.usage, NOW, live="other.md", to=None)
    assert "other.md" in error.value.message and moved.file in error.value.message
    restore(moved.file, shelf.vault, shelf.usage, NOW, live="other.md", to="copy.md")
    assert (shelf.vault.root / "copy.md").exists()


# Pin and tier


def test_a_tier_is_set_with_its_date_and_nothing_else_changes(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T3", note="mine  # kept")
    assert set_tier(shelf.open("ONE"), Tier.T3, Tier.T1, NOW + DAY)
    lines = text_of(shelf, "one.md").decode().splitlines()
    assert "tier: T1" in lines and "note: mine  # kept" in lines
    assert any(line.startswith("tier_since: ") and "2026-03-02T06:00:00Z" in line for line in lines)
    assert not set_tier(shelf.open("ONE"), Tier.T1, Tier.T1, NOW + DAY)


def test_a_tier_can_be_set_back_although_recalls_have_lifted_it(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T3")
    shelf.recall("ONE", 1, 2, 3, 4, 5)
    row = shelf.rows(NOW + 6 * DAY)["ONE"]
    assert row.tier is Tier.T2
    set_tier(shelf.open("ONE"), row.tier, Tier.T3, NOW + 6 * DAY)
    assert shelf.rows(NOW + 6 * DAY)["ONE"].tier is Tier.T3


def test_a_tier_set_by_command_or_by_hand_leaves_seven_days(shelf: Shelf) -> None:
    late = NOW + 200 * DAY
    shelf.put("command.md", tier="T1")
    shelf.put("hand.md", tier="T1")
    shelf.sync()
    set_tier(shelf.open("COMMAND"), Tier.T1, Tier.T3, late)
    shelf.put("hand.md", tier="T3")
    rows = shelf.rows(late)
    assert {rows[name].expires for name in ("COMMAND", "HAND")} == {late + 7 * DAY}


def test_a_pinned_memory_never_expires_and_one_let_go_begins_a_new_life(shelf: Shelf) -> None:
    late = NOW + 400 * DAY
    shelf.put("one.md", tier="T3")
    assert set_pinned(shelf.open("ONE"), True, shelf.usage, NOW)
    assert not set_pinned(shelf.open("ONE"), True, shelf.usage, NOW)
    assert shelf.rows(late)["ONE"].expires is None
    assert set_pinned(shelf.open("ONE"), False, shelf.usage, late)
    assert shelf.rows(late)["ONE"].expires == late + 30 * DAY
    assert "pinned" not in text_of(shelf, "one.md").decode()


def test_the_first_edit_writes_a_derived_id_down(shelf: Shelf) -> None:
    shelf.put("one.md", id=None)
    (memory_id,) = shelf.rows()
    set_tier(shelf.open(memory_id), Tier.T2, Tier.T1, NOW)
    assert memory_id in text_of(shelf, "one.md").decode()
    assert list(shelf.rows()) == [memory_id]


def test_a_file_that_does_not_parse_is_not_rewritten(shelf: Shelf) -> None:
    (shelf.vault.root / "odd.md").write_bytes(b"---\ntitle: [open\n---\nx\n")
    (memory_id,) = shelf.rows()
    before = text_of(shelf, "odd.md")
    with pytest.raises(UnreadableError, match=r"odd\.md"):
        set_tier(shelf.open(memory_id), Tier.T2, Tier.T1, NOW)
    assert text_of(shelf, "odd.md") == before


# Supersede


def pointer(shelf: Shelf):
    rows = shelf.rows()
    return lambda memory_id: opened(rows[memory_id], shelf.vault).memory.superseded_by


def replace_memory(shelf: Shelf, old: str, new: str):
    return supersede(
        shelf.open(old), shelf.open(new), shelf.vault,
        superseded_by=pointer(shelf), runs=shelf.runs, now=NOW,
    )  # fmt: skip


def test_superseding_edits_both_files_hides_the_old_and_can_be_undone(shelf: Shelf) -> None:
    shelf.put("one.md")
    shelf.put("two.md")
    before = (text_of(shelf, "one.md"), text_of(shelf, "two.md"))
    receipt = replace_memory(shelf, "ONE", "TWO")
    assert shelf.open("ONE").memory.superseded_by == "TWO"
    assert shelf.open("TWO").memory.supersedes == ("ONE",)
    assert shelf.rows()["ONE"].state is State.SUPERSEDED
    shelf.runs.undo(receipt.run, NOW)
    assert (text_of(shelf, "one.md"), text_of(shelf, "two.md")) == before


def test_a_superseded_memory_can_stand_for_itself_again(shelf: Shelf) -> None:
    shelf.put("one.md")
    shelf.put("two.md")
    shelf.put("three.md")
    replace_memory(shelf, "ONE", "THREE")
    replace_memory(shelf, "TWO", "THREE")
    take_back(shelf.open("ONE"), shelf.open("THREE"), shelf.vault, shelf.runs, NOW)
    assert shelf.open("ONE").memory.superseded_by == ""
    assert shelf.open("THREE").memory.supersedes == ("TWO",)
    take_back(shelf.open("TWO"), None, shelf.vault, shelf.runs, NOW)
    with pytest.raises(ConflictError):
        take_back(shelf.open("TWO"), None, shelf.vault, shelf.runs, NOW)


@pytest.mark.parametrize(("old", "new"), [("ONE", "ONE"), ("TWO", "ONE"), ("THREE", "ONE")])
def test_a_circle_is_refused_and_nothing_written(shelf: Shelf, old: str, new: str) -> None:
    for name in ("one", "two", "three"):
        shelf.put(f"{name}.md")
    replace_memory(shelf, "ONE", "TWO")
    replace_memory(shelf, "TWO", "THREE")
    before = [text_of(shelf, f"{name}.md") for name in ("one", "two", "three")]
    with pytest.raises(ConflictError):
        replace_memory(shelf, old, new)
    assert [text_of(shelf, f"{name}.md") for name in ("one", "two", "three")] == before


def test_a_second_successor_is_refused(shelf: Shelf) -> None:
    for name in ("one", "two", "three"):
        shelf.put(f"{name}.md")
    replace_memory(shelf, "ONE", "TWO")
    with pytest.raises(ConflictError, match="TWO"):
        replace_memory(shelf, "ONE", "THREE")


# Sweep


def test_the_sweep_writes_promotions_down_with_the_day_of_the_fifth_recall(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T3")
    shelf.recall("ONE", 2, 9, 16, 24, 29)
    shelf.sweep(NOW + 32 * DAY)
    memory = shelf.open("ONE").memory
    assert memory.tier is Tier.T2
    assert memory.tier_since is not None and memory.tier_since.instant == NOW + 29 * DAY


def test_a_sweep_changes_nothing_that_could_be_seen_before_it(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T3")
    shelf.put("two.md", tier="T3")
    shelf.recall("ONE", 2, 9, 16, 24, 29, 30)
    shelf.recall("TWO", 28)
    late = NOW + 32 * DAY
    before = shelf.rows(late)
    shelf.sweep(late)
    after = shelf.rows(late)
    for name in ("ONE", "TWO"):
        assert (after[name].tier, after[name].expires) == (before[name].tier, before[name].expires)
    shelf.recall("ONE", 33, 34, 35, 36)
    assert shelf.rows(NOW + 37 * DAY)["ONE"].tier is Tier.T1


def test_the_expired_are_archived_with_their_reason_and_undo_brings_them_back(shelf: Shelf) -> None:
    shelf.put("old.md", tier="T3")
    shelf.put("new.md", tier="T2")
    shelf.sync()
    before = text_of(shelf, "old.md")
    _, receipt = shelf.sweep(NOW + 30 * DAY)
    assert shelf.archived == ["OLD"]
    assert VaultArchive(shelf.vault).kept()[0].entry.reason == Reason.EXPIRED
    shelf.runs.undo(receipt.run, NOW + 31 * DAY)
    assert text_of(shelf, "old.md") == before and shelf.archived == []


def test_a_living_memory_keeps_what_it_links_to(shelf: Shelf) -> None:
    shelf.put("old.md", tier="T3")
    shelf.put("keeper.md", "see [[old]]", tier="T2")
    shelf.sync()
    shelf.sweep(NOW + 40 * DAY)
    assert shelf.archived == []
    shelf.sweep(NOW + 91 * DAY)
    assert sorted(shelf.archived) == ["KEEPER", "OLD"]


def test_one_sweep_takes_at_most_five_or_a_fifth_unless_a_person_says_yes(shelf: Shelf) -> None:
    for number in range(8):
        shelf.put(f"m{number}.md", tier="T3")
    shelf.sync()
    plan, _ = shelf.sweep(NOW + 40 * DAY)
    assert (len(shelf.archived), len(plan.held)) == (5, 3)
    shelf.sweep(NOW + 40 * DAY, any_number=True)
    assert len(shelf.archived) == 8


def test_a_silent_vault_loses_nothing(shelf: Shelf) -> None:
    shelf.put("old.md", tier="T3")
    shelf.sync()
    plan, receipt = shelf.sweep(NOW + 400 * DAY, silent=True)
    assert (plan.departures, receipt.run, shelf.archived) == ((), "", [])


@pytest.mark.parametrize("change", [{"kind": Kind.LEGAL}, {"managed": False}])
def test_nothing_is_swept_in_legal_and_unmanaged_vaults(shelf: Shelf, change: dict) -> None:
    shelf.vault = shelf.vault._replace(**change)
    shelf.put("old.md", tier="T3")
    shelf.recall("OLD", 1, 2, 3, 4, 5)
    shelf.sync()
    before = text_of(shelf, "old.md")
    plan, _ = shelf.sweep(NOW + 999 * DAY, any_number=True)
    assert plan.promotions == plan.departures == ()
    assert text_of(shelf, "old.md") == before


def test_pinned_and_foundational_memories_outlive_any_sweep(shelf: Shelf) -> None:
    shelf.put("base.md", tier="T0")
    shelf.put("dear.md", tier="T3", pinned="true")
    shelf.put("mine.md", tier="T3", consolidate="false")
    shelf.sync()
    shelf.sweep(NOW + 3650 * DAY, by_dream=True)
    assert shelf.archived == []
    shelf.sweep(NOW + 3650 * DAY)
    assert shelf.archived == ["MINE"]


def test_a_file_edited_after_the_plan_is_left_alone(shelf: Shelf) -> None:
    shelf.put("old.md", tier="T3")
    shelf.sync()
    late = NOW + 40 * DAY
    with open_reader(shelf.home.index_db) as connection:
        shelf.sync(late)
        planned = plan_vault(shelf.vault, connection, BUDGETS, 0.2, late, silent=False)
    shelf.put("old.md", "a new text", tier="T3")
    receipt = sweep([planned], shelf.runs, shelf.home, late)
    assert receipt.dropped[0].name == "archive OLD"
    assert b"a new text" in text_of(shelf, "old.md")


def test_the_sweep_shortens_the_logs_and_keeps_every_tier_and_expiry(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T2")
    shelf.recall("ONE", *range(0, 600, 60), 660, 690, 700)
    shelf.usage.append(StabilityChange(NOW + DAY, "ONE", 200, "r"))
    late = NOW + 701 * DAY
    before = shelf.rows(late)["ONE"]
    lines = len(shelf.usage.path.read_text().splitlines())
    shelf.sweep(late)
    assert len(shelf.usage.path.read_text().splitlines()) < lines
    after = shelf.rows(late)["ONE"]
    assert (after.tier, after.expires) == (before.tier, before.expires)
    assert after.usage.recalls == before.usage.recalls


def test_tidying_forgets_no_promotion_that_is_not_written_yet(shelf: Shelf) -> None:
    shelf.put("one.md", tier="T3")
    shelf.recall("ONE", 1, 2, 3, 4, 5, 60, 140, 210, 290, 370, 450, 530)
    late = NOW + 540 * DAY
    shelf.sync(late)
    assert shelf.rows(late)["ONE"].tier is Tier.T2
    with open_reader(shelf.home.index_db) as connection:
        tidy(
            plan_vault(shelf.vault, connection, BUDGETS, 0.2, late, silent=False), shelf.home, late
        )
    assert shelf.rows(late)["ONE"].tier is Tier.T2


# Purge


def everything(shelf: Shelf) -> bytes:
    """Every byte on the disk but the index."""
    roots = (shelf.vault.root, shelf.home.root)
    places = [place for root in roots for place in root.rglob("*") if place.is_file()]
    return b"".join(
        str(place).encode() + place.read_bytes() for place in places if "index.db" not in place.name
    )


def test_purge_leaves_no_trace_of_a_text_its_title_or_its_path(shelf: Shelf) -> None:
    shelf.put("quetzal.md", "the secret axolotl", title="Plumage of Zanzibar")
    shelf.put("other.md", "another text")
    shelf.recall("QUETZAL", 1, 2)
    path = shelf.rows()["QUETZAL"].path
    data = text_of(shelf, path)
    version = Entry(NOW, "QUETZAL", path, "", Piece.VERSION, Reason.REPLACED)
    shelf.runs.perform("dream", [Batch("b", (ArchiveText("v1", version, data),))], NOW)
    set_tier(shelf.open("QUETZAL"), Tier.T2, Tier.T1, NOW)
    replace_memory(shelf, "QUETZAL", "OTHER")
    files.write(
        shelf.home.journal,
        "**Limpieza:**\n- queda «Plumage of Zanzibar» (work, QUETZAL)\n- otra cosa\n".encode(),
    )
    files.append_line(shelf.home.suggestions, '{"v":1,"ids":["QUETZAL"],"text":"axolotl"}')
    result = purge("QUETZAL", path, shelf.vault, home=shelf.home, runs=shelf.runs, now=NOW)
    left = everything(shelf)
    for trace in (b"axolotl", b"Zanzibar", b"quetzal"):
        assert trace not in left
    assert "- otra cosa" in shelf.home.journal.read_text()
    assert b"QUETZAL" in shelf.home.tombstones.read_bytes()
    assert path in result.files
    assert list(shelf.rows()) == ["OTHER"]


def test_purge_names_what_was_merged_into_the_memory_and_leaves_it(shelf: Shelf) -> None:
    shelf.put("one.md")
    shelf.sync()
    loser = Entry(NOW, "LOSER", "loser.md", "", Piece.MEMORY, Reason.MERGED, into="ONE")
    newcomer = Entry(NOW, "NEWCOMER", "new.md", "", Piece.INCOMING, Reason.MERGED, into="ONE")
    steps = (ArchiveText("v1", loser, b"loser"), ArchiveText("v1", newcomer, b"newcomer"))
    shelf.runs.perform("dream", [Batch("b", steps)], NOW)
    result = purge("ONE", "one.md", shelf.vault, home=shelf.home, runs=shelf.runs, now=NOW)
    assert result.merged == ("LOSER",)
    assert shelf.archived == ["LOSER"]


def test_an_archived_memory_can_be_purged(shelf: Shelf) -> None:
    shelf.put("one.md", "the secret axolotl")
    row = shelf.rows()["ONE"]
    archive(shelf.open("ONE"), row.path, row.usage, shelf.vault, NOW)
    purge("ONE", None, shelf.vault, home=shelf.home, runs=shelf.runs, now=NOW)
    assert b"axolotl" not in everything(shelf)
    assert shelf.archived == []
