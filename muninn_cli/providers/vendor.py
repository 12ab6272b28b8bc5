"""What providers that are a vendor's service have in common: a base URL and a key.

A base URL other than the vendor's own is remote, whatever answers there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from muninn_cli.config.settings import ProviderSettings
from muninn_cli.core.endpoints import Endpoint, vendor_endpoint
from muninn_cli.core.trust import ProviderName
from muninn_cli.providers import http
from muninn_cli.providers.base import Deadline
from muninn_cli.providers.keys import KeySource

REASONING_TOKENS = 8_000
"""Allowed on top of the answer: current models think first, and that counts as output."""


class Vendor:
    """The part of a provider that does not depend on the shape of its API."""

    def __init__(
        self, name: ProviderName, settings: ProviderSettings, env: Mapping[str, str]
    ) -> None:
        self.name = name
        self.model = settings.model
        self._url = settings.url
        self._timeout = settings.timeout
        self._key = KeySource.of(name, settings, env)

    @property
    def unready(self) -> str:
        return self._key.missing

    def endpoint(self, deadline: Deadline) -> Endpoint:  # noqa: ARG002  (nothing to wait for)
        return vendor_endpoint(self.name, self._url)

    def post(
        self,
        path: str,
        payload: Mapping[str, object],
        deadline: Deadline,
        headers: Callable[[str], dict[str, str]],
    ) -> dict[str, object]:
        """Send JSON, with the headers made from the key, and return the JSON answer."""
        deadline = deadline.within(self._timeout)
        key = self._key.require()
        server = http.look_up(self._url, deadline)
        return http.exchange(server, path, payload, deadline, headers=headers(key), secret=key)
