"""What --json prints: one document of a shape that others may rely on, for every command."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from examples import ALL, git_on, run
from shapes import FLAG, HIT, RECORD, SHAPES, TEXT, Open, faults

from muninn_cli.cli.group import COMMANDS, examples

PREPARED = {
    "muninn archive list": [["archive", "Door code"]],
    "muninn archive search": [["archive", "Old release runbook"]],
    "muninn archive show": [["archive", "Old release runbook"]],
    "muninn restore": [["archive", "Old release runbook"]],
    "muninn undo": [["supersede", "API version 1", "API version 2"]],
    "muninn vault manage": [["vault", "add", "notes"]],
    "muninn vault remove": [["vault", "add", "notes"]],
}
MANUAL = tomllib.loads((Path(__file__).parents[2] / "man" / "json.toml").read_text())
"""Shapes as the manual has them, by the commands that print them."""
GROUPS = {"muninn", "muninn vault", "muninn tier", "muninn config"}
"""Commands that do nothing by themselves."""


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys)
    return dict(pairs)


def document(text: str) -> dict:
    """The one JSON document on one line that a text is; no NaN, no key twice."""
    assert text.endswith("\n")
    assert text.count("\n") == 1

    def refuse(constant: str):
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def test_every_command_has_a_shape():
    assert set(SHAPES) == set(ALL) - GROUPS


@pytest.mark.parametrize("path", SHAPES)
def test_a_document_has_the_shape_of_its_command(here, path):
    if path.startswith("muninn review "):
        for text in ("New colleagues receive a laptop.", "A new colleague gets a laptop."):
            here("add", text, "--force")
        here("dream", "--force", "--no-llm")
    for words in PREPARED.get(path, []):
        assert here(*words, env=git_on(here.cwd)).code == 0
    line = examples(ALL[path])[0].replace(" 3", " 1")
    answer = run(here, line.replace("muninn ", "muninn --json ", 1))
    assert answer.code == 0, answer.err
    found = document(answer.out)
    assert found.pop("v") == 1
    assert faults(found, SHAPES[path]) == []
    assert keys_of(found) - keys_in_manual(path) - OPTIONAL == set()


def keys_of(found: dict) -> set[str]:
    """The keys of a document, of the memory or vault in it, and of the first object of a list."""
    lists = (value[0] for value in found.values() if isinstance(value, list) and value)
    inner = [each for each in lists if isinstance(each, dict)]
    inner += [found[name] for name in ("memory", "vault") if isinstance(found.get(name), dict)]
    return set(found).union(*inner)


def keys_in_manual(path: str) -> set[str]:
    """The keys that the manual names for a command, also where it points to another's."""
    text = shape_in_manual(path.removeprefix("muninn "))
    for words, other in POINTERS.items():
        text += shape_in_manual(other) if words in text else ""
    return set(re.findall(r'"(\w+)"', text))


def shape_in_manual(command: str) -> str:
    return next(text for names, text in MANUAL.items() if command in names.split(", "))


POINTERS = {
    "{a hit": "list",
    "[hit]": "list",
    "one archived text": "archive list",
    "one of these": "vault list",
}
"""Words of the manual that stand for the shape of another command."""
OPTIONAL = {
    *("v", "tier_since"),
    *("category", "summary", "session", "superseded_by", "supersedes", "related", "aliases"),
    *("merged_from", "vault", "survivor", "losers", "reason", "by", "content"),
}
"""What the manual leaves to `…`: keys of a memory that few have, those of changes, and the
version, which it tells once."""


def test_the_manual_tells_of_no_command_that_is_not_there():
    told = {name for names in MANUAL for name in names.split(", ")}
    assert {f"muninn {name}" for name in told} - set(SHAPES) == {
        "muninn Failures",
        "muninn on standard error",
    }


@pytest.mark.parametrize(
    "words",
    [
        ["search", "release", "--ndjson"],
        ["list", "--ndjson"],
        ["expiring", "--days", "365", "--ndjson"],
    ],
)
def test_a_line_of_ndjson_is_a_hit(here, words):
    rows = here(*words).rows
    assert rows
    assert [faults(row, HIT) for row in rows if faults(row, HIT)] == []


def test_a_line_of_an_export_is_a_record(here):
    rows = here("export").rows
    assert len(rows) == 7
    assert [faults(row, Open(RECORD)) for row in rows if faults(row, Open(RECORD))] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "nothing of the sort"], "not_found"),
        (["show"], "usage"),
        (["nonsense"], "usage"),
        (["restore", "Release runbook"], "not_found"),
        (["export", "runbook.md"], "conflict"),
        (["config", "get", "nothing"], "not_found"),
    ],
)
def test_a_failure_is_a_document_on_stderr(here, words, code):
    answer = here(*words, "--json")
    assert answer.out == ""
    shape = {"v": int, "error": {"code": TEXT, "message": TEXT, "hint": TEXT}}
    found = document(answer.err)
    assert faults(found, shape) == []
    assert found["error"]["code"] == code


def test_a_wrong_shape_is_noticed():
    assert faults({"a": 1, "b": [True]}, {"a": TEXT, "b": [int], "c": FLAG}) == [
        "$: c",
        "$.a: 1 is no <class 'str'>",
        "$.b[0]: True",
    ]


def test_every_command_of_the_overview_is_covered():
    assert {path.split()[1] for path in SHAPES} | {"tier"} >= set(COMMANDS)
