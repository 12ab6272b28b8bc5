"""`muninn archive` and `restore`: out of sight unchanged, and back to the last byte."""

from __future__ import annotations

import json

import pytest
from personal import MODES

FILES = {
    "plain.md": b"No front matter, whales only.\n",
    "memory.md": b"---\nid: WHALES1\ntitle: Whales # mine\ntags: sea\n---\nWhales sing.\n",
    "crlf.md": b"\xef\xbb\xbf---\r\ntitle: 'Whales'\r\n---\r\nWhales sing.\r\n\r\n\r\n",
    "broken.md": b"---\ntitle: a: b\n---\nWhales sing.",
    "latin.md": b"---\ntitle: caf\xe9\n---\nWhales sing.\n",
    "deep/er/con espacios (2) ~x.md": b"# Whales\n",
    "empty.md": b"",
}


def place_of(personal, name: str, data: bytes):
    place = personal.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


@pytest.mark.parametrize(("name", "data"), FILES.items())
def test_every_file_comes_back_with_its_bytes_at_its_place(personal, name, data):
    place = place_of(personal, name, data)
    before = personal.memory(name)
    answer = personal.json("archive", name)
    assert (answer["operation"], answer["id"], answer["path"]) == ("archived", before["id"], name)
    assert not place.exists()
    assert personal.listed() == []
    assert data in personal.files().values()
    back = personal.json("restore", before["id"])
    assert (back["operation"], back["id"], back["path"]) == ("restored", before["id"], name)
    assert place.read_bytes() == data
    assert personal.listed() == [name]
    assert personal.memory(name)["id"] == before["id"]


@pytest.mark.parametrize(("name", "data"), FILES.items())
def test_it_can_be_done_again_and_again(personal, name, data):
    place = place_of(personal, name, data)
    memory_id = personal.memory(name)["id"]
    for _ in range(3):
        personal.json("archive", name)
        personal.json("restore", memory_id)
    assert place.read_bytes() == data
    assert personal.json("archive", "list")["archived"] == []
    assert personal.memory(name)["id"] == memory_id


@pytest.mark.parametrize("mode", MODES)
def test_no_search_finds_what_is_archived_and_every_one_what_came_back(personal, mode):
    personal.put("quince.md", "Membrillo con queso.\n")
    assert personal.found("membrillo", "--mode", mode) == ["quince.md"]
    personal.json("archive", "quince.md")
    assert personal.found("membrillo", "--mode", mode) == []
    personal.json("restore", "quince.md")
    assert personal.found("membrillo", "--mode", mode) == ["quince.md"]


def test_the_ledger_tells_when_and_why_and_only_grows(personal, clock):
    memory_id = personal.add("Whales sing.", "--tier", "T1")["id"]
    personal.json("archive", memory_id)
    clock.advance(days=1)
    personal.json("restore", memory_id)
    lines = (personal.root / ".muninn/archive.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [(one["t"], one["reason"]) for one in told] == [
        ("2026-03-28T06:00:00Z", "by hand"),
        ("2026-03-29T06:00:00Z", "restored"),
    ]
    assert {one["id"] for one in told} == {memory_id}
    assert (told[0]["v"], told[0]["kind"], told[0]["tier"]) == (1, "memory", "T1")


def test_usage_comes_back_with_it(personal, clock, home):
    memory_id = personal.add("Whales sing.", "--tier", "T3")["id"]
    for _ in range(3):
        clock.advance(days=1)
        personal.json("show", memory_id)
    before = personal.memory(memory_id)["usage"]
    personal.json("archive", memory_id)
    for log in (home / "state" / "usage").iterdir():
        log.unlink()
    clock.advance(hours=1)
    personal.json("restore", memory_id)
    after = personal.memory(memory_id)["usage"]
    assert (after["recalls"], after["stability"]) == (before["recalls"], before["stability"])


