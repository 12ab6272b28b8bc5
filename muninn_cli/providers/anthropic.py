"""Anthropic: the Messages API with structured output.

https://platform.claude.com/docs/en/build-with-claude/structured-outputs
"""

from __future__ import annotations

from collections.abc import Mapping

from muninn_cli.config.settings import ProviderSettings
from muninn_cli.core.trust import ProviderName
from muninn_cli.providers.base import AnswerError, Deadline, Reply, Request, count_at, text_at
from muninn_cli.providers.vendor import REASONING_TOKENS, Vendor

API_VERSION = "2023-06-01"
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


class Anthropic(Vendor):
    """A Claude model."""

    def __init__(self, settings: ProviderSettings, env: Mapping[str, str]) -> None:
        super().__init__(ProviderName.ANTHROPIC, settings, env)

    def ask(self, request: Request, deadline: Deadline) -> Reply:
        # No temperature and no forced tool: current models turn both down.
        payload = {
            "model": self.model,
            "max_tokens": request.max_tokens + REASONING_TOKENS,
            "system": request.system,
            "messages": [{"role": "user", "content": request.user}],
            "output_config": {"format": {"type": "json_schema", "schema": request.schema}},
        }
        return self._reply(self.post("/v1/messages", payload, deadline, _headers))

    def _reply(self, answer: dict[str, object]) -> Reply:
        match text_at(answer, "stop_reason"):
            case "refusal":
                raise AnswerError(f"anthropic: {self.model} refused to answer")
            case reason if reason in _CUT:
                raise AnswerError(f"anthropic: {self.model} did not come to an end of its answer")
        # Thinking comes in blocks of its own, before the answer.
        blocks = answer.get("content")
        texts = (
            text_at(block, "text")
            for block in (blocks if isinstance(blocks, list) else ())
            if text_at(block, "type") == "text"
        )
        return Reply(
            "".join(texts),
            count_at(answer, "usage", "input_tokens"),
            count_at(answer, "usage", "output_tokens"),
        )


def _headers(key: str) -> dict[str, str]:
    return {"x-api-key": key, "anthropic-version": API_VERSION}
