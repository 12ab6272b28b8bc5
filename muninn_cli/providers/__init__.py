"""Language models, each behind the same promise; none is imported until one is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from muninn_cli.core.trust import ProviderName

if TYPE_CHECKING:
    from muninn_cli.config.settings import ProvidersSettings
    from muninn_cli.providers.base import Provider


def open_provider(
    name: ProviderName, settings: ProvidersSettings, env: Mapping[str, str]
) -> Provider:
    """The provider of that name, as its settings say; nothing is sent and no key is read yet."""
    match name:
        case ProviderName.OLLAMA:
            from muninn_cli.providers.ollama import Ollama

            return Ollama(settings.ollama, env)
        case ProviderName.ANTHROPIC:
            from muninn_cli.providers.anthropic import Anthropic

            return Anthropic(settings.anthropic, env)
        case ProviderName.OPENAI:
            from muninn_cli.providers.openai import OpenAI

            return OpenAI(settings.openai, env)


def open_providers(settings: ProvidersSettings, env: Mapping[str, str]) -> tuple[Provider, ...]:
    """The providers in the order in which they are to be asked."""
    return tuple(open_provider(ProviderName(name), settings, env) for name in settings.order)
