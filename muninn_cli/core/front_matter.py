"""Front matter: where it lies in a text, and its entries as YAML nodes in the writer's own words.

Nothing is constructed: no boolean, no date, no object of a tag, no copy of an alias. Entries
keep their order and their doubled and foreign keys. Nothing here knows what a key means.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from muninn_cli.core.memory import Problem

MAX_DEPTH = 100
"""Collections inside one another; deeper, a parser of YAML may overflow its stack."""

_BREAK = r"(?:\r\n|\r|\n)"
_OPENING = re.compile(rf"\ufeff*---[ \t]*{_BREAK}")
_CLOSING = re.compile(rf"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:{_BREAK}|\Z)")
_TOML = re.compile(rf"\+\+\+[ \t]*{_BREAK}")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_STAND_IN = 0xF0000
"""Added to a character that YAML forbids or takes for a line end: a private one of equal width."""
_STANDARD_TAG = "tag:yaml.org,2002:"


class MalformedError(Exception):
    """Front matter that does not parse; `problem` says where and why."""

    def __init__(self, line: int, cause: str) -> None:
        super().__init__(cause)
        self.problem = Problem(line, cause)


class Node(Protocol):
    """A node of PyYAML as far as it is used here: `id` is scalar, sequence or mapping."""

    id: str
    tag: str
    value: Any
    start_mark: Any
    end_mark: Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a block. The marks of its nodes are offsets into `block`."""

    key: str
    name: Node
    value: Node
    block: str

    @property
    def line(self) -> int:
        """The line of the key in the file, whose line 1 is the opening fence."""
        return int(self.name.start_mark.line) + 2

    @property
    def is_alias(self) -> bool:
        """Whether the value is `*name`: its node, and its marks, are then those of the anchor."""
        return bool(self.value.start_mark.index < self.name.end_mark.index)

    def source(self, node: Node) -> str:
        """The text of a node as it was written."""
        return self.block[node.start_mark.index : node.end_mark.index]


@dataclass(frozen=True, slots=True)
class Document:
    """A text in four pieces, which joined are the text, and the entries of its front matter.

    `head` is the byte order mark and the opening fence, `fence` the closing one, each with its
    line end. With a `problem` the front matter does not parse: then all but the byte order mark
    is `body`, and the prose begins at `prose` in it, after what was meant as front matter.
    """

    head: str
    block: str
    fence: str
    body: str
    entries: tuple[Entry, ...] = ()
    problem: Problem | None = None
    prose: int = 0


def parse(text: str) -> Document:
    """Cut a text into its pieces and read its front matter. Never raises."""
    opening = _OPENING.match(text)
    if opening is None:
        return _without(text, _other_format(text))
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return _without(text, Problem(1, "front matter is opened by --- and never closed"))
    block = text[opening.end() : closing.start()]
    try:
        found = entries(block)
    except MalformedError as error:
        return _without(text, error.problem, closing.end())
    return Document(opening.group(), block, closing.group(), text[closing.end() :], found)


def _without(text: str, problem: Problem | None, prose: int = 0) -> Document:
    body = text.lstrip("\ufeff")
    mark = len(text) - len(body)
    return Document(text[:mark], "", "", body, (), problem, max(prose - mark, 0))


def _other_format(text: str) -> Problem | None:
    """TOML between +++, or a JSON object, at the start: kept as body."""
    text = text[:100_000].lstrip("\ufeff")
    if _TOML.match(text):
        return Problem(1, "front matter in TOML (+++) is not read")
    if text.startswith("{") and _begins_with_json(text):
        return Problem(1, "front matter in JSON is not read")
    return None


def _begins_with_json(text: str) -> bool:
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return bool(value)


def entries(block: str) -> tuple[Entry, ...]:
    """The entries of a block (the text between the fences), in order.

    Raises MalformedError where it is not a mapping in YAML, has a tag of its own (`!Thing`), or
    nests deeper than MAX_DEPTH.
    """
    root = _compose(block)
    if root is None:
        return ()
    if root.id != "mapping":
        raise MalformedError(2, "front matter is no list of `key: value`")
    return tuple(Entry(_key(name, block), name, value, block) for name, value in root.value)


def _key(name: Node, block: str) -> str:
    if name.id == "scalar":
        return str(name.value)
    return block[name.start_mark.index : name.end_mark.index]


def _compose(block: str) -> Node | None:
    import yaml

    printable = _UNPRINTABLE.sub(lambda match: chr(ord(match[0]) + _STAND_IN), block)
    try:
        composed: Any = yaml.compose(printable, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise MalformedError(mark.line + 2 if mark else 1, _cause(error)) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise MalformedError(1, f"front matter does not parse: {error}") from None
    root: Node | None = composed
    if root is not None and ("!" in block or printable != block):
        _settle(root, _restored(block) if printable != block else {})
    return root


def _cause(error: Any) -> str:
    parts = (error.context, error.problem)
    return "front matter does not parse: " + ", ".join(part for part in parts if part)


def _restored(block: str) -> dict[int, str]:
    return {ord(char) + _STAND_IN: char for char in set(_UNPRINTABLE.findall(block))}


def _settle(root: Node, restored: dict[int, str]) -> None:
    """Refuse tags that are not YAML's own, and put unprintable characters back into values."""
    nodes = [root]
    seen: set[int] = set()
    for node in nodes:  # which grows meanwhile
        if id(node) in seen:
            continue
        seen.add(id(node))
        tag = node.tag.removeprefix(_STANDARD_TAG)
        if tag.startswith(("!", "tag:", "python/")) and tag != "!":
            raise MalformedError(node.start_mark.line + 2, f"the tag {tag} is never constructed")
        if node.id == "scalar":
            node.value = node.value.translate(restored)
        elif node.id == "sequence":
            nodes += node.value
        else:
            nodes += (part for pair in node.value for part in pair)


@cache
def _loader() -> Any:
    """A loader that resolves no tag, which halves its time, and counts depth as it descends."""
    import yaml

    def descend(self: Any, parent: Node | None, _index: object) -> None:
        self.depth = getattr(self, "depth", 0) + 1
        if parent is not None and self.depth > MAX_DEPTH:
            cause = f"front matter nests deeper than {MAX_DEPTH} levels"
            raise MalformedError(parent.start_mark.line + 2, cause)

    def ascend(self: Any) -> None:
        self.depth -= 1

    def resolve(_self: Any, _kind: object, _value: object, _implicit: object) -> str:
        return ""

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    hooks = {"descend_resolver": descend, "ascend_resolver": ascend, "resolve": resolve}
    return type("Loader", (base,), hooks)
