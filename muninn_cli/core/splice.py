"""Edits of front matter by slices: only the lines of the keys that change are touched.

Every result is read again and compared: what was asked for holds and all else means what it
meant, or the edit is refused. Nothing is ever dumped anew; order, comments, quotes and line ends
of everything else stay as they were written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core import fields, front_matter
from muninn_cli.core.front_matter import Entry, MalformedError
from muninn_cli.core.scalars import flow_list, scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from muninn_cli.core.fields import Value
    from muninn_cli.core.front_matter import Node

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_ITEM_PREFIX = re.compile(r"[ ]*-[ ]+")


class _Slice(NamedTuple):
    """`text` in place of what lies between two offsets of a block."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A block to be edited, and the line end it uses."""

    text: str
    line_end: str

    @property
    def is_flow(self) -> bool:
        """Whether the whole block is one `{…}`."""
        return self.text.lstrip().startswith("{")

    def start_of_line(self, offset: int) -> int:
        return 1 + max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset))

    def end_of_line(self, offset: int) -> int:
        match = _LINE.match(self.text, offset)
        return match.end() if match else offset


def change(text: str, changes: Mapping[str, Value | None], line_end: str) -> str:
    """The block of front matter `text` with these keys set, or removed where None.

    A key that says its value already stays as it is spelled; a new key is the last line. Of a
    doubled key the last one counts. Raises MalformedError where that cannot be done safely.
    """
    block = _Block(text, line_end)
    entries = front_matter.entries(text)
    wanted = {key: _wanted(key, value) for key, value in changes.items()}
    last = {entry.key: entry for entry in entries}
    slices: list[_Slice] = []
    for key, value in wanted.items():
        if value is None:
            slices += [_removal(block, entry) for entry in entries if entry.key == key]
        elif key in last and not fields.states(last[key], value):
            slices += _replacement(block, last[key], value)
    added = {key: value for key, value in wanted.items() if value is not None and key not in last}
    result = _joined(text, [*slices, *_addition(block, entries, added)])
    if result != text:
        _verify(entries, result, wanted)
    return result


def quoted(text: str, key: str) -> str:
    """The block with the value of `key` in double quotes, where it stands there without any.

    For values that need no escape. Of a doubled key the last one counts.
    """
    named = [entry for entry in front_matter.entries(text) if entry.key == key]
    if not named or named[-1].is_alias or named[-1].value.id != "scalar":
        return text
    node = named[-1].value
    start, end = node.start_mark.index, node.end_mark.index
    if getattr(node, "style", None) or start == end:
        return text
    return _joined(text, [_Slice(start, end, f'"{text[start:end]}"')])


def _wanted(key: str, value: Value | None) -> Value | None:
    return fields.cleaned(key, value) if isinstance(value, tuple) else value


def _joined(text: str, slices: Iterable[_Slice]) -> str:
    pieces, done = [], 0
    for piece in sorted(slices):
        pieces += [text[done : piece.start], piece.text]
        done = piece.end
    return "".join([*pieces, text[done:]])


def _removal(block: _Block, entry: Entry) -> _Slice:
    start = block.start_of_line(entry.name.start_mark.index)
    end = _colon(entry) if entry.is_alias else _content_end(block, entry.value)
    return _Slice(start, block.end_of_line(end), "")


def _addition(block: _Block, entries: Sequence[Entry], added: Mapping[str, Value]) -> list[_Slice]:
    """New keys, indented as the others, after the last line; inside the braces of a `{…}`."""
    if not added:
        return []
    pairs = [f"{scalar(key)}: {_written(block, key, value)}" for key, value in added.items()]
    if block.is_flow:
        end = block.text.rfind("}")
        return [_Slice(end, end, "".join(f", {pair}" for pair in pairs))]
    indent = " " * entries[0].name.start_mark.column if entries else ""
    end = len(block.text)
    return [_Slice(end, end, "".join(f"{indent}{pair}{block.line_end}" for pair in pairs))]


def _written(block: _Block, key: str, value: Value, quote: str = "") -> str:
    if isinstance(value, tuple):
        return flow_list(key, value)
    return scalar(value, key, quote=quote, in_flow=block.is_flow)


def _replacement(block: _Block, entry: Entry, value: Value) -> list[_Slice]:
    if entry.is_alias:
        raise MalformedError(entry.line, f"the value of `{entry.key}` is an alias")
    if isinstance(value, tuple) and entry.value.id == "sequence":
        slices = _list_edit(block, entry, value)
        if slices is not None:
            return slices
    return _whole(block, entry, value)


def _whole(block: _Block, entry: Entry, value: Value) -> list[_Slice]:
    """The value replaced, whatever it was; what stands after the colon on its line stays."""
    node = entry.value
    start, after_colon = node.start_mark.index, _colon(entry) + 1
    style = getattr(node, "style", None)
    new = _written(block, entry.key, value, style if style in ("'", '"') else "")
    if start == node.end_mark.index:  # an empty value has an empty slice
        return [_Slice(after_colon, after_colon, f" {new}")]
    end = _content_end(block, node)
    if _is_block_collection(node):
        rest = _Slice(block.end_of_line(after_colon), block.end_of_line(end), "")
        return [_Slice(after_colon, after_colon, f" {new}"), rest]
    return [_Slice(start, end, new)]


