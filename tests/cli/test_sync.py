"""`muninn sync` and `reindex`: what they say; that every file at fault is named; that none is touched."""

from __future__ import annotations

import shutil

import pytest

COUNTS = ("added", "changed", "moved", "removed")


def counts(answer) -> tuple[int, ...]:
    return tuple(answer[name] for name in COUNTS)


@pytest.fixture
def notes(personal):
    for name in ("one", "two", "three", "four"):
        personal.put(f"{name}.md", f"The {name} note on whales.\n")
    return personal


def test_it_counts_what_is_new_changed_moved_and_gone(notes):
    assert counts(notes.json("sync")) == (4, 0, 0, 0)
    notes.put("five.md", "The fifth.\n")
    notes.put("one.md", "Another text.\n")
    (notes.root / "two.md").rename(notes.root / "zwei.md")
    (notes.root / "three.md").unlink()
    assert counts(notes.json("sync")) == (1, 1, 1, 1)
    assert counts(notes.json("sync")) == (0, 0, 0, 0)


def test_a_move_keeps_the_id_and_the_usage(notes):
    notes.json("show", "one.md")
    before = notes.memory("one.md")
    (notes.root / "deep").mkdir()
    (notes.root / "one.md").rename(notes.root / "deep" / "uno.md")
    after = notes.memory("deep/uno.md")
    assert (after["id"], after["usage"]) == (before["id"], before["usage"])


def test_two_files_that_change_places_change_ids_with_them(personal):
    personal.put("a.md", "Whales.\n")
    personal.put("b.md", "Bees.\n")
    ids = [personal.memory(path)["id"] for path in ("a.md", "b.md")]
    (personal.root / "a.md").rename(personal.root / "c")
    (personal.root / "b.md").rename(personal.root / "a.md")
    (personal.root / "c").rename(personal.root / "b.md")
    assert [personal.memory(path)["id"] for path in ("b.md", "a.md")] == ids


BROKEN = {
    "colon.md": (b"---\ntitle: a: b\n---\ntext\n", 2),
    "tab.md": (b"---\nok: 1\nlist:\n\t- a\n---\ntext\n", 4),
    "open.md": (b"---\ntitle: x\ntext\n", None),
    "alias.md": (b"---\na: &a [1]\nb: *c\n---\ntext\n", 3),
    "latin.md": (b"---\ntitle: x\n---\ncaf\xe9\n", 4),
    "utf16.md": ("whales".encode("utf-16"), None),
    "nul.md": (b"\0" * 40, None),
    "day.md": (b"---\ntitle: x\ncreated: 2026-02-30\n---\ntext\n", 3),
    "flag.md": (b"---\npinned: yes\n---\ntext\n", 2),
    "tier.md": (b"---\ntier: T7\n---\ntext\n", 2),
}


@pytest.mark.parametrize(("name", "data", "line"), [(n, *v) for n, v in BROKEN.items()])
def test_each_file_that_cannot_be_read_as_meant_is_named_with_line_and_cause(
    notes, name, data, line
):
    (notes.root / name).write_bytes(data)
    (problem,) = notes.json("sync")["problems"]
    assert (problem["vault"], problem["path"]) == ("personal", name)
    assert line is None or problem["line"] == line
    assert problem["cause"]
    place = f"personal/{name}:{problem['line']}: " if problem["line"] else f"personal/{name}: "
    again = notes.muninn("sync", "-v")
    assert place + problem["cause"] in again.err
    assert (notes.root / name).read_bytes() == data


def test_without_v_only_their_number_is_told(notes):
    notes.put("colon.md", "---\ntitle: a: b\n---\ntext\n")
    result = notes.muninn("sync")
    assert (result.out, result.err) == (
        "5 added, 0 changed, 0 moved, 0 removed; 1 problem, -v names them\n",
        "",
    )


def test_one_broken_file_hides_no_other(notes):
    for name, (data, _) in BROKEN.items():
        (notes.root / name).write_bytes(data)
    unread = {"utf16.md", "nul.md"}
    assert set(notes.listed()) == (BROKEN.keys() - unread) | {
        f"{name}.md" for name in ("one", "two", "three", "four")
    }


