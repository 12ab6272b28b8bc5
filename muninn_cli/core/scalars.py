"""Values written as YAML: one scalar or flow list on one line, or the block of a new file.

Nothing here reads YAML or meets a file that exists. Other readers take more spellings for numbers
than PyYAML does, so a text that begins like a number is quoted.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from muninn_cli.core.times import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from muninn_cli.core.fields import Value

_ID_KEYS = frozenset({"id", "superseded_by", "supersedes", "merged_from", "related"})
"""Keys that hold ids: always in double quotes, since some ids look like numbers."""

_NUMBER_LIKE = re.compile(r"[-+.]?\d")
_NUMBER = re.compile(r"[-+]?(?:\.\d+|\d+\.?\d*)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+")
_NEEDS_ESCAPES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NO_WRAP = 2**31


def scalar(
    value: str | int | datetime, key: str = "", *, quote: str = "", in_flow: bool = False
) -> str:
    """One value as YAML. `quote` is ' or " where the value before had it; `in_flow` inside […]."""
    if isinstance(value, datetime):
        return f"{quote}{rfc3339(value)}{quote}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return _text(str(value), '"' if _needs_quotes(key, value) else quote, in_flow)


def flow_list(key: str, items: Iterable[str]) -> str:
    """`[a, b]` on one line."""
    return "[" + ", ".join(scalar(item, key, in_flow=True) for item in items) + "]"


def new_block(fields: Mapping[str, Value]) -> str:
    """The lines of a new file's front matter, in the order given, without a final newline."""
    from frontmatter.default_handlers import YAMLHandler

    values = {key: _marked(key, value) for key, value in fields.items()}
    return YAMLHandler().export(values, Dumper=_dumper(), sort_keys=False, width=_NO_WRAP)


def is_text(written: str) -> bool:
    """Whether every reader of YAML takes a plain scalar for text: no number, flag, date, nothing.

    PyYAML follows YAML 1.1; other readers take more for numbers, such as `12e4` or `0o17`.
    """
    import yaml

    tag = yaml.resolver.Resolver().resolve(yaml.ScalarNode, written, (True, False))  # type: ignore[no-untyped-call]
    return str(tag) == "tag:yaml.org,2002:str" and not _NUMBER.fullmatch(written)


def _needs_quotes(key: str, text: str) -> bool:
    """Whether a text goes in double quotes: an id, an escape, or what looks like a number."""
    return key in _ID_KEYS or bool(_NEEDS_ESCAPES.search(text) or _NUMBER_LIKE.match(text))


def _text(text: str, quote: str, in_flow: bool) -> str:
    import yaml

    options: dict[str, Any] = {"width": _NO_WRAP, "allow_unicode": True}
    options["default_style"] = quote or None
    if in_flow:
        return str(yaml.safe_dump([text], default_flow_style=True, **options))[1:-2]
    pair = str(yaml.safe_dump({"k": text}, default_flow_style=False, **options))
    return pair.partition(": ")[2][:-1]


class _Quoted(str):
    """A text that goes in double quotes."""

    __slots__ = ()


def _marked(key: str, value: Value) -> object:
    if isinstance(value, tuple):
        return [_marked(key, item) for item in value]
    if isinstance(value, str):
        return _Quoted(value) if _needs_quotes(key, value) else str(value)
    return value


@cache
def _dumper() -> Any:
    """A dumper that quotes _Quoted texts, puts lists on one line, writes instants in RFC 3339."""
    import yaml

    def quoted(dumper: yaml.SafeDumper, value: _Quoted) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(value), style='"')

    def instant(dumper: yaml.SafeDumper, value: datetime) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:timestamp", rfc3339(value))

    def one_line(dumper: yaml.SafeDumper, value: list[object]) -> yaml.SequenceNode:
        return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, _data: object) -> bool:
            return True

    Dumper.add_representer(_Quoted, quoted)
    Dumper.add_representer(list, one_line)
    Dumper.add_representer(datetime, instant)
    return Dumper
