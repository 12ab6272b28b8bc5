"""The one definition of every setting: key, kind of value, default, and a line for people.

The loader, its messages, the commented config.toml, `muninn config` and the manual all read it
from here; no default is written down anywhere else.
"""

from __future__ import annotations

from muninn_cli.config.section import Part, Section, Setting, settings_in
from muninn_cli.config.values import (
    Auto,
    Choice,
    Flag,
    Phases,
    Real,
    Text,
    Weights,
    Whole,
    Words,
)
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import DEFAULT_TRUST, ProviderName

PROVIDERS = tuple(provider.value for provider in ProviderName)
LANGUAGES = (
    *("ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id"),
    *("it", "lt", "ne", "nl", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi"),
)
"""What the Snowball stemmers know, as ISO 639-1 codes."""

_DAYS = Whole(1, 36_500)
_COUNT = Whole(0, 1_000_000_000)
_COSINE = Real(0, 1)
_SECONDS = Real(0.1, 86_400)


class VaultSettings(Section):
    default = Setting(Text(), "personal", "The vault used where none is named.")


class EmbeddingSettings(Section):
    model = Setting(
        Text(), "builtin", "The embedder: builtin, a model2vec folder, or a name on a hub."
    )


class SearchSettings(Section):
    weights = Setting(Weights(), (0.7, 0.3), "Weights of meaning and of full text in hybrid mode.")
    rerank = Setting(Flag(), True, "Look at the words of the candidates a second time.")
    languages = Setting(
        Words(*LANGUAGES, empty=False), ("en", "es"), "Languages whose word forms count as one."
    )
    limit = Setting(Whole(1, 1000), 10, "How many hits a search shows.")


class TierSettings(Section):
    t1_days = Setting(_DAYS, 365, "Days that a T1 memory lives unused.")
    t2_days = Setting(_DAYS, 90, "Days that a T2 memory lives unused.")
    t3_days = Setting(_DAYS, 30, "Days that a T3 memory lives unused.")
    promote_after = Setting(Whole(1, 1000), 5, "Counted recalls that lift a memory by one tier.")
    warn_days = Setting(Whole(0, 3650), 7, "Days before its expiry that a memory is named.")


class BudgetSettings(Section):
    t1 = Setting(_COUNT, 100_000, "T1 memories that one vault may hold.")
    t2 = Setting(_COUNT, 200_000, "T2 memories that one vault may hold.")
    t3 = Setting(_COUNT, 200_000, "T3 memories that one vault may hold.")
    warn_percent = Setting(Whole(1, 100), 80, "Share of a budget from which status warns.")


class AddSettings(Section):
    duplicate_durable = Setting(_COSINE, 0.95, "Likeness of a duplicate where one is T0 or T1.")
    duplicate_base = Setting(_COSINE, 0.92, "Likeness from which a text is a duplicate.")
    duplicate_ephemeral = Setting(_COSINE, 0.90, "Likeness of a duplicate where both are T3.")
    similar_at = Setting(_COSINE, 0.80, "Likeness from which a memory is reported as similar.")


class RememberSettings(Section):
    secrets = Setting(Choice("refuse", "allow"), "refuse", "What to do with a text with a secret.")


class DreamSettings(Section):
    min_hours = Setting(Real(0, 8760), 12.0, "Hours between two dreams, at least.")
    min_new = Setting(_COUNT, 3, "New or changed memories that a dream waits for.")
    start_timeout = Setting(_SECONDS, 60.0, "Seconds that a dream may hold up `muninn start`.")
    merge_at = Setting(_COSINE, 0.95, "Likeness from which memories merge by themselves.")
    review_at = Setting(
        Auto(_COSINE), None, "Likeness from which memories are judged; auto fits the model."
    )
    archive_share = Setting(Real(0, 1), 0.2, "Share of a vault that one command may archive.")
    max_tokens = Setting(Whole(1000, 10_000_000), 60_000, "Tokens that one dream may spend.")
    phases = Setting(Phases(), Phases.ALL, "The phases of an ordinary dream.")


class JournalSettings(Section):
    language = Setting(Choice("en", "es"), "en", "The language of the dream journal.")


class GitSettings(Section):
    auto = Setting(Flag(), True, "Keep the vaults that muninn makes in git.")


class ProviderSettings(Section):
    """What each provider has; every one gives its own defaults."""

    model = Setting(Text(empty=True), "", "The model to ask.")
    url = Setting(Text(), "", "Where the provider answers.")
    key_env = Setting(Text(empty=True), "", "The environment variable that holds the key.")
    key_command = Setting(Text(empty=True), "", "A command that prints the key.")
    timeout = Setting(_SECONDS, 120.0, "Seconds to wait for one answer.")


class OllamaSettings(ProviderSettings):
    model = Setting(Text(empty=True), "", "The model to ask; empty: the first one installed.")
    url = Setting(Text(), "http://127.0.0.1:11434", "Where Ollama answers.")


class AnthropicSettings(ProviderSettings):
    model = Setting(Text(), "claude-haiku-5-5", "The model to ask.")
    url = Setting(Text(), "https://api.anthropic.com", "Where Anthropic answers.")
    key_env = Setting(
        Text(empty=True), "ANTHROPIC_API_KEY", "The environment variable that holds the key."
    )


class OpenAISettings(ProviderSettings):
    model = Setting(Text(), "gpt-5.4-mini", "The model to ask.")
    url = Setting(Text(), "https://api.openai.com/v1", "Where OpenAI answers.")
    key_env = Setting(
        Text(empty=True), "OPENAI_API_KEY", "The environment variable that holds the key."
    )


class ProvidersSettings(Section):
    order = Setting(Words(*PROVIDERS), PROVIDERS, "Which provider is asked first.")
    ollama = Part(OllamaSettings, "Ollama, on this machine.")
    anthropic = Part(AnthropicSettings, "Anthropic.")
    openai = Part(OpenAISettings, "OpenAI.")

    def named(self, name: str) -> ProviderSettings:
        """The settings of one of PROVIDERS."""
        match name:
            case "ollama":
                return self.ollama
            case "anthropic":
                return self.anthropic
            case "openai":
                return self.openai
        raise KeyError(name)


def _trust(kind: Kind) -> Setting[tuple[str, ...]]:
    """A list that can only be made shorter: it holds nothing but the default's providers."""
    default = tuple(name for name in PROVIDERS if name in DEFAULT_TRUST[kind])
    return Setting(Words(*default), default, f"Providers that may see {kind} vaults.")


class TrustSettings(Section):
    legal = _trust(Kind.LEGAL)
    work = _trust(Kind.WORK)
    personal = _trust(Kind.PERSONAL)
    project = _trust(Kind.PROJECT)
    global_ = _trust(Kind.GLOBAL)

    def of(self, kind: Kind) -> tuple[str, ...]:
        """The providers that may see vaults of a kind."""
        match kind:
            case Kind.LEGAL:
                return self.legal
            case Kind.WORK:
                return self.work
            case Kind.PERSONAL:
                return self.personal
            case Kind.PROJECT:
                return self.project
            case Kind.GLOBAL:
                return self.global_


class UiSettings(Section):
    color = Setting(Choice("auto", "always", "never"), "auto", "Colour in the terminal.")


class Settings(Section):
    """All settings, typed: `settings.search.limit`."""

    vault = Part(VaultSettings, "Vaults.")
    embedding = Part(EmbeddingSettings, "From text to vector.")
    search = Part(SearchSettings, "Search.")
    tiers = Part(TierSettings, "How long memories live.")
    budgets = Part(BudgetSettings, "How many memories a vault holds.")
    add = Part(AddSettings, "Duplicates on add, as cosine of the embedding.")
    remember = Part(RememberSettings, "What may be remembered.")
    dream = Part(DreamSettings, "Dreams.")
    journal = Part(JournalSettings, "The dream journal.")
    git = Part(GitSettings, "Git.")
    providers = Part(ProvidersSettings, "Language models, used by dreams only.")
    trust = Part(TrustSettings, "Who may see which vaults; a list may only be made shorter.")
    ui = Part(UiSettings, "The terminal.")


SETTINGS = dict(settings_in(Settings))
"""Every setting by its key, in the order of config.toml."""
