"""What a mistyped word may have meant."""

from __future__ import annotations

import pytest

from muninn_cli.core.suggestion import did_you_mean

COMMANDS = ("add", "list", "search", "show", "tier", "people", "Café plan")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("serach", "search"), ("lst", "list"), ("SHOW", "show"), ("cafe plan", "Café plan")],
)
def test_a_slip_is_known(word: str, meant: str) -> None:
    assert did_you_mean(word, COMMANDS) == f'did you mean "{meant}"?'


@pytest.mark.parametrize("word", ["nope", "tidies", "delete", "", "zzz"])
def test_another_word_is_no_slip(word: str) -> None:
    assert did_you_mean(word, COMMANDS) == ""
