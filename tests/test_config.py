"""Settings: read from file and environment, typed, and wrong ones named by place."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muninn_cli.config import SETTINGS, load_settings, read_config
from muninn_cli.config.edit import (
    commented,
    remove_key,
    rename_table,
    set_setting,
    unset_setting,
    vault_table,
)
from muninn_cli.config.load import variable
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import DEFAULT_TRUST
from muninn_cli.errors import UnreadableError
from muninn_cli.paths import Home


@pytest.fixture
def config(tmp_path):
    """Writes config.toml and loads the settings."""

    def load(text, env=None):
        (tmp_path / "config.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_settings(Home(tmp_path), env or {})

    return load


def failure(config, text, env=None):
    with pytest.raises(UnreadableError) as caught:
        config(text, env)
    return caught.value


def test_without_a_file_all_is_default(tmp_path):
    settings = load_settings(Home(tmp_path), {})
    assert settings.search.limit == 10
    assert settings.search.weights == (0.7, 0.3)
    assert settings.dream.review_at is None
    assert settings.dream.phases == frozenset(range(7))
    assert settings.providers.named("openai").key_env == "OPENAI_API_KEY"


def test_the_commented_file_changes_nothing(config):
    settings = config(commented())
    assert {key: _value(settings, key) for key in SETTINGS} == _defaults()


def test_every_default_line_of_the_commented_file_can_be_made_live(config):
    text = commented()
    lines = text.count("\n")
    for key, setting in SETTINGS.items():
        text = set_setting(text, key, setting.plain_default)
    assert text.count("\n") == lines, "no line was added"
    settings = config(text)
    assert {key: _value(settings, key) for key in SETTINGS} == _defaults()


def _defaults():
    return {key: setting.default for key, setting in SETTINGS.items()}


def _value(settings, key):
    for name in key.split("."):
        settings = getattr(settings, "global_" if name == "global" else name)
    return settings


@pytest.mark.parametrize("key", list(SETTINGS))
def test_every_setting_is_read_from_file_and_environment(config, key):
    plain = SETTINGS[key].plain_default
    assert _value(config(set_setting("", key, plain)), key) == SETTINGS[key].default
    written = plain if isinstance(plain, str) else json.dumps(plain)
    assert _value(config("", {variable(key): written}), key) == SETTINGS[key].default


def test_settings_cannot_be_changed(config):
    with pytest.raises(AttributeError, match="read-only"):
        config("").search.limit = 3
    with pytest.raises(AttributeError, match="read-only"):
        config("").search = None


@pytest.mark.parametrize("kind", list(Kind))
def test_trust_by_default_is_what_the_kind_allows(config, kind):
    assert set(config("").trust.of(kind)) == DEFAULT_TRUST[kind]


def test_trust_can_be_taken_away_and_never_given(config):
    assert config("[trust]\nwork = []").trust.work == ()
    error = failure(config, "[trust]\npersonal = ['openai']")
    assert ":2: trust.personal must be " in error.message
    assert (
        "trust.legal must be an empty list"
        in failure(config, "", {"MUNINN_TRUST_LEGAL": "ollama"}).message
    )


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[search]\n# few\nlimit = 'x'\n", 3, "search.limit must be a whole number"),
        ("search.limit = 0\n", 1, "search.limit must be"),
        ("[search]\nlimit = true\n", 2, "search.limit must be"),
        ("[providers.ollama]\n\nurl = 3\n", 3, "providers.ollama.url must be a text"),
        ("[search]\nlimti = 3\n", 2, "no such setting: search.limti"),
        ("[serch]\nlimit = 3\n", 2, "no such setting: serch.limit"),
        ("limit = 3\n", 1, "no such setting: limit"),
        ("a = 1\nb = \n", 2, ""),
        ("a = 'open\n", 1, ""),
        ("[search]\nlimit = 1\nlimit = 2\n", 3, ""),
        (b"# ok\n\xff\xfe = 1\n", 2, "not UTF-8"),
    ],
)
def test_a_wrong_file_is_named_with_its_line(config, tmp_path, text, line, words):
    message = failure(config, text).message
    assert message.startswith(f"{tmp_path / 'config.toml'}:{line}: ")
    assert words in message


def test_an_unknown_key_comes_with_the_nearest(config):
    assert failure(config, "[search]\nlimti = 3\n").hint == 'did you mean "search.limit"?'


def test_an_unknown_variable_of_a_section_comes_with_the_nearest(config):
    error = failure(config, "", {"MUNINN_SEARCH_LIMTI": "3"})
    assert error.hint == 'did you mean "MUNINN_SEARCH_LIMIT"?'


def test_variables_that_are_no_settings_are_let_be(config):
    env = {"MUNINN_HOME": "/x", "MUNINN_VAULT": "w", "MUNINN_SESSION": "s", "MUNINN_PORT": "8080"}
    assert config("", env).search.limit == 10


def test_an_empty_variable_counts_as_not_there(config):
    assert config("[search]\nlimit = 4", {"MUNINN_SEARCH_LIMIT": ""}).search.limit == 4


def test_a_byte_order_mark_and_windows_line_ends_are_read(config):
    assert config(b"\xef\xbb\xbf[search]\r\nlimit = 4\r\n").search.limit == 4


def test_tables_of_vaults_are_no_settings(config):
    assert config("[vaults.work]\nanything = 1\n").search.limit == 10


def test_a_setting_is_put_into_its_section_where_the_file_has_one():
    text = "[search]\nrerank = true # why\n\n[dream]\nmin_new = 4\n"
    changed = set_setting(text, "search.limit", 5)
    assert changed == "[search]\nrerank = true # why\nlimit = 5\n\n[dream]\nmin_new = 4\n"


def test_a_comment_that_only_looks_like_a_setting_stays_a_comment():
    text = "[search]\n# limit = how many, see below\n"
    changed = set_setting(text, "search.limit", 5)
    assert "# limit = how many, see below\n" in changed
    assert tomllib.loads(changed) == {"search": {"limit": 5}}


def test_a_setting_over_several_lines_is_unset_whole():
    text = '[search]\nlanguages = [\n  "es",\n] # mine\nlimit = 4\n'
    assert tomllib.loads(unset_setting(text, "search.languages")) == {"search": {"limit": 4}}


def test_unsetting_what_is_not_set_changes_nothing():
    assert unset_setting(commented(), "search.limit") == commented()


NAMES = st.text(
    st.characters(codec="utf-8", categories=["L", "N"], include_characters=" _-."), min_size=1
)


@example(name="a", new="b", path='\x7f\x01"\\\n')
@given(name=NAMES, new=NAMES, path=st.text(st.characters(codec="utf-8"), min_size=1))
def test_vault_tables_hold_any_name_and_path(name, new, path):
    text = commented() + vault_table(name, {"path": path, "managed": True})
    tables = tomllib.loads(text)["vaults"]
    assert tables == {name: {"path": path, "managed": True}}
    renamed = rename_table(text, "vaults", name, new)
    assert tomllib.loads(renamed)["vaults"] == {new: tables[name]}
    removed = remove_key(renamed, ("vaults", new))
    assert not tomllib.loads(removed).get("vaults")


def test_reading_says_whether_there_is_a_file(tmp_path):
    assert read_config(tmp_path / "config.toml").exists is False
    (tmp_path / "config.toml").write_text("")
    assert read_config(tmp_path / "config.toml").exists is True
