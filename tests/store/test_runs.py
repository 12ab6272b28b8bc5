"""Runs: all or nothing, undone byte for byte, and whole again after a crash at any moment."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from muninn_cli.core.terms import Kind
from muninn_cli.core.usage import Alias, Recall, StabilityChange, VaultUsage, fold
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UnreadableError
from muninn_cli.paths import Home
from muninn_cli.store import lock
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.files import content_hash
from muninn_cli.store.ledger import Entry, Piece, Reason
from muninn_cli.store.run_folder import Receipt, State
from muninn_cli.store.runs import Runs
from muninn_cli.store.steps import ArchiveFile, ArchiveText, Batch, CreateFile, EditFile
from muninn_cli.store.unfinished import has_unfinished_run
from muninn_cli.store.usage import UsageLog
from muninn_cli.store.vault import Vault

NOW = datetime(2026, 3, 28, 6, tzinfo=UTC)
DAY = timedelta(days=1)

ONE = b"---\nid: ONE\n---\nthe first text\n"
TWO = b"---\r\nid: TWO\r\n---\r\nthe second text, no line end"
NEW = b"---\nid: ONE\n---\nboth texts\n"


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies loses nothing that it wrote, synced or not."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@dataclass
class Shelf:
    """Two memories in a vault, and runs over it."""

    home: Home
    vault: Vault

    @property
    def runs(self) -> Runs:
        return Runs(self.home, [self.vault], "test", os.getpid())

    def read(self, path: str) -> bytes:
        return (self.vault.root / path).read_bytes()

    def live(self) -> dict[str, bytes]:
        """Every file that a person sees: live and archived ones, not the ledger."""
        found = (path for path in self.vault.root.rglob("*.md") if path.is_file())
        return {path.relative_to(self.vault.root).as_posix(): path.read_bytes() for path in found}

    def stability(self) -> float:
        events, _ = UsageLog(self.home.usage("v1")).read()
        return fold(VaultUsage(), events, NOW + 99 * DAY).of("ONE").stability


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    root = tmp_path / "vault"
    (root / "sub").mkdir(parents=True)
    (root / "one.md").write_bytes(ONE)
    (root / "sub" / "two.md").write_bytes(TWO)
    vault = Vault("v1", "work", root, Kind.WORK, managed=True, git=False, id_name="work")
    return Shelf(Home(tmp_path / "home"), vault)


def entry(memory_id: str, path: str, piece: Piece, reason: Reason) -> Entry:
    return Entry(NOW, memory_id, path, "", piece, reason)


def merge() -> Batch:
    """What a merge does: a version is kept, the survivor edited, the loser archived."""
    return Batch(
        "merge TWO into ONE",
        (
            ArchiveText("v1", entry("ONE", "one.md", Piece.VERSION, Reason.REPLACED), ONE),
            EditFile("v1", "ONE", "one.md", content_hash(ONE), NEW),
            ArchiveFile(
                "v1", entry("TWO", "sub/two.md", Piece.MEMORY, Reason.MERGED), content_hash(TWO)
            ),
        ),
        (
            ("v1", Alias(NOW, "TWO", "ONE", "")),
            ("v1", StabilityChange(NOW, "ONE", 33, "")),
        ),
    )


def edit(path: str, old: bytes, data: bytes, memory_id: str = "ONE") -> Batch:
    return Batch(f"edit {memory_id}", (EditFile("v1", memory_id, path, content_hash(old), data),))


def test_a_run_does_all_its_steps_and_says_so(shelf: Shelf) -> None:
    receipt = shelf.runs.perform("dream", [merge()], NOW)
    assert (receipt.run, receipt.state) == ("20260328-060000", State.DONE)
    assert receipt.done == ("merge TWO into ONE",)
    assert shelf.read("one.md") == NEW
    assert shelf.read(".muninn/archive/one.md~ONE.md") == ONE
    assert shelf.read(".muninn/archive/sub/two.md~TWO.md") == TWO
    assert not (shelf.vault.root / "sub/two.md").exists()
    assert shelf.stability() == 33
    assert set(receipt.paths["v1"]) == {
        "one.md",
        "sub/two.md",
        ".muninn/archive/one.md~ONE.md",
        ".muninn/archive/sub/two.md~TWO.md",
        ".muninn/archive.jsonl",
    }


def test_undo_brings_every_file_back_byte_for_byte_and_the_ledger_only_grows(shelf: Shelf) -> None:
    before = shelf.live()
    shelf.runs.perform("dream", [merge()], NOW)
    ledger = shelf.vault.ledger.read_bytes()
    receipt = shelf.runs.undo(None, NOW + DAY)
    assert (receipt.state, receipt.left) == (State.UNDONE, ())
    assert shelf.live() == before
    assert shelf.vault.ledger.read_bytes().startswith(ledger)
    assert VaultArchive(shelf.vault).kept() == []
    assert shelf.stability() == 14


def test_recalls_since_a_run_stay_when_it_is_undone(shelf: Shelf) -> None:
    shelf.runs.perform("dream", [merge()], NOW)
    usage_log = UsageLog(shelf.home.usage("v1"))
    usage_log.append(Recall(NOW + DAY, (("ONE", 1.0),), "show"))
    shelf.runs.undo(None, NOW + 2 * DAY)
    assert fold(VaultUsage(), usage_log.read()[0], NOW + 3 * DAY).of("ONE").recalls == 1


def test_runs_of_the_same_second_have_names_of_their_own(shelf: Shelf) -> None:
    texts = [ONE, b"two", b"three", b"four"]
    runs = [
        shelf.runs.perform("x", [edit("one.md", old, new)], NOW).run for old, new in pairwise(texts)
    ]
    assert runs == ["20260328-060000", "20260328-060000-2", "20260328-060000-3"]


def test_nothing_to_do_leaves_no_run(shelf: Shelf) -> None:
    assert shelf.runs.perform("sweep", [], NOW) == Receipt("", State.DONE)
    assert shelf.runs.past() == []


def test_a_batch_whose_file_has_changed_is_dropped_whole_and_named(shelf: Shelf) -> None:
    (shelf.vault.root / "sub/two.md").write_bytes(b"edited while the dream thought")
    (shelf.vault.root / "three.md").write_bytes(b"three")
    receipt = shelf.runs.perform("dream", [merge(), edit("three.md", b"three", b"3", "THREE")], NOW)
    assert receipt.done == ("edit THREE",)
    assert receipt.dropped[0].name == "merge TWO into ONE"
    assert "changed" in receipt.dropped[0].why
    assert shelf.read("one.md") == ONE
    assert shelf.read("three.md") == b"3"
    assert shelf.stability() == 14


def test_a_batch_that_fails_on_the_way_is_taken_back_and_forgotten(shelf: Shelf) -> None:
    first = Batch("a", (CreateFile("v1", "A", "a.md", b"a"),))
    inside_a_file = CreateFile("v1", "B", "a.md/b.md", b"b")
    second = Batch("b", (*edit("one.md", ONE, NEW).steps, inside_a_file))
    receipt = shelf.runs.perform("import", [first, second], NOW)
    assert (receipt.done, [left.name for left in receipt.dropped]) == (("a",), ["b"])
    assert shelf.read("one.md") == ONE
    (shelf.vault.root / "one.md").write_bytes(b"edited since")
    assert shelf.runs.undo(receipt.run, NOW).left == ()
    assert set(shelf.live()) == {"one.md", "sub/two.md"}


def test_a_killed_run_is_rolled_back_before_the_next_begins(shelf: Shelf) -> None:
    killed = shelf.runs.perform("dream", [merge()], NOW).run
    (shelf.home.run(killed) / "receipt.json").unlink()
    shelf.runs.perform("b", [edit("sub/two.md", TWO, b"2", "TWO")], NOW + DAY)
    assert (shelf.read("one.md"), shelf.read("sub/two.md")) == (ONE, b"2")


def test_a_run_that_is_dropped_altogether_leaves_nothing(shelf: Shelf) -> None:
    (shelf.vault.root / "one.md").write_bytes(b"edited")
    before = shelf.live()
    receipt = shelf.runs.perform("dream", [merge()], NOW)
    assert (receipt.run, len(receipt.dropped)) == ("", 1)
    assert shelf.live() == before
    assert not any(shelf.home.runs.glob("*"))


def test_batches_may_build_on_one_another(shelf: Shelf) -> None:
    batches = [edit("one.md", ONE, b"second"), edit("one.md", b"second", b"third")]
    receipt = shelf.runs.perform("dream", batches, NOW)
    assert len(receipt.done) == 2
    assert shelf.read("one.md") == b"third"
    shelf.runs.undo(None, NOW)
    assert shelf.read("one.md") == ONE


def test_a_new_file_never_overwrites_and_an_undone_one_is_kept_aside(shelf: Shelf) -> None:
    taken = Batch("import A", (CreateFile("v1", "A", "one.md", b"a"),))
    fresh = Batch("import B", (CreateFile("v1", "B", "deep/b.md", b"b"),))
    receipt = shelf.runs.perform("import", [taken, fresh], NOW)
    assert (receipt.done, receipt.dropped[0].name) == (("import B",), "import A")
    assert shelf.read("one.md") == ONE
    shelf.runs.undo(receipt.run, NOW)
    assert not (shelf.vault.root / "deep/b.md").exists()
    aside = [path.read_bytes() for path in (shelf.home.run(receipt.run) / "after").iterdir()]
    assert aside == [b"b"]


def test_undo_leaves_what_a_person_changed_since_and_names_it(shelf: Shelf) -> None:
    shelf.runs.perform("dream", [merge()], NOW)
    (shelf.vault.root / "one.md").write_bytes(b"edited since")
    receipt = shelf.runs.undo(None, NOW)
    assert [(left.name, left.why) for left in receipt.left] == [("one.md", "it was changed since")]
    assert shelf.read("one.md") == b"edited since"
    assert shelf.read("sub/two.md") == TWO


def test_undo_never_overwrites_a_file_in_an_archived_ones_place(shelf: Shelf) -> None:
    shelf.runs.perform("dream", [merge()], NOW)
    (shelf.vault.root / "sub/two.md").write_bytes(b"another")
    receipt = shelf.runs.undo(None, NOW)
    assert [left.name for left in receipt.left] == ["sub/two.md"]
    assert shelf.read("sub/two.md") == b"another"
    assert shelf.read(".muninn/archive/sub/two.md~TWO.md") == TWO


def test_a_run_is_undone_once(shelf: Shelf) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    shelf.runs.undo(run, NOW)
    with pytest.raises(ConflictError):
        shelf.runs.undo(run, NOW)
    with pytest.raises(NotFoundError):
        shelf.runs.undo(None, NOW)


def test_an_older_run_is_refused_while_a_later_one_stands_on_its_files(shelf: Shelf) -> None:
    first = shelf.runs.perform("a", [edit("one.md", ONE, b"second")], NOW).run
    later = shelf.runs.perform("b", [edit("one.md", b"second", b"third")], NOW + DAY).run
    other = shelf.runs.perform("c", [edit("sub/two.md", TWO, b"2", "TWO")], NOW + 2 * DAY).run
    with pytest.raises(ConflictError) as error:
        shelf.runs.undo(first, NOW + 3 * DAY)
    assert later in error.value.message and other not in error.value.message
    shelf.runs.undo(later, NOW + 3 * DAY)
    shelf.runs.undo(first, NOW + 3 * DAY)
    assert shelf.read("one.md") == ONE


def test_the_order_of_runs_does_not_hang_on_the_clock(shelf: Shelf) -> None:
    first = shelf.runs.perform("a", [edit("one.md", ONE, b"second")], NOW).run
    earlier_clock = shelf.runs.perform("b", [edit("one.md", b"second", b"third")], NOW - DAY).run
    with pytest.raises(ConflictError):
        shelf.runs.undo(first, NOW)
    assert shelf.runs.undo(None, NOW).run == earlier_clock


def test_a_run_is_found_by_a_unique_beginning(shelf: Shelf) -> None:
    shelf.runs.perform("a", [edit("one.md", ONE, b"second")], NOW)
    shelf.runs.perform("b", [edit("sub/two.md", TWO, b"2", "TWO")], NOW + DAY)
    assert shelf.runs.undo("20260328-0600", NOW).run == "20260328-060000"
    with pytest.raises(NotFoundError):
        shelf.runs.undo("2027", NOW)


def test_an_ambiguous_beginning_names_the_candidates(shelf: Shelf) -> None:
    shelf.runs.perform("a", [edit("one.md", ONE, b"second")], NOW)
    shelf.runs.perform("b", [edit("sub/two.md", TWO, b"2", "TWO")], NOW + DAY)
    with pytest.raises(ConflictError, match="20260328-060000, 20260329-060000"):
        shelf.runs.undo("2026", NOW)


def test_runs_are_kept_ninety_days(shelf: Shelf) -> None:
    shelf.runs.perform("a", [edit("one.md", ONE, b"second")], NOW)
    shelf.runs.prune(NOW + 90 * DAY)
    assert len(shelf.runs.past()) == 1
    shelf.runs.prune(NOW + 91 * DAY)
    assert not any(shelf.home.runs.glob("*"))


def test_what_was_begun_and_never_planned_is_cleared_away(shelf: Shelf) -> None:
    image = shelf.home.run("20260101-000000") / "before" / "1"
    image.parent.mkdir(parents=True)
    image.write_bytes(ONE)
    (shelf.home.runs / "not a run").write_bytes(b"")
    assert shelf.runs.recover(NOW) == ()
    assert [path.name for path in shelf.home.runs.iterdir()] == ["not a run"]
    assert not has_unfinished_run(shelf.home.runs)


def test_scrubbing_leaves_no_text_of_a_memory_in_any_run(shelf: Shelf) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    shelf.runs.scrub("v1", {"ONE"}, NOW)
    files = [path for path in shelf.home.run(run).rglob("*") if path.is_file()]
    assert not any(
        b"first text" in path.read_bytes() or b"one.md" in path.read_bytes() for path in files
    )
    shelf.runs.undo(run, NOW)
    assert shelf.read("sub/two.md") == TWO


def test_scrubbing_destroys_images_of_dropped_batches_too(shelf: Shelf) -> None:
    (shelf.vault.root / "sub/two.md").write_bytes(b"edited")
    (shelf.vault.root / "three.md").write_bytes(b"three")
    batches = [merge(), edit("three.md", b"three", b"3", "THREE")]
    run = shelf.runs.perform("dream", batches, NOW).run
    shelf.runs.scrub("v1", {"ONE"}, NOW)
    images = (shelf.home.run(run) / "before").iterdir()
    assert [path.read_bytes() for path in images] == [b"three"]


def test_scrubbing_says_where_nobody_can_tell_whose_texts_a_run_holds(shelf: Shelf) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    (shelf.home.run(run) / "plan.json").write_text("{}")
    with pytest.raises(UnreadableError, match=r"plan.json"):
        shelf.runs.scrub("v1", {"ONE"}, NOW)


def test_a_run_without_its_plan_is_cleared_away_even_if_it_was_done(shelf: Shelf) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    (shelf.home.run(run) / "plan.json").unlink()
    shelf.runs.recover(NOW)
    assert not shelf.home.run(run).exists()


def test_a_file_that_somebody_else_made_meanwhile_is_not_taken_back(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = Batch("b", (*edit("one.md", ONE, NEW).steps, CreateFile("v1", "B", "b.md", b"b")))

    made: list[int] = []

    def meanwhile(handle: int) -> None:
        if shelf.read("one.md") == NEW and not made:
            made.append((shelf.vault.root / "b.md").write_bytes(b"b"))

    monkeypatch.setattr(os, "fsync", meanwhile)
    receipt = shelf.runs.perform("import", [batch], NOW)
    assert [left.name for left in receipt.dropped] == ["b"]
    assert (shelf.read("one.md"), shelf.read("b.md")) == (ONE, b"b")


def test_a_damaged_plan_stops_no_other_run(shelf: Shelf) -> None:
    folder = shelf.home.run("20260101-000000")
    folder.mkdir(parents=True)
    (folder / "plan.json").write_text("{}")
    (receipt,) = shelf.runs.recover(NOW)
    assert receipt.state is State.UNFINISHED and "plan.json" in receipt.left[0].why
    shelf.runs.perform("a", [edit("one.md", ONE, b"second")], NOW)
    assert shelf.read("one.md") == b"second"


def test_a_full_disk_rolls_the_whole_run_back(shelf: Shelf, tmp_path: Path) -> None:
    before = shelf.live()
    shelf.home.usage("v1").mkdir(parents=True)  # a log that cannot be appended to
    with pytest.raises(MuninnError):
        shelf.runs.perform("dream", [merge()], NOW)
    shelf.home.usage("v1").rmdir()
    shelf.runs.recover(NOW)
    assert shelf.live() == before


def test_a_run_in_a_vault_off_the_list_can_still_be_undone_later(shelf: Shelf) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    with pytest.raises(ConflictError, match="no longer on the list"):
        Runs(shelf.home, [], "test", os.getpid()).undo(run, NOW)
    assert shelf.runs.undo(run, NOW).state is State.UNDONE


def test_a_vault_that_is_not_there_is_rolled_back_when_it_returns(
    shelf: Shelf, tmp_path: Path
) -> None:
    before = shelf.live()
    run = shelf.runs.perform("dream", [merge()], NOW).run
    (shelf.home.run(run) / "receipt.json").unlink()
    shelf.vault.root.rename(tmp_path / "unplugged")
    (receipt,) = shelf.runs.recover(NOW)
    assert receipt.state is State.UNFINISHED
    (tmp_path / "unplugged").rename(shelf.vault.root)
    (receipt,) = shelf.runs.recover(NOW)
    assert receipt.state is State.ROLLED_BACK
    assert shelf.live() == before


def test_undo_waits_for_a_vault_that_is_not_there(shelf: Shelf, tmp_path: Path) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    shelf.vault.root.rename(tmp_path / "unplugged")
    with pytest.raises(NotFoundError):
        shelf.runs.undo(run, NOW)
    (tmp_path / "unplugged").rename(shelf.vault.root)
    assert shelf.runs.undo(run, NOW).state is State.UNDONE


def test_a_run_on_its_way_is_not_rolled_back_by_another_process(shelf: Shelf) -> None:
    run = shelf.runs.perform("dream", [merge()], NOW).run
    (shelf.home.run(run) / "receipt.json").unlink()
    with lock.hold(shelf.home.lock("runs"), now=NOW, host="test", pid=1):
        assert shelf.runs.recover(NOW) == ()
    assert shelf.read("one.md") == NEW


# A crash: the process ends at the n-th call that changes a disk, before or after that call.

_CALLS = ("link", "rename", "replace", "unlink", "fsync", "write", "rmdir", "mkdir", "ftruncate")


@contextmanager
def dying_at(moment: int, *, after: bool) -> Iterator[None]:
    """End this process at the n-th changing call. Only to be used in a child process."""
    count = 0

    def dying(call: Callable[..., object]) -> Callable[..., object]:
        def shim(*args: object, **options: object) -> object:
            nonlocal count
            count += 1
            if count == moment and not after:
                os._exit(9)
            try:
                return call(*args, **options)
            finally:
                if count == moment:
                    os._exit(9)

        return shim

    for name in _CALLS:
        setattr(os, name, dying(getattr(os, name)))
    yield


def crashes(act: Callable[[], object], moment: int, *, after: bool) -> bool:
    """Whether `act`, in a child process, was killed at that moment (and not done before)."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with dying_at(moment, after=after):
                act()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


