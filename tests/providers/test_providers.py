"""Each provider against a real server: what it sends, what it reads, what it tells of its place."""

import json

import pytest
from model_server import ModelServer, Scripted, ollama_says

from muninn_cli.config.settings import ProviderSettings, Settings
from muninn_cli.core.endpoints import Place
from muninn_cli.core.trust import ProviderName
from muninn_cli.errors import ProviderError
from muninn_cli.providers import open_provider, open_providers
from muninn_cli.providers.anthropic import Anthropic
from muninn_cli.providers.base import AnswerError, Deadline, Request
from muninn_cli.providers.ollama import Ollama
from muninn_cli.providers.openai import OpenAI

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
REQUEST = Request(system="Judge.", user="Note ñ", schema=SCHEMA, max_tokens=500)
ENV = {"KEY": "sk-test-key"}


@pytest.fixture
def server():
    with ModelServer().running() as running:
        yield running


def settings(server: ModelServer, **more: object) -> ProviderSettings:
    values = {"url": server.url, "model": "m:8b", "key_env": "KEY", "timeout": 5.0, **more}
    return ProviderSettings(values)


def soon() -> Deadline:
    return Deadline.after(5)


def says(answer: object) -> Scripted:
    return Scripted(json.dumps(answer).encode())


def test_ollama_sends_the_schema_and_room_for_the_whole_prompt(server):
    server.script = [ollama_says('{"a": 1}')]
    reply = Ollama(settings(server, key_env=""), {}).ask(REQUEST, soon())
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('{"a": 1}', 120, 30)
    (chat,) = server.chats
    assert chat.path == "/api/chat"
    assert chat.json["format"] == SCHEMA
    assert chat.json["stream"] is False
    assert [each["content"] for each in chat.json["messages"]] == ["Judge.", "Note ñ"]
    assert chat.json["options"]["num_ctx"] >= 500 + len("Judge.Note ñ") // 2
    assert "authorization" not in chat.headers


def test_ollama_on_loopback_runs_here(server):
    assert Ollama(settings(server), {}).endpoint(soon()).place is Place.HERE
    assert server.chats == []


def test_ollama_takes_an_address_without_a_scheme(server):
    bare = settings(server, url=f"127.0.0.1:{server.port}")
    assert Ollama(bare, {}).endpoint(soon()).place is Place.HERE


@pytest.mark.parametrize(
    "shown",
    [
        {"remote_host": "https://ollama.com:443", "remote_model": "big"},
        {"remote_model": "big"},
        {"details": {"parent_model": "big:120b-cloud"}},
    ],
)
def test_a_renamed_cloud_model_is_found_out_before_anything_is_sent(server, shown):
    server.shows = says(shown)
    endpoint = Ollama(settings(server, model="mine"), {}).endpoint(soon())
    assert endpoint.place is Place.REMOTE
    assert "mine runs at" in endpoint.because
    assert server.chats == []


def test_a_cloud_model_by_name_is_remote_without_asking(server):
    endpoint = Ollama(settings(server, model="big:cloud"), {}).endpoint(soon())
    assert endpoint.place is Place.REMOTE
    assert server.asked == []


def test_an_answer_from_elsewhere_does_not_count(server):
    server.script = [ollama_says("{}", remote_host="https://ollama.com:443")]
    with pytest.raises(ProviderError, match="not from this machine"):
        Ollama(settings(server), {}).ask(REQUEST, soon())


def test_without_a_name_the_first_local_chat_model_is_taken(server):
    server.tags = says(
        {
            "models": [
                {"name": "big:120b-cloud", "remote_host": "https://ollama.com"},
                {"name": "alias", "remote_model": "big"},
                {"name": "nomic-embed-text:latest", "details": {"family": "nomic-bert"}},
                {"name": "gemma3:4b", "details": {"family": "gemma3"}},
            ]
        }
    )
    ollama = Ollama(settings(server, model=""), {})
    assert ollama.endpoint(soon()).place is Place.HERE
    assert ollama.model == "gemma3:4b"


def test_no_model_installed_is_said(server):
    server.tags = says({"models": []})
    with pytest.raises(ProviderError, match="no local model is installed"):
        Ollama(settings(server, model=""), {}).endpoint(soon())


def test_a_model_that_is_not_installed_is_said(server):
    server.shows = Scripted(b'{"error": "model \'m:8b\' not found"}', 404)
    with pytest.raises(ProviderError, match=r"404: model 'm:8b' not found"):
        Ollama(settings(server), {}).endpoint(soon())


