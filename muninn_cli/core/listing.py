"""Listings: what a folder held then and now, and what became of its files.

Pure: knows names, stamps and content hashes, never a file. A difference that it misses would be
a memory that search never finds; one too many only costs a file read again.
"""

from __future__ import annotations

import marshal
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.hashing import blake2b

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Stamp = tuple[str, int, int, int]
"""One file of a folder: name, mtime in nanoseconds, size in bytes, inode."""

_MARSHAL_VERSION = 2
"""Later versions write the same value in more than one way, depending on reference counts."""
A_HANDFUL = 5
"""This many files may vanish at once, whatever share of the vault they are."""


class Difference(NamedTuple):
    """Files of one folder that are new, that carry another stamp, and names that are gone."""

    appeared: tuple[Stamp, ...] = ()
    restamped: tuple[Stamp, ...] = ()
    vanished: tuple[str, ...] = ()


def digest(listing: list[Stamp]) -> bytes:
    """16 bytes that change with any name, stamp or size.

    They also change with the order: a folder that lists itself in another order is only looked
    at again.
    """
    return blake2b(marshal.dumps(listing, _MARSHAL_VERSION), digest_size=16).digest()


def diff(known: Iterable[Stamp], found: Iterable[Stamp]) -> Difference:
    """What became of the files of one folder; each name occurs once in each listing."""
    before = {stamp[0]: stamp for stamp in known}
    after = {stamp[0]: stamp for stamp in found}
    return Difference(
        appeared=tuple(after[name] for name in sorted(after.keys() - before.keys())),
        restamped=tuple(
            after[name]
            for name in sorted(after.keys() & before.keys())
            if after[name] != before[name]
        ),
        vanished=tuple(sorted(before.keys() - after.keys())),
    )


def pair_moves(lost: Mapping[str, bytes], gained: Mapping[str, bytes]) -> dict[str, str]:
    """Where files went: new path -> the path that held the same content before.

    `lost` are paths whose content is there no more, with the hash it had; `gained` paths that
    hold another content than before, with its hash. A path in both was written over: its old file
    went elsewhere only if another came in its place (a swap, a rotation); otherwise it was edited,
    and what has its old content is a copy. Each path is used once; a file that kept its name goes
    first.
    """
    vanished = {path: content for path, content in lost.items() if path not in gained}
    moves = _pair(vanished, gained)
    replaced = {path: content for path, content in lost.items() if path in gained}
    moves |= _pair(replaced, {path: gained[path] for path in gained.keys() - moves.keys()})
    while edited := [new for new, old in moves.items() if old in gained and old not in moves]:
        for path in edited:
            del moves[path]
    return moves


def _pair(lost: Mapping[str, bytes], gained: Mapping[str, bytes]) -> dict[str, str]:
    """Gained path -> lost path of the same content; first those with the same name."""
    named = _matched(lost, gained, lambda path: path.rpartition("/")[2])
    old = {path: lost[path] for path in lost.keys() - named.values()}
    new = {path: gained[path] for path in gained.keys() - named.keys()}
    return named | _matched(old, new, lambda _: "")


def _matched(
    lost: Mapping[str, bytes], gained: Mapping[str, bytes], trait: Callable[[str], str]
) -> dict[str, str]:
    """Gained path -> lost path with the same content and trait, each used once."""
    waiting: defaultdict[tuple[bytes, str], list[str]] = defaultdict(list)
    for path in sorted(lost, reverse=True):
        waiting[lost[path], trait(path)].append(path)
    matches: dict[str, str] = {}
    for path in sorted(gained):
        candidates = waiting.get((gained[path], trait(path)))
        if candidates:
            matches[path] = candidates.pop()
    return matches


def too_many_gone(known: int, gone: int) -> bool:
    """Whether so many files vanished at once that an unmounted disk is likelier than a person."""
    return gone > A_HANDFUL and 2 * gone > known
