"""What a dream may propose of what it would like to: by what memories are, and what people said.

What only a person may do becomes a suggestion. What a person said no to stays unsaid until one of
the texts changes (what was learned from use: until it is used again), and a suggestion that waits
for an answer is not made again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from muninn_cli.core.changes import (
    Archive,
    Associate,
    Change,
    ChangeTier,
    Merge,
    Ref,
    SetStability,
    Suggest,
    Supersede,
    involved,
    key_of,
)
from muninn_cli.dream.snapshot import Reach

if TYPE_CHECKING:
    from muninn_cli.dream.snapshot import Snapshot


class Permission:
    """Judges changes by one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def of(self, change: Change) -> Change | None:
        """The change, or the suggestion it becomes, or None where a dream keeps its hands off."""
        facts = [self._snapshot.facts.get(ref) for ref in involved(change)]
        if any(each is None or each.reach is Reach.NONE for each in facts):
            return None
        free = all(each is not None and each.reach is Reach.FREE for each in facts)
        match change:
            case Associate() | SetStability():
                return None if self._is_undone(change) else change
            case Suggest():
                return self._suggestion(change)
            case Merge() | Supersede() | Archive() | ChangeTier() if free:
                return None if self._is_dismissed(change) else change
            case Merge() | Supersede() | Archive() | ChangeTier():
                refs = involved(change)
                hashes = tuple(map(self._text, refs))
                return self._suggestion(Suggest(refs, hashes, change.reason, change))

    def parted(self, *refs: Ref) -> bool:
        """Whether a person has said of any two of these that they are not to be merged."""
        if not self._noes:
            return False
        said = Counter(number for ref in refs for number in self._noes.get(self._text(ref), ()))
        return any(count > 1 for count in said.values())

    def _suggestion(self, suggest: Suggest) -> Suggest | None:
        key = key_of(suggest, self._text)
        waits = key in self._snapshot.suggested
        return None if waits or self._is_dismissed(suggest) else suggest

    def _is_dismissed(self, change: Change) -> bool:
        merge = change.what if isinstance(change, Suggest) else change
        if isinstance(merge, Merge) and self.parted(*involved(merge)):
            return True
        return key_of(change, self._text) in self._snapshot.dismissed

    def _is_undone(self, change: Associate | SetStability) -> bool:
        """Whether an undo took this back, and none of its memories was recalled since."""
        refs = frozenset(involved(change))
        undone = self._snapshot.undone.get(refs)
        recalls = (self._snapshot.facts[ref].usage.last_recall for ref in refs)
        return undone is not None and all(at is None or at <= undone for at in recalls)

    def _text(self, ref: Ref) -> str:
        return self._snapshot.facts[ref].text

    @cached_property
    def _noes(self) -> dict[str, list[int]]:
        """By text, the numbers of the dismissed merges that it was part of."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, key in enumerate(self._snapshot.dismissed):
            for text in key.hashes if key.kind == "merge" else ():
                found[text].append(number)
        return dict(found)
