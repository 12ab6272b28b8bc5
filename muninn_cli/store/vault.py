"""Vaults as values: name, kind, place, and what a vault's own file takes away.

The kind comes from config.toml; `vault.toml` inside the vault can only make trust stricter, and
one that cannot be understood takes every provider away. Nothing here writes.
"""

from __future__ import annotations

import tomllib
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import ProviderName, known_kind, stricter
from muninn_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

INNER = ".muninn"
"""The folder below a vault's root that holds muninn's own things."""
ARCHIVE = f"{INNER}/archive"
"""The folder below a vault's root that holds its archived memories."""
LEDGER = f"{ARCHIVE}.jsonl"
"""The file below a vault's root that says what went into its archive and came out."""

LEGAL = "legal"
LONGEST_NAME = 64
_NAME_MARKS = " _-."
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
)
_ALL_PROVIDERS = frozenset(provider.value for provider in ProviderName)


class Vault(NamedTuple):
    """A folder of memories that is on the list.

    `root` is a real path. `id` never changes. `id_name` is the name that derived ids are made
    from: a vault that is renamed keeps it. `denied` are providers that vault.toml takes away;
    `problem` says why that file could not be understood, or is empty.
    """

    id: str
    name: str
    root: Path
    kind: Kind
    managed: bool
    git: bool
    id_name: str
    denied: frozenset[str] = frozenset()
    problem: str = ""

    @property
    def inner(self) -> Path:
        return self.root / INNER

    @property
    def archive(self) -> Path:
        return self.root / ARCHIVE

    @property
    def ledger(self) -> Path:
        return self.root / LEDGER

    @property
    def ages(self) -> bool:
        """Whether time acts here: expiry, promotion, sweep and merges by themselves."""
        return self.managed and self.kind is not Kind.LEGAL


class OwnRules(NamedTuple):
    """What a vault's own vault.toml asks for."""

    kind: Kind | None = None
    denied: frozenset[str] = frozenset()
    problem: str = ""


def checked_name(name: str) -> str:
    """The name, in NFC. Raises UsageError for one that is no vault name on every system."""
    name = unicodedata.normalize("NFC", name)
    fault = _name_fault(name)
    if fault:
        raise UsageError(f"{name!r} cannot be the name of a vault: {fault}")
    return name


def _name_fault(name: str) -> str:
    if not name or len(name) > LONGEST_NAME:
        return f"a name has 1 to {LONGEST_NAME} characters"
    if name.strip(".") == "" or name != name.strip() or name.endswith("."):
        return "it must not begin or end with a space, nor end with a dot"
    odd = next((c for c in name if c not in _NAME_MARKS and not _is_letter(c)), None)
    if odd is not None:
        return f"only letters, digits, space, _, - and . are allowed, not {odd!r}"
    if name.split(".", maxsplit=1)[0].strip().lower() in _DEVICES:
        return "Windows keeps that name for a device"
    return ""


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"


def kind_of(name: str, root: Path, written: str) -> Kind:
    """The kind that config.toml states; else legal by name or real path, else personal."""
    if written:
        return known_kind(written)
    return Kind.LEGAL if is_legal_place(name, root) else Kind.PERSONAL


def is_legal_place(name: str, root: Path) -> bool:
    """Whether the name, or a component of the real path, is `legal` in any case."""
    return LEGAL in {part.casefold() for part in (name, *root.parts)}


def with_own_rules(vault_kind: Kind, rules: OwnRules) -> Kind:
    """The stricter of the kind in config.toml and the one in vault.toml."""
    return vault_kind if rules.kind is None else stricter(vault_kind, rules.kind)


def own_rules(root: Path) -> OwnRules:
    """Read `.muninn/vault.toml`: `kind` and `deny`, a list of providers."""
    path = root / INNER / "vault.toml"
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return OwnRules()
    except (OSError, ValueError) as error:
        return OwnRules(denied=_ALL_PROVIDERS, problem=f"{path}: {error}")
    return _rules(path, tables)


def _rules(path: Path, tables: Mapping[str, object]) -> OwnRules:
    kind, deny = tables.get("kind", ""), tables.get("deny", [])
    odd = next((key for key in tables if key not in ("kind", "deny")), None)
    if odd is not None:
        problem = f"{path}: only kind and deny are known, not {odd}"
    elif not isinstance(kind, str) or not isinstance(deny, list):
        problem = f"{path}: kind is a text and deny a list"
    elif any(name not in _ALL_PROVIDERS for name in deny):
        problem = f"{path}: deny names providers: {', '.join(sorted(_ALL_PROVIDERS))}"
    else:
        return OwnRules(known_kind(kind) if kind else None, frozenset(deny))
    return OwnRules(_stated(kind), _ALL_PROVIDERS, problem)


def _stated(kind: object) -> Kind | None:
    return known_kind(kind) if isinstance(kind, str) and kind else None
