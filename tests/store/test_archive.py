"""The archive: out of sight unchanged, back to the same place, never over a live file."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muninn_cli.core.terms import Kind, Tier
from muninn_cli.core.usage import MemoryUsage
from muninn_cli.errors import ConflictError, MuninnError, NotFoundError, UsageError
from muninn_cli.store.archive import VaultArchive
from muninn_cli.store.files import content_hash
from muninn_cli.store.ledger import (
    Entry,
    Piece,
    Reason,
    archived_name,
    format_entry,
    live_path,
    parse_entry,
)
from muninn_cli.store.vault import Vault

NOW = datetime(2026, 3, 1, 6, tzinfo=UTC)
ID = "01JQXW9Z6N8F4T2M5R7K3C1B0A"
TEXT = (
    b'\xef\xbb\xbf---\r\nid: "%s"  # mine\r\ntitle: One\r\n---\r\nBody, no line end' % ID.encode()
)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    root.mkdir()
    return Vault("v1", "work", root, Kind.WORK, managed=True, git=False, id_name="work")


@pytest.fixture
def archive(vault: Vault) -> VaultArchive:
    return VaultArchive(vault)


def put(vault: Vault, path: str = "sub/one.md", data: bytes = TEXT) -> None:
    place = vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def entry(path: str = "sub/one.md", memory_id: str = ID, **changes: object) -> Entry:
    whole = Entry(
        NOW, memory_id, path, archived_name(path, memory_id), Piece.MEMORY, Reason.BY_HAND
    )
    return replace(whole, **changes)  # type: ignore[arg-type]


def store(vault: Vault, archive: VaultArchive, **changes: object) -> Entry:
    put(vault)
    stored = entry(**changes)
    archive.store(stored, content_hash(TEXT))
    return stored


def test_a_file_moves_in_and_back_byte_for_byte(vault: Vault, archive: VaultArchive) -> None:
    stored = store(vault, archive)
    inside = vault.root / ".muninn/archive/sub/one.md~7K3C1B0A.md"
    assert inside.read_bytes() == TEXT
    assert not (vault.root / "sub/one.md").exists()
    archive.restore(stored, "sub/one.md", NOW, Reason.RESTORED)
    assert (vault.root / "sub/one.md").read_bytes() == TEXT
    assert not inside.exists()


def test_the_ledger_tells_when_why_and_what_its_usage_was(
    vault: Vault, archive: VaultArchive
) -> None:
    usage = MemoryUsage(recalls=3, newest=(NOW,), counted=(NOW,))
    store(vault, archive, usage=usage, reason=Reason.MERGED, into="OTHER", run="r1", tier=Tier.T3)
    line = json.loads(vault.ledger.read_text())
    assert line["v"] == 1 and line["t"] == "2026-03-01T06:00:00Z"
    assert (line["id"], line["path"], line["kind"]) == (ID, "sub/one.md", "memory")
    assert (line["reason"], line["into"], line["run"], line["tier"]) == (
        "merged",
        "OTHER",
        "r1",
        "T3",
    )
    assert archive.kept()[0].entry.usage == usage


def test_restoring_appends_to_the_ledger_and_removes_nothing(
    vault: Vault, archive: VaultArchive
) -> None:
    stored = store(vault, archive)
    archive.restore(stored, "sub/one.md", NOW, Reason.RESTORED)
    assert [line.reason for line in archive.ledger()] == ["by hand", "restored"]
    assert archive.kept() == []


def test_a_file_that_changed_meanwhile_is_not_moved(vault: Vault, archive: VaultArchive) -> None:
    put(vault)
    with pytest.raises(ConflictError):
        archive.store(entry(), content_hash(b"what was read"))
    assert (vault.root / "sub/one.md").read_bytes() == TEXT
    assert not vault.ledger.exists()


def test_a_live_file_is_never_restored_over(vault: Vault, archive: VaultArchive) -> None:
    stored = store(vault, archive)
    put(vault, data=b"new in its place")
    with pytest.raises(ConflictError) as error:
        archive.restore(stored, "sub/one.md", NOW, Reason.RESTORED)
    assert str(vault.root / "sub/one.md") in error.value.message
    assert stored.file in error.value.message
    assert (vault.root / "sub/one.md").read_bytes() == b"new in its place"
    assert archive.place(stored.file).read_bytes() == TEXT
    archive.restore(stored, "elsewhere/two.md", NOW, Reason.RESTORED)
    assert (vault.root / "elsewhere/two.md").read_bytes() == TEXT


def test_restoring_onto_the_same_bytes_only_drops_the_archived_copy(
    vault: Vault, archive: VaultArchive
) -> None:
    stored = store(vault, archive)
    put(vault)
    archive.restore(stored, "sub/one.md", NOW, Reason.RESTORED)
    assert (vault.root / "sub/one.md").read_bytes() == TEXT
    assert not archive.place(stored.file).exists()


@pytest.mark.parametrize(
    "path", ["../out.md", "/etc/out.md", ".hidden/x.md", "sub/.x.md", "x.txt", "", "a/../../x.md"]
)
def test_nothing_is_restored_out_of_the_vault_or_out_of_sight(
    vault: Vault, archive: VaultArchive, path: str
) -> None:
    stored = store(vault, archive)
    with pytest.raises(UsageError):
        archive.restore(stored, path, NOW, Reason.RESTORED)
    assert archive.place(stored.file).read_bytes() == TEXT


def test_a_symlink_leads_no_file_out_of_the_vault(
    vault: Vault, archive: VaultArchive, tmp_path: Path
) -> None:
    stored = store(vault, archive)
    (tmp_path / "outside").mkdir()
    (vault.root / "way").symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError):
        archive.restore(stored, "way/one.md", NOW, Reason.RESTORED)


def test_a_ledger_that_names_a_place_outside_is_not_followed(
    vault: Vault, archive: VaultArchive
) -> None:
    with pytest.raises(UsageError):
        archive.place("../../../secret.md")
    vault.ledger.parent.mkdir(parents=True)
    vault.ledger.write_text(format_entry(entry(file="../../secret.md")) + "\n")
    assert archive.kept() == []


def test_names_that_clash_get_a_number(vault: Vault, archive: VaultArchive) -> None:
    first = store(vault, archive)
    second = archive.free_name("sub/one.md", ID)
    assert second == "sub/one.md~7K3C1B0A~2.md"
    assert archive.free_name("sub/one.md", ID, {second}) == "sub/one.md~7K3C1B0A~3.md"
    assert first.file == "sub/one.md~7K3C1B0A.md"


def test_a_file_name_as_long_as_a_system_allows_can_be_archived(
    vault: Vault, archive: VaultArchive
) -> None:
    path = f"{'ñ' * 126}.md"
    put(vault, path)
    archive.store(entry(path), content_hash(TEXT))
    kept = archive.kept()[0].entry
    assert kept.path == path
    archive.restore(kept, kept.path, NOW, Reason.RESTORED)
    assert (vault.root / path).read_bytes() == TEXT


@pytest.mark.parametrize(
    "path",
    ["one.md", "a/b/one.md", "one~two.md", "Note.MD", "~.md", "one.md~2.md", "con espacio y ñ.md"],
)
@pytest.mark.parametrize("number", [1, 2, 11])
def test_the_place_of_a_file_without_a_line_is_its_name_without_the_suffix(
    path: str, number: int
) -> None:
    assert live_path(archived_name(path, ID, number)) == path
    assert live_path(archived_name(path, "05D", number)) == path


def test_a_file_without_a_line_is_archived_all_the_same(
    vault: Vault, archive: VaultArchive
) -> None:
    store(vault, archive)
    vault.ledger.unlink()
    (kept,) = archive.kept()
    assert (kept.handle, kept.entry.path, kept.entry.piece) == (ID, "sub/one.md", Piece.MEMORY)
    archive.restore(kept.entry, kept.entry.path, NOW, Reason.RESTORED)
    assert (vault.root / "sub/one.md").read_bytes() == TEXT


def test_a_line_without_a_file_is_no_archived_memory(vault: Vault, archive: VaultArchive) -> None:
    stored = store(vault, archive)
    archive.place(stored.file).unlink()
    assert archive.kept() == []
    with pytest.raises(NotFoundError):
        archive.entry_of(stored.file)


def test_versions_are_numbered_in_the_order_of_the_ledger(
    vault: Vault, archive: VaultArchive
) -> None:
    for number in range(3):
        file = archive.free_name("sub/one.md", ID)
        archive.keep(
            entry(file=file, piece=Piece.VERSION, reason=Reason.REPLACED), b"text %d" % number
        )
    assert [kept.handle for kept in archive.kept()] == [f"{ID}~1", f"{ID}~2", f"{ID}~3"]
    archive.restore(archive.kept()[0].entry, "old.md", NOW, Reason.RESTORED)
    assert [kept.handle for kept in archive.kept()] == [f"{ID}~2", f"{ID}~3"]


def test_of_equal_copies_the_live_one_wins(vault: Vault, archive: VaultArchive) -> None:
    stored = store(vault, archive)
    put(vault)
    assert archive.settle_doubles({ID: "sub/one.md"}, NOW) == [stored.file]
    assert (vault.root / "sub/one.md").read_bytes() == TEXT
    assert archive.kept() == []


def test_differing_copies_both_stay(vault: Vault, archive: VaultArchive) -> None:
    stored = store(vault, archive)
    put(vault, "sub/moved.md", TEXT + b" and more")
    assert archive.settle_doubles({ID: "sub/moved.md"}, NOW) == []
    assert archive.place(stored.file).read_bytes() == TEXT


def test_a_version_of_a_living_memory_is_no_double(vault: Vault, archive: VaultArchive) -> None:
    put(vault)
    archive.keep(entry(piece=Piece.VERSION, reason=Reason.REPLACED), TEXT)
    assert archive.settle_doubles({ID: "sub/one.md"}, NOW) == []


def test_erasing_leaves_neither_text_nor_path_of_a_memory_and_its_pieces(
    vault: Vault, archive: VaultArchive
) -> None:
    store(vault, archive)
    archive.keep(
        entry(file=archive.free_name("sub/one.md", ID), piece=Piece.VERSION), b"an earlier text"
    )
    newcomer = entry("new.md", "NEW", piece=Piece.INCOMING, into=ID)
    archive.keep(newcomer, b"a newcomer")
    put(vault, "other.md", b"other")
    archive.store(entry("other.md", "OTHER", into=ID, reason=Reason.MERGED), content_hash(b"other"))
    gone = archive.erase(ID, NOW)
    assert len(gone) == 3
    assert [kept.handle for kept in archive.kept()] == ["OTHER"]
    assert "one.md" not in vault.ledger.read_text() and "new.md" not in vault.ledger.read_text()
    assert archive.ledger()[-1].reason == "purged"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "7",
        '{"id":"A"}',
        '{"v":1,"t":"2026-03-01T06:00:00Z","id":"../A","path":"x","kind":"memory","reason":"by hand"}',
    ],
)
def test_a_line_that_cannot_be_understood_is_skipped(line: str) -> None:
    assert parse_entry(line) is None


def test_a_line_needs_neither_file_nor_usage() -> None:
    line = '{"v":1,"t":"2026-03-01T06:00:00Z","id":"05D","path":"a/b.md","kind":"memory","reason":"expired","into":null,"run":null}'
    parsed = parse_entry(line)
    assert parsed is not None
    assert (parsed.file, parsed.usage) == ("a/b.md~05D.md", MemoryUsage())
    assert parse_entry(format_entry(parsed)) == parsed


def test_an_unwritable_archive_loses_nothing(vault: Vault, archive: VaultArchive) -> None:
    put(vault)
    (vault.root / ".muninn").write_text("a file where a folder should be")
    with pytest.raises(MuninnError):
        archive.store(entry(), content_hash(TEXT))
    assert (vault.root / "sub/one.md").read_bytes() == TEXT


def test_what_the_ledger_cannot_note_has_not_happened(vault: Vault, archive: VaultArchive) -> None:
    put(vault)
    vault.ledger.mkdir(parents=True)
    with pytest.raises(MuninnError):
        archive.store(entry(), content_hash(TEXT))
    assert (vault.root / "sub/one.md").read_bytes() == TEXT
    assert not archive.place(entry().file).exists()
    vault.ledger.rmdir()
    archive.store(entry(), content_hash(TEXT))
    vault.ledger.rename(vault.root / "ledger")
    vault.ledger.mkdir()
    with pytest.raises(MuninnError):
        archive.restore(entry(), "sub/one.md", NOW, Reason.RESTORED)
    assert archive.place(entry().file).read_bytes() == TEXT
    assert not (vault.root / "sub/one.md").exists()
