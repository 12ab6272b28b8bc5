"""What a dream strengthens comes before its equal from then on, what it weakens after it."""

import json
import tomllib
from datetime import datetime, timedelta

import pytest
from conftest import START, Muninn

KINDS = ("semantic", "episodic")
"""One text of two types: equal in every search, and never merged."""


class Depot:
    """Two memories that answer a question equally well, and what is known of their use."""

    def __init__(self, muninn: Muninn, created: datetime) -> None:
        self.muninn = muninn
        muninn("init", at=created)
        for kind in KINDS:
            front = (
                f"id: {kind}\ntitle: Depot\ntype: {kind}\ntier: T1\ncreated: {created.isoformat()}"
            )
            place = muninn.home / "vaults" / "personal" / f"{kind}.md"
            place.write_text(f"---\n{front}\n---\nThe depot key hangs behind the door.\n")
        muninn("sync")

    def note(self, at: datetime, **event: object) -> None:
        """Write an event into the usage log."""
        config = tomllib.loads((self.muninn.home / "config.toml").read_text())
        log = self.muninn.home / "state" / "usage" / f"{config['vaults']['personal']['id']}.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as file:
            file.write(json.dumps({"v": 1, "t": f"{at:%Y-%m-%dT%H:%M:%SZ}", **event}) + "\n")

    def stability(self, kind: str, days: float, at: datetime) -> None:
        self.note(at, k="stability", id=kind, s=days, run="before")

    @property
    def order(self) -> list[str]:
        hits = self.muninn("search", "depot key", "--no-recall", "--json").json["hits"]
        return [hit["id"] for hit in hits]

    def dream(self) -> set[str]:
        """Dream; the memories whose stability changes."""
        changes = self.muninn("dream", "--force", "--no-llm", "--json").json["changes"]
        assert {change["change"] for change in changes} == {"stability"}
        return {change["id"] for change in changes}


@pytest.mark.parametrize("kind", KINDS)
def test_a_strengthened_memory_overtakes_its_equal(muninn, kind) -> None:
    other = KINDS[kind == KINDS[0]]
    depot = Depot(muninn, START - timedelta(days=20))
    for day in range(8, 3, -1):
        for each in KINDS:
            at = START - timedelta(days=day, minutes=each == kind)
            depot.note(at, k="recall", hits=[[each, 1.0]], via="search")
    muninn.clock.now = START
    depot.stability(other, 14.0, START - timedelta(hours=1))  # no second change within 12 hours
    assert depot.order == [other, kind]
    assert depot.dream() == {kind}
    assert depot.order == [kind, other]


@pytest.mark.parametrize("kind", KINDS)
def test_a_weakened_memory_falls_behind_its_equal(muninn, kind) -> None:
    other = KINDS[kind == KINDS[0]]
    depot = Depot(muninn, START - timedelta(days=50))
    depot.stability(kind, 60.0, START - timedelta(days=30))
    muninn.clock.now = START
    depot.stability(other, 50.0, START - timedelta(hours=1))
    assert depot.order == [kind, other]
    assert depot.dream() == {kind}
    assert depot.order == [other, kind]
