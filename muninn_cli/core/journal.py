"""A journal entry as a value: what a dream did and left, without a word of prose.

The templates turn it into English or Spanish. All texts in it may come from memories or from a
model: the templates show them as `inline` or `title` text only. Nothing here writes a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from muninn_cli.core.ids import short_id
from muninn_cli.core.terms import Tier
from muninn_cli.core.times import rfc3339

MOST_LINES = 20
"""Lines of one kind in an entry; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Named:
    """A memory as the journal names it."""

    title: str
    vault: str
    id: str

    @property
    def short(self) -> str:
        return short_id(self.id)


@dataclass(frozen=True, slots=True)
class Connection:
    """Two memories, of two vaults or of one, that may belong together; `text` says how."""

    left: Named
    right: Named
    text: str = ""


@dataclass(frozen=True, slots=True)
class Strengthened:
    """Memories whose stability grew; `recalls` is the fewest recalls any of them had."""

    memories: tuple[Named, ...]
    recalls: int


@dataclass(frozen=True, slots=True)
class Promoted:
    """A memory one tier up: by its recalls, or, as `hub`, by its associations."""

    memory: Named
    old: Tier
    new: Tier
    hub: bool = False


@dataclass(frozen=True, slots=True)
class Merged:
    """Near-duplicates that became one; `rewritten` if the survivor has a new text."""

    survivor: Named
    losers: tuple[Named, ...]
    rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    """A contradiction in which the newer memory won."""

    older: Named
    newer: Named


class ArchiveReason(StrEnum):
    """Why a memory left sight."""

    EXPIRED = "expired"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Archived:
    """Memories of one vault that left sight for one reason."""

    vault: str
    reason: ArchiveReason
    memories: tuple[Named, ...]


class Omission(StrEnum):
    """Why something was left as it was."""

    UNJUDGED = "unjudged"  # near-duplicates and contradictions without a model to judge them
    NO_VERDICT = "no verdict"  # contradictions where nothing tells which is newer
    PROTECTED = "protected"  # pinned, T0, `consolidate: false`, or a vault that is not managed
    UNLIKE = "unlike"  # a merge of memories whose type or validity differ
    EDITED = "edited"  # a file that changed while the dream thought
    LOST_ANSWER = "lost answer"  # a change after which a question had no answer any more
    ANSWER_PART = "answer part"  # a part of the model's answer that does not count
    PROVIDER = "provider"  # a provider that failed or may not be asked
    NO_TIME = "no time"  # clusters or probes that wait for the next dream
    HELD_BACK = "held back"  # archiving beyond the share that one command may archive
    CONFLICTED = "conflicted"  # files with conflict markers, unreadable files


@dataclass(frozen=True, slots=True)
class Omitted:
    """Things left as they were; `detail` names them or says why, in the program's own words."""

    why: Omission
    count: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """Questions about the touched memories that found their answer, of `asked`."""

    asked: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a model cost: requests, and tokens by the provider's own count."""

    provider: str
    model: str
    requests: int
    tokens: int


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One dream. `seconds` is its length; `run` is what `muninn undo` takes, empty for none."""

    when: datetime
    run: str
    scanned: int
    vaults: int
    legal: int
    seconds: float
    dry_run: bool = False
    connections: tuple[Connection, ...] = ()
    strengthened: tuple[Strengthened, ...] = ()
    weakened: int = 0
    associations: int = 0
    inferred: int = 0
    promoted: tuple[Promoted, ...] = ()
    merged: tuple[Merged, ...] = ()
    resolved: tuple[Resolved, ...] = ()
    archived: tuple[Archived, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    narrative: tuple[str, ...] = ()
    measure: Measure | None = None
    models: tuple[ModelUse, ...] = ()

    @property
    def stamp(self) -> str:
        """The instant that heads the entry."""
        return rfc3339(self.when)


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """One undo: `files` came back, `kept` were left because they changed since."""

    when: datetime
    run: str
    files: int
    kept: tuple[str, ...] = ()

    @property
    def stamp(self) -> str:
        """The instant that heads the entry."""
        return rfc3339(self.when)