def test_what_is_restored_long_after_does_not_expire_at_once(personal, clock):
    memory_id = personal.add("Whales sing.", "--tier", "T3")["id"]
    personal.json("archive", memory_id)
    for _ in range(10):
        clock.advance(days=50)
        personal.add(f"Something else {clock.now:%d %B}.")
    personal.json("restore", memory_id)
    assert personal.memory(memory_id)["state"] == "live"


@pytest.mark.parametrize("handle", ["WHALES1", "memory.md", "whales1", "ALES1", "memory"])
def test_an_archived_memory_answers_to_id_path_and_name(personal, handle):
    place = place_of(personal, "memory.md", FILES["memory.md"])
    personal.json("archive", "WHALES1")
    personal.json("restore", handle)
    assert place.read_bytes() == FILES["memory.md"]


def test_an_archived_memory_answers_to_the_beginning_of_its_short_id(personal):
    memory_id = personal.add("Whales sing.")["id"]
    personal.json("archive", memory_id[-8:-2])
    assert personal.json("restore", memory_id[-8:-2])["id"] == memory_id


def test_a_memory_is_restored_by_the_title_it_was_archived_by(personal):
    personal.put("w.md", "Whales sing.\n", title="About whales")
    personal.json("archive", "About whales")
    assert personal.json("restore", "About whales")["path"] == "w.md"


# Looking at the archive


@pytest.fixture
def archived(personal, clock):
    """Two archived memories in two vaults."""
    personal.muninn("vault", "create", "work")
    first = personal.add("El membrillo está en la despensa.", "--title", "Membrillo")
    second = personal.add("Whales sing.", "--title", "Whales", "--vault", "work")
    personal.json("archive", first["id"])
    clock.advance(days=2)
    personal.json("archive", second["id"])
    return first, second


def test_the_archive_is_listed_with_reason_and_time(personal, archived):
    rows = personal.json("archive", "list")["archived"]
    assert {(one["vault"], one["path"], one["reason"], one["at"]) for one in rows} == {
        ("personal", "membrillo.md", "by hand", "2026-03-28T06:00:00Z"),
        ("work", "whales.md", "by hand", "2026-03-30T06:00:00Z"),
    }
    assert personal.muninn("archive", "list", "--ndjson").rows == rows
    assert "by hand, 2 days ago" in personal.muninn("archive", "list").out


def test_one_vault_can_be_named(personal, archived):
    rows = personal.json("archive", "list", "--vault", "work")["archived"]
    assert [one["path"] for one in rows] == ["whales.md"]


@pytest.mark.parametrize(
    ("text", "paths"), [("ESTA EN LA", ["membrillo.md"]), ("sing", ["whales.md"]), ("bees", [])]
)
def test_the_archive_is_searched_without_regard_to_case_and_accents(
    personal, archived, text, paths
):
    rows = personal.json("archive", "search", text)["archived"]
    assert [one["path"] for one in rows] == paths


def test_an_archived_text_is_shown_whole_and_that_is_no_use(personal, archived, home):
    shown = personal.json("archive", "show", archived[0]["id"])["memory"]
    assert (shown["title"], shown["body"]) == ("Membrillo", "El membrillo está en la despensa.\n")
    assert not (home / "state" / "usage").exists()


def test_a_command_word_can_be_the_name_of_a_memory(personal):
    personal.put("list.md", "text\n")
    assert personal.json("archive", "list.md")["path"] == "list.md"


@pytest.mark.parametrize("name", ["-rf.md", "--help.md", "--.md"])
def test_a_name_that_looks_like_an_option_goes_after_two_dashes(personal, name):
    personal.put(name, "Whales.\n")
    assert personal.json("archive", "--", name)["path"] == name
    assert personal.json("restore", "--", name)["path"] == name


def test_a_file_that_the_ledger_does_not_know_is_listed_as_that(personal):
    personal.put(".muninn/archive/whales.md~W1.md", "Whales.\n", id="W1")
    (one,) = personal.json("archive", "list")["archived"]
    assert [one[key] for key in ("id", "path", "reason", "at")] == ["W1", "whales.md", None, None]
    assert "not in the ledger" in personal.muninn("archive", "list").out
    assert personal.json("restore", "W1")["path"] == "whales.md"


