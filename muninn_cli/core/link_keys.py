"""Where links meet memories: the keys a memory answers to, and the keys its links look for.

A key is folded and has no `.md`, so that `[[API design]]`, `[[api-design]]` as a file name,
`[text](../api-design.md)` and an id in `related` all find their memory. Nothing is looked up here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.links import links
from muninn_cli.core.words import fold

if TYPE_CHECKING:
    from muninn_cli.core.memory import Memory

_SUFFIXES = (".md", ".markdown")


def names(memory: Memory, path: str) -> frozenset[str]:
    """The keys of a memory at `path` in its vault: id, path, name of the file, title, aliases."""
    texts = (memory.id, path, path.rpartition("/")[2], memory.title, *memory.aliases)
    return frozenset(filter(None, map(key_of, texts)))


def targets(memory: Memory, path: str) -> frozenset[str]:
    """The keys that a memory at `path` links to, in its body or by `related`."""
    found = [frozenset({key_of(related)}) for related in memory.related]
    found += (target_keys(target, path) for target in links(memory.body))
    return frozenset().union(*found) - {""}


def target_keys(target: str, path: str) -> frozenset[str]:
    """The keys by which one link in the memory at `path` finds what it means."""
    found = {key_of(target)}
    if "/" in target or target.lower().endswith(_SUFFIXES):
        found.add(key_of(_joined(path.rpartition("/")[0], target)))
    return frozenset(found - {""})


def key_of(text: str) -> str:
    """The key of a name: folded, without an ending of Markdown."""
    folded = fold(text).strip()
    for suffix in _SUFFIXES:
        folded = folded.removesuffix(suffix)
    return folded


def _joined(folder: str, target: str) -> str:
    """A path relative to `folder` as one relative to the vault; "" where it leads out of it."""
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == ".." and not parts:
            return ""
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
