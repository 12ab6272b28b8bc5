"""Memories out and in again: the same bytes, whatever the bytes are."""

from __future__ import annotations

import base64
import json

import pytest

LATIN = "---\ntitle: Reunión\n---\nAño nuevo\n".encode("latin-1")
FILES = {
    "plain.md": b"no front matter at all",
    "empty.md": b"",
    "twin.md": b"",
    "crlf.md": b"---\r\ntitle: Windows\r\n---\r\nline\r\n\r\n",
    "bom.md": b"\xef\xbb\xbf---\ntitle: Mark\n---\nbody",
    "deep/er/Nota de María.md": '---\nid: "01A"\ntitle: María\n# kept\n---\nbody '.encode(),
    "doubled.md": b"---\nid: 01A\n---\nanother body\n",
    "broken.md": b"---\ntitle: [a\n---\nbody\n",
    "latin.md": LATIN,
    "nul.md": b"before\0after",
    "separators.md": "a\u2028b\u0085c\u202ed\r\ne\rf".encode(),
    "old.md": b"---\nid: OLD\nsuperseded_by: 01A\n---\nold\n",
}


def vault(muninn, name: str, files=None):
    """A vault that muninn made, with these files."""
    root = muninn.home / "vaults" / name
    muninn("vault", "create", name, "--no-git")
    for path, data in (files or {}).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return root


def files_in(root) -> dict[str, bytes]:
    found = (path for path in root.rglob("*.md") if ".muninn" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def elsewhere(muninn, tmp_path):
    """Runs commands in another home, which has vaults of these names and nothing in them."""

    def other(*names: str):
        there = type(muninn)(tmp_path / "other", muninn.clock, muninn.cwd)
        for name in names:
            vault(there, name)
        return there

    return other


def test_records_give_back_the_same_bytes(muninn, elsewhere):
    root = vault(muninn, "work", FILES)
    exported = muninn("export", "--vault", "work").out
    assert len(exported.splitlines()) == len(FILES)
    there = elsewhere("work")
    answer = there("import", "-", "--json", stdin=exported)
    assert (answer.code, len(answer.json["imported"]), answer.json["left"]) == (0, len(FILES), [])
    assert files_in(there.home / "vaults" / "work") == files_in(root) == FILES
    assert sorted(there("export", "--vault", "work").out.splitlines()) == sorted(
        exported.splitlines()
    )


def test_a_folder_of_files_gives_back_the_same_bytes(muninn, elsewhere, tmp_path):
    agent = {
        "MEMORY.md": b"# Index\n\n- [One](one.md)\n",
        "one.md": b"---\nname: one\ndescription: One fact\ntype: feedback\n---\nOne.\n",
    }
    vault(muninn, "work", FILES)
    vault(muninn, "agent", agent)
    assert muninn("export", "out", "--format", "markdown").code == 0
    assert files_in(tmp_path / "out") == {
        **{f"work/{path}": data for path, data in FILES.items()},
        **{f"agent/{path}": data for path, data in agent.items()},
    }
    there = elsewhere("work", "agent")
    assert there("import", "out").code == 0
    assert files_in(there.home / "vaults" / "work") == FILES
    assert files_in(there.home / "vaults" / "agent") == agent


def test_importing_again_changes_nothing(muninn, elsewhere):
    vault(muninn, "work", FILES)
    exported = muninn("export", "--vault", "work").out
    there = elsewhere("work")
    there("import", "-", stdin=exported)
    there("import", "-", stdin='{"text":"said by another tool"}')
    before = files_in(there.home / "vaults")
    assert there("import", "-", "--json", stdin=exported).json["known"] == len(FILES)
    again = there("import", "-", "--json", stdin='{"text":"said by another tool"}')
    assert (again.json["known"], again.json["imported"]) == (1, [])
    assert files_in(there.home / "vaults") == before


def test_nothing_is_written_over_and_what_differs_gets_a_place_of_its_own(muninn):
    root = vault(muninn, "work", {"a.md": b"---\nid: A\n---\nfirst\n"})
    exported = muninn("export", "--vault", "work").out
    (root / "a.md").write_bytes(b"---\nid: A\n---\nsecond\n")
    for _ in range(2):
        assert muninn("import", "-", stdin=exported).code == 0
    assert files_in(root) == {
        "a.md": b"---\nid: A\n---\nsecond\n",
        "a-2.md": b"---\nid: A\n---\nfirst\n",
    }


def test_a_memory_that_moved_is_known_by_its_id(muninn):
    root = vault(muninn, "work", {"a.md": b"---\nid: A\n---\nfirst\n"})
    exported = muninn("export", "--vault", "work").out
    (root / "a.md").rename(root / "b.md")
    assert muninn("import", "-", "--json", stdin=exported).json["known"] == 1
    assert list(files_in(root)) == ["b.md"]


def test_what_is_not_utf8_is_carried_as_base64(muninn):
    vault(muninn, "work", {"latin.md": LATIN})
    row = muninn("export", "--vault", "work").rows[0]
    assert base64.b64decode(row["raw_base64"]) == LATIN
    assert "raw" not in row


def test_a_file_that_is_no_text_is_named(muninn):
    vault(muninn, "work", {"wide.md": "text".encode("utf-16"), "a.md": b"a"})
    code, out, err = muninn("export", "--vault", "work")
    assert (code, len(out.splitlines())) == (0, 1)
    assert "work/wide.md: UTF-16" in err


def test_usage_and_associations_travel_with_the_memories(muninn, elsewhere):
    muninn("add", "The gateway drops idle connections", "--title", "Gateway")
    muninn("add", "The gateway speaks plain text", "--title", "Protocol")
    before = muninn("list", "--json").json["hits"]
    for _ in range(3):
        muninn("search", "gateway", at=muninn.clock.advance(hours=2))
    exported = muninn("export", "--usage").out
    assert "usage" not in muninn("export").rows[0]
    there = elsewhere("personal")
    there("import", "-", stdin=exported, at=muninn.clock.now)
    for hit in before:
        shown, told = (m("show", hit["id"], "--json", "--no-recall") for m in (there, muninn))
        assert shown.json["memory"]["usage"] == told.json["memory"]["usage"]
        assert shown.json["memory"]["usage"]["recalls"] == 3


def test_the_archive_travels_where_it_is_asked_for(muninn, elsewhere):
    muninn("add", "The old gateway had two names", "--title", "Gateway")
    muninn("archive", "Gateway")
    left = muninn("export")
    assert (left.out, left.err) == (
        "",
        "1 archived texts were left out: --archived takes them along\n",
    )
    exported = muninn("export", "--archived").out
    there = elsewhere("personal")
    for known in (0, 1):
        assert there("import", "-", "--json", stdin=exported).json["known"] == known
    kept = there("archive", "list", "--json").json["archived"]
    assert [(one["path"], one["reason"]) for one in kept] == [("gateway.md", "by hand")]
    there("restore", "gateway")
    assert files_in(there.home / "vaults") == {
        "personal/gateway.md": json.loads(exported)["raw"].encode()
    }


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--tag", "x"], ["tagged.md"]),
        (["--tier", "T1"], ["tagged.md"]),
        (["--no-history", "--tier", "T2"], ["plain.md"]),
        (["--tier", "T2"], ["old.md", "plain.md"]),
    ],
)
def test_only_what_is_chosen_goes_out(muninn, options, paths):
    vault(
        muninn,
        "work",
        {
            "tagged.md": b"---\nid: A\ntags: [x]\ntier: T1\n---\na\n",
            "old.md": b"---\nid: B\nsuperseded_by: A\n---\nb\n",
            "plain.md": b"c\n",
        },
    )
    rows = muninn("export", "--vault", "work", *options).rows
    assert sorted(row["path"] for row in rows) == paths


