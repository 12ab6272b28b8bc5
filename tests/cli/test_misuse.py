"""A wrong command line is answered in plain words, and with what to type instead."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["search"], "QUERY is missing", 'for example: muninn search "'),
        (["completion"], "SHELL is missing: one of bash, zsh, fish", "for example: muninn comp"),
        (["search", "x", "--mode", "fuzzy"], "--mode must be one of hybrid, ", "`muninn search --"),
        (["search", "x", "--mode", "sematic"], "not 'sematic'", 'did you mean "semantic"?'),
        (["list", "--limit", "0"], "--limit must be a whole number of at least 1, not 0", "--help"),
        (["list", "--limit", "x"], "a whole number of at least 1, not 'x'", "--help"),
        (["search", "x", "--min-score", "5"], "a number from -1 to 1, not 5.0", "--help"),
        (["review", "accept", "x"], "NUMBER must be a whole number, not 'x'", "review accept 3"),
        (["tier", "set", "A", "T9"], "TIER must be one of T0, T1, T2, T3, not 'T9'", "tier set "),
        (["list", "--jsno"], "no such option: --jsno", 'did you mean "--json"?'),
        (["add", "-x"], "no such option: -x", "goes after --"),
        (["add", "a", "b", "c"], "too many words: b c", "stands in quotes"),
        (["list", "--vault"], "--vault needs a value", "--help"),
        (["tier", "A note", "t1"], "no such command: muninn tier A note", "tier set 'A note' T1"),
        (["tier", "sett", "A", "T1"], "no such command: muninn tier sett", 'did you mean "set"?'),
    ],
)
def test_what_is_wrong_and_what_to_type(muninn, words, message, hint):
    answer = muninn("--json", *words)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.error["message"]
    assert hint in answer.error["hint"]


@pytest.mark.parametrize("words", [["show"], ["list", "--limit", "x"], ["nope"], ["add", "a", "b"]])
def test_a_failure_is_a_line_and_its_hint(muninn, words):
    lines = muninn(*words).err.splitlines()
    assert [line[:2] for line in lines] == ["mu", "  "]


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        (["help"], ["--help"]),
        (["help", "search"], ["search", "--help"]),
        (["help", "tier", "set"], ["tier", "set", "--help"]),
        (["--json", "help", "vault"], ["vault", "--help"]),
    ],
)
def test_help_may_be_asked_for_as_in_git(muninn, asked, same):
    assert muninn(*asked) == muninn(*same)
    assert muninn(*asked).out.startswith("Usage: muninn ")
    assert not muninn.home.exists()


def test_help_about_nothing_is_answered_with_the_nearest(muninn):
    answer = muninn("help", "serch")
    assert (answer.code, answer.out) == (2, "")
    assert 'did you mean "search"?' in answer.err
