"""Trust only ever takes away: by kind, by setting, by vault, by place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.endpoints import (
    Endpoint,
    Place,
    is_cloud_model,
    is_loopback,
    ollama_endpoint,
    refusal,
    vendor_endpoint,
)
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import DEFAULT_TRUST, ProviderName, known_kind, stricter, vault_trust

OLLAMA, ANTHROPIC, OPENAI = ProviderName.OLLAMA, ProviderName.ANTHROPIC, ProviderName.OPENAI
HERE = Endpoint(OLLAMA, Place.HERE)
LAN = Endpoint(OLLAMA, Place.REMOTE, "box.lan is not this machine")
ENDPOINTS = [
    HERE,
    LAN,
    Endpoint(ANTHROPIC, Place.VENDOR),
    Endpoint(ANTHROPIC, Place.REMOTE, "proxy.example is not anthropic's own address"),
    Endpoint(OPENAI, Place.VENDOR),
    Endpoint(OPENAI, Place.REMOTE, "127.0.0.1 is not openai's own address"),
]


def allowed(kind: Kind, **more) -> list[int]:
    trust = vault_trust("v", kind, **more)
    return [number for number, each in enumerate(ENDPOINTS) if not refusal(each, [trust])]


def test_each_kind_allows_what_it_says_by_default():
    assert allowed(Kind.LEGAL) == []
    assert allowed(Kind.WORK) == allowed(Kind.PERSONAL) == [0, 2]
    assert allowed(Kind.PROJECT) == allowed(Kind.GLOBAL) == [0, 1, 2, 3, 4, 5]


def test_without_openai_nothing_remote_is_allowed():
    assert allowed(Kind.PROJECT, setting=["ollama", "anthropic"]) == [0, 2]
    assert allowed(Kind.PROJECT, denied=["openai"]) == [0, 2]


def test_a_provider_taken_away_stays_away_also_as_remote():
    assert allowed(Kind.PROJECT, denied=["ollama"]) == [2, 3, 4, 5]


names = st.lists(st.sampled_from([*ProviderName, "OLLAMA", "all", "*", ""]))


@given(kind=st.sampled_from(Kind), setting=st.none() | names, denied=names)
def test_no_setting_and_no_vault_gives_more_than_the_default(kind, setting, denied):
    assert vault_trust("v", kind, setting, denied).allowed <= DEFAULT_TRUST[kind]


@given(setting=st.none() | names)
def test_no_setting_opens_a_legal_vault(setting):
    assert allowed(Kind.LEGAL, setting=setting) == []


def test_a_request_over_several_vaults_goes_only_where_all_allow():
    project, work = vault_trust("p", Kind.PROJECT), vault_trust("w", Kind.WORK)
    legal = vault_trust("l", Kind.LEGAL)
    openai = Endpoint(OPENAI, Place.VENDOR)
    assert refusal(openai, [project]) == ""
    assert "vault w (work) allows ollama, anthropic only" in refusal(openai, [project, work])
    assert "vault l (legal) allows no language model" in refusal(HERE, [project, work, legal])


def test_the_reason_names_the_vault_and_the_place():
    reason = refusal(LAN, [vault_trust("diary", Kind.PERSONAL)])
    assert reason == (
        "vault diary (personal) allows no remote model, and box.lan is not this machine"
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Legal", Kind.LEGAL), (" work ", Kind.WORK), ("team", Kind.PERSONAL), ("", Kind.PERSONAL)],
)
def test_a_kind_that_is_not_known_counts_as_personal(text, kind):
    assert known_kind(text) is kind


def test_the_stricter_of_two_kinds():
    assert stricter(Kind.PROJECT, Kind.WORK) is stricter(Kind.WORK, Kind.GLOBAL) is Kind.WORK
    assert stricter(Kind.WORK, Kind.LEGAL) is stricter(Kind.LEGAL, Kind.GLOBAL) is Kind.LEGAL
    assert stricter(Kind.WORK, Kind.PERSONAL) is Kind.WORK


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_loopback_addresses(address):
    assert is_loopback(address)


@pytest.mark.parametrize(
    "address",
    ["0.0.0.0", "10.0.0.1", "::", "fe80::1%lo", "::ffff:10.0.0.1", "localhost", "127.0.0.1.x", ""],
)
def test_what_is_no_loopback_address(address):
    assert not is_loopback(address)


@pytest.mark.parametrize(
    "model",
    ["gpt-oss:120b-cloud", "kimi-k2.5:cloud", "qwen3:CLOUD:8b", "x-cloud", " deepseek:1t-Cloud "],
)
def test_cloud_models_are_known_by_name(model):
    assert is_cloud_model(model)


@pytest.mark.parametrize("model", ["llama3.2", "cloudy:7b", "cloud-8b:latest", "me/nimbus:8b"])
def test_other_models_are_not(model):
    assert not is_cloud_model(model)


def test_where_an_ollama_model_runs():
    url = "http://localhost:11434"
    assert ollama_endpoint(url, "gemma3", loopback=True).place is Place.HERE
    assert ollama_endpoint(url, "gemma3", loopback=False).place is Place.REMOTE
    assert ollama_endpoint(url, "big:cloud", loopback=True).place is Place.REMOTE
    renamed = ollama_endpoint(url, "mine", loopback=True, runs_at="https://ollama.com:443")
    assert renamed.because == "mine runs at https://ollama.com:443"
    assert renamed.place is Place.REMOTE


@pytest.mark.parametrize(
    ("provider", "url"),
    [
        (ANTHROPIC, "https://api.anthropic.com"),
        (ANTHROPIC, "https://api.anthropic.com:443/"),
        (OPENAI, "https://API.openai.com/v1"),
    ],
)
def test_a_vendors_own_address(provider, url):
    assert vendor_endpoint(provider, url).place is Place.VENDOR


@pytest.mark.parametrize(
    "url",
    [
        "http://api.anthropic.com",
        "https://api.anthropic.com.example.org",
        "https://api.anthropic.com@example.org/",
        "https://api.anthropic.com:8443",
        "https://api.openai.com/v1",
        "http://127.0.0.1:4000",
        "api.anthropic.com",
        "https://[",
        "",
    ],
)
def test_a_vendors_name_with_another_address_is_remote(url):
    endpoint = vendor_endpoint(ANTHROPIC, url)
    assert endpoint.place is Place.REMOTE
    assert endpoint.because


def test_ollama_has_no_address_of_its_own():
    assert vendor_endpoint(OLLAMA, "https:///").place is Place.REMOTE
