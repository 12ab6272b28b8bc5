"""A second dream with nothing new: no change, and nothing sent, whatever the first one did."""

import json

import pytest
from model_server import ModelServer, ollama_says

NOTES = {
    "one": "We deploy the website every Friday with a script.",
    "two": "Every Friday the website is deployed by a script.",
    "three": "Every Friday a script that we have deploys the website.",
    "copy-1": "Docker networks time out on a small MTU.",
    "copy-2": "Docker networks time out on a small MTU.",
    "old": "The staging database is Postgres.",
    "new": "The staging database is MySQL.",
}


@pytest.fixture
def model():
    with ModelServer().running() as running:
        yield running


def dream(muninn, model: ModelServer):
    env = {
        "MUNINN_PROVIDERS_OLLAMA_URL": model.url,
        "MUNINN_PROVIDERS_OLLAMA_MODEL": "local:1b",
        "MUNINN_PROVIDERS_ORDER": "ollama",
    }
    code, out, _ = muninn("dream", "--force", env=env)
    assert code == 0
    return out


def fill(home) -> dict[str, bytes]:
    for name, body in NOTES.items():
        title = name.partition("-")[0] if name in ("copy-1", "copy-2") else "Note"
        day = "20" if name == "new" else "10"
        front = f'id: "{name}"\ntitle: {title}\ncreated: 2026-03-{day}'
        (home / "vaults" / "personal" / f"{name}.md").write_text(f"---\n{front}\n---\n{body}\n")
    return contents(home)


def contents(home) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (home / "vaults").rglob("*.md")}


@pytest.mark.parametrize("content", [None, f"{NOTES['one']} {NOTES['two']}"], ids=["as is", "new"])
def test_a_second_dream_changes_and_sends_nothing(muninn, home, model, content) -> None:
    muninn("init")
    before = fill(home)
    merge = {"ids": ["one", "two"], "content": content or NOTES["one"], "reason": "same"}
    verdict = {"newer": "new", "older": "old", "reason": "moved"}
    model.script = [ollama_says(json.dumps({"merges": [merge], "contradictions": [verdict]}))]
    first = dream(muninn, model)
    assert "Merged" in first
    assert "Resolved" in first
    sent, after = len(model.chats), contents(home)
    assert sent
    assert after != before
    assert b"three" in model.chats[0].body
    muninn.clock.advance(hours=13)
    assert "Nothing to do." in dream(muninn, model)
    assert contents(home) == after
    assert len(model.chats) == sent


def test_after_an_undo_a_dream_changes_and_sends_nothing(muninn, home, model) -> None:
    muninn("init")
    before = fill(home)
    merge = {"ids": ["one", "two"], "content": NOTES["one"], "reason": "same"}
    model.script = [ollama_says(json.dumps({"merges": [merge]}))]
    dream(muninn, model)
    assert contents(home) != before
    assert muninn("undo").code == 0
    assert contents(home) == before
    sent = len(model.chats)
    muninn.clock.advance(hours=13)
    dream(muninn, model)
    assert contents(home) == before
    assert len(model.chats) == sent
