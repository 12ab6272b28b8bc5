"""Where a request to a provider would go, and whether these vaults allow it.

Nothing here connects to anything. What is not known to be safe counts as remote.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.trust import ProviderName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.core.trust import VaultTrust


_VENDOR_HOSTS = {
    ProviderName.ANTHROPIC: "api.anthropic.com",
    ProviderName.OPENAI: "api.openai.com",
}


class Place(StrEnum):
    """Where a provider's model runs: on this machine, at the vendor of that name, elsewhere."""

    HERE = "here"
    VENDOR = "vendor"
    REMOTE = "remote"


class Endpoint(NamedTuple):
    """Where a request to a provider would go; `because` says why the place is remote."""

    provider: ProviderName
    place: Place
    because: str = ""


def refusal(endpoint: Endpoint, vaults: Iterable[VaultTrust]) -> str:
    """Why a request that carries memories of these vaults may not go there; empty if it may.

    Every vault must allow the provider; what is remote must be allowed OpenAI as well.
    """
    vaults = tuple(vaults)
    if why := forbidden(endpoint.provider, vaults):
        return why
    if endpoint.place is Place.REMOTE:
        for trust in vaults:
            if ProviderName.OPENAI not in trust.allowed:
                return f"{_named(trust)} allows no remote model, and {endpoint.because}"
    return ""


def forbidden(provider: ProviderName, vaults: Iterable[VaultTrust]) -> str:
    """Why memories of these vaults may not go to a provider, wherever it is; empty if they may."""
    for trust in vaults:
        if not trust.allowed:
            return f"{_named(trust)} allows no language model"
        if provider not in trust.allowed:
            allowed = ", ".join(name for name in ProviderName if name in trust.allowed)
            return f"{_named(trust)} allows {allowed} only, not {provider}"
    return ""


def _named(trust: VaultTrust) -> str:
    return f"vault {trust.vault} ({trust.kind})"


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