# What is refused


def test_what_is_archived_is_not_archived_again(personal, archived):
    result = personal.muninn("archive", archived[0]["id"])
    assert result.code == 4
    assert "muninn restore" in result.err


def test_a_name_that_is_nowhere_is_said_so(personal, archived):
    assert personal.muninn("restore", "bees").code == 3
    assert personal.muninn("archive", "bees").code == 3
    assert personal.muninn("archive", "show", "bees").code == 3


@pytest.fixture
def taken(personal):
    """An archived memory in whose place another one lives."""
    memory_id = personal.add("Whales sing.", "--title", "Whales")["id"]
    personal.json("archive", memory_id)
    personal.put("whales.md", "Bees dance.\n")
    return memory_id


def test_a_live_file_is_never_restored_over(personal, taken):
    before = personal.files()
    result = personal.muninn("restore", taken)
    assert result.code == 4
    assert str(personal.root / "whales.md") in result.err
    assert str(personal.root / ".muninn/archive") in result.err
    assert personal.files() == before


def test_a_file_in_the_place_of_an_archived_one_is_another_memory(personal, taken):
    states = {hit["path"]: hit["id"] for hit in personal.json("list", "--archived")["hits"]}
    assert states.pop("whales.md") != taken
    assert list(states.values()) == [taken]
    personal.json("purge", taken, "--yes")
    assert (personal.root / "whales.md").read_text() == "Bees dance.\n"


def test_it_can_be_restored_to_another_place(personal, taken):
    answer = personal.json("restore", taken, "--to", "old/whales.md")
    assert answer["path"] == "old/whales.md"
    assert personal.memory(taken)["path"] == "old/whales.md"
    assert (personal.root / "whales.md").read_text() == "Bees dance.\n"


@pytest.mark.parametrize("to", ["../out.md", "/tmp/out.md", ".hidden.md", "x.txt", "a/../../b.md"])
def test_never_out_of_the_vault_or_out_of_sight(personal, taken, to):
    before = personal.files()
    assert personal.muninn("restore", taken, "--to", to).code == 2
    assert personal.files() == before


def test_an_id_that_is_live_elsewhere_is_not_restored_beside_itself(personal):
    personal.put("whales.md", "Whales sing.\n", id="W1")
    personal.json("archive", "W1")
    personal.put("again.md", "Whales sing again.\n", id="W1")
    result = personal.muninn("restore", "whales.md")
    assert result.code == 4
    assert "again.md" in result.err
    assert personal.listed() == ["again.md"]


def test_names_that_mean_two_archived_texts_list_both(personal):
    for number in (1, 2):
        personal.put("whales.md", f"Whales {number}.\n", id=f"WHALE{number}")
        personal.json("archive", "whales.md")
    result = personal.muninn("restore", "whales.md")
    assert result.code == 4
    assert "WHALE1" in result.err and "WHALE2" in result.err
    assert personal.json("restore", "WHALE1")["path"] == "whales.md"


def test_of_two_files_with_one_id_each_is_archived_and_restored_as_itself(personal):
    original = personal.put("note.md", "Whales sing.\n", id="W1")
    copy = personal.put("note.sync-conflict-20260112-003022-ABCDEF7.md", "Theirs.\n", id="W1")
    before = copy.read_bytes()
    ids = {path: personal.memory(path)["id"] for path in (original.name, copy.name)}
    answer = personal.json("archive", copy.name)
    assert answer["id"] == ids[copy.name] != ids[original.name] == "W1"
    personal.json("restore", answer["id"])
    assert copy.read_bytes() == before
    assert {path: personal.memory(path)["id"] for path in ids} == ids


def test_a_vault_that_is_only_registered_can_be_tidied_by_hand(personal, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text("Whales.\n")
    personal.muninn("vault", "add", tmp_path / "notes")
    personal.json("archive", "a.md")
    assert not (tmp_path / "notes/a.md").exists()
    personal.json("restore", "a.md")
    assert (tmp_path / "notes/a.md").read_text() == "Whales.\n"
