"""A provider that a person asked for by name: reachable and allowed, or the dream ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.core.endpoints import refusal
from muninn_cli.core.trust import ProviderName
from muninn_cli.errors import ProviderError
from muninn_cli.providers import open_provider
from muninn_cli.providers.base import AnswerError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muninn_cli.core.endpoints import Endpoint
    from muninn_cli.core.trust import VaultTrust
    from muninn_cli.dream.surroundings import Surroundings
    from muninn_cli.providers.base import Deadline, Reply, Request

_HINT = "`muninn dream --no-llm` dreams without a model"


class AskedFor:
    """The provider of that name; remembers the failure after which it was not asked again."""

    def __init__(self, name: ProviderName, around: Surroundings) -> None:
        self._provider = open_provider(name, around.settings.providers, around.env)
        self.name = name
        self.failure: ProviderError | None = None

    @property
    def model(self) -> str:
        return self._provider.model

    @property
    def unready(self) -> str:
        return self._provider.unready

    def require(self, trusts: Iterable[VaultTrust], deadline: Deadline) -> None:
        """Raise ProviderError where it cannot be asked, or may be asked about none of these."""
        if self.unready:
            raise ProviderError(f"{self.name}: {self.unready}", _HINT)
        endpoint = self.endpoint(deadline)
        refusals = [refusal(endpoint, [trust]) for trust in trusts]
        if refusals and all(refusals):
            raise ProviderError(refusals[0], _HINT)

    def endpoint(self, deadline: Deadline) -> Endpoint:
        try:
            return self._provider.endpoint(deadline)
        except ProviderError as error:
            raise ProviderError(f"{self.name}: {error.message}", error.hint) from error

    def ask(self, request: Request, deadline: Deadline) -> Reply:
        try:
            return self._provider.ask(request, deadline)
        except AnswerError:
            raise
        except ProviderError as error:
            self.failure = error
            raise
