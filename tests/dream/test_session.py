import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from dreaming import tree
from model_server import ModelServer, Scripted, ollama_says

from muninn_cli.cli.call import Call
from muninn_cli.dream import session
from muninn_cli.store.lock import hold

NEAR = (
    "The nightly backup of the accounts begins at three and takes an hour.",
    "Backups of the accounts start at three every night and take about one hour.",
)
NO_MODEL = {"MUNINN_PROVIDERS_OLLAMA_URL": "http://127.0.0.1:9"}


@pytest.fixture
def filled(muninn):
    muninn("init")
    for text in (*NEAR, "Ana plays chess.", "Ana plays chess!"):
        muninn("add", "--force", text)
    muninn.clock.advance(hours=13)
    return muninn


def due(muninn):
    return muninn.home / "dream.due"


def start(muninn, **env: str):
    return muninn("start", "--json", env=NO_MODEL | env)


def models(server: ModelServer) -> dict[str, str]:
    return {
        "MUNINN_PROVIDERS_OLLAMA_URL": server.url,
        "MUNINN_PROVIDERS_OLLAMA_MODEL": "local:1b",
        "MUNINN_PROVIDERS_ORDER": "ollama",
    }


def test_a_start_dreams_what_a_stop_left_due(filled):
    assert start(filled).json["dream"] is None
    assert filled("stop").code == 0
    assert due(filled).exists()
    result = start(filled)
    assert result.code == 0
    assert result.json["dream"]["operation"] == "dreamed"
    assert result.json["memories"] == 3
    assert not due(filled).exists()


def test_with_shut_gates_the_sidecar_stays(filled):
    filled("dream", "--no-llm")
    filled("stop")
    result = start(filled)
    assert (result.code, result.json["dream"]["operation"]) == (0, "not_due")
    assert "less than an hour ago" in result.json["not_dreamed"]
    assert due(filled).exists()


@pytest.mark.parametrize(
    "data",
    [b"", b"\0garbage\xff", b'{"v":1,"t":"2999-01-01T00:00:00Z","mark":"x"}', b'{"v":99}', b"[]"],
)
def test_whatever_lies_there_makes_a_dream_due_and_is_removed(filled, data):
    due(filled).write_bytes(data)
    result = start(filled)
    assert (result.code, result.json["dream"]["operation"]) == (0, "dreamed")
    assert not due(filled).exists()


def test_a_folder_in_its_place_stops_neither_stop_nor_start(filled):
    due(filled).mkdir()
    assert filled("stop").code == 0
    result = start(filled)
    assert (result.code, result.json["dream"]["operation"]) == (0, "dreamed")
    assert due(filled).is_dir()


def test_a_sidecar_of_a_later_stop_stays(filled):
    """Another session ends while the dream of this one thinks."""

    class Ending(ModelServer):
        def reply_to(self, asked):
            if asked.path == "/api/chat":
                filled("stop")
            return super().reply_to(asked)

    filled("stop")
    with Ending().running() as server:
        server.script = [ollama_says("{}")]
        assert start(filled, **models(server)).json["dream"]["operation"] == "dreamed"
    assert due(filled).exists()


def test_an_ordinary_dream_takes_the_sidecar_and_a_part_of_one_leaves_it(filled):
    filled("stop")
    filled("dream", "--phases", "0,2", "--no-llm")
    assert due(filled).exists()
    filled("dream", "--no-llm", "--dry-run")
    assert due(filled).exists()
    filled("dream", "--no-llm")
    assert not due(filled).exists()


def test_while_another_process_dreams_a_start_sums_up_and_names_it(filled):
    filled("stop")
    lock = filled.home / "state" / "locks" / "dream.lock"
    with hold(lock, now=filled.clock.now, host="test", pid=4321):
        result = start(filled)
    assert result.code == 7
    assert result.json["memories"] == 4
    assert "4321" in result.err
    assert due(filled).exists()


def test_a_second_start_says_that_the_first_is_on_its_way(filled):
    filled("stop")
    with ModelServer().running() as server:
        server.script = [Scripted(hang=True)]
        first = threading.Thread(
            target=lambda: filled(
                "start", env={**models(server), "MUNINN_DREAM_START_TIMEOUT": "8"}
            )
        )
        first.start()
        while not server.chats:
            first.join(0.05)
            assert first.is_alive()
        second = start(filled)
        assert filled("stop").code == 0
        first.join()
    assert second.code == 7
    assert due(filled).exists()


def test_a_model_that_hangs_leaves_the_rest_of_the_dream(filled):
    filled("stop")
    with ModelServer().running() as server:
        server.script = [Scripted(hang=True)]
        result = start(filled, **models(server), MUNINN_DREAM_START_TIMEOUT="6")
    dream = result.json["dream"]
    assert [change["change"] for change in dream["changes"]] == ["merge"]
    assert dream["waiting"] == 1
    assert dream["seconds"] < 6


def test_a_dream_that_cannot_end_in_time_is_dropped_whole(filled):
    filled("stop")
    vault = filled.home / "vaults" / "personal"
    before = tree(vault)
    world = filled.world(env=NO_MODEL | {"MUNINN_DREAM_START_TIMEOUT": "0.1"})
    around = Call(world).app.surroundings

    def slow(*asked):
        time.sleep(0.2)
        return around.search(*asked)

    started = session.start(replace(around, search=slow))

    assert started.outcome is None
    assert "nothing was changed" in started.why_not
    assert tree(vault) == before
    assert due(filled).exists()


def test_a_start_says_what_expires_soon(filled):
    filled("add", "--tier", "T3", "Ticket 8812 is about a printer.")
    filled.clock.advance(days=25)
    result = start(filled)
    assert [hit["tier"] for hit in result.json["expiring"]] == ["T3"]
    assert "personal/ticket" in filled("start").out


def test_a_start_without_a_home_makes_one(muninn):
    assert muninn("start").code == 0
    assert muninn("stop").code == 0
    muninn.clock.now += timedelta(days=1)
    assert muninn("start").code == 0
