"""`muninn config`: values, where they come from, and a file that keeps its comments."""

from __future__ import annotations

import tomllib

import pytest

from muninn_cli.config import SETTINGS


def test_a_value_comes_from_environment_then_file_then_default(muninn, home):
    place = str(home / "config.toml")
    limit = lambda env=None: muninn("config", "get", "search.limit", "--json", env=env).json  # noqa: E731
    assert (limit()["value"], limit()["origin"]) == (10, "default")
    muninn("config", "set", "search.limit", "20")
    assert (limit()["value"], limit()["origin"]) == (20, "file")
    assert limit()["place"].startswith(f"{place}:")
    above = limit({"MUNINN_SEARCH_LIMIT": "30"})
    assert (above["value"], above["origin"]) == (30, "environment")
    assert above["place"] == "MUNINN_SEARCH_LIMIT"


def test_the_origin_names_the_line_of_the_file(muninn, home):
    muninn("config", "set", "search.limit", "20")
    place = muninn("config", "get", "search.limit", "--json").json["place"]
    line = int(place.rpartition(":")[2])
    assert (home / "config.toml").read_text().splitlines()[line - 1] == "limit = 20"


def test_setting_and_unsetting_leave_the_file_as_it_was(muninn, home):
    muninn("init")
    before = (home / "config.toml").read_text()
    muninn("config", "set", "search.limit", "20")
    changed = (home / "config.toml").read_text()
    assert changed == before.replace("# limit = 10", "limit = 20")
    muninn("config", "unset", "search.limit")
    assert (home / "config.toml").read_text() == before


def test_comments_blank_lines_and_order_are_kept(muninn, home):
    muninn("init")
    text = (
        "# mine\n\n[dream]   # dreams\nmin_new = 5\n\n\n"
        "[search]\n# few\nlimit = 3 # three\nrerank = false\n"
    )
    (home / "config.toml").write_text(text)
    muninn("config", "set", "search.limit", "4")
    assert (home / "config.toml").read_text() == text.replace("limit = 3", "limit = 4")


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("search.languages", "es", ["es"]),
        ("search.languages", "es, en", ["es", "en"]),
        ("search.languages", '["es","en"]', ["es", "en"]),
        ("search.weights", "0.5,0.5", [0.5, 0.5]),
        ("search.rerank", "no", False),
        ("trust.work", "", []),
        ("dream.review_at", "auto", "auto"),
        ("dream.review_at", "0.8", 0.8),
        ("dream.phases", "0,2", [0, 2]),
        ("dream.phases", "all", "all"),
        ("embedding.model", "a, b", "a, b"),
    ],
)
def test_values_are_written_as_a_person_writes_them(muninn, home, key, written, value):
    assert muninn("config", "set", key, written, "--json").json["value"] == value
    assert muninn("config", "get", key, "--json").json["value"] == value
    tomllib.loads((home / "config.toml").read_text())


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("search.limit", "0"),
        ("search.limit", "ten"),
        ("search.limit", "10.5"),
        ("search.limit", "true"),
        ("search.weights", "1"),
        ("search.weights", "0,0"),
        ("search.weights", "nan,1"),
        ("search.languages", "tlh"),
        ("search.languages", ""),
        ("add.similar_at", "1.2"),
        ("journal.language", "fr"),
        ("trust.work", "openai"),
        ("trust.legal", "ollama"),
        ("providers.order", "ollama,ollama"),
        ("dream.phases", "7"),
        ("ui.color", "yes"),
    ],
)
def test_a_value_out_of_bounds_changes_nothing(muninn, home, key, written):
    muninn("init")
    before = (home / "config.toml").read_text()
    answer = muninn("config", "set", key, written, "--json")
    assert answer.code == 2
    assert answer.error["message"].startswith(f"{key} must be ")
    assert (home / "config.toml").read_text() == before


def test_an_unknown_key_is_answered_with_the_nearest(muninn):
    for arguments in (
        ["get", "serch.limit"],
        ["set", "serch.limit", "3"],
        ["unset", "serch.limit"],
    ):
        answer = muninn("config", *arguments, "--json")
        assert (answer.code, answer.error["code"]) == (3, "not_found")
        assert "search.limit" in answer.error["hint"]


def test_a_default_vault_that_is_not_there_is_refused(muninn, home):
    muninn("vault", "create", "work")
    before = (home / "config.toml").read_text()
    answer = muninn("config", "set", "vault.default", "wrok", "--json")
    assert (answer.code, answer.error["hint"]) == (3, 'did you mean "work"?')
    assert (home / "config.toml").read_text() == before
    assert muninn("config", "set", "vault.default", "work").code == 0
    assert muninn("add", "Whales sing.", "--json").json["vault"] == "work"


def test_a_bad_value_is_answered_with_the_default(muninn):
    answer = muninn("config", "set", "search.languages", "tlh")
    assert answer.err.endswith("\n  the default is en,es\n")


def test_a_file_with_a_bad_value_can_be_mended_by_the_command(muninn, home):
    muninn("config", "set", "search.limit", "20")
    config = home / "config.toml"
    config.write_text(config.read_text().replace("limit = 20", 'limit = "many"'))
    assert muninn("vault", "list").code == 5
    assert muninn("config", "set", "search.limit", "5").code == 0
    assert muninn("vault", "list").code == 0


def test_broken_toml_names_path_and_line(muninn, home):
    muninn("init")
    (home / "config.toml").write_text("[search]\nlimit = = 3\n")
    answer = muninn("config", "get", "search.limit", "--json")
    assert answer.code == 5
    assert answer.error["message"].startswith(f"{home / 'config.toml'}:2:")


def test_a_variable_in_the_way_is_told(muninn):
    answer = muninn("config", "set", "search.limit", "5", env={"MUNINN_SEARCH_LIMIT": "7"})
    assert answer.out == "search.limit = 5\n"
    assert "MUNINN_SEARCH_LIMIT" in answer.err


def test_the_list_has_every_setting(muninn):
    assert [row["key"] for row in muninn("config", "list", "--ndjson").rows] == list(SETTINGS)
    lines = muninn("config", "list", "--origin").out.splitlines()
    assert "search.limit = 10  # default" in lines


def test_the_path_is_told_before_there_is_a_file(muninn, home):
    answer = muninn("config", "path", "--json").json
    place = str(home / "config.toml")
    assert answer == {"v": 1, "path": place, "exists": False, "origin": "environment"}
    shown = muninn("config", "path", "--origin")
    assert shown.out == f"{place}  (environment: MUNINN_HOME)\n"
    assert muninn("config", "path", "--origin", env={"MUNINN_HOME": ""}).out.endswith("(default)\n")
    assert muninn("config", "path").out == f"{home / 'config.toml'}\n"
