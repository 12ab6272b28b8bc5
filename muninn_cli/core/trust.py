"""Trust: which providers may see the memories of a kind of vault.

Every function here can only take providers away. Legal vaults have none, and no setting gives
them one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from muninn_cli.core.terms import Kind


class ProviderName(StrEnum):
    """A provider of language models."""

    OLLAMA = "ollama"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"


_NONE: frozenset[ProviderName] = frozenset()
_CLOSE = frozenset({ProviderName.OLLAMA, ProviderName.ANTHROPIC})
_ANY = frozenset(ProviderName)
DEFAULT_TRUST: Mapping[Kind, frozenset[ProviderName]] = {
    Kind.LEGAL: _NONE,
    Kind.WORK: _CLOSE,
    Kind.PERSONAL: _CLOSE,
    Kind.PROJECT: _ANY,
    Kind.GLOBAL: _ANY,
}


class VaultTrust(NamedTuple):
    """A vault as trust sees it: the providers that may see its memories."""

    vault: str
    kind: Kind
    allowed: frozenset[ProviderName]


def known_kind(text: str) -> Kind:
    """The kind of that name, in any case; one that is not known counts as personal."""
    try:
        return Kind(text.strip().lower())
    except ValueError:
        return Kind.PERSONAL


def stricter(one: Kind, other: Kind) -> Kind:
    """The kind whose default trust allows less; the first where they are alike."""
    return other if DEFAULT_TRUST[other] < DEFAULT_TRUST[one] else one


def vault_trust(
    vault: str,
    kind: Kind,
    setting: Iterable[str] | None = None,
    denied: Iterable[str] = (),
) -> VaultTrust:
    """The providers a vault allows: its kind's, less what a setting leaves out or a vault denies.

    `setting` lists who may stay, None leaves the default; names that are not known allow nobody.
    """
    allowed = DEFAULT_TRUST[kind]
    if setting is not None:
        allowed = allowed & _named(setting)
    return VaultTrust(vault, kind, allowed - _named(denied))


def _named(names: Iterable[str]) -> frozenset[ProviderName]:
    wanted = {name.strip().lower() for name in names}
    return frozenset(name for name in ProviderName if name.value in wanted)
