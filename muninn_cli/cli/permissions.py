"""Which language models may read a vault, and why the others may not or cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.trust import DEFAULT_TRUST, ProviderName, vault_trust

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.store.vault import Vault


def refusals(app: App, vault: Vault) -> dict[ProviderName, str]:
    """For each provider why it may not read the vault, or what it lacks; empty where it may."""
    setting = app.settings.trust.of(vault.kind)
    allowed = vault_trust(vault.name, vault.kind, setting, vault.denied).allowed
    lacking = _lacking(app)
    return {
        name: lacking.get(name, "") if name in allowed else _denial(vault, name)
        for name in ProviderName
    }


def _denial(vault: Vault, name: ProviderName) -> str:
    if name not in DEFAULT_TRUST[vault.kind]:
        return f"not for {vault.kind} vaults"
    if name in vault.denied:
        return "denied by its vault.toml"
    return f"taken away by trust.{vault.kind}"


def _lacking(app: App) -> dict[ProviderName, str]:
    """What keeps providers from being asked at all, a missing key for example; asks nobody."""
    from muninn_cli.providers import open_providers

    return {
        each.name: each.unready for each in open_providers(app.settings.providers, app.world.env)
    }


def readers(app: App, vault: Vault) -> str:
    """One line: who may read the vault, and who not and why."""
    told = refusals(app, vault)
    may = [name.value for name, why in told.items() if not why]
    if not may and not DEFAULT_TRUST[vault.kind]:
        return f"no language model may read {vault.kind} vaults"
    not_so = "; ".join(f"{name}: {why}" for name, why in told.items() if why)
    line = f"may be read by {', '.join(may)}" if may else "no language model can read it"
    return f"{line} ({not_so})" if not_so else line
