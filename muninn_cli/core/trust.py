"""Trust: which providers may see the memories of a kind of vault.

Every function here can only take providers away. Legal vaults have none, and no setting gives
them one. What is not known to be safe counts as remote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from muninn_cli.core.memory import Kind


class ProviderName(StrEnum):
    """A provider of language models."""

    OLLAMA = "ollama"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"


class Place(StrEnum):
    """Where a provider's model runs: on this machine, at the vendor of that name, elsewhere."""

    HERE = "here"
    VENDOR = "vendor"
    REMOTE = "remote"


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
_VENDOR_HOSTS = {
    ProviderName.ANTHROPIC: "api.anthropic.com",
    ProviderName.OPENAI: "api.openai.com",
}


class Endpoint(NamedTuple):
    """Where a request to a provider would go; `because` says why the place is remote."""

    provider: ProviderName
    place: Place
    because: str = ""


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


def refusal(endpoint: Endpoint, vaults: Iterable[VaultTrust]) -> str:
    """Why a request that carries memories of these vaults may not go there; empty if it may.

    Every vault must allow the provider; what is remote must be allowed OpenAI as well.
    """
    for vault in vaults:
        why = _refusal(endpoint, vault)
        if why:
            return why
    return ""


def _refusal(endpoint: Endpoint, trust: VaultTrust) -> str:
    whose = f"vault {trust.vault} ({trust.kind})"
    if not trust.allowed:
        return f"{whose} allows no language model"
    if endpoint.provider not in trust.allowed:
        allowed = ", ".join(name for name in ProviderName if name in trust.allowed)
        return f"{whose} allows {allowed} only, not {endpoint.provider}"
    if endpoint.place is Place.REMOTE and ProviderName.OPENAI not in trust.allowed:
        return f"{whose} allows no remote model, and {endpoint.because}"
    return ""


def is_loopback(address: str) -> bool:
    """Whether an IP address, as text, is one of this machine's loopback addresses."""
    import ipaddress

    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback


def is_cloud_model(model: str) -> bool:
    """Whether an Ollama model's name says that it runs in Ollama's cloud.

    `name:cloud`, `name:size-cloud`, and the tag at any place (`name:cloud:size`).
    """
    tags = model.strip().casefold().split(":")
    return any(tag == "cloud" or tag.endswith("-cloud") for tag in tags)


def ollama_endpoint(url: str, model: str, *, loopback: bool, runs_at: str = "") -> Endpoint:
    """Where an Ollama model runs.

    `loopback`: every address of the server is a loopback address. `runs_at`: the remote host or
    remote model that the server reports for this model, empty if none.
    """
    because = ""
    if not loopback:
        because = f"{host_of(url)} is not this machine"
    elif is_cloud_model(model):
        because = f"{model} is a cloud model"
    elif runs_at:
        because = f"{model} runs at {runs_at}"
    place = Place.REMOTE if because else Place.HERE
    return Endpoint(ProviderName.OLLAMA, place, because)


def vendor_endpoint(provider: ProviderName, url: str) -> Endpoint:
    """Where a vendor's provider sends: another base URL than the vendor's own is remote."""
    if _is_vendors(provider, url):
        return Endpoint(provider, Place.VENDOR)
    return Endpoint(provider, Place.REMOTE, f"{host_of(url)} is not {provider}'s own address")


def _is_vendors(provider: ProviderName, url: str) -> bool:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    at_home = provider in _VENDOR_HOSTS and parts.hostname == _VENDOR_HOSTS[provider]
    return at_home and parts.scheme == "https" and port in (None, 443)


def host_of(url: str) -> str:
    """The host of a URL, for messages: never its user, password, path or query."""
    from urllib.parse import urlsplit

    try:
        return urlsplit(url).hostname or "an address without a host"
    except ValueError:
        return "an address that cannot be read"
