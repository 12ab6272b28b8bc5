"""`muninn supersede`: one live value, however many there were, and all of it can be taken back."""

from __future__ import annotations

import pytest
from personal import MODES


@pytest.fixture
def versions(personal):
    """Three values of one fact, in the order they came."""
    for number in (1, 2, 3):
        personal.put(f"v{number}.md", f"The API is at version {number}.\n", id=f"V{number}")
    return personal


def test_both_files_point_to_each_other_and_neither_moves(versions):
    answer = versions.json("supersede", "V1", "V2")
    assert (answer["operation"], answer["id"], answer["by"]) == ("superseded", "V1", "V2")
    old, new = (versions.root / f"v{number}.md" for number in (1, 2))
    assert old.read_text() == '---\nid: V1\nsuperseded_by: "V2"\n---\nThe API is at version 1.\n'
    assert new.read_text() == '---\nid: V2\nsupersedes: ["V1"]\n---\nThe API is at version 2.\n'


@pytest.mark.parametrize("mode", MODES)
def test_searches_find_the_head_of_a_chain_alone(versions, mode):
    versions.json("supersede", "V1", "V2")
    versions.json("supersede", "V2", "V3")
    assert versions.found("which version has the API", "--mode", mode) == ["v3.md"]
    all_of_it = versions.found("which version has the API", "--mode", mode, "--history")
    assert sorted(all_of_it) == ["v1.md", "v2.md", "v3.md"]


def test_it_can_be_taken_back(versions):
    before = versions.files()
    versions.json("supersede", "V1", "V2")
    answer = versions.json("supersede", "--undo", "V1")
    assert (answer["operation"], answer["by"]) == ("restored", "V2")
    assert versions.files() == before
    assert len(versions.listed()) == 3


def test_taking_back_one_of_two_leaves_the_other(versions):
    versions.json("supersede", "V1", "V3")
    versions.json("supersede", "V2", "V3")
    versions.json("supersede", "--undo", "V1")
    assert versions.listed() == ["v1.md", "v3.md"]
    assert 'supersedes: ["V2"]' in (versions.root / "v3.md").read_text()


def test_it_can_be_taken_back_when_the_newer_one_is_gone(versions):
    versions.json("supersede", "V1", "V2")
    versions.json("archive", "V2")
    versions.json("supersede", "--undo", "V1")
    assert "v1.md" in versions.listed()


@pytest.mark.parametrize(
    ("before", "pair"),
    [
        ([], ("V1", "V1")),
        ([("V1", "V2")], ("V2", "V1")),
        ([("V1", "V2"), ("V2", "V3")], ("V3", "V1")),
    ],
)
def test_a_circle_is_refused(versions, before, pair):
    for each in before:
        versions.json("supersede", *each)
    files = versions.files()
    assert versions.muninn("supersede", *pair).code == 4
    assert versions.files() == files


def test_a_second_successor_is_refused(versions):
    versions.json("supersede", "V1", "V2")
    result = versions.muninn("supersede", "V1", "V3")
    assert result.code == 4
    assert "--undo" in result.err


def test_what_is_not_superseded_cannot_be_taken_back(versions):
    assert versions.muninn("supersede", "--undo", "V1").code == 4


@pytest.mark.parametrize("arguments", [("V1",), ("V1", "V2", "--undo"), ()])
def test_half_a_command_is_wrong_usage(versions, arguments):
    assert versions.muninn("supersede", *arguments).code == 2


def test_memories_of_two_vaults_do_not_supersede_each_other(versions):
    versions.muninn("vault", "create", "work")
    other = versions.add("The API is at version 9.", "--vault", "work")["id"]
    before = versions.files()
    assert versions.muninn("supersede", "V1", other).code == 4
    assert versions.files() == before


def test_a_file_that_does_not_parse_stops_it_before_the_first_write(versions):
    versions.put("broken.md", "---\ntitle: a: b\n---\ntext\n")
    before = versions.files()
    result = versions.muninn("supersede", "V1", "broken.md")
    assert (result.code, "broken.md" in result.err) == (5, True)
    assert versions.files() == before


@pytest.mark.parametrize("protection", [("pin", "V1"), ("tier", "set", "V1", "T0")])
def test_a_person_may_supersede_what_a_dream_may_not(versions, protection):
    versions.json(*protection)
    versions.json("supersede", "V1", "V2")
    assert versions.listed() == ["v2.md", "v3.md"]


def test_in_a_legal_vault_too(personal):
    personal.muninn("vault", "create", "legal")
    ids = [personal.add(f"Rate {n}.", "--vault", "legal", "--force")["id"] for n in ("one", "two")]
    personal.json("supersede", *ids)
    assert len(personal.listed()) == 1


def test_a_pointer_to_nothing_hides_and_can_be_taken_back(personal):
    personal.put("old.md", "Old.\n", id="OLD", superseded_by="GONE")
    assert personal.listed() == []
    personal.json("supersede", "--undo", "OLD")
    assert personal.listed() == ["old.md"]
