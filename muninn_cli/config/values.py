"""What a setting may hold: one class per kind of value, each reading, checking and writing it.

`check` takes what a TOML file holds, `parse` what an environment variable or a command line
says; both raise ValueError with "must be ...".
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

T = TypeVar("T")

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
Plain = str | int | float | bool | list[str] | list[int] | list[float]


class Value(ABC, Generic[T]):
    """A kind of value; `expected` finishes the sentence "must be"."""

    expected: str

    @abstractmethod
    def check(self, raw: object) -> T:
        """The typed value of what TOML or JSON gave."""

    def parse(self, text: str) -> T:
        """The typed value of a text from the environment or the command line."""
        return self.check(text)

    def plain(self, value: T) -> Plain:
        """The value as TOML and JSON hold it."""
        return value  # type: ignore[return-value]

    def refuse(self, raw: object) -> ValueError:
        return ValueError(f"must be {self.expected}, not {json.dumps(raw, default=str)}")


class Text(Value[str]):
    expected = "a text"

    def __init__(self, *, empty: bool = False) -> None:
        self._empty = empty

    def check(self, raw: object) -> str:
        if not isinstance(raw, str) or not (raw or self._empty):
            raise self.refuse(raw)
        return raw


class Choice(Value[str]):
    def __init__(self, *words: str) -> None:
        self.words = words
        *first, last = words
        self.expected = f"{', '.join(first)} or {last}" if first else last

    def check(self, raw: object) -> str:
        if raw not in self.words:
            raise self.refuse(raw)
        return str(raw)


class Flag(Value[bool]):
    expected = "true or false"

    def check(self, raw: object) -> bool:
        if not isinstance(raw, bool):
            raise self.refuse(raw)
        return raw

    def parse(self, text: str) -> bool:
        word = text.strip().lower()
        if word not in _TRUE | _FALSE:
            raise self.refuse(text)
        return word in _TRUE


class Whole(Value[int]):
    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most
        self.expected = f"a whole number from {least} to {most}"

    def check(self, raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise self.refuse(raw)
        if not self._least <= raw <= self._most:
            raise self.refuse(raw)
        return raw

    def parse(self, text: str) -> int:
        return self.check(_number(text))


class Real(Value[float]):
    def __init__(self, least: float, most: float) -> None:
        self._least, self._most = least, most
        self.expected = f"a number from {least:g} to {most:g}"

    def check(self, raw: object) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise self.refuse(raw)
        if not self._least <= raw <= self._most:
            raise self.refuse(raw)
        return float(raw)

    def parse(self, text: str) -> float:
        return self.check(_number(text))

    def plain(self, value: float) -> Plain:
        return int(value) if value.is_integer() else value


class Auto(Value[float | None]):
    """A number, or "auto", which is None here."""

    def __init__(self, number: Real) -> None:
        self._number = number
        self.expected = f"auto or {number.expected}"

    def check(self, raw: object) -> float | None:
        return None if raw == "auto" else self._checked(raw)

    def parse(self, text: str) -> float | None:
        return self.check("auto" if text.strip() == "auto" else _number(text))

    def plain(self, value: float | None) -> Plain:
        return "auto" if value is None else value

    def _checked(self, raw: object) -> float:
        try:
            return self._number.check(raw)
        except ValueError:
            raise self.refuse(raw) from None


class Words(Value[tuple[str, ...]]):
    """A list of different words out of a closed set, in the person's order."""

    def __init__(self, *words: str, empty: bool = True) -> None:
        self._words = words
        self._empty = empty
        self.expected = f"a list out of {', '.join(words)}" if words else "an empty list"

    def check(self, raw: object) -> tuple[str, ...]:
        if not isinstance(raw, list) or not (raw or self._empty):
            raise self.refuse(raw)
        if any(word not in self._words for word in raw) or len(set(raw)) < len(raw):
            raise self.refuse(raw)
        return tuple(raw)

    def parse(self, text: str) -> tuple[str, ...]:
        return self.check(_items(text))

    def plain(self, value: tuple[str, ...]) -> Plain:
        return list(value)


class Weights(Value[tuple[float, float]]):
    expected = "two numbers from 0 to 1, not both 0"

    def check(self, raw: object) -> tuple[float, float]:
        try:
            first, second = (Real(0, 1).check(item) for item in _listed(raw))
        except ValueError:
            raise self.refuse(raw) from None
        if first + second == 0:
            raise self.refuse(raw)
        return first, second

    def parse(self, text: str) -> tuple[float, float]:
        return self.check([_number(item) for item in _items(text)])

    def plain(self, value: tuple[float, float]) -> Plain:
        return list(value)


class Phases(Value[frozenset[int]]):
    """Phases of a dream: "all", or a list of their numbers."""

    expected = "all or a list of phases from 0 to 6"
    ALL = frozenset(range(7))

    def check(self, raw: object) -> frozenset[int]:
        if raw == "all":
            return self.ALL
        try:
            return frozenset(Whole(0, 6).check(item) for item in _listed(raw))
        except ValueError:
            raise self.refuse(raw) from None

    def parse(self, text: str) -> frozenset[int]:
        word = text.strip()
        return self.check(word if word == "all" else [_number(item) for item in _items(text)])

    def plain(self, value: frozenset[int]) -> Plain:
        return "all" if value == self.ALL else sorted(value)


def _listed(raw: object) -> list[object]:
    if not isinstance(raw, list):
        raise ValueError
    return raw


def _number(raw: object) -> object:
    """The number a text states, else the text as it is, for `check` to refuse."""
    try:
        return json.loads(raw) if isinstance(raw, str) else raw
    except ValueError:
        return raw


def _items(text: str) -> list[object]:
    """A JSON list, or items between commas."""
    if text.lstrip().startswith("["):
        parsed = _number(text)
        return parsed if isinstance(parsed, list) else [text]
    return [item.strip() for item in text.split(",") if item.strip()]
