"""Checks of what memories point at: links that lead nowhere, successors that are not there."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from muninn_cli.core.ids import short_id
from muninn_cli.core.link_keys import names, target_keys
from muninn_cli.core.naming import is_conflict_copy
from muninn_cli.doctor.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from muninn_cli.doctor.checkup import Checkup, Link, MemoryFile, VaultFiles

_ATTACHED = re.compile(r"\.(?!md$|markdown$)[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
"""The end of a link to a picture or another file, which may lie anywhere in a vault."""


def check_links(checkup: Checkup) -> Iterator[Finding]:
    """Links of managed vaults that find no memory."""
    for held in checkup.vaults:
        if held.vault.managed:
            for file, link in _dangling(held):
                cause = f"links to {link.target!r}, which is not there"
                yield Finding("dangling_link", held.vault.name, file.path, cause, link.line)


def notices_of_links(checkup: Checkup) -> Iterator[str]:
    """In a registered vault a link to a note not yet written is a person's own business."""
    for held in checkup.vaults:
        count = 0 if held.vault.managed else sum(1 for _ in _dangling(held))
        if count:
            links = "1 link leads to a note" if count == 1 else f"{count} links lead to notes"
            yield f"{held.vault.name}: {links} that {'is' if count == 1 else 'are'} not there"


def _dangling(held: VaultFiles) -> Iterator[tuple[MemoryFile, Link]]:
    everything = (*held.live, *held.archived)
    known = {key for file in everything for key in names(file.memory, file.path)}
    for file in held.live:
        for link in file.links:
            keys = target_keys(link.target, file.path)
            if known.isdisjoint(keys) and not _is_other_file(held, file, link.target):
                yield file, link


def _is_other_file(held: VaultFiles, file: MemoryFile, target: str) -> bool:
    """Whether a link means a file that is no memory: a picture, or what a walk passes over."""
    if _ATTACHED.search(target):
        return True
    folders = ("", file.path.rpartition("/")[0])
    return any(os.path.exists(held.vault.root / each / target) for each in folders)  # noqa: PTH110


def check_successors(checkup: Checkup) -> Iterator[Finding]:
    """Memories that are hidden behind one that is not there."""
    for held in checkup.vaults:
        ids = {file.memory.id for file in (*held.live, *held.archived)}
        for file in held.live:
            successor = file.memory.superseded_by
            if successor and successor not in ids:
                yield _hidden(
                    "dangling_successor",
                    held,
                    file,
                    f"is superseded by {successor}, which is not there",
                )


def check_circles(checkup: Checkup) -> Iterator[Finding]:
    """Memories that supersede each other in a circle, so that none of them is shown."""
    for held in checkup.vaults:
        originals = [file for file in held.live if not is_conflict_copy(file.name)]
        by_id = {file.memory.id: file for file in reversed(originals)}
        settled: set[str] = set()
        for file in originals:
            circle = _circle(file.memory.id, by_id, settled)
            if circle:
                chain = " → ".join((*circle, circle[0]))
                yield _hidden("circle", held, by_id[circle[0]], f"supersedes itself: {chain}")


def _hidden(code: str, held: VaultFiles, file: MemoryFile, cause: str) -> Finding:
    line = file.lines.get("superseded_by", 0)
    hint = f"muninn supersede --undo {short_id(file.memory.id)}"
    return Finding(code, held.vault.name, file.path, cause, line, hint)


def _circle(start: str, by_id: Mapping[str, MemoryFile], settled: set[str]) -> list[str]:
    """The circle that the chain from `start` runs into, if it is a new one."""
    chain: list[str] = []
    current = start
    while current in by_id and current not in settled:
        settled.add(current)
        chain.append(current)
        current = by_id[current].memory.superseded_by
    return chain[chain.index(current) :] if current in chain else []


CHECKS: tuple[Callable[[Checkup], Iterator[Finding]], ...] = (
    check_links,
    check_successors,
    check_circles,
)
