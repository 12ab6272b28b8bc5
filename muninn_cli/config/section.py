"""How settings are declared: one line each in a class body, typed and read-only.

    class Search(Section):
        limit = Setting(Whole(1, 1000), 10, "How many hits a search shows.")

`settings.search.limit` is then an int, and `search.limit` the key in config.toml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast, overload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from muninn_cli.config.values import Plain, Value

T = TypeVar("T")
S = TypeVar("S", bound="Section")


class Section:
    """A group of settings: values by full key, defaults where there is none."""

    __slots__ = ("_prefix", "_values")

    def __init__(self, values: Mapping[str, object] | None = None, prefix: str = "") -> None:
        self._values = values or {}
        self._prefix = prefix

    def value(self, name: str, default: T) -> T:
        return cast("T", self._values.get(self._prefix + name, default))

    def part(self, name: str, kind: type[S]) -> S:
        return kind(self._values, f"{self._prefix}{name}.")


class Setting(Generic[T]):
    """One setting: what it may hold, its default, and one line for people."""

    def __init__(self, holds: Value[T], default: T, about: str) -> None:
        self.holds = holds
        self.default = default
        self.about = about
        self.name = ""

    def __set_name__(self, owner: type[Section], name: str) -> None:
        self.name = name.rstrip("_")

    @overload
    def __get__(self, section: None, owner: type[Section]) -> Setting[T]: ...
    @overload
    def __get__(self, section: Section, owner: type[Section]) -> T: ...
    def __get__(self, section: Section | None, owner: type[Section]) -> Setting[T] | T:
        return self if section is None else section.value(self.name, self.default)

    def __set__(self, section: Section, value: T) -> None:
        raise AttributeError(f"settings are read-only: {self.name}")

    @property
    def plain_default(self) -> Plain:
        """The default as TOML and JSON hold it."""
        return self.holds.plain(self.default)


class Part(Generic[S]):
    """A section inside a section."""

    def __init__(self, kind: type[S], about: str) -> None:
        self.kind = kind
        self.about = about
        self.name = ""

    def __set_name__(self, owner: type[Section], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, section: None, owner: type[Section]) -> Part[S]: ...
    @overload
    def __get__(self, section: Section, owner: type[Section]) -> S: ...
    def __get__(self, section: Section | None, owner: type[Section]) -> Part[S] | S:
        return self if section is None else section.part(self.name, self.kind)

    def __set__(self, section: Section, value: S) -> None:
        raise AttributeError(f"settings are read-only: {self.name}")


def settings_in(kind: type[Section], prefix: str = "") -> Iterator[tuple[str, Setting[object]]]:
    """Every setting below a section, by full key, in the order declared."""
    for member in declared(kind):
        if isinstance(member, Setting):
            yield prefix + member.name, member
        else:
            yield from settings_in(member.kind, f"{prefix}{member.name}.")


def declared(kind: type[Section]) -> list[Setting[object] | Part[Section]]:
    """The settings and parts of a class; a subclass overrides in the base's place."""
    members: dict[str, Setting[object] | Part[Section]] = {}
    for owner in reversed(kind.__mro__):
        members |= {k: v for k, v in vars(owner).items() if isinstance(v, Setting | Part)}
    return list(members.values())
