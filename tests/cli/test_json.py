"""What --json prints: one document of a shape that others may rely on, for every command."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pytest
from examples import ALL, git_on, run

from muninn_cli.cli.group import COMMANDS, examples

TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?")
TEXT, NUMBER, FLAG, ANY = str, (int, float), bool, object


@dataclass(frozen=True)
class Maybe:
    """A value of this shape, or null."""

    shape: object


@dataclass(frozen=True)
class Open:
    """An object with at least these keys."""

    shape: dict


def faults(value, shape, place: str = "$") -> list[str]:
    """Where a value is not of a shape: a type, a pattern, a list of one shape, or an object."""
    match shape:
        case Maybe(shape=inner):
            return [] if value is None else faults(value, inner, place)
        case Open(shape=inner) if isinstance(value, dict):
            return faults({key: value[key] for key in inner if key in value}, inner, place)
        case re.Pattern():
            return (
                [] if isinstance(value, str) and shape.fullmatch(value) else [f"{place}: {value}"]
            )
        case [inner] if isinstance(value, list):
            return [
                each
                for n, item in enumerate(value)
                for each in faults(item, inner, f"{place}[{n}]")
            ]
        case dict() if isinstance(value, dict):
            odd = [f"{place}: {key}" for key in sorted(value.keys() ^ shape.keys())]
            both = sorted(value.keys() & shape.keys())
            return odd + [f for k in both for f in faults(value[k], shape[k], f"{place}.{k}")]
        case type() | tuple() if isinstance(value, bool) and shape not in (bool, object):
            return [f"{place}: {value!r}"]
        case type() | tuple() if isinstance(value, shape):
            return []
    return [f"{place}: {value!r} is no {shape}"]


HIT = {
    "id": TEXT,
    "vault": TEXT,
    "path": TEXT,
    "title": TEXT,
    "tier": re.compile("T[0-3]"),
    "type": re.compile("semantic|episodic|procedural"),
    "tags": [TEXT],
    "score": Maybe(NUMBER),
    "cosine": Maybe(NUMBER),
    "snippet": TEXT,
    "created": Maybe(TIME),
    "expires": Maybe(TIME),
    "state": re.compile("live|expired|superseded|archived"),
}
HITS = {"hits": [HIT], "notices": [TEXT]}
DONE = {"operation": TEXT, "id": TEXT, "vault": TEXT, "path": TEXT}
ARCHIVED = {
    "id": TEXT,
    "handle": TEXT,
    "vault": TEXT,
    "path": TEXT,
    "file": TEXT,
    "kind": re.compile("memory|version|incoming"),
    "reason": TEXT,
    "into": Maybe(TEXT),
    "run": Maybe(TEXT),
    "at": TIME,
}
VAULT = {
    "name": TEXT,
    "id": TEXT,
    "path": TEXT,
    "kind": TEXT,
    "managed": FLAG,
    "git": FLAG,
    "providers": [TEXT],
}
ONE_VAULT = {"operation": TEXT, "vault": VAULT}
SETTING = {"key": TEXT, "value": ANY, "origin": TEXT, "place": TEXT}
RECORD = {
    "v": int,
    "id": TEXT,
    "vault": TEXT,
    "path": TEXT,
    "state": TEXT,
    "title": TEXT,
    "type": TEXT,
    "tier": TEXT,
    "tags": [TEXT],
    "source": TEXT,
    "pinned": FLAG,
    "consolidate": FLAG,
    "created": Maybe(TIME),
    "updated": Maybe(TIME),
    "body": TEXT,
    "raw": TEXT,
}
SYNCED = {
    "operation": TEXT,
    "added": int,
    "changed": int,
    "moved": int,
    "removed": int,
    "problems": [{"vault": TEXT, "path": TEXT, "line": int, "cause": TEXT}],
    "failures": [{"vault": TEXT, "cause": TEXT}],
    "notices": [TEXT],
}
TIERED = {"vault": TEXT, "id": TEXT, "from": TEXT, "to": TEXT}
GONE = {"vault": TEXT, "id": TEXT, "reason": TEXT}
SUGGESTIONS = {"suggestions": [Open({"number": int, "kind": TEXT, "memories": [dict]})]}
SHAPES = {
    "muninn add": DONE
    | {"dry_run": FLAG, "title": TEXT, "file": TEXT, "tier": TEXT, "rule": TEXT}
    | {"expires": Maybe(TIME), "similar": [dict]}
    | {"match": Maybe({"id": TEXT, "cosine": NUMBER, "pass": TEXT})},
    "muninn edit": DONE,
    "muninn import": {
        "operation": TEXT,
        "dry_run": FLAG,
        "run": Maybe(TEXT),
        "imported": [{"from": TEXT, "id": TEXT, "vault": TEXT, "path": TEXT}],
        "known": int,
        "left": [{"from": TEXT, "cause": TEXT}],
        "without_vault": dict,
        "unused_keys": [TEXT],
    },
    "muninn search": HITS,
    "muninn show": {
        "memory": Open(
            HIT
            | {
                "body": TEXT,
                "usage": {"recalls": int, "last_recall": Maybe(TIME), "stability": NUMBER},
            }
        )
    },
    "muninn history": Open({"id": TEXT, "commits": [Open({"commit": TEXT, "time": TIME})]}),
    "muninn list": HITS,
    "muninn export": {"memories": [Open(RECORD)]},
    "muninn start": Open({"operation": TEXT, "memories": int, "vaults": int}),
    "muninn stop": Open({"operation": TEXT}),
    "muninn dream": Open({"operation": TEXT, "run": Maybe(TEXT), "dry_run": FLAG, "journal": TEXT}),
    "muninn journal": {"entries": [ANY]},
    "muninn review": SUGGESTIONS,
    "muninn review list": SUGGESTIONS,
    "muninn review accept": {"operation": TEXT, "number": int, "run": TEXT},
    "muninn review dismiss": {"operation": TEXT, "number": int},
    "muninn undo": Open({"operation": TEXT, "run": TEXT, "files": int, "left": list}),
    "muninn expiring": HITS,
    "muninn sweep": {"operation": TEXT, "dry_run": FLAG, "run": Maybe(TEXT)}
    | {"promoted": [TIERED], "archived": [GONE], "held": [GONE]},
    "muninn pin": DONE,
    "muninn unpin": DONE,
    "muninn tier set": DONE | {"tier": TEXT, "before": TEXT},
    "muninn supersede": Open(
        {"operation": TEXT, "id": TEXT, "path": TEXT, "by": TEXT, "run": TEXT}
    ),
    "muninn archive": DONE,
    "muninn archive list": {"archived": [ARCHIVED]},
    "muninn archive search": {"archived": [ARCHIVED]},
    "muninn archive show": {"memory": ARCHIVED | {"title": TEXT, "body": TEXT}},
    "muninn restore": DONE,
    "muninn purge": DONE | {"files": [TEXT], "commits": [TEXT], "merged": [TEXT]},
    "muninn init": Open({"operation": TEXT, "home": TEXT, "config": TEXT}),
    "muninn vault create": ONE_VAULT,
    "muninn vault add": ONE_VAULT,
    "muninn vault list": {"vaults": [VAULT]},
    "muninn vault show": {"vault": VAULT},
    "muninn vault manage": ONE_VAULT,
    "muninn vault git": ONE_VAULT,
    "muninn vault rename": ONE_VAULT,
    "muninn vault remove": ONE_VAULT,
    "muninn status": Open({"home": TEXT, "vaults": [Open({"name": TEXT, "tiers": dict})]}),
    "muninn sync": SYNCED,
    "muninn reindex": SYNCED,
    "muninn doctor": Open({"operation": TEXT, "healthy": FLAG, "findings": [dict]}),
    "muninn config get": SETTING,
    "muninn config set": {"operation": TEXT, "key": TEXT, "value": ANY},
    "muninn config unset": {"operation": TEXT, "key": TEXT, "value": ANY},
    "muninn config list": {"settings": [SETTING]},
    "muninn config path": {"path": TEXT, "exists": FLAG},
    "muninn completion": {"shell": TEXT, "script": TEXT},
}
SHOWS = {"muninn demo"}
"""A show for people, of commands that have shapes of their own."""
PREPARED = {
    "muninn archive list": [["archive", "Door code"]],
    "muninn archive search": [["archive", "Old release runbook"]],
    "muninn archive show": [["archive", "Old release runbook"]],
    "muninn restore": [["archive", "Old release runbook"]],
    "muninn undo": [["supersede", "API version 1", "API version 2"]],
    "muninn vault manage": [["vault", "add", "notes"]],
    "muninn vault remove": [["vault", "add", "notes"]],
}
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
    assert set(SHAPES) == set(ALL) - GROUPS - SHOWS


@pytest.mark.parametrize("path", SHAPES)
def test_a_document_has_the_shape_of_its_command(here, path):
    if path.startswith("muninn review "):
        for text in ("The desk is open on Monday.", "The desk is open on Friday."):
            here("add", text, "--force")
        here("dream", "--force", "--no-llm")
    for words in PREPARED.get(path, []):
        assert here(*words, env=git_on(here.cwd)).code == 0
    line = examples(ALL[path])[0].replace("dismiss 3", "dismiss 1")
    answer = run(here, line.replace("muninn ", "muninn --json ", 1))
    assert answer.code == 0, answer.err
    found = document(answer.out)
    assert found.pop("v") == 1
    assert faults(found, SHAPES[path]) == []


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
    assert {path.split()[1] for path in SHAPES} | {"demo", "tier"} >= set(COMMANDS)
