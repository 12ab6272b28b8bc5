"""Shapes of what commands print with --json, and how a value is held against one."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    "muninn demo": {
        "operation": TEXT,
        "home": TEXT,
        "steps": [{"words": TEXT, "command": TEXT, "answer": Open({"v": int})}],
    },
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
    "muninn config path": {"path": TEXT, "exists": FLAG, "origin": TEXT},
    "muninn completion": {"shell": TEXT, "script": TEXT},
}
