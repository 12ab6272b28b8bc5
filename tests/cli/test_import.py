"""Taking memories in: other tools' records, folders, an agent's notes; what is left out and why."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

SECRET = "postgres://admin:hunter2correct@db.example.com/main"


def lines(*records: object) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def titles(muninn) -> list[str]:
    return sorted(hit["title"] for hit in muninn("list", "--json").json["hits"])


@pytest.fixture
def root(muninn):
    """The folder of the default vault."""
    muninn("init", "--no-git")
    return muninn.home / "vaults" / "personal"


def test_a_record_of_another_tool_becomes_a_new_file(muninn, root):
    record = {
        "content": "Deploys happen on Tuesdays",
        "tags": ["deploy"],
        "tier": "T1",
        "created_at": "2024-05-01T10:00:00Z",
    }
    answer = muninn("import", "-", "--json", stdin=lines(record)).json
    arrived = answer["imported"][0]
    assert (arrived["from"], arrived["path"]) == ("stdin:1", "deploys-happen-on-tuesdays.md")
    assert (root / arrived["path"]).read_text() == (
        f'---\nid: "{arrived["id"]}"\ntitle: Deploys happen on Tuesdays\ntype: semantic\n'
        "tier: T1\ntags: [deploy]\nsource: import\ncreated: 2024-05-01T10:00:00Z\n"
        "updated: 2024-05-01T10:00:00Z\n---\nDeploys happen on Tuesdays\n"
    )


def test_the_tier_follows_the_rules_of_add(muninn, root):
    muninn("import", "-", stdin=lines({"text": "a", "category": "policy"}, {"text": "b"}))
    tiers = {hit["title"]: hit["tier"] for hit in muninn("list", "--json").json["hits"]}
    assert tiers == {"a": "T0", "b": "T2"}


def test_an_id_of_another_tool_is_kept_and_never_doubled(muninn, root):
    said = [
        {"id": "u-1", "text": "one"},
        {"id": "u-1", "text": "two"},
        {"id": "u-1", "text": "one"},
    ]
    for known in (1, 3):
        answer = muninn("import", "-", "--json", stdin=lines(*said)).json
        assert answer["known"] == known
    ids = [hit["id"] for hit in muninn("list", "--json").json["hits"]]
    assert len(set(ids)) == 2
    assert "u-1" in ids


def test_bad_lines_are_named_and_the_rest_goes_on(muninn, root, tmp_path):
    data = b'{"text":"first"}\n\nno json\n[1]\n{"text":""}\n{"text":"caf\xe9"}\n{"text":"last"}'
    (tmp_path / "in.jsonl").write_bytes(data)
    answer = muninn("import", "in.jsonl")
    assert answer.code == 0
    assert answer.out == "Imported 2 memories into personal; 4 left out\n"
    causes = [("3", "no JSON"), ("4", "no object"), ("5", "no text"), ("6", "not UTF-8")]
    for line, cause in causes:
        told = [
            one for one in answer.err.splitlines() if one.startswith(f"left out: in.jsonl:{line}:")
        ]
        assert cause in told[0]
    assert titles(muninn) == ["first", "last"]


def test_where_nothing_can_be_imported_it_is_a_failure(muninn, root):
    answer = muninn("import", "-", stdin="nonsense\n")
    assert (answer.code, answer.out) == (1, "")
    assert "muninn: nothing in - could be imported" in answer.err
    assert muninn("import", "-", stdin="nonsense\n", env={}).code == 1
    assert muninn("import", "-", "--json", stdin="x\n").err.count('"error"') == 1
    assert muninn("import", "nowhere").code == 3
    assert muninn("import", "-", stdin="").code == 0


def test_where_there_is_nothing_at_all_it_is_said(muninn, tmp_path):
    (tmp_path / "empty").mkdir()
    for source in ("empty", "-"):
        answer = muninn("import", source)
        assert (answer.code, answer.out, answer.err) == (0, f"There is no memory in {source}\n", "")


def test_a_secret_stays_out_item_by_item(muninn, root):
    said = lines({"text": f"connect to {SECRET}"}, {"text": "harmless"})
    answer = muninn("import", "-", stdin=said)
    assert "left out: stdin:1: it holds a secret (" in answer.err
    assert SECRET not in answer.err
    assert titles(muninn) == ["harmless"]
    allowed = {"MUNINN_REMEMBER_SECRETS": "allow"}
    assert muninn("import", "-", "--json", stdin=said, env=allowed).json["known"] == 1
    assert len(titles(muninn)) == 2


def test_a_secret_in_a_file_stays_out_too(muninn, root, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text(f"---\ntitle: x\ndb: {SECRET}\n---\n")
    assert muninn("import", "notes").code == 1


def test_a_dry_run_says_the_same_and_writes_nothing(muninn, root):
    said = lines({"text": "one"}, {"text": "two"})
    told = muninn("import", "-", "--json", "--dry-run", stdin=said).json
    assert list(root.glob("*.md")) == []
    assert not muninn.home.joinpath("state/runs").exists()
    done = muninn("import", "-", "--json", stdin=said).json
    assert told["imported"] == done["imported"]
    assert (told["dry_run"], told["run"]) == (True, None)
    assert done["run"]


def test_an_import_is_one_run_that_can_be_undone(muninn, root):
    (root / "mine.md").write_text("mine")
    said = lines(*({"text": f"fact {number}"} for number in range(10)))
    run = muninn("import", "-", "--json", stdin=said).json["run"]
    assert len(titles(muninn)) == 11
    assert muninn("undo", run).code == 0
    assert [path.name for path in root.glob("*.md")] == ["mine.md"]
    assert (titles(muninn), muninn("list").err) == (["mine"], "")


def test_an_import_is_one_commit(muninn, tmp_path):
    git = {"MUNINN_GIT_AUTO": "true", "GIT_CONFIG_GLOBAL": os.devnull}
    git |= {
        f"GIT_{who}_{what}": "t@example.com"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    muninn("init", env=git)
    said = lines(*({"text": f"fact {number}"} for number in range(300)))
    assert muninn("import", "-", stdin=said, env=git).err.startswith("Undo: ")
    root = muninn.home / "vaults" / "personal"
    log = subprocess.run(
        ["git", "-C", root, "log", "--format=%s", "--shortstat"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert log.split("\n")[0] == "Import 300 files"
    assert "300 files changed" in log


def test_a_markdown_folder_arrives_as_it_is(muninn, root, tmp_path):
    notes = tmp_path / "notes"
    for path, data in {
        "a.md": b"# A\r\n",
        "sub/b.md": b"\xff latin",
        ".obsidian/x.md": b"hidden",
        "image.png": b"png",
        ".muninn/archive/old.md~01.md": b"archived",
        "wide.md": "x".encode("utf-16"),
    }.items():
        place = notes / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    answer = muninn("import", "notes", "--json").json
    assert sorted(one["path"] for one in answer["imported"]) == ["a.md", "sub/b.md"]
    assert (root / "a.md").read_bytes() == b"# A\r\n"
    assert (root / "sub/b.md").read_bytes() == b"\xff latin"
    assert muninn("import", "notes", "--json").json["known"] == 2
    left = {one["from"]: one["cause"] for one in answer["left"]}
    assert set(left) == {".muninn/archive", "wide.md"}
    assert "UTF-16" in left["wide.md"]


def test_one_markdown_file_can_be_imported(muninn, root, tmp_path):
    (tmp_path / "note.md").write_text("# One note\n")
    assert muninn("import", "note.md").out == "Imported 1 memory into personal\n"
    assert titles(muninn) == ["One note"]


def test_an_agents_folder_becomes_memories(muninn, root, tmp_path):
    notes = tmp_path / "agent"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("# Memory\n\n- [Tests](tests.md) - how to test\n")
    (notes / "tests.md").write_text(
        "---\nname: how-to-test\ndescription: Run the small tests first\n"
        "metadata:\n  type: feedback\n---\nSmall ones first.\n"
    )
    answer = muninn("import", "agent")
    assert "left out: MEMORY.md: it is only an index" in answer.err
    memory = muninn("show", "how-to-test", "--json").json["memory"]
    assert (memory["title"], memory["tier"], memory["type"]) == ("How to test", "T1", "procedural")
    assert (memory["source"], memory["tags"]) == ("agent", ["feedback"])


def test_a_vault_is_not_imported_into_itself(muninn, root):
    (root / "sub").mkdir()
    assert muninn("import", root / "sub").code == 2


def test_records_go_home_to_their_vaults_and_nowhere_else(muninn, root):
    record = {"v": 1, "id": "A", "path": "a.md", "raw": "private\n"}
    said = lines(record | {"vault": "legal"}, record | {"vault": "personal", "id": "B"})
    answer = muninn("import", "-", stdin=said)
    assert answer.out == "Imported 1 memory into personal; 1 left out\n"
    assert (
        "1 memory of the vault legal, which is not there: `muninn vault create legal`" in answer.err
    )
    muninn("vault", "create", "legal", "--no-git")
    assert muninn("import", "-", "--json", stdin=said).json["known"] == 1
    assert (muninn.home / "vaults/legal/a.md").read_text() == "private\n"


def test_with_a_vault_named_everything_goes_there(muninn, root):
    muninn("vault", "create", "other", "--no-git")
    record = {"v": 1, "id": "A", "vault": "gone", "path": "a.md", "raw": "text\n"}
    muninn("import", "-", "--vault", "other", stdin=lines(record, {"text": "b"}))
    assert sorted(path.name for path in (muninn.home / "vaults/other").glob("*.md")) == [
        "a.md",
        "b.md",
    ]


@pytest.mark.parametrize(
    "path",
    ["../out.md", "/etc/out.md", ".hidden.md", "a.txt", ".muninn/vault.toml", "a/../../b.md"],
)
def test_a_path_that_no_memory_can_have_is_refused(muninn, root, path):
    record = {"v": 1, "id": "A", "vault": "personal", "path": path, "raw": "text\n"}
    answer = muninn("import", "-", stdin=lines(record))
    assert (answer.code, answer.out) == (1, "")
    assert [each for each in muninn.home.parent.rglob("*") if each.name.endswith("out.md")] == []


def test_a_vault_whose_folder_is_gone_is_not_made_anew(muninn, root):
    muninn("list")
    root.rename(root.with_name("elsewhere"))
    assert muninn("import", "-", stdin=lines({"text": "a"})).code == 3
    assert not root.exists()


def test_many_that_are_left_out_are_counted(muninn, root):
    answer = muninn("import", "-", stdin='{"text":"a"}\n' + "x\n" * 30)
    assert answer.err.count("left out: ") == 20
    assert "and 10 more" in answer.err
