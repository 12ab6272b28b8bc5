"""Help that can be believed: every example runs, every summary is that of its command."""

from __future__ import annotations

import re

import pytest
from examples import ALL, git_on, run

from muninn_cli.cli.group import COMMANDS, SECTIONS, examples

ALIKE = (
    "The billing server listens on port 8080.",
    "The billing server listens on port 8081.",
    "The search server is restarted on Monday.",
    "The search server is restarted on Friday.",
    "The nightly backup of the database is written to the vault in Madrid.",
    "Every night the database backup gets written to the Madrid vault.",
    "New colleagues receive their laptop on the first working day.",
    "New colleagues get a laptop on their first day of work.",
)
"""Four pairs that a dream without a model leaves to a person."""
PREPARED = {
    "muninn archive search": [["archive", "Old release runbook"]],
    "muninn archive show": [["archive", "Old release runbook"]],
    "muninn restore": [["archive", "Old release runbook"], ["archive", "Release runbook"]],
    "muninn vault": [["vault", "remove", "work"]],
    "muninn undo": [
        ["supersede", "API version 1", "API version 2"],
        ["supersede", "Old release runbook", "Release runbook"],
    ],
    "muninn vault manage": [["vault", "add", "notes"]],
    "muninn vault show": [["vault", "add", "notes"]],
    "muninn vault remove": [["vault", "add", "notes"]],
}
TWICE = {"muninn vault add": ["vault", "remove", "notes"], "muninn init": []}
"""What has to happen between two examples, so that the second can be run too."""


@pytest.mark.parametrize("path", ALL)
def test_every_command_has_examples_of_itself(path):
    shown = examples(ALL[path])
    assert 2 <= len(shown) <= 3
    assert any(f"{path} " in f"{line} " for line in shown)
    assert all(len(line) <= 76 for line in shown)


@pytest.mark.parametrize("path", [path for path in ALL if path.split()[1:2] != ["review"]])
def test_every_example_runs(here, path):
    for words in PREPARED.get(path, []):
        assert here(*words, env=git_on(here.cwd)).code == 0, words
    for number, line in enumerate(examples(ALL[path])):
        if number and path in TWICE:
            here(*TWICE[path])
        answer = run(here, line)
        assert (answer.code, line) == (0, line), answer.err
        assert "Traceback" not in answer.err


@pytest.mark.parametrize("path", [path for path in ALL if path.split()[1:2] == ["review"]])
def test_every_example_of_a_review_runs(here, path):
    for text in ALIKE:
        here("add", text, "--force")
    here("dream", "--force", "--no-llm")
    second = here("review", "--json").json["suggestions"][1]
    for line in examples(ALL[path]):
        answer = run(here, line.replace("M7N2XY01", second["memories"][0]["id"]))
        assert (answer.code, line) == (0, line), answer.err


def test_help_shows_the_examples_as_they_are(here):
    text = here("search", "--help", env={"COLUMNS": "40"}).out
    assert text.count("\nExamples:\n") == 1
    for line in examples(ALL["muninn search"]):
        assert f"\n  {line}\n" in text


WORDS = re.compile(r"[a-zñáéíóú]+")


@pytest.mark.parametrize("entry", COMMANDS.values(), ids=list(COMMANDS))
def test_the_overview_says_what_the_command_says(entry):
    """The two are written apart, since the overview loads no command; they share a word at least."""
    plain = {"a", "the", "of", "and", "what", "to", "in", "is", "for", "with", "your", "my", "it"}
    said = ALL[f"muninn {entry.name}"].help or ""
    both = set(WORDS.findall(entry.summary.lower())) & set(WORDS.findall(said.lower()))
    assert both - plain, (entry.summary, said)
    assert entry.summary[0].isupper()
    assert entry.summary.endswith(".")
    assert len(entry.summary) <= 66


def test_the_sections_of_the_overview_stand_in_the_order_of_use():
    assert list(SECTIONS) == ["Remember", "Recall", "Sleep", "Care"]


@pytest.mark.parametrize("path", ALL)
@pytest.mark.parametrize("width", [40, 80, 200])
def test_help_keeps_to_the_width(here, path, width):
    text = here(*path.split()[1:], "--help", env={"COLUMNS": str(width)}).out
    shown = examples(ALL[path])
    lines = [line for line in text.splitlines() if line.strip() not in shown]
    assert max(map(len, lines)) <= max(width, 42)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["serch", "x"], "search"),
        (["config", "gte"], "get"),
        (["list", "--vault", "wrok"], "work"),
        (["config", "get", "search.limt"], "search.limit"),
        (["search", "x", "--teir", "T1"], "--tier"),
        (["show", "Relase runbook"], "release runbook"),
        (["list", "--tag", "dokcer"], "docker"),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest(here, arguments, near):
    answer = here(*arguments)
    assert near in answer.err
    assert "did you mean" in answer.err.lower()