def test_a_mended_file_is_no_longer_named(notes):
    notes.put("colon.md", "---\ntitle: a: b\n---\ntext\n")
    assert notes.json("sync")["problems"]
    notes.put("colon.md", "---\ntitle: 'a: b'\n---\ntext\n")
    assert notes.json("sync")["problems"] == []


def test_another_programs_meaning_of_a_key_is_no_problem_where_muninn_only_reads(notes, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("---\ntype: report\nimportance: high\n---\ntext\n")
    (other / "b.md").write_text("---\npinned: perhaps\n---\ntext\n")
    notes.json("vault", "add", str(other))
    (problem,) = notes.json("sync")["problems"]
    assert problem["path"] == "b.md"
    assert notes.muninn("show", "a").err == ""
    notes.json("vault", "manage", "other")
    assert [each["path"] for each in notes.json("sync")["problems"]] == ["a.md", "a.md", "b.md"]


def test_more_than_half_gone_at_once_is_an_error_until_somebody_says_yes(notes):
    for number in range(20):
        notes.put(f"{number}.md", f"Note {number}.\n")
    notes.json("sync")
    for number in range(20):
        (notes.root / f"{number}.md").unlink()
    result = notes.muninn("sync", "--json")
    assert (result.code, "20 of 24" in result.error["message"]) == (1, True)
    assert "--yes" in result.error["hint"]
    assert len(notes.listed()) == 24
    assert notes.json("sync", "--yes")["removed"] == 20
    assert len(notes.listed()) == 4


def test_a_vault_that_vanished_is_an_error_and_its_memories_stay(notes):
    notes.json("sync")
    notes.root.rename(notes.root.with_name("unmounted"))
    result = notes.muninn("sync")
    assert result.code == 1
    assert "personal" in result.err
    assert len(notes.listed()) == 4


def test_one_vault_that_vanished_leaves_the_others_in_step(notes, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "bees.md").write_text("Bees dance.\n")
    notes.muninn("vault", "add", other)
    notes.json("sync")
    shutil.rmtree(other)
    notes.put("five.md", "The fifth.\n")
    assert "five.md" in notes.listed()
    assert "bees.md" in notes.listed()


def test_what_is_no_memory_is_skipped(notes):
    skipped = [".hidden.md", ".obsidian/x.md", ".trash/x.md", "node_modules/a/README.md"]
    skipped += ["a.md.swp", "a.md~", "#a.md#", "a.txt", ".muninn/x.md", "a.md.tmp"]
    for path in skipped:
        notes.put(path, "skipped\n")
    assert notes.listed() == ["four.md", "one.md", "three.md", "two.md"]


def test_no_symlink_leads_out_of_the_vault(notes, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret\n")
    (notes.root / "link").symlink_to(outside)
    (notes.root / "link.md").symlink_to(outside / "secret.md")
    assert "secret" not in " ".join(notes.listed())
    assert notes.found("secret", "--mode", "fulltext") == []


def test_a_reindex_loses_nothing(notes, clock):
    clock.advance(days=1)
    notes.json("show", "one.md")
    notes.json("archive", "two.md")
    clock.advance(days=20)
    before = notes.json("list", "--archived"), notes.memory("one.md")
    files = notes.files()
    answer = notes.json("reindex")
    assert answer["operation"] == "reindexed"
    assert (notes.json("list", "--archived"), notes.memory("one.md")) == before
    assert notes.files() == files


def test_the_index_can_be_deleted(notes, home):
    notes.json("show", "one.md")
    before = notes.memory("one.md")
    for file in home.glob("index.db*"):
        file.unlink()
    assert notes.memory("one.md") == before


def test_neither_touches_a_file(notes):
    for name, (data, _) in BROKEN.items():
        (notes.root / name).write_bytes(data)
    before = {path: (path.stat(), path.read_bytes()) for path in notes.root.glob("*.md")}
    notes.muninn("sync")
    notes.muninn("reindex")
    after = {path: (path.stat(), path.read_bytes()) for path in notes.root.glob("*.md")}
    assert {path: data for path, (_, data) in after.items()} == {
        path: data for path, (_, data) in before.items()
    }
    assert all(after[path][0].st_mtime_ns == before[path][0].st_mtime_ns for path in before)
    assert sorted(path.name for path in notes.root.iterdir()) == sorted(p.name for p in before)
