"""What a vault's trust does not allow is in no request, not even a title."""

from contextlib import ExitStack

import pytest
from model_server import ModelServer, ollama_says

CANARY = "zorbly"
"""A word that only legal memories hold."""
PROJECT = "quintal"
"""A word that only a project's memories hold."""


def note(word: str, number: int) -> str:
    """Two of these are near-duplicates, and connections of those with another word."""
    return (
        f"---\nid: {word}{number}\ntitle: The {word} contract is under review\n"
        f"tags: [{word}tag]\n---\n"
        f"The {word} contract with the supplier is {('under review', 'being reviewed')[number]}"
        f" by the office in Lugo, see the appendix.\n"
    )


@pytest.fixture
def servers():
    with ExitStack() as stack:
        found = {
            name: stack.enter_context(ModelServer().running())
            for name in ("ollama", "anthropic", "openai")
        }
        for server in found.values():
            server.script = [ollama_says("{}")]
        yield found


@pytest.fixture
def env(servers) -> dict[str, str]:
    return {
        "MUNINN_PROVIDERS_OLLAMA_URL": servers["ollama"].url,
        "MUNINN_PROVIDERS_OLLAMA_MODEL": "local:1b",
        "MUNINN_PROVIDERS_ANTHROPIC_URL": servers["anthropic"].url,
        "MUNINN_PROVIDERS_OPENAI_URL": servers["openai"].url,
        "ANTHROPIC_API_KEY": "key-a",
        "OPENAI_API_KEY": "key-o",
    }


def fill(muninn, name: str, word: str, kind: str | None = None) -> None:
    options = ("--kind", kind) if kind else ()
    assert muninn("vault", "create", name, *options).code == 0
    for number in range(2):
        place = muninn.home / "vaults" / name / f"{word}-{number}.md"
        place.write_text(note(word, number))


def requests(servers) -> str:
    return "\n".join(
        asked.path + str(asked.headers) + asked.body.decode("utf-8", "replace")
        for server in servers.values()
        for asked in server.asked
    )


@pytest.mark.parametrize("down", [(), ("ollama",), ("ollama", "anthropic")])
@pytest.mark.parametrize("mode", [("--force",), ("--dry-run",)])
def test_nothing_of_a_legal_vault_is_in_any_request(muninn, servers, env, down, mode):
    fill(muninn, "legal", CANARY)
    fill(muninn, "app", PROJECT, "project")
    for name in down:
        env[f"MUNINN_PROVIDERS_{name.upper()}_URL"] = "http://127.0.0.1:9"
    assert muninn("dream", *mode, env=env).code == 0
    sent = requests(servers)
    assert PROJECT in sent
    assert CANARY not in sent
    assert "legal" not in sent


def test_a_legal_vault_alone_opens_no_connection(muninn, servers, env):
    fill(muninn, "legal", CANARY)
    assert muninn("dream", "--force", env=env).code == 0
    assert muninn("dream", "--force", "--vault", "legal", env=env).code == 0
    assert requests(servers) == ""


def test_a_work_vault_goes_to_no_address_that_is_not_the_vendors(muninn, servers, env):
    """A vendor's name with another base URL counts as remote."""
    fill(muninn, "work", CANARY, "work")
    fill(muninn, "app", PROJECT, "project")
    env["MUNINN_PROVIDERS_OLLAMA_URL"] = "http://127.0.0.1:9"
    assert muninn("dream", "--force", env=env).code == 0
    sent = requests(servers)
    assert PROJECT in sent
    assert CANARY not in sent


def test_no_key_is_in_the_state_or_the_journal(muninn, servers, env):
    fill(muninn, "app", PROJECT, "project")
    muninn("dream", "--force", env=env)
    written = b"".join(path.read_bytes() for path in muninn.home.rglob("*") if path.is_file())
    assert b"key-a" not in written and b"key-o" not in written


def test_where_no_provider_is_allowed_nothing_is_sent_and_the_journal_says_so(muninn, servers, env):
    fill(muninn, "work", CANARY, "work")
    env["MUNINN_TRUST_WORK"] = "[]"
    done = muninn("dream", "--force", env=env)
    assert done.code == 0
    assert requests(servers) == ""
    assert "no provider that is set up may see vault work" in done.out


def test_a_provider_asked_for_may_not_see_a_legal_vault(muninn, servers, env):
    fill(muninn, "legal", CANARY)
    fill(muninn, "app", PROJECT, "project")
    refused = muninn("dream", "--force", "--provider", "ollama", "--vault", "legal", env=env)
    assert refused.code == 6
    assert "vault legal (legal) allows no language model" in refused.err
    assert CANARY not in requests(servers)
