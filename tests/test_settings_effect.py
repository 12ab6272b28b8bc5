"""Every setting changes what muninn does: a row for each, and a setting without a row fails.

A row runs the same commands in two homes, one with the default and one with another value, and
what it observes must differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Clock, Muninn
from model_server import Asked, ModelServer, Scripted

from muninn_cli.config.load import variable
from muninn_cli.config.settings import SETTINGS
from muninn_cli.embedding.folder import BUILTIN_FOLDER

LONG = "The linter does not run before a commit."
SHORT = "The linter doesn't run before a commit."
PORT = "The server listens on port 8080."
NEAR = ("The printer on the second floor is out of ink.", "Second floor: the printer has no ink.")
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


@dataclass
class Trial:
    """One home with one value of the setting."""

    muninn: Muninn
    env: dict[str, str]

    def __call__(self, *args: str, **options: Any) -> Any:
        """The JSON answer of a command that works."""
        result = self.run("--json", *args, **options)
        assert result.code == 0, result.err
        return result.json

    def run(self, *args: str, env: dict[str, str] | None = None, **options: Any):
        return self.muninn(*args, env=self.env | (env or {}), **options)


@dataclass(frozen=True)
class Row:
    """Another value than the default, as an environment variable has it, and what to observe."""

    value: str
    observe: Callable[[Trial], object]


def default_vault(trial: Trial) -> object:
    trial("vault", "create", "other", "--no-git")
    return trial("add", PORT)["vault"]


def embedder(trial: Trial) -> object:
    return trial("status")["index"]["embedder"]


def explained(trial: Trial) -> object:
    trial("add", PORT)
    trial("add", "The database has a port of its own.")
    hits = trial("search", "database port", "--explain", "--no-recall")["hits"]
    return [(hit["score"], sorted(hit["parts"])) for hit in hits]


def fused(trial: Trial) -> object:
    trial("add", PORT)
    trial("add", "The database has a port of its own.")
    hits = trial("search", "database", "--no-rerank", "--no-recall")["hits"]
    return [hit["score"] for hit in hits]


def inflected(trial: Trial) -> object:
    trial("add", "Los lunes hay que trabajar temprano.")
    return len(trial("search", "trabajando", "--mode", "fulltext", "--no-recall")["hits"])


def shown(trial: Trial) -> object:
    trial("add", PORT)
    trial("add", "The database has a port of its own.")
    return len(trial("search", "port", "--no-recall")["hits"])


def expiry(tier: str) -> Callable[[Trial], object]:
    return lambda trial: trial("add", PORT, "--tier", tier)["expires"]


def promoted(trial: Trial) -> object:
    trial("add", PORT, "--tier", "T3")
    for _ in range(2):
        trial.muninn.clock.advance(hours=2)
        trial("search", "port")
    return trial("list")["hits"][0]["tier"]


def expiring(trial: Trial) -> object:
    trial("add", PORT)
    return len(trial("expiring")["hits"])


def budget(tier: str) -> Callable[[Trial], object]:
    def percent(trial: Trial) -> object:
        trial("add", PORT, "--tier", tier)
        return trial("status")["vaults"][0]["budgets"][tier]["percent"]

    return percent


def warned(trial: Trial) -> object:
    trial("add", PORT)
    return trial("status", env={"MUNINN_BUDGETS_T2": "10"})["warnings"]


def merged(tier: str) -> Callable[[Trial], object]:
    def operation(trial: Trial) -> object:
        trial("add", LONG, "--title", "House style", "--tier", tier)
        return trial("add", SHORT, "--title", "House style", "--tier", tier)["operation"]

    return operation


def similar(trial: Trial) -> object:
    trial("add", PORT)
    return len(trial("add", PORT.replace("8080", "8081"))["similar"])


def secret(trial: Trial) -> object:
    return trial.run("add", "token ghp_" + "a1B2c3D4e5F6" * 3).code


def committed(trial: Trial) -> object:
    trial("init")
    return (trial.muninn.home / "vaults" / "personal" / ".git").exists()


def coloured(trial: Trial) -> object:
    trial("add", PORT)
    return "\x1b[" in trial.run("list").out


def seen_by(vault: str) -> Callable[[Trial], object]:
    def providers(trial: Trial) -> object:
        trial("vault", "create", "other", "--kind", vault, "--no-git")
        return trial("vault", "show", "other")["vault"]["providers"]

    return providers


def dreamt_again(trial: Trial) -> object:
    """Whether a second dream is due an hour after the first, with three memories more."""
    trial("add", PORT)
    trial("dream", "--force", "--no-llm")
    trial.muninn.clock.advance(hours=1)
    for text in ("Whales sing.", "Concrete hardens in water.", "Trains to Oslo leave at noon."):
        trial("add", text)
    return trial("dream", "--no-llm")["operation"]


def first_dream(trial: Trial) -> object:
    trial("add", PORT)
    return trial("dream", "--no-llm")["operation"]


def tidied(trial: Trial) -> object:
    for text in (LONG, SHORT):
        trial("add", text, "--title", "House style", "--force")
    return len(trial("dream", "--force", "--no-llm")["changes"])


def reviewed(trial: Trial) -> object:
    for text in NEAR:
        trial("add", text, "--title", "Printer", "--force")
    trial("dream", "--force", "--no-llm")
    return len(trial("review", "list")["suggestions"])


def archived(trial: Trial) -> object:
    for number in range(10):
        trial("add", f"Whale {number} sang at night.", "--tier", "T3", "--force")
    trial("list")
    trial.muninn.clock.advance(days=31)
    return len(trial("sweep")["archived"])


def strengthened(trial: Trial) -> object:
    for text in NEAR:
        trial("add", text, "--title", "Printer", "--force")
    trial("search", "printer")
    return len(trial("dream", "--force", "--no-llm")["changes"])


def journal(trial: Trial) -> object:
    trial("add", PORT)
    trial("dream", "--force", "--no-llm")
    return "Dream" in (trial.muninn.home / "dream.journal.md").read_text(encoding="utf-8")


class Slow(ModelServer):
    """Answers after half a second."""

    def reply_to(self, asked: Asked) -> Scripted:
        time.sleep(0.5)
        return super().reply_to(asked)


def dream_with(
    trial: Trial,
    servers: dict[str, ModelServer],
    *names: str,
    pairs: int = 1,
    dream: tuple[str, ...] = ("dream", "--force"),
) -> None:
    """Dream over near-duplicates of a project vault, with these providers to be asked."""
    env = {variable("providers.order"): ",".join(names)} if names else {}
    for name, server in servers.items():
        env[variable(f"providers.{name}.url")] = server.url
        if name in KEYS:
            env[KEYS[name]] = "the-usual-key"
    env |= {"OTHER_KEY": "another-key", variable("dream.min_new"): "1"} | trial.env
    trial("vault", "create", "work-in-progress", "--kind", "project", "--no-git")
    for pair in range(pairs):
        for text in NEAR:
            filler = f" Room {pair} {'reports it again and again ' * (200 if pairs > 1 else 0)}"
            arguments = ("--title", f"Printer {pair}", "--vault", "work-in-progress", "--force")
            trial("add", text + filler, *arguments)
    trial(*dream, env=env)


def started(trial: Trial) -> object:
    """Whether a start waits for a slow answer: only then is the model asked a second time."""
    trial("stop")
    with Slow().running() as server:
        dream_with(trial, {"ollama": server}, "ollama", dream=("start",))
        return len(server.chats) > 1


def asked(name: str) -> Callable[[Trial], object]:
    """What a provider is asked: path, model, key."""

    def observe(trial: Trial) -> object:
        with ModelServer().running() as server:
            dream_with(trial, {name: server}, name)
            headers = [chat.headers for chat in server.chats]
            keys = [head.get("authorization", head.get("x-api-key")) for head in headers]
            return [(chat.path, chat.json["model"]) for chat in server.chats], keys

    return observe


def reached(name: str) -> Callable[[Trial], object]:
    """Whether the server is asked whose URL is given for the default."""

    def observe(trial: Trial) -> object:
        with ModelServer().running() as server:
            dream_with(trial, {name: server}, name)
            return bool(server.asked)

    return observe


def in_time(name: str) -> Callable[[Trial], object]:
    """Whether a slow answer is waited for: the journal then does not tell of a time-out."""

    def observe(trial: Trial) -> object:
        with Slow().running() as server:
            dream_with(trial, {name: server}, name)
        return "did not answer" in (trial.muninn.home / "dream.journal.md").read_text()

    return observe


def first_asked(trial: Trial) -> object:
    with ModelServer().running() as one, ModelServer().running() as other:
        dream_with(trial, {"anthropic": one, "openai": other})
        return bool(one.chats), bool(other.chats)


def requests(trial: Trial) -> object:
    with ModelServer().running() as server:
        dream_with(trial, {"openai": server}, "openai", pairs=6)
        return len(server.chats)


def of_provider(name: str) -> dict[str, Row]:
    """The rows that every provider has."""
    return {
        f"providers.{name}.model": Row("another-model", asked(name)),
        f"providers.{name}.url": Row("http://127.0.0.1:9", reached(name)),
        f"providers.{name}.key_env": Row("OTHER_KEY", asked(name)),
        f"providers.{name}.key_command": Row("echo a-key-of-a-command", asked(name)),
        f"providers.{name}.timeout": Row("0.2", in_time(name)),
    }


ROWS = {
    "vault.default": Row("other", default_vault),
    "embedding.model": Row("", embedder),
    "search.weights": Row("0.1,0.9", fused),
    "search.rerank": Row("false", explained),
    "search.languages": Row("en", inflected),
    "search.limit": Row("1", shown),
    "tiers.t1_days": Row("400", expiry("T1")),
    "tiers.t2_days": Row("100", expiry("T2")),
    "tiers.t3_days": Row("31", expiry("T3")),
    "tiers.promote_after": Row("2", promoted),
    "tiers.warn_days": Row("100", expiring),
    "budgets.t1": Row("10", budget("T1")),
    "budgets.t2": Row("10", budget("T2")),
    "budgets.t3": Row("10", budget("T3")),
    "budgets.warn_percent": Row("5", warned),
    "add.duplicate_durable": Row("1", merged("T1")),
    "add.duplicate_base": Row("1", merged("T2")),
    "add.duplicate_ephemeral": Row("1", merged("T3")),
    "add.similar_at": Row("0.999", similar),
    "remember.secrets": Row("allow", secret),
    "dream.min_hours": Row("0.5", dreamt_again),
    "dream.min_new": Row("1", first_dream),
    "dream.start_timeout": Row("0.1", started),
    "dream.merge_at": Row("1", tidied),
    "dream.review_at": Row("0.99", reviewed),
    "dream.archive_share": Row("1", archived),
    "dream.max_tokens": Row("3000", requests),
    "dream.phases": Row("0,2", strengthened),
    "journal.language": Row("es", journal),
    "git.auto": Row("true", committed),
    "providers.order": Row("openai,anthropic,ollama", first_asked),
    **of_provider("ollama"),
    **of_provider("anthropic"),
    **of_provider("openai"),
    "trust.work": Row("ollama", seen_by("work")),
    "trust.personal": Row("ollama", seen_by("personal")),
    "trust.project": Row("ollama", seen_by("project")),
    "trust.global": Row("ollama", seen_by("global")),
    "ui.color": Row("always", coloured),
}


@pytest.fixture
def trial(tmp_path: Path) -> Callable[[str, str | None], Trial]:
    def make(key: str, value: str | None) -> Trial:
        home = tmp_path / ("default" if value is None else "changed") / "home"
        env = {} if value is None else {variable(key): value}
        return Trial(Muninn(home, Clock(), tmp_path), env)

    return make


FIXED = {"trust.legal"}
"""Legal vaults reach no model: the setting exists to be looked at, and takes no other value."""


def test_every_setting_has_a_row() -> None:
    assert ROWS.keys() | FIXED == SETTINGS.keys()


def test_legal_trust_takes_no_other_value(muninn: Muninn) -> None:
    assert muninn("config", "set", "trust.legal", "ollama").code == 2


@pytest.mark.parametrize("key", sorted(ROWS))
def test_a_setting_changes_what_is_observed(key: str, trial, tmp_path: Path) -> None:
    row = ROWS[key]
    value = row.value or str(another_model(tmp_path))
    assert row.observe(trial(key, value)) != row.observe(trial(key, None))


def another_model(folder: Path) -> Path:
    """The built-in model under another name."""
    place = folder / "another-model"
    place.symlink_to(BUILTIN_FOLDER.root)
    return place
