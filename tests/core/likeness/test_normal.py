"""The normal form drops the way of writing and keeps every mark that carries a value."""

from __future__ import annotations

import hashlib

import pytest

from muninn_cli.core.likeness import Text, normal_form, text_hash, veto
from muninn_cli.core.likeness.reading import read


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("El  Puerto, es:\t8123.", "el puerto es 8123"),
        ("«Hola» — dijo", "hola dijo"),
        ("# Title\n\n- **bold** and _soft_", "title bold and soft"),
        ("[the guide](https://example.com/x)", "the guide https://example.com/x"),
        ("Ports: 80,443; 5 % of $ 9", "ports 80,443 5 % of $9"),
        ("1.5 or -5 or 5% or C# or C++", "1.5 or -5 or 5% or c# or c++"),
        ("/etc/Hosts and ./run --force", "/etc/Hosts and ./run --force"),
        ("ﬁle ２", "file 2"),
        ("10² is no 102", "10^2 is no 102"),
        ("a->b, x=3", "a -> b x = 3"),
        ("", ""),
    ],
)
def test_the_normal_form(text: str, form: str) -> None:
    assert normal_form(text) == form


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("version 1.5", "version 15"),
        ("10:30", "1030"),
        ("a.b", "ab"),
        ("5%", "5"),
        ("-5", "5"),
        ("C#", "C"),
        (".env", "env"),
        ("`a == b`", "`a != b`"),
        ("~~no~~ yes", "no yes"),
        ("No, espere", "No espere"),
        ("We ship today?", "We ship today."),
        ("- [x] done", "- [ ] done"),
        ("ok ✅", "ok ❌"),
        ("100 Mb", "100 MB"),
        ("5m rows", "5M rows"),
        ("git -d", "git -D"),
    ],
)
def test_marks_that_carry_a_value_stay(a: str, b: str) -> None:
    assert normal_form(a) != normal_form(b)
    assert text_hash(a) != text_hash(b)


def test_composed_and_decomposed_accents_are_one_text() -> None:
    assert text_hash("conexión") == text_hash("conexio\u0301n")


def test_the_hash_is_sha256_of_the_normal_form() -> None:
    assert text_hash("El  Puerto es 8123!") == hashlib.sha256(b"el puerto es 8123").digest()


@pytest.mark.parametrize(
    "part",
    [
        " ",
        "-",
        "`",
        "[",
        "[a](",
        "a.",
        "1,",
        "- ",
        "\n\n",
        ", ",
        "**",
        "twenty ",
        "mil y ",
        "5 of ",
        "=",
    ],
)
def test_a_long_hostile_text_is_read_to_its_end(part: str) -> None:
    """A pattern that goes back and forth in it would not end in an hour."""
    text = part * (100_000 // len(part))
    assert len(read(text).tokens) <= len(text)
    assert normal_form(f"{text} end").endswith("end")


def test_one_word_is_found_in_two_long_texts() -> None:
    long = " ".join(f"Line {n} says that item{n} costs {n} euros." for n in range(2000))
    found = veto(Text("", long), Text("", long.replace("item1999 costs", "item1999 cost")))
    assert found is not None
    assert (found.left, found.right) == ("costs", "cost")
