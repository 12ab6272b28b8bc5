"""File names: portable to every system, and never one that a walk would skip."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.naming import collision_key, is_conflict_copy, is_skipped_name, slug


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Docker network timeouts", "docker-network-timeouts"),
        ("MAPA DE RUTA!", "mapa-de-ruta"),
        ("mapa-de-ruta", "mapa-de-ruta"),
        ("  ¿Qué pasó en la conexión? ", "que-paso-en-la-conexion"),
        ("Straße_und C++/C#", "strasse-und-c-c"),
        ("東京 の 天気", "東京-の-天気"),
        ("が", "が"),
        ("हिन्दी", "हिन्दी"),
        ("С новым годом", "с-новым-годом"),
        ("ＦＵＬＬ width ²", "full-width-2"),
        ("C:\\temp", "c-temp"),
        ("<a>|b*", "a-b"),
        ("..", "untitled"),
        ("", "untitled"),
        ("❤️ 🎉", "untitled"),
        ("️❤️ ok", "ok"),
        ("-rf", "rf"),
        (".hidden", "hidden"),
        ("fin.", "fin"),
        ("a\x00b\nc", "a-b-c"),
        ("x\udcffy", "x-y"),
        ("nul.tar", "nul-tar"),
    ],
)
def test_slugs_are_readable_and_plain(title, stem):
    assert slug(title) == stem


@pytest.mark.parametrize(
    "device", ["con", "PRN", "Aux", "nul", "COM1", "com0", "lpt9", "LPT¹", "conin$", "CON ", "aux."]
)
def test_names_of_windows_devices_are_avoided(device):
    assert slug(device).endswith("-memory")


def test_long_titles_are_cut_between_words():
    stem = slug("word " * 100)
    assert len(stem) <= 120
    assert stem.endswith("-word")
    assert len(slug("x" * 1000)) == 120
    assert len(slug("長" * 1000).encode()) == 120


@given(st.text(max_size=80))
def test_any_title_gives_a_portable_name(title):
    stem = slug(title)
    assert stem
    assert len(stem.encode()) <= 130
    assert stem == unicodedata.normalize("NFC", stem)
    assert not set(stem) & set('<>:"/\\|?*. \t\n\0~#%')
    assert stem[0] != "-"
    assert stem[-1] != "-"
    assert slug(stem) == stem
    assert not is_skipped_name(f"{stem}.md")
    assert not is_conflict_copy(f"{stem}.md")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Notas.md", "notas.MD"), ("conexión.md", "conexio\u0301n.md"), ("É", "e\u0301"), ("ß", "SS")],
)
def test_names_that_are_one_file_somewhere_collide(one, other):
    assert collision_key(one) == collision_key(other)


def test_other_names_do_not_collide():
    assert collision_key("canon.md") != collision_key("cañon.md")


@pytest.mark.parametrize(
    "name",
    ["note~.md", "note.md~", ".note.md.swp", "#note.md#", "note.md.tmp", ".#note.md", "~$note.md", ".obsidian",
     ".git", "node_modules", "a.md.bak", "a.MD.ORIG", "b.crdownload"],
)  # fmt: skip
def test_leftovers_are_skipped(name):
    assert is_skipped_name(name)


@pytest.mark.parametrize(
    "name",
    ["note.md", "-rf.md", "50%#1.md", "comi'lla\".md", "a~b.md", "x~7K3C1B0A.md", "#tag.md", "aux.md", "part.md",
     "project.tmp.md", "line\nbreak.md", "nodes_modules", "temporal.md"],
)  # fmt: skip
def test_other_names_are_memories(name):
    assert not is_skipped_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "nota.sync-conflict-20260112-003022-ABCDEF7.md",
        "nota (Conflicted copy portatil 202603121129).md",
        "nota (Juan's conflicted copy 2024-01-01).md",
        "nota (conflicted copy 2026-01-12 003022).md",
        "nota (Copia en conflicto de Ana 2024-01-01).md",
        "nota (Case Conflict).md",
    ],
)
def test_copies_of_a_sync_program_are_known(name):
    assert is_conflict_copy(name)


@pytest.mark.parametrize(
    "name", ["nota.md", "merge-conflict-2026-01-02.md", "sync-conflict.md", "conflicted copy.md"]
)
def test_notes_about_conflicts_are_no_copies(name):
    assert not is_conflict_copy(name)
