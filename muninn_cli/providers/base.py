"""What every provider of language models promises: one question in, one answer out, in time.

A provider never chooses what it may see: the caller asks for its `endpoint`, judges it by the
trust of the vaults, and only then hands over a text.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from muninn_cli.core.endpoints import Endpoint
from muninn_cli.core.trust import ProviderName
from muninn_cli.errors import ProviderError


class AnswerError(ProviderError):
    """This one request was not answered; the provider may well answer another."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """An end on a clock that only goes forward; `clock` gives its seconds."""

    ends: float
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float] = time.monotonic) -> Deadline:
        return cls(clock() + seconds, clock)

    @property
    def left(self) -> float:
        """Seconds until the end, 0 when it has passed."""
        return max(0.0, self.ends - self.clock())

    def within(self, seconds: float) -> Deadline:
        """The earlier of this end and `seconds` from now."""
        return Deadline(min(self.ends, self.clock() + seconds), self.clock)


@dataclass(frozen=True, slots=True)
class Request:
    """One question: instructions, the data, and the JSON schema its answer must have."""

    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int = 8_000


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's answer as it came, and the tokens it cost by the provider's count."""

    text: str
    tokens_in: int
    tokens_out: int


class Provider(Protocol):
    """A language model that can be asked."""

    @property
    def name(self) -> ProviderName: ...

    @property
    def model(self) -> str: ...

    @property
    def unready(self) -> str:
        """Why it cannot be asked, as far as that is known without asking; else empty."""
        ...

    def endpoint(self, deadline: Deadline) -> Endpoint:
        """Where requests go. Sends no memory. Raises ProviderError where that cannot be told."""
        ...

    def ask(self, request: Request, deadline: Deadline) -> Reply:
        """Ask once. Raises AnswerError for this request, ProviderError for the provider."""
        ...


def text_at(value: object, *path: str | int) -> str:
    """The text at a path into parsed JSON, empty where there is none."""
    found = _at(value, path)
    return found if isinstance(found, str) else ""


def count_at(value: object, *path: str | int) -> int:
    """The whole number at a path into parsed JSON, 0 where there is none."""
    found = _at(value, path)
    return found if isinstance(found, int) and found > 0 else 0


def _at(value: Any, path: tuple[str | int, ...]) -> object:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
