"""Every setting changes what muninn does: a row for each, and a setting without a row fails.

A row runs the same commands in two homes, one with the default and one with another value, and
what it observes must differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Clock, Muninn

from muninn_cli.config.load import variable
from muninn_cli.embedding.folder import BUILTIN_FOLDER

LONG = "The linter does not run before a commit."
SHORT = "The linter doesn't run before a commit."
PORT = "The server listens on port 8080."


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
    "git.auto": Row("true", committed),
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
