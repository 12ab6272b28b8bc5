"""Ollama: models on this machine, through its own chat API.

Before any memory is sent, the server is looked up and asked where the model runs: a model that
Ollama passes on to a cloud is remote, whatever it is called here.
https://docs.ollama.com/api/chat, https://docs.ollama.com/capabilities/structured-outputs
"""

from __future__ import annotations

from collections.abc import Mapping

from muninn_cli.config.settings import ProviderSettings
from muninn_cli.core.endpoints import Endpoint, is_cloud_model, ollama_endpoint
from muninn_cli.core.trust import ProviderName
from muninn_cli.errors import ProviderError
from muninn_cli.providers import http
from muninn_cli.providers.base import AnswerError, Deadline, Reply, Request, count_at, text_at
from muninn_cli.providers.keys import KeySource

LOOK_SECONDS = 10.0
_ROOM = 1024
"""Context sizes are asked for in these steps, so that a model is not loaded anew every time."""


class Ollama:
    """A model served by Ollama; an empty model name means the first local one installed."""

    name = ProviderName.OLLAMA
    unready = ""

    def __init__(self, settings: ProviderSettings, env: Mapping[str, str]) -> None:
        url = settings.url
        self.model = settings.model
        self._url = url if "://" in url else f"http://{url}"
        self._timeout = settings.timeout
        self._key = KeySource.of(self.name, settings, env)
        self._server: http.Server | None = None
        self._context = 0

    def endpoint(self, deadline: Deadline) -> Endpoint:
        deadline = deadline.within(LOOK_SECONDS)
        self._server = server = http.look_up(self._url, deadline)
        runs_at = ""
        if server.loopback:
            self.model = self.model or self._installed(server, deadline)
        elif not self.model:
            raise ProviderError("ollama: no model is set", "set providers.ollama.model")
        if server.loopback and not is_cloud_model(self.model):
            runs_at = self._look_at_model(server, deadline)
        return ollama_endpoint(self._url, self.model, loopback=server.loopback, runs_at=runs_at)

    def _installed(self, server: http.Server, deadline: Deadline) -> str:
        models = self._call(server, "/api/tags", None, deadline).get("models")
        for model in models if isinstance(models, list) else ():
            name = text_at(model, "name")
            if name and not _runs_at(model, name) and not _only_embeds(model, name):
                return name
        raise ProviderError(
            "ollama: no local model is installed", "for example: ollama pull gemma3"
        )

    def _look_at_model(self, server: http.Server, deadline: Deadline) -> str:
        """Ask what the model is; returns where else it runs, empty for here."""
        shown = self._call(server, "/api/show", {"model": self.model}, deadline)
        architecture = text_at(shown, "model_info", "general.architecture")
        self._context = count_at(shown, "model_info", f"{architecture}.context_length")
        return _runs_at(shown, text_at(shown, "details", "parent_model"))

    def ask(self, request: Request, deadline: Deadline) -> Reply:
        deadline = deadline.within(self._timeout)
        if self._server is None:
            self.endpoint(deadline)
        assert self._server is not None
        payload = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "stream": False,
            "format": request.schema,
            "options": {
                "temperature": 0,
                "num_ctx": self._context_size(request),
                "num_predict": request.max_tokens,
            },
        }
        return self._reply(self._call(self._server, "/api/chat", payload, deadline))

    def _context_size(self, request: Request) -> int:
        """Tokens to reserve: Ollama cuts a prompt that does not fit, and does not say so.

        Two characters a token is more than any language of Europe needs.
        """
        needed = (len(request.system) + len(request.user)) // 2 + request.max_tokens
        if self._context and needed > self._context:
            raise AnswerError(f"ollama: {self.model} has room for {self._context} tokens only")
        return -(-needed // _ROOM) * _ROOM

    def _reply(self, answer: dict[str, object]) -> Reply:
        if runs_at := _runs_at(answer, ""):
            raise ProviderError(f"ollama: the answer came from {runs_at}, not from this machine")
        if text_at(answer, "done_reason") == "length":
            raise AnswerError(f"ollama: {self.model} did not come to an end of its answer")
        return Reply(
            text_at(answer, "message", "content"),
            count_at(answer, "prompt_eval_count"),
            count_at(answer, "eval_count"),
        )

    def _call(
        self,
        server: http.Server,
        path: str,
        payload: Mapping[str, object] | None,
        deadline: Deadline,
    ) -> dict[str, object]:
        key = self._key.read()
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return http.exchange(server, path, payload, deadline, headers=headers, secret=key)


def _runs_at(reported: object, name: str) -> str:
    """The remote host or model in what Ollama reports about a model or an answer."""
    remote = text_at(reported, "remote_host") or text_at(reported, "remote_model")
    return remote or (name if is_cloud_model(name) else "")


def _only_embeds(model: object, name: str) -> bool:
    return "embed" in name or "bert" in text_at(model, "details", "family")
