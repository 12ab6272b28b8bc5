"""`muninn edit`: a person's editor on a memory, and nobody's text lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

DATA = "---\r\n# mine\r\ntitle: 'Whales'\r\n---\r\nOld text.\r\n"


@pytest.fixture
def editor(tmp_path):
    """Makes an editor of one shell line, in which $1 is the draft."""

    def make(script: str) -> dict[str, str]:
        place = tmp_path / "my editor"
        place.write_text(f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)
        return {"EDITOR": f"'{place}'"}

    return make


@pytest.fixture
def drafts(tmp_path, monkeypatch):
    """Where drafts are made."""
    folder = tmp_path / "drafts"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def whales(personal):
    return personal.put("whales.md", DATA)


def test_what_the_editor_leaves_is_saved_byte_for_byte(personal, whales, editor):
    env = editor('sed -i s/Old/New/ "$1"')
    answer = personal.json("edit", "whales", env=env)
    assert (answer["operation"], answer["path"]) == ("edited", "whales.md")
    assert whales.read_bytes() == DATA.replace("Old", "New").encode()
    assert personal.found("new text", "--mode", "fulltext") == ["whales.md"]


def test_the_editor_sees_the_file_under_its_own_name(personal, whales, editor, tmp_path):
    personal.json("edit", "whales", env=editor(f'basename "$1" > {tmp_path}/name'))
    assert (tmp_path / "name").read_text() == "whales.md\n"


def test_visual_goes_before_editor(personal, whales, editor):
    env = {**editor("exit 1"), "VISUAL": "sed -i s/Old/New/"}
    assert personal.json("edit", "whales", env=env)["operation"] == "edited"


def test_a_file_left_as_it_was_is_not_written(personal, whales, editor, drafts):
    before = whales.stat()
    assert personal.json("edit", "whales", env=editor("true"))["operation"] == "unchanged"
    after = whales.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert list(drafts.iterdir()) == []


def test_a_change_made_meanwhile_is_not_overwritten_and_the_text_is_kept(personal, whales, editor):
    env = editor(f'echo mine >> "$1"; echo theirs >> {whales}')
    result = personal.muninn("edit", "whales", env=env)
    assert result.code == 4
    assert whales.read_bytes() == DATA.encode() + b"theirs\n"
    kept = Path(result.err.rpartition("your text is kept in ")[2].strip())
    assert kept.read_bytes() == DATA.encode() + b"mine\n"


@pytest.mark.parametrize("script", ["exit 3", 'echo mine >> "$1"; exit 3'])
def test_an_editor_that_fails_changes_nothing(personal, whales, editor, script, drafts):
    result = personal.muninn("edit", "whales", env=editor(script))
    assert (result.code, whales.read_bytes()) == (1, DATA.encode())
    assert "ended with 3" in result.err
    assert ("your text is kept" in result.err) is ("mine" in script)
    assert bool(list(drafts.iterdir())) is ("mine" in script)


@pytest.mark.parametrize("name", ["no-such-editor", "'unbalanced"])
def test_an_editor_that_cannot_be_run_is_named(personal, whales, name):
    result = personal.muninn("edit", "whales", env={"EDITOR": name})
    assert (result.code, name in result.err) == (1, True)
    assert "set EDITOR" in result.err


@pytest.mark.parametrize("script", [': > "$1"', 'echo > "$1"'])
def test_a_text_is_not_emptied_by_an_edit(personal, whales, editor, drafts, script):
    result = personal.muninn("edit", "whales", env=editor(script))
    assert (result.code, whales.read_bytes()) == (2, DATA.encode())
    assert "muninn archive" in result.err
    assert list(drafts.iterdir()) == []


def test_without_a_terminal_no_editor_is_guessed(personal, whales):
    result = personal.muninn("edit", "whales", env={"EDITOR": "", "VISUAL": ""})
    assert (result.code, "no terminal" in result.err) == (1, True)


def test_a_person_may_break_a_file_and_is_told_the_line(personal, whales, editor):
    result = personal.muninn("edit", "whales", env=editor('sed -i "s/^title.*/title: a: b/" "$1"'))
    assert result.code == 0
    assert f"{whales}:3:" in result.err


def test_a_broken_file_can_be_mended(personal, editor):
    place = personal.put("broken.md", "---\ntitle: a: b\n---\ntext\n")
    personal.json("edit", "broken.md", env=editor("sed -i 's/a: b/whole/' \"$1\""))
    assert place.read_text() == "---\ntitle: whole\n---\ntext\n"
    assert personal.memory("broken.md")["title"] == "whole"


def test_an_archived_memory_is_not_edited(personal, whales, editor):
    personal.json("archive", "whales")
    result = personal.muninn("edit", "whales", env=editor("echo x >> $1"))
    assert result.code == 4
    assert "muninn restore" in result.err


def test_editing_is_no_use(personal, whales, editor, home):
    personal.json("edit", "whales", env=editor('sed -i s/Old/New/ "$1"'))
    assert not (home / "state" / "usage").exists()
