"""`muninn vault`: names, places, kinds, and what renaming and removing must not lose."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("a note\n")
    return folder


def show(muninn, name):
    return muninn("vault", "show", "--json", "--", name).json["vault"]


@pytest.mark.parametrize("name", ["a b", "-x", "search", "légal", "v1.2", "データ", "hindī हिन्दी"])
def test_any_plain_name_makes_a_vault(muninn, home, name):
    assert muninn("vault", "create", "--", name).code == 0
    assert (home / "vaults" / name).is_dir()
    assert show(muninn, name)["path"] == str(home / "vaults" / name)


@pytest.mark.parametrize(
    "name",
    ["legal/2026", "..", ".", "a\\b", "c:d", "n\0l", "", " a", "a ", "a.", "NUL", "com1.x", "a\nb"],
)
def test_a_name_that_is_no_portable_folder_is_refused(muninn, home, name):
    answer = muninn("vault", "create", "--json", "--", name)
    assert answer.code == 2
    assert "cannot be the name of a vault" in answer.error["message"]
    assert [path.name for path in (home / "vaults").glob("*")] in ([], ["personal"])


def test_names_that_differ_in_case_are_two_vaults_in_two_portable_folders(muninn):
    muninn("vault", "create", "Work")
    muninn("vault", "create", "work")
    folders = [show(muninn, name)["path"] for name in ("Work", "work")]
    assert len({folder.lower() for folder in folders}) == 2
    assert muninn("vault", "show", "WORK").code == 4
    assert muninn("vault", "create", "work").code == 4


@pytest.mark.parametrize("name", ["legal", "Legal", "LEGAL"])
def test_a_vault_called_legal_is_legal_in_any_case(muninn, name):
    muninn("vault", "create", name)
    assert show(muninn, name)["kind"] == "legal"
    assert show(muninn, name)["providers"] == []


@pytest.mark.parametrize("name", ["paralegal", "légal", "legal-notes"])
def test_a_name_that_only_holds_legal_is_not(muninn, name):
    muninn("vault", "create", name)
    assert show(muninn, name)["kind"] == "personal"


def test_a_folder_below_legal_is_legal_also_through_a_symlink(muninn, tmp_path):
    (tmp_path / "Legal" / "matters").mkdir(parents=True)
    (tmp_path / "cases").symlink_to(tmp_path / "Legal" / "matters")
    muninn("vault", "add", tmp_path / "cases", "--name", "m")
    assert show(muninn, "m")["kind"] == "legal"


def test_a_kind_given_by_hand_goes_before_the_name(muninn):
    muninn("vault", "create", "legal", "--kind", "work")
    assert show(muninn, "legal")["kind"] == "work"


def test_a_name_that_is_a_kind_gives_the_kind(muninn):
    muninn("vault", "create", "project")
    assert show(muninn, "project")["kind"] == "project"


def test_one_folder_is_one_vault_however_it_is_written(muninn, notes, tmp_path):
    (tmp_path / "link").symlink_to(notes)
    first = muninn("vault", "add", "notes", "--json").json
    for written in ("./notes/", str(notes), "link", "link/../notes"):
        again = muninn("vault", "add", written, "--json").json
        assert (again["operation"], again["vault"]) == ("exists", first["vault"])
    assert muninn("vault", "show", "link", "--json").json["vault"] == first["vault"]


def test_a_git_worktree_is_another_vault(muninn, tmp_path):
    def git(*arguments):
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path / "repo", check=True)

    (tmp_path / "repo").mkdir()
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message=start")
    git("worktree", "add", "--quiet", "../tree")
    one = muninn("vault", "add", "repo", "--json").json["vault"]
    other = muninn("vault", "add", "tree", "--json").json["vault"]
    assert one["id"] != other["id"]


def test_registering_changes_no_file_and_leaves_git_alone(muninn, notes):
    muninn("vault", "add", "notes", env={"MUNINN_GIT_AUTO": "true"})
    assert sorted(path.name for path in notes.iterdir()) == ["a.md"]
    assert (notes / "a.md").read_text() == "a note\n"
    vault = show(muninn, "notes")
    assert (vault["managed"], vault["git"]) == (False, False)


@pytest.mark.parametrize("place", ["notes/sub", "."])
def test_vaults_do_not_overlap(muninn, notes, place):
    (notes / "sub").mkdir()
    muninn("vault", "add", "notes")
    answer = muninn("vault", "add", place, "--json", "--name", "other")
    assert answer.code == 4
    assert "overlaps" in answer.error["message"]


@pytest.mark.parametrize("place", ["home", "home/state", "home/vaults", "."])
def test_the_home_folder_is_no_vault(muninn, place):
    muninn("init")
    answer = muninn("vault", "add", place, "--json", "--name", "x")
    assert answer.code == 4
    assert "muninn's own folder" in answer.error["message"]


def test_a_folder_put_beside_the_made_vaults_can_be_registered(muninn, home):
    muninn("init")
    (home / "vaults" / "old").mkdir()
    assert muninn("vault", "add", home / "vaults" / "old").code == 0


def test_a_place_that_is_not_there_is_named(muninn, tmp_path):
    answer = muninn("vault", "add", "nowhere", "--json")
    assert (answer.code, answer.error["code"]) == (3, "not_found")
    assert str(tmp_path / "nowhere") in answer.error["message"]


def test_a_file_is_no_vault(muninn, notes):
    assert muninn("vault", "add", notes / "a.md").code == 2


def test_a_vault_that_comes_back_has_its_id(muninn, notes):
    before = muninn("vault", "add", "notes", "--json").json["vault"]["id"]
    muninn("vault", "remove", "notes")
    assert muninn("vault", "show", "notes").code == 3
    assert (notes / "a.md").exists()
    after = muninn("vault", "add", "notes", "--name", "again", "--json").json["vault"]
    assert (after["id"], after["name"]) == (before, "again")


def test_a_made_vault_that_comes_back_has_its_id_and_files(muninn, home):
    before = muninn("vault", "create", "w", "--json").json["vault"]["id"]
    (home / "vaults" / "w" / "a.md").write_text("kept\n")
    muninn("vault", "remove", "w")
    assert muninn("vault", "create", "w", "--json").json["vault"]["id"] == before
    assert (home / "vaults" / "w" / "a.md").read_text() == "kept\n"


def test_renaming_keeps_id_and_folder(muninn):
    before = muninn("vault", "create", "old", "--json").json["vault"]
    after = muninn("vault", "rename", "old", "new", "--json").json["vault"]
    assert (after["id"], after["path"]) == (before["id"], before["path"])
    assert muninn("vault", "create", "old", "--json").json["vault"]["path"] != before["path"]


def test_a_legal_vault_stays_legal_under_another_name(muninn, notes):
    muninn("vault", "add", notes, "--name", "legal")
    muninn("vault", "rename", "legal", "matters")
    assert show(muninn, "matters")["kind"] == "legal"


def test_a_vault_renamed_to_legal_becomes_legal(muninn):
    muninn("vault", "create", "matters", "--kind", "global")
    muninn("vault", "rename", "matters", "Legal")
    assert show(muninn, "Legal")["kind"] == "legal"


def test_the_default_follows_a_renamed_vault(muninn):
    muninn("init")
    muninn("vault", "rename", "personal", "me")
    assert muninn("config", "get", "vault.default").out == "me\n"


def test_a_rename_onto_a_name_in_use_is_refused(muninn):
    muninn("vault", "create", "a")
    assert muninn("vault", "rename", "a", "personal").code == 4


def test_manage_and_back(muninn, notes):
    muninn("vault", "add", "notes")
    assert muninn("vault", "manage", "notes", "--json").json["vault"]["managed"] is True
    off = muninn("vault", "manage", "notes", "--off", "--json").json
    assert (off["operation"], off["vault"]["managed"]) == ("unmanaged", False)


def test_an_unknown_vault_is_answered_with_the_nearest(muninn):
    answer = muninn("vault", "show", "persnal", "--json")
    assert answer.code == 3
    assert "personal" in answer.error["hint"]


def test_the_list_as_lines_of_json(muninn):
    muninn("vault", "create", "work")
    rows = muninn("vault", "list", "--ndjson").rows
    assert [row["name"] for row in rows] == ["personal", "work"]


def test_vaults_made_at_once_are_all_on_the_list(muninn, muninn_process):
    muninn("init")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: muninn_process("vault", "create", f"v{n}"), range(8)))
    assert [answer.code for answer in answers] == [0] * 8
    names = {row["name"] for row in muninn("vault", "list", "--ndjson").rows}
    assert names == {"personal", *(f"v{number}" for number in range(8))}


def test_a_home_that_moved_finds_its_made_vaults(muninn, home, tmp_path):
    muninn("vault", "create", "w")
    home.rename(tmp_path / "moved")
    row = muninn("vault", "show", "w", "--json", env={"MUNINN_HOME": str(tmp_path / "moved")})
    assert row.json["vault"]["path"] == str(tmp_path / "moved" / "vaults" / "w")


def test_comments_in_the_settings_outlive_every_change(muninn, home, notes):
    muninn("init")
    config = home / "config.toml"
    config.write_text(config.read_text() + "# mine: keep this\n")
    muninn("vault", "add", "notes")
    muninn("vault", "rename", "notes", "n")
    muninn("vault", "manage", "n")
    muninn("vault", "remove", "n")
    assert "# mine: keep this" in config.read_text()


def test_what_a_vaults_own_file_takes_away_is_shown(muninn, notes):
    (notes / ".muninn").mkdir()
    (notes / ".muninn" / "vault.toml").write_text("deni = ['anthropic']\n")
    muninn("vault", "add", "notes")
    answer = muninn("vault", "show", "notes", "--json")
    assert answer.json["vault"]["providers"] == []
    assert "vault.toml" in answer.err


def test_a_default_that_is_taken_off_the_list_is_told(muninn):
    muninn("vault", "create", "work")
    assert muninn("vault", "remove", "work").err == ""
    told = muninn("vault", "remove", "personal").err
    assert told == "vault.default still names personal: `muninn config set vault.default NAME`\n"
    assert muninn("add", "x").code == 3


def test_show_says_who_may_read_a_vault_as_status_does(muninn):
    line = muninn("vault", "show", "personal").out.splitlines()[-1]
    words = line.partition("providers")[2].strip()
    assert words.startswith("may be read by ")
    assert words in " ".join(muninn("status", env={"COLUMNS": "300"}).out.split())
