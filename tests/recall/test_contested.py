"""Memories that contradict one another and that nobody has settled: the newest comes first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from conftest import Muninn

from muninn_cli.recall.contested import newest_first
from muninn_cli.store.index.conflicts import Conflict


def test_the_newest_takes_the_best_place_of_its_set_and_the_others_name_it() -> None:
    pairs = [Conflict(1, 3, 10.0, 30.0), Conflict(1, 5, 10.0, 50.0)]
    order, contested = newest_first([4, 1, 2, 3, 5], pairs)
    assert order == [4, 5, 1, 2, 3]
    assert contested == {1: 5, 3: 5}


def test_a_newest_that_is_first_already_stays_there() -> None:
    assert newest_first([2, 1], [Conflict(1, 2, 10.0, 20.0)]) == ([2, 1], {1: 2})


@pytest.mark.parametrize("since", [(10.0, 10.0), (None, 10.0)])
def test_without_a_newest_nothing_changes(since: tuple[float | None, float]) -> None:
    assert newest_first([1, 2], [Conflict(1, 2, *since)]) == ([1, 2], {})


def test_a_conflict_that_a_dream_found_is_shown_newest_first_until_a_text_changes(
    muninn: Muninn,
) -> None:
    for port in ("8081", "8080"):
        muninn("add", f"The gallery service listens on port {port}.", "--title", "Gallery port")
        muninn.clock.now += timedelta(days=1)
    muninn("dream", "--force", "--no-llm")
    for mode in ("hybrid", "semantic", "fulltext"):
        query = ("search", "gallery 8081", "--mode", mode, "--no-recall", "--json")
        newest, older = muninn(*query).json["hits"]
        assert "8080" in newest["snippet"]
        assert older["contradicted_by"] == newest["id"]
    place = muninn.home / "vaults" / "personal" / newest["path"]
    place.write_text(place.read_text().replace("The gallery", "Whales sing near the gallery"))
    assert not any("contradicted_by" in hit for hit in muninn(*query).json["hits"])