def _list_edit(block: _Block, entry: Entry, wanted: tuple[str, ...]) -> list[_Slice] | None:
    """Only the items that come or go; None where more than that changes."""
    nodes = entry.value.value
    texts = [fields.clean(entry.key, fields.item_text(entry, entry.value, item)) for item in nodes]
    kept = tuple(dict.fromkeys(text for text in texts if text in wanted))
    starts = [item.start_mark.index for item in nodes]
    if not kept or kept != wanted[: len(kept)] or starts != sorted(set(starts)):
        return None
    dropped = [number for number, text in enumerate(texts) if text and text not in wanted]
    new = wanted[len(kept) :]
    if not _is_block_collection(entry.value):
        return _flow_list_edit(entry, dropped, new)
    return _block_list_edit(block, entry, dropped, new)


def _block_list_edit(
    block: _Block, entry: Entry, dropped: Sequence[int], new: Sequence[str]
) -> list[_Slice] | None:
    nodes = entry.value.value
    starts = [block.start_of_line(item.start_mark.index) for item in nodes]
    ends = [block.end_of_line(_content_end(block, item)) for item in nodes]
    prefix = block.text[starts[0] : nodes[0].start_mark.index]
    if not _ITEM_PREFIX.fullmatch(prefix):
        return None
    lines = (f"{prefix}{scalar(item, entry.key)}{block.line_end}" for item in new)
    removals = [_Slice(starts[number], ends[number], "") for number in dropped]
    return [*removals, _Slice(ends[-1], ends[-1], "".join(lines))]


def _flow_list_edit(entry: Entry, dropped: Sequence[int], new: Sequence[str]) -> list[_Slice]:
    nodes = entry.value.value
    last = max(number for number in range(len(nodes)) if number not in dropped)
    removals = [
        _Slice(nodes[number].start_mark.index, nodes[number + 1].start_mark.index, "")
        for number in dropped
        if number < last
    ]
    items = "".join(f", {scalar(item, entry.key, in_flow=True)}" for item in new)
    return [*removals, _Slice(nodes[last].end_mark.index, nodes[-1].end_mark.index, items)]


def _is_block_collection(node: Node) -> bool:
    return node.id != "scalar" and not getattr(node, "flow_style", True)


def _content_end(block: _Block, node: Node) -> int:
    """Where what a node says ends: before the blank lines and comments that its slice swallows."""
    while _is_block_collection(node) and node.value:
        before, child = _last_two(node)
        if child.start_mark.index < before:
            raise MalformedError(node.start_mark.line + 2, "a value ends with an alias")
        node = child
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    if getattr(node, "style", None) in ("|", ">"):
        return start + len(block.text[start:end].rstrip(" \t\r\n"))
    return end


def _last_two(node: Node) -> tuple[int, Node]:
    """The last part of a collection, and the offset that it must lie after."""
    if node.id == "mapping":
        name, value = node.value[-1]
        return name.end_mark.index, value
    before = node.value[-2].end_mark if len(node.value) > 1 else node.start_mark
    return before.index, node.value[-1]


def _colon(entry: Entry) -> int:
    colon = entry.block.find(":", entry.name.end_mark.index)
    if colon < 0:
        raise MalformedError(entry.line, f"`{entry.key}` has no colon")
    return colon


def _verify(before: Sequence[Entry], text: str, wanted: Mapping[str, Value | None]) -> None:
    """Read an edited block again: only the wanted keys may say something else than before."""
    after = front_matter.entries(text)
    last = {entry.key: entry for entry in after}
    for key, value in wanted.items():
        held = key not in last if value is None else key in last and fields.states(last[key], value)
        if not held:
            raise MalformedError(0, f"`{key}` cannot be edited here")
    if _meaning(before, wanted) != _meaning(after, wanted):
        raise MalformedError(0, "an edit would change other keys")


def _meaning(entries: Iterable[Entry], left_out: Mapping[str, object]) -> list[object]:
    """The values of all other entries as comparable shapes; an alias is the number of its node."""
    numbers: dict[int, int] = {}
    others = (entry for entry in entries if entry.key not in left_out)
    return [(_shape(entry.name, numbers), _shape(entry.value, numbers)) for entry in others]


def _shape(node: Node, numbers: dict[int, int]) -> object:
    if id(node) in numbers:
        return numbers[id(node)]
    numbers[id(node)] = len(numbers)
    if node.id == "scalar":
        return (node.tag, node.value, getattr(node, "style", ""))
    if node.id == "sequence":
        return (node.tag, [_shape(item, numbers) for item in node.value])
    return (node.tag, [(_shape(k, numbers), _shape(v, numbers)) for k, v in node.value])
