"""OpenAI, and servers that speak its chat API, with structured output.

https://developers.openai.com/api/docs/guides/structured-outputs
"""

from __future__ import annotations

from collections.abc import Mapping

from muninn_cli.config.settings import ProviderSettings
from muninn_cli.core.trust import ProviderName
from muninn_cli.providers.base import AnswerError, Deadline, Reply, Request, count_at, text_at
from muninn_cli.providers.vendor import REASONING_TOKENS, Vendor


class OpenAI(Vendor):
    """A model of OpenAI's, or of a server with the same API at another URL."""

    def __init__(self, settings: ProviderSettings, env: Mapping[str, str]) -> None:
        super().__init__(ProviderName.OPENAI, settings, env)

    def ask(self, request: Request, deadline: Deadline) -> Reply:
        schema = {"name": "answer", "strict": True, "schema": request.schema}
        payload = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "response_format": {"type": "json_schema", "json_schema": schema},
            "max_completion_tokens": request.max_tokens + REASONING_TOKENS,
            "store": False,  # accounts may keep what is sent unless told not to
        }
        return self._reply(self.post("/chat/completions", payload, deadline, _headers))

    def _reply(self, answer: dict[str, object]) -> Reply:
        reason = text_at(answer, "choices", 0, "finish_reason")
        if reason == "content_filter" or text_at(answer, "choices", 0, "message", "refusal"):
            raise AnswerError(f"openai: {self.model} refused to answer")
        if reason == "length":
            raise AnswerError(f"openai: {self.model} did not come to an end of its answer")
        return Reply(
            text_at(answer, "choices", 0, "message", "content"),
            count_at(answer, "usage", "prompt_tokens"),
            count_at(answer, "usage", "completion_tokens"),
        )


def _headers(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}
