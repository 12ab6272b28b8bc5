"""Secrets are found by their documented formats, and prose, code and ids are left alone.

Every key here is put together at run time, so that no scanner finds one in this file.
"""

from __future__ import annotations

import base64
import json
import socket
import string
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.ids import new_id
from muninn_cli.remember.secrets import find_secret

_MIXED = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
_HEX = "0123456789abcdef"


def run(length: int, characters: str = _MIXED) -> str:
    return (characters * (length // len(characters) + 1))[:length]


def jwt() -> str:
    parts = [json.dumps({"alg": "HS256"}), json.dumps({"sub": "42"})]
    encoded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, run(43)])


KEYS = {
    "anthropic": "sk-" + "ant-" + "api03-" + run(80),
    "openai project": "sk-" + "proj-" + run(48),
    "openai service account": "sk-" + "svcacct-" + run(48),
    "openai, old": "sk-" + run(48),
    "openai, older": "sk-" + run(20) + "T3Blbk" + "FJ" + run(20),
    "openrouter": "sk-" + "or-v1-" + run(64, _HEX),
    "github classic": "gh" + "p_" + run(36),
    "github actions": "gh" + "s_" + run(36),
    "github fine grained": "github" + "_pat_" + run(22) + "_" + run(59),
    "gitlab": "gl" + "pat-" + run(20),
    "google api": "AI" + "za" + run(35),
    "google oauth": "ya" + "29." + run(60),
    "google client": "GOC" + "SPX-" + run(28),
    "aws access": "AK" + "IA" + run(16, "Q7ZX2MWT5VKD3PRN"),
    "aws secret": "aws_secret_access_key = '" + run(40) + "'",
    "azure": "Account" + "Key=" + run(86) + "==",
    "slack bot": "xo" + "xb-" + "123456789012-" + run(24, "abcdef123456"),
    "slack app": "xa" + "pp-" + "1-A0" + run(40),
    "slack webhook": "https://hooks.slack"
    + ".com/services/T"
    + run(9)
    + "/B"
    + run(9)
    + "/"
    + run(24),
    "stripe live": "sk" + "_live_" + run(24),
    "stripe restricted": "rk" + "_live_" + run(24),
    "stripe webhook": "wh" + "sec_" + run(32),
    "npm": "np" + "m_" + run(36),
    "npmrc": "//registry.npmjs.org/:_auth" + "Token=" + "npm_" + run(20),
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + run(80),
    "hugging face": "hf" + "_" + run(34),
    "groq": "gs" + "k_" + run(52),
    "sendgrid": "S" + "G." + run(22) + "." + run(43),
    "twilio": "S" + "K" + run(32, _HEX),
    "mailchimp": run(32, _HEX) + "-us" + "12",
    "discord": "M" + run(23) + "." + run(6) + "." + run(27),
    "telegram": "123456789" + ":A" + "A" + run(33),
    "digitalocean": "do" + "p_v1_" + run(64, _HEX),
    "databricks": "da" + "pi" + run(32, _HEX),
    "vault": "hv" + "s." + run(24),
    "shopify": "shp" + "at_" + run(32, _HEX),
    "jwt": jwt(),
    "bearer": "Authorization: Bea" + "rer " + run(40),
    "password in a URL": "postgres://app:" + "s3cr3t-pw" + "@db.example.com/main",
    "password in a web address": "https://ana:" + "hunter2" + "@example.com/feed",
    "password assigned": "DB_PASS" + "WORD=" + "Tr0ub4dor&3",
    "password named": "pass" + 'word: "' + "p4$$W0rd-9" + '"',
    "contraseña": "contra" + "seña: " + "Cu3rv0-Negro",
    "client secret": "client_" + "secret=" + run(24),
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "private key, new": "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
    "private key, pgp": "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----",
    "private key, encrypted": "-----BEGIN ENCRYPTED " + "PRIVATE KEY-----",
    "age": "AGE-SECRET-" + "KEY-1" + run(58, string.ascii_uppercase + string.digits),
}

HARMLESS = (
    "auth: uses JWT",
    "auth: the API uses bearer tokens, never cookies",
    "The token expires after 30 days; the password needs 12 characters and 2 digits.",
    "password: at least 12 characters",
    "password: sha256-hashed, api_key: process.env.API_KEY1",
    "La contraseña: mínimo 12 caracteres, con 2 números",
    "api_key = OPENAI_API_KEY",
    "The secret of good soup is salt.",
    "postgres://localhost:5432/main and https://example.com:8443/path",
    "postgres://user:<password>@host and https://user:${PASSWORD}@host",
    "git@github.com:someone/project.git, ana@example.com",
    "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx is how a key begins; sk-or-aaaaaaaaaaaaaaaaaaaaaaaa is none",
    "task-management, desk-side-and-ask-me-anything-about-everything-in-the-kitchen",
    "commit 3b80869c0d6b2a9f1e4d5c6b7a8f9e0d1c2b3a4f, sha256:" + "9f86d081884c7d65" * 4,
    "id: 01JQXW9Z6N8F4T2M5R7K3C1B0A, d0A1B2C3D4E5F6G7H8J9K0MNPQ",
    "id: 4A3T07QFX700031ZWW3E8ZZZZZ, dA3TB2C3D4E5F6G7H8J9K0MNPQ",
    "550e8400-e29b-41d4-a716-446655440000",
    "The word BEGIN stands before the public key: -----BEGIN PUBLIC KEY-----",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8b1hQmW0y9 ana@laptop",
    "Use `Authorization: Bearer $TOKEN` or Bearer <token>.",
)


@pytest.mark.parametrize("kind", KEYS)
def test_a_secret_is_found_in_the_middle_of_a_note(kind: str) -> None:
    text = f"# Setup\n\nThis is how I log in: {KEYS[kind]}\nand that is all.\n"
    assert find_secret(text), kind


@pytest.mark.parametrize("kind", KEYS)
def test_a_secret_alone_is_found(kind: str) -> None:
    assert find_secret(KEYS[kind]), kind


@pytest.mark.parametrize("text", HARMLESS)
def test_prose_placeholders_and_ids_pass(text: str) -> None:
    assert find_secret(text) is None


def test_the_answer_is_the_kind_and_not_the_secret() -> None:
    assert find_secret(KEYS["anthropic"]) == "Anthropic key"
    assert find_secret(KEYS["github classic"]) == "GitHub Token"


@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
def test_no_id_of_a_memory_is_a_secret(milliseconds: int, randomness: bytes) -> None:
    assert find_secret(f"id: {new_id(milliseconds, randomness)}") is None


def test_a_secret_across_the_end_of_a_window_of_a_long_line_is_found() -> None:
    for before in range(3400, 4200, 40):
        assert find_secret("x " * (before // 2) + KEYS["anthropic"] + " y" * 4000), before


@pytest.mark.parametrize(
    "run_of", ["eyJ", "://a:", "aws '", "SG.", "password: 1", "bearer a1", " "]
)
def test_a_long_hostile_line_takes_time_in_proportion(run_of: str) -> None:
    def seconds(size: int) -> float:
        text = run_of * (size // len(run_of))
        start = time.process_time()
        find_secret(text)
        return time.process_time() - start

    find_secret(run_of * 100)
    assert seconds(200_000) < 8 * seconds(50_000) + 0.2


def test_nothing_is_looked_up_in_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for key in KEYS.values():
        assert find_secret(key)


def test_the_library_is_imported_only_for_a_text_that_bears_a_sign() -> None:
    code = (
        "import sys; from muninn_cli.remember.secrets import find_secret;"
        " find_secret('auth: uses JWT'); print('detect_secrets' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