def test_expired_memories_go_out_too(muninn):
    muninn("add", "Soon gone", "--tier", "T3")
    muninn.clock.advance(days=40)
    assert [row["state"] for row in muninn("export").rows] == ["expired"]
    assert muninn("export", "--no-expired").out == ""


def test_a_record_says_what_the_memory_means(muninn):
    vault(
        muninn,
        "work",
        {
            "a.md": b"---\nid: A\ntitle: T\ntier: T1\ntags: [x]\nimportance: 8\nvalid_from: 2024-01-01\n---\nb\n"
        },
    )
    assert muninn("export", "--vault", "work").rows == [
        {
            "v": 1,
            "id": "A",
            "vault": "work",
            "path": "a.md",
            "state": "live",
            "title": "T",
            "type": "semantic",
            "tier": "T1",
            "tags": ["x"],
            "source": "",
            "pinned": False,
            "consolidate": True,
            "created": None,
            "updated": None,
            "importance": 8,
            "valid_from": "2024-01-01",
            "body": "b\n",
            "raw": (muninn.home / "vaults/work/a.md").read_text(),
        }
    ]


def test_a_file_is_the_same_as_standard_output_and_never_written_over(muninn, tmp_path):
    vault(muninn, "work", FILES)
    answer = muninn("export", "out.jsonl", "--json")
    assert answer.json["memories"] == len(FILES)
    assert (tmp_path / "out.jsonl").read_text() == muninn("export").out
    assert muninn("export", "out.jsonl").code == 4
    assert [path.name for path in tmp_path.glob("*.tmp")] == []


def test_a_folder_that_is_not_there_is_named(muninn, tmp_path):
    answer = muninn("export", tmp_path / "nowhere" / "x.jsonl", "--json")
    assert (answer.code, answer.error["message"]) == (3, f"no such folder: {tmp_path / 'nowhere'}")


def test_json_is_one_document(muninn):
    vault(muninn, "work", {"a.md": b"a"})
    assert [one["path"] for one in muninn("export", "--json").json["memories"]] == ["a.md"]


def test_markdown_needs_a_folder_of_its_own(muninn, tmp_path):
    vault(muninn, "work", {"a.md": b"a"})
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    assert muninn("export", "--format", "markdown").code == 2
    assert muninn("export", "full", "--format", "markdown").code == 4
    assert muninn("export", muninn.home / "vaults/work/sub", "--format", "markdown").code == 2
    assert muninn("export", "new", "--format", "markdown", "--usage").code == 2


def test_exporting_is_no_use(muninn):
    muninn("add", "The gateway drops idle connections")
    muninn("export")
    assert [row["usage"] for row in muninn("export", "--usage").rows] == [{"stability": 14.0}]