def test_a_prompt_that_the_model_would_cut_is_not_sent(server):
    server.shows = says(
        {"model_info": {"general.architecture": "gemma3", "gemma3.context_length": 400}}
    )
    with pytest.raises(AnswerError, match="room for 400 tokens"):
        Ollama(settings(server), {}).ask(REQUEST, soon())
    assert server.chats == []


def test_a_cut_answer_of_ollama_does_not_count(server):
    server.script = [ollama_says('{"merges": [', done_reason="length")]
    with pytest.raises(AnswerError, match="did not come to an end"):
        Ollama(settings(server), {}).ask(REQUEST, soon())


CLAUDE = {
    "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "{}"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 7, "output_tokens": 3},
}


def test_anthropic_sends_its_own_structured_output_and_skips_thinking(server):
    server.script = [says(CLAUDE)]
    reply = Anthropic(settings(server), ENV).ask(REQUEST, soon())
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("{}", 7, 3)
    (chat,) = server.asked
    assert chat.path == "/v1/messages"
    assert chat.headers["x-api-key"] == "sk-test-key"
    assert chat.headers["anthropic-version"] == "2023-06-01"
    assert chat.json["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    assert chat.json["system"] == "Judge."
    assert chat.json["messages"] == [{"role": "user", "content": "Note ñ"}]
    assert chat.json["max_tokens"] > 500
    assert "temperature" not in chat.json


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "model_context_window_exceeded"])
def test_what_claude_does_not_end_does_not_count(server, reason):
    server.script = [says({**CLAUDE, "stop_reason": reason})]
    with pytest.raises(AnswerError):
        Anthropic(settings(server), ENV).ask(REQUEST, soon())


GPT = {
    "choices": [{"finish_reason": "stop", "message": {"content": "{}", "refusal": None}}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3},
}


def test_openai_sends_a_strict_schema_and_asks_not_to_be_stored(server):
    server.script = [says(GPT)]
    reply = OpenAI(settings(server, url=f"{server.url}/v1"), ENV).ask(REQUEST, soon())
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("{}", 7, 3)
    (chat,) = server.asked
    assert chat.path == "/v1/chat/completions"
    assert chat.headers["authorization"] == "Bearer sk-test-key"
    assert chat.json["response_format"]["json_schema"]["strict"] is True
    assert chat.json["response_format"]["json_schema"]["schema"] == SCHEMA
    assert chat.json["store"] is False


@pytest.mark.parametrize(
    "choice",
    [
        {"finish_reason": "length", "message": {"content": "{"}},
        {"finish_reason": "content_filter", "message": {"content": ""}},
        {"finish_reason": "stop", "message": {"content": None, "refusal": "I cannot."}},
    ],
)
def test_what_openai_does_not_end_does_not_count(server, choice):
    server.script = [says({"choices": [choice]})]
    with pytest.raises(AnswerError):
        OpenAI(settings(server), ENV).ask(REQUEST, soon())


@pytest.mark.parametrize("kind", [Ollama, Anthropic, OpenAI])
@pytest.mark.parametrize(
    "answer", [{}, {"choices": [], "content": None, "message": "text"}, {"choices": [[]]}]
)
def test_an_answer_of_another_shape_is_an_empty_text(server, kind, answer):
    server.script = [says(answer)]
    assert kind(settings(server), ENV).ask(REQUEST, soon()).text == ""


@pytest.mark.parametrize("kind", [Anthropic, OpenAI])
def test_a_missing_key_is_known_without_asking(server, kind):
    provider = kind(settings(server), {})
    assert provider.unready == "no key: KEY is not set"
    with pytest.raises(ProviderError, match="no key"):
        provider.ask(REQUEST, soon())
    assert server.asked == []


def test_a_vendor_at_another_address_is_remote(server):
    assert Anthropic(settings(server), ENV).endpoint(soon()).place is Place.REMOTE
    assert OpenAI(settings(server), ENV).endpoint(soon()).place is Place.REMOTE


def test_the_default_settings_lead_to_the_vendors_and_to_this_machine():
    providers = open_providers(Settings().providers, ENV)
    assert [each.name for each in providers] == list(ProviderName)
    places = [each.endpoint(soon()).place for each in providers[1:]]
    assert places == [Place.VENDOR, Place.VENDOR]
    assert Settings().providers.ollama.url == "http://127.0.0.1:11434"


def test_a_provider_is_opened_by_name_and_waits_as_long_as_its_setting(server):
    server.script = [Scripted(hang=True)]
    changed = Settings({"providers.openai.url": server.url, "providers.openai.timeout": 0.2})
    openai = open_provider(ProviderName.OPENAI, changed.providers, {"OPENAI_API_KEY": "sk-1"})
    with pytest.raises(ProviderError, match="in time"):
        openai.ask(REQUEST, Deadline.after(30))
