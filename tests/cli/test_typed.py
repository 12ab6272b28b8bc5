"""Where the text of `muninn add` comes from: an argument, standard input, an editor; UTF-8 always."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Stream

from muninn_cli.cli import main

TEXT = "The staging database is reset every Monday."


def test_a_text_comes_from_standard_input(personal):
    for arguments in (["-"], []):
        answer = personal.json("add", *arguments, "--force", stdin=f"\ufeff{TEXT}\r\n")
        assert personal.memory(answer["id"])["body"] == f"{TEXT}\r\n"


def test_standard_input_that_is_no_utf8_is_refused_rather_than_changed(personal):
    result = personal.muninn("add", "-", stdin="caf\udce9 solo")
    assert (result.code, "UTF-8" in result.err) == (5, True)
    assert personal.files() == {}


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_no_locale_changes_a_letter(muninn_process, personal, locale):
    text = "El café está frío: ñandú, 日本."
    said = muninn_process("add", text, "--title", "Café ñ", "--json", env=locale).json
    read = muninn_process("add", "-", "--force", "--json", stdin=text, env=locale).json
    assert personal.memory(said["id"])["title"] == "Café ñ"
    for answer in (said, read):
        assert personal.memory(answer["id"])["body"] == f"{text}\n"
    personal.put("ñandú.md", "Otro.\n")
    assert "ñandú.md" in muninn_process("list", env=locale).out
    assert muninn_process("show", "Café ñ", env=locale).code == 0


def test_nul_characters_are_refused(personal):
    assert personal.muninn("add", "-", stdin="text\0" * 20).code == 2
    assert personal.files() == {}


def test_an_argument_that_is_no_utf8_is_refused(personal):
    result = personal.muninn("add", "caf\udce9 solo")
    assert result.code == 2
    assert personal.files() == {}


@pytest.mark.parametrize(("written", "code"), [("From the editor.", 0), ("", 2), (" \n", 2)])
def test_on_a_terminal_the_editor_opens(personal, tmp_path, written, code):
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\nprintf "%s" "{written}" > "$1"\n')
    editor.chmod(0o755)
    world = personal.muninn.world(env={"EDITOR": str(editor)})
    assert main(["add"], world._replace(stdin=Stream(terminal=True))) == code
    assert [data.decode().split("---\n")[2] for data in personal.files().values()] == (
        [f"{written}\n"] if code == 0 else []
    )


def test_what_was_typed_is_kept_when_it_cannot_be_stored(personal, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "A long thought." > "$1"\n')
    editor.chmod(0o755)
    personal.muninn("init")
    personal.root.rmdir()
    personal.root.write_text("no folder")
    world = personal.muninn.world(env={"EDITOR": str(editor)})
    assert main(["add"], world._replace(stdin=Stream(terminal=True))) == 3
    kept = world.stderr.text().rpartition("your text is kept in ")[2].strip()
    assert Path(kept).read_text() == "A long thought."


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_a_text_without_a_word_is_wrong_usage(personal, text):
    result = personal.muninn("add", text)
    assert (result.code, personal.files()) == (2, {})
    assert "no text" in result.err
