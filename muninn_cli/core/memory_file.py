"""The memory file: bytes to a Memory, and bytes to edited bytes.

Reading never raises, whatever the bytes. Front matter that does not parse is text of the body, and
such a file is never rewritten; nor is one that is not UTF-8. An edit touches only the lines of the
keys it is about. A file that exists is never rendered anew.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muninn_cli.core import splice
from muninn_cli.core.fields import Fields, pointed
from muninn_cli.core.front_matter import Document, MalformedError, parse
from muninn_cli.core.ids import derived_id
from muninn_cli.core.markdown import first_heading
from muninn_cli.core.memory import Memory, Problem
from muninn_cli.core.scalars import is_text, new_block
from muninn_cli.errors import UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muninn_cli.core.fields import Value

_LINE_END = re.compile(r"\r\n|\r|\n")
_NAME_PART = re.compile(r"[\s._-]+")
_NUL_RUN = b"\0" * 16


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Bytes that are no text of ours, and why: to be named, not listed, and not taken as gone."""

    cause: str


def read(data: bytes, path: str, vault_name: str) -> Memory | Unreadable:
    """The memory that these bytes state. `path` is relative to the vault, with `/`."""
    cause = _no_text(data)
    if cause:
        return Unreadable(cause)
    text, undecodable = _decoded(data)
    document = parse(text)
    fields = Fields(document.entries)
    memory_id = fields.id()
    title, name = fields.line("title"), _file_name(path)
    heading = "" if title else _heading(document)
    memory = Memory(
        id=memory_id or derived_id(vault_name, path),
        title=title or heading or name,
        body=document.body,
        type=fields.type(),
        tier=fields.tier(),
        tags=fields.list("tags"),
        source=fields.line("source"),
        category=fields.line("category"),
        summary=fields.text("summary"),
        session=fields.line("session"),
        importance=fields.importance(),
        pinned=fields.flag("pinned", default=False),
        consolidate=fields.flag("consolidate", default=True),
        created=fields.when("created"),
        updated=fields.when("updated"),
        valid_from=fields.when("valid_from"),
        expires=fields.when("expires"),
        tier_since=fields.when("tier_since"),
        aliases=fields.list("aliases"),
        related=fields.list("related"),
        merged_from=fields.list("merged_from"),
        supersedes=fields.list("supersedes"),
        superseded_by=pointed(fields.line("superseded_by")),
        written_id=bool(memory_id),
        stated_title=title or _claimed(name, heading),
        editable=undecodable is None and document.problem is None,
        problems=tuple(fields.problems),
    )
    causes = tuple(problem for problem in (undecodable, document.problem) if problem)
    return memory._replace(problems=causes + memory.problems) if causes else memory


def edit(data: bytes, changes: Mapping[str, Value | None]) -> bytes:
    """The bytes with these keys set, or removed where None; no other line differs.

    A file without front matter gets one. The same bytes come back where they say it all already.
    Raises UnreadableError where the file must not be rewritten or the edit would touch more than
    it should (the message has no path: the caller knows it).
    """
    _require_unicode(changes)
    document = _editable(data)
    line_end = _line_end(document)
    try:
        block = splice.change(document.block, changes, line_end)
    except MalformedError as error:
        raise _refused(error.problem) from None
    if block == document.block:
        return data
    edited = replace(document, block=block)
    if not document.fence:
        fence = f"---{line_end}"
        edited = replace(edited, head=document.head + fence, fence=fence)
    return _checked(edited)


def quote_id(data: bytes) -> bytes:
    """The bytes with the id in quotes, where YAML would take it for a number, a flag or a date.

    Raises UnreadableError as `edit` does.
    """
    document = _editable(data)
    memory_id = Fields(document.entries).id()
    if not memory_id or is_text(memory_id):
        return data
    return _checked(replace(document, block=splice.quoted(document.block, "id")))


def replace_body(data: bytes, body: str) -> bytes:
    """The bytes with another body; front matter stays as it is.

    `\\n` becomes `\\r\\n` in a file whose every line ends so. Raises UnreadableError as `edit`
    does, and where a body with no front matter before it would be taken for front matter.
    """
    document = _editable(data)
    text = document.head + document.block + document.fence + document.body
    if "\r" not in body and "\n" in text and text.count("\n") == text.count("\r\n"):
        body = body.replace("\n", "\r\n")
    return data if body == document.body else _checked(replace(document, body=body))


def render(fields: Mapping[str, Value], body: str) -> bytes:
    """A new file with these keys in this order; ids in quotes, the body exactly as given.

    Raises UsageError where a text is no Unicode. Never for a file that exists.
    """
    _require_unicode(fields)
    return _encoded(f"---\n{new_block(fields)}\n---\n{body}")


def _no_text(data: bytes) -> str:
    """Why bytes are not to be read as text: UTF-16, or NUL bytes as a crash leaves them."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16, not UTF-8"
    nuls = data.count(0)
    if nuls and (nuls * 10 >= len(data) or _NUL_RUN in data):
        return f"NUL bytes from offset {data.find(0)}"
    return ""


def _decoded(data: bytes) -> tuple[str, Problem | None]:
    try:
        return data.decode(), None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        cause = f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8"
        return data.decode(errors="replace"), Problem(line, cause)


def _heading(document: Document) -> str:
    """The first heading on one line, or an empty text."""
    return " ".join(first_heading(document.body[document.prose :]).split())


def _file_name(path: str) -> str:
    """The name of the file without its ending."""
    name = path.rpartition("/")[2].encode(errors="surrogateescape").decode(errors="replace")
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and dot and suffix.lower() in ("md", "markdown") else name


def _claimed(name: str, heading: str) -> str:
    """What the file's name and its first heading say it is about.

    A name that reads like a title is one: two notes called Ana and Ben may well hold the same
    words. A slug or a number claims nothing.
    """
    runs = _NAME_PART.split(name)
    is_title = any(run.isalpha() and not run.islower() and not run.isupper() for run in runs)
    names = [name] if (is_title or " " in name) and name != heading else []
    return ": ".join(filter(None, (*names, heading)))


def _editable(data: bytes) -> Document:
    cause = _no_text(data)
    if cause:
        raise _refused(Problem(0, cause))
    text, undecodable = _decoded(data)
    document = parse(text)
    problem = undecodable or document.problem
    if problem:
        raise _refused(problem)
    return document


def _refused(problem: Problem) -> UnreadableError:
    place = f"line {problem.line}: " if problem.line else ""
    return UnreadableError(f"{place}{problem.cause}", "mend the file by hand; nothing was changed")


def _line_end(document: Document) -> str:
    """The line end of the opening fence, else of the first line."""
    found = _LINE_END.search(document.head or document.body)
    return found[0] if found else "\n"


def _checked(edited: Document) -> bytes:
    """The bytes of a document that is read again as the very pieces it is made of."""
    text = edited.head + edited.block + edited.fence + edited.body
    again = parse(text)
    pieces = (again.head, again.block, again.fence, again.body)
    if again.problem or pieces != (edited.head, edited.block, edited.fence, edited.body):
        raise _refused(Problem(0, "the edited text would not be read as it was meant"))
    return _encoded(text)


def _require_unicode(values: Mapping[str, Value | None]) -> None:
    """Refuse lone surrogates, as a shell makes them of bytes that are no text."""
    for value in values.values():
        _encoded("".join(value) if isinstance(value, tuple) else str(value))


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"the text is no Unicode: {text[error.start]!r}") from None