@pytest.mark.parametrize("after", [False, True])
def test_a_crash_at_any_moment_of_a_run_leaves_the_old_or_the_new_state(
    shelf: Shelf, after: bool
) -> None:
    old = shelf.live()
    moment = 1
    while crashes(lambda: shelf.runs.perform("dream", [merge()], NOW), moment, after=after):
        shelf.runs.recover(NOW)
        if shelf.live() != old:
            assert shelf.runs.past()[-1][1].state is State.DONE
            shelf.runs.undo(None, NOW)
        assert shelf.live() == old, moment
        assert shelf.stability() == 14, moment
        assert VaultArchive(shelf.vault).kept() == [], moment
        moment += 1
    assert moment > 30
    assert shelf.read("one.md") == NEW


@pytest.mark.parametrize("after", [False, True])
def test_a_crash_at_any_moment_of_an_undo_ends_in_the_old_state(shelf: Shelf, after: bool) -> None:
    old, moment, crashed = shelf.live(), 1, True
    while crashed:
        shelf.runs.perform("dream", [merge()], NOW)
        new = shelf.live()
        crashed = crashes(lambda: shelf.runs.undo(None, NOW), moment, after=after)
        shelf.runs.recover(NOW)
        if shelf.live() == new:
            shelf.runs.undo(None, NOW)
        assert shelf.live() == old, moment
        assert shelf.stability() == 14, moment
        moment += 1
    assert moment > 20


def test_a_crash_while_rolling_back_is_rolled_back_too(shelf: Shelf) -> None:
    old, moment = shelf.live(), 1
    while True:
        run = shelf.runs.perform("dream", [merge()], NOW).run
        (shelf.home.run(run) / "receipt.json").unlink()
        crashed = crashes(lambda: shelf.runs.recover(NOW), moment, after=True)
        shelf.runs.recover(NOW)
        assert shelf.live() == old, moment
        if not crashed:
            break
        moment += 1
    assert moment > 15
