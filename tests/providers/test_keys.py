"""Keys come from the environment or a command, and no failure tells one."""

import os
import shlex
import sys

import pytest

from muninn_cli.errors import ProviderError
from muninn_cli.providers.keys import KeySource

PATH = os.environ["PATH"]


def source(variable: str = "", command: str = "", **env: str) -> KeySource:
    return KeySource("openai", variable, command, {"PATH": PATH, **env})


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


def test_a_key_comes_from_its_variable():
    assert source("MY_KEY", MY_KEY=" sk-1 \n").require() == "sk-1"


def test_a_command_comes_before_the_variable_and_gives_its_first_line():
    command = python("print('sk-2'); print('note')")
    assert source("MY_KEY", command, MY_KEY="sk-1").require() == "sk-2"


def test_a_missing_key_names_the_variable_and_the_setting():
    with pytest.raises(ProviderError, match="no key: MY_KEY is not set") as caught:
        source("MY_KEY").require()
    assert "providers.openai.key_command" in caught.value.hint
    assert source("MY_KEY").missing
    assert source("MY_KEY").read() == ""
    assert not source("MY_KEY", "pass show key").missing


@pytest.mark.parametrize(
    "command",
    [
        python("import sys; sys.stderr.write('sk-3'); print('sk-3'); sys.exit(3)"),
        "no-such-program-at-all sk-3",
        "'unclosed sk-3",
    ],
)
def test_a_failing_command_tells_nothing_of_what_it_printed(command):
    with pytest.raises(ProviderError, match="the key command failed") as caught:
        source("", command).require()
    assert "sk-3" not in caught.value.message


def test_a_command_that_prints_nothing_gives_no_key():
    with pytest.raises(ProviderError, match="printed no key"):
        source("", python("pass")).require()


@pytest.mark.parametrize("key", ["sk\r\nx-evil: 1", "clé", "sk\x00"])
def test_a_key_that_could_forge_a_header_is_refused_untold(key):
    with pytest.raises(ProviderError, match="characters that no key has") as caught:
        source("MY_KEY", MY_KEY=key).require()
    assert key not in caught.value.message


def test_a_source_shows_no_environment():
    assert "sk-9" not in repr(source("MY_KEY", MY_KEY="sk-9"))
