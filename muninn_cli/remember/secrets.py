"""Secrets: keys, tokens and passwords that must not be written into a memory.

Looks for documented formats only, by the plugins of detect-secrets and by the patterns it lacks.
Guesses nothing by entropy, and by keyword only what looks like no word at all; verifies nothing,
so it never uses the network. A plugin is imported only where its sign is in the text: importing
the library takes longer than everything else that adding a memory does.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_WINDOW = 4096
_OVERLAP = 512
"""A longer line is read in windows: some patterns take quadratic time on one long run."""


class _Plugin(NamedTuple):
    """A plugin of detect-secrets, and the sign without which it finds nothing."""

    module: str
    name: str
    sign: re.Pattern[str]


class _Format(NamedTuple):
    """A documented format, and the plain signs without which no text holds it.

    `pattern` is compiled where a sign is found: compiling all takes ten milliseconds.
    """

    name: str
    signs: tuple[str, ...]
    pattern: str


_AWS = r"(?<![A-Za-z0-9])(?:A3T|ABIA|ACCA|AKIA|ASIA)|(?i:aws.{0,60}['\"])"
"""In the middle of a word its signs stand in an id of ours by chance."""
_PLUGINS = (
    _Plugin("aws", "AWSKeyDetector", re.compile(_AWS)),
    _Plugin("azure_storage_key", "AzureStorageKeyDetector", re.compile(r"AccountKey=")),
    _Plugin("basic_auth", "BasicAuthDetector", re.compile(r"://[^\s/@]+:[^\s/@]+@")),
    _Plugin("discord", "DiscordBotTokenDetector", re.compile(r"[MNO][\w-]{23,25}\.[\w-]{6}\.")),
    _Plugin("github_token", "GitHubTokenDetector", re.compile(r"gh[pousr]_")),
    _Plugin("gitlab_token", "GitLabTokenDetector", re.compile(r"gl[a-z]{2,5}-|GR1348941")),
    _Plugin("jwt", "JwtTokenDetector", re.compile(r"eyJ[\w=-]+\.")),
    _Plugin("mailchimp", "MailchimpDetector", re.compile(r"[0-9a-z]-us\d")),
    _Plugin("npm", "NpmDetector", re.compile(r":_authToken=")),
    _Plugin("openai", "OpenAIDetector", re.compile(r"T3BlbkFJ")),
    _Plugin("private_key", "PrivateKeyDetector", re.compile(r"PRIVATE KEY|PuTTY-User-Key-File")),
    _Plugin("pypi_token", "PypiTokenDetector", re.compile(r"pypi-Ag")),
    _Plugin("sendgrid", "SendGridDetector", re.compile(r"SG\.")),
    _Plugin("slack", "SlackDetector", re.compile(r"(?i:xox[abposr]-|hooks\.slack\.com)")),
    _Plugin("square_oauth", "SquareOAuthDetector", re.compile(r"sq0csp-")),
    _Plugin("stripe", "StripeDetector", re.compile(r"[rs]k_live_")),
    _Plugin("twilio", "TwilioKeyDetector", re.compile(r"(?:AC|SK)[0-9a-z]{32}")),
)


def _format(name: str, signs: str, pattern: str) -> _Format:
    return _Format(name, tuple(signs.split()), rf"(?<![A-Za-z0-9_-])(?:{pattern})")


_FORMATS = (
    _format("Anthropic key", "sk-ant-", r"sk-ant-[A-Za-z0-9]+-[\w-]{16,}"),
    _format("OpenAI key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}"),
    _format("OpenAI key", "sk-", r"sk-[A-Za-z0-9]{32,64}(?![\w-])"),
    _format("OpenRouter key", "sk-or-", r"sk-or-v\d-[A-Za-z0-9]{32,}"),
    _format("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
    _format("Google API key", "AIza", r"AIza[\w-]{35}"),
    _format("Google OAuth secret", "GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    _format("Google OAuth token", "ya29.", r"ya29\.[\w-]{20,}"),
    _format("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    _format("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    _format("xAI key", "xai-", r"xai-[A-Za-z0-9]{40,}"),
    _format("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{32,}"),
    _format("Replicate token", "r8_", r"r8_[A-Za-z0-9]{30,}"),
    _format("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _format("Slack token", "xox xapp-", r"(?:xox[a-z]|xapp)-[A-Za-z0-9-]{20,}"),
    _format("Stripe key", "k_ whsec_", r"(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{20,}"),
    _format("Docker token", "dckr_pat_", r"dckr_pat_[\w-]{20,}"),
    _format("DigitalOcean token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _format("Databricks token", "dapi", r"dapi[0-9a-f]{32}"),
    _format("HashiCorp Vault token", "hvs. hvb.", r"hv[sb]\.[\w-]{20,}"),
    _format("Linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{32,}"),
    _format("Notion token", "ntn_ secret_", r"(?:ntn|secret)_[A-Za-z0-9]{40,}"),
    _format("Shopify token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _format("Supabase key", "sbp_ sb_secret_", r"(?:sbp|sb_secret)_[\w-]{20,}"),
    _format("Telegram token", ":AA", r"\d{8,10}:AA[\w-]{33}"),
    _format("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}"),
    _format("private key", "PRIVATE KEY", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"),
    _format(
        "bearer token",
        "bearer Bearer BEARER",
        r"(?i:bearer\s+)(?=[\w.~+/-]*\d)([A-Za-z0-9][\w.~+/-]{19,}=*)",
    ),
)
_ASSIGNED = re.compile(
    r"(?i:(?:password|passwd|pwd|contraseña|(?:api|secret|access)[_-]?key"
    r"|(?:client[_-]?secret|(?:access|auth|refresh|api)[_-]?token))['\"`*]*\s?[:=]\s?['\"`]?)"
    r"(?=[^\s'\"`]{0,200}?\d)([\w+/=!@#$%^&*~-]{8,200})(?=['\"`\s,;.)]|$)"
)
_WORDLIKE = re.compile(r"[a-z]+\d*(?:[-_/=][a-z0-9]+)*$|[A-Z][A-Z0-9_]*$|[\d-]+$|[A-Z]?[a-z]+\d*$")
"""What stands behind "password:" in prose and code: a word, a constant, a number."""
_TEMPLATE = re.compile(
    r"^\$[A-Z(]|[<{…]|\*{3}|\.{3}|[xX]{6}|(?i:your[_-]|placeholder|redacted|changeme)"
)


def find_secret(text: str) -> str | None:
    """The name of the first kind of secret a text holds, or None.

    Takes time in proportion to the text. Placeholders such as `<password>`, `${TOKEN}` or
    `sk-ant-xxxxxx` are no secrets.
    """
    lines = list(_windows(text))
    signed = [known for known in _FORMATS if any(sign in text for sign in known.signs)]
    formats = [(known.name, re.compile(known.pattern)) for known in signed]
    for line in lines:
        for name, pattern in formats:
            if any(_is_real(match[match.lastindex or 0]) for match in pattern.finditer(line)):
                return name
        if any(_is_password(match[1]) for match in _ASSIGNED.finditer(line)):
            return "password"
    return next(_found_by_plugins(lines), None)


def _found_by_plugins(lines: list[str]) -> Iterator[str]:
    for module, name, sign in _PLUGINS:
        signed = [line for line in lines if sign.search(line)]
        if not signed:
            continue
        plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        if any(_is_real(found) for line in signed for found in plugin.analyze_string(line)):
            yield plugin.secret_type


def _windows(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for start in range(0, max(1, len(line) - _OVERLAP), _WINDOW - _OVERLAP):
            yield line[start : start + _WINDOW]


def _is_real(found: str) -> bool:
    return not _TEMPLATE.search(found)


def _is_password(value: str) -> bool:
    return _is_real(value) and not _WORDLIKE.match(value)
