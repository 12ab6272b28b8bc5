"""What waits for a person: suggestions of dreams, and sets of like memories that nobody judged.

Each has a number that stays its own for good. Nothing here carries a suggestion out, and a line
that cannot be understood is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muninn_cli.core.changes import (
    Archive,
    ChangeKey,
    ChangeTier,
    ClusterReason,
    Merge,
    Ref,
    Supersede,
    key_of,
)
from muninn_cli.core.times import rfc3339
from muninn_cli.dream.plan import change_as_dict, change_from_dict
from muninn_cli.store import log

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from muninn_cli.core.changes import Suggest
    from muninn_cli.dream.plan import Waiting

CONNECTION = ClusterReason.CONNECTION.value


@dataclass(frozen=True, slots=True)
class Open:
    """Something that a person may accept or dismiss.

    `kind` is that of a change (see `core.changes.key_of`), or the reason of a cluster that nobody
    has judged. `hashes` name the texts it is about. `what` is the change that is proposed, None
    for a connection and for a cluster.
    """

    number: int
    kind: str
    refs: tuple[Ref, ...]
    hashes: frozenset[str]
    text: str
    what: Merge | Supersede | Archive | ChangeTier | None = None

    @property
    def key(self) -> ChangeKey:
        return ChangeKey(self.kind, self.hashes)

    @property
    def is_cluster(self) -> bool:
        """Whether it is a set of memories that nobody has judged yet."""
        return self.what is None and self.kind != CONNECTION

    @property
    def cluster(self) -> str:
        """The key of the cluster with these texts."""
        return " ".join(sorted(self.hashes))


def of_suggestion(suggest: Suggest) -> Open:
    """A suggestion of a dream, without its number."""
    hashes = dict(zip(suggest.refs, suggest.hashes, strict=True))
    key = key_of(suggest, lambda ref: hashes.get(ref, ref.id))
    kind = key.kind if key else CONNECTION
    return Open(0, kind, suggest.refs, frozenset(suggest.hashes), suggest.text, suggest.what)


def of_waiting(waiting: Waiting) -> Open:
    """A cluster that nobody has judged, without its number."""
    hashes = frozenset(waiting.key.split())
    text = f"not judged: {waiting.why}"
    return Open(0, waiting.reason.value, waiting.refs, hashes, text)


def open_suggestions(path: Path) -> list[Open]:
    """All that was ever noted, by number; what is settled meanwhile is for the reader to know."""
    found: dict[int, Open] = {}
    for stored in log.objects(path):
        try:
            each = _read(stored)
        except (ValueError, TypeError, LookupError):
            continue
        found[each.number] = each
    return [found[number] for number in sorted(found)]


def note(path: Path, news: Sequence[Open], run: str, now: datetime) -> None:
    """Note what is not noted yet, each under the next number."""
    known = open_suggestions(path)
    keys = {each.key for each in known}
    fresh = list({each.key: each for each in news if each.key not in keys}.values())
    first = max((each.number for each in known), default=0) + 1
    log.append(path, list(_lines(fresh, first, run, now)))


def _lines(news: Iterable[Open], first: int, run: str, now: datetime) -> Iterator[str]:
    for number, each in enumerate(news, first):
        stored: dict[str, object] = {
            "v": 1,
            "t": rfc3339(now),
            "n": number,
            "run": run,
            "kind": each.kind,
            "refs": [list(ref) for ref in each.refs],
            "hashes": sorted(each.hashes),
            "text": each.text,
        }
        if each.what:
            stored["what"] = change_as_dict(each.what)
        yield log.line_of(stored)


def _read(stored: Mapping[str, Any]) -> Open:
    what = change_from_dict(stored["what"]) if stored.get("what") else None
    if not isinstance(what, Merge | Supersede | Archive | ChangeTier | None):
        raise ValueError("nobody can be asked for that")
    refs = tuple(Ref(str(vault), str(memory_id)) for vault, memory_id in stored["refs"])
    hashes = frozenset(map(str, stored["hashes"]))
    return Open(int(stored["n"]), str(stored["kind"]), refs, hashes, str(stored["text"]), what)
