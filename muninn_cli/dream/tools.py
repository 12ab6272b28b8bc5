"""What the phases of a dream work with: handed in from outside, so that a preview and a real
dream differ in their tools and in nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from muninn_cli.config import Settings
    from muninn_cli.core.changes import Ref
    from muninn_cli.core.memory import Memory
    from muninn_cli.core.trust import VaultTrust
    from muninn_cli.core.usage import Recall
    from muninn_cli.providers.base import Deadline, Provider
    from muninn_cli.rendering import Templates
    from muninn_cli.store.index.connection import Connection


class Search(Protocol):
    """A search of one vault as a person would make it, with nothing noted of it.

    `connection` reads the index that answers: the rehearsal has one of its own.
    """

    def __call__(
        self, connection: Connection, query: str, vault: str, limit: int
    ) -> Sequence[Ref]: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What a dream may use.

    `index` is the committed index that `connection` reads; pairs are kept in it (in a preview it
    is a scratch copy). `read` gives a memory as the index saw it, and None where its file has
    gone or changed since. `recalls` gives those of a vault since its last dream, oldest first.
    `deadline` is that of the dream, `model_deadline` that of the model phase. `providers` are
    asked in their order; none: nothing is sent. `progress` is told a phase, done and in all;
    `notify` what a person should know before it happens.
    """

    index: Path
    connection: Connection
    read: Callable[[Ref], Memory | None]
    recalls: Callable[[str], Sequence[Recall]]
    search: Search
    settings: Settings
    review_at: float
    deadline: Deadline
    model_deadline: Deadline
    providers: Sequence[Provider]
    trust: Mapping[str, VaultTrust]
    templates: Templates
    progress: Callable[[str, int, int], None]
    notify: Callable[[str], None] = lambda _: None
