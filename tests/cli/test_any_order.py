"""Commands and a person's own hands in any order: no text is lost, no id doubled, no file unlisted."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from personal import Personal, contents

SUBJECTS = ("whales", "bees", "ducks", "rivers", "bridges", "clocks", "letters", "kites")
STEPS = 40


@dataclass
class Walk:
    """A random walk over one vault, and every text that was ever in it."""

    personal: Personal
    chance: random.Random
    texts: set[str] = field(default_factory=set)

    def text(self, number: int) -> str:
        text = (
            f"Fact {number} on {self.chance.choice(SUBJECTS)} and {self.chance.choice(SUBJECTS)}."
        )
        self.texts.add(text)
        return text

    def run(self, *args: object) -> None:
        """A command that may be refused, but never fails unforeseen."""
        result = self.personal.muninn(*map(str, args))
        assert result.code in (0, 3, 4, 5), (args, result)

    @property
    def hits(self) -> list[dict]:
        options = ("--archived", "--expired", "--history")
        return self.personal.json("list", *options)["hits"]

    def live(self) -> dict:
        """One memory that is not archived; one is made where there is none."""
        if all(hit["state"] == "archived" for hit in self.hits):
            self.add(0)
        return self.chance.choice([hit for hit in self.hits if hit["state"] != "archived"])

    def add(self, number: int) -> None:
        tier = self.chance.choice(("T0", "T1", "T2", "T3"))
        self.run("add", self.text(number), "--tier", tier)

    def add_again(self, number: int) -> None:
        text = self.chance.choice(sorted(self.texts)) if self.texts else self.text(number)
        self.run("add", text.upper(), "--tag", self.chance.choice(SUBJECTS))

    def put(self, number: int) -> None:
        heads = ("", "---\ntitle: a: b\n---\n", f"---\ntitle: Put {number}\ntier: T3\n---\n")
        self.personal.put(f"sub/{number}.md", self.chance.choice(heads) + self.text(number) + "\n")

    def write(self, number: int) -> None:
        place = self.personal.root / self.live()["path"]
        place.write_bytes(place.read_bytes() + self.text(number).encode() + b"\n")

    def move(self, number: int) -> None:
        place = self.personal.root / self.live()["path"]
        place.rename(self.personal.root / f"moved-{number}.md")

    def archive(self, number: int) -> None:
        self.run("archive", self.live()["id"])

    def restore(self, number: int) -> None:
        kept = self.personal.json("archive", "list")["archived"]
        if kept:
            self.run("restore", self.chance.choice(kept)["handle"])

    def mark(self, number: int) -> None:
        self.run(self.chance.choice(("pin", "unpin", "show")), self.live()["id"])

    def set_tier(self, number: int) -> None:
        self.run("tier", "set", self.live()["id"], self.chance.choice(("T1", "T2", "T3")))

    def supersede(self, number: int) -> None:
        self.run("supersede", self.live()["id"], self.live()["id"])

    def take_back(self, number: int) -> None:
        self.run(*self.chance.choice((("undo",), ("supersede", "--undo", self.live()["id"]))))

    def sweep(self, number: int) -> None:
        self.run("sweep", *self.chance.choice(((), ("--yes",))))

    def dream(self, number: int) -> None:
        self.run("dream", "--force", "--no-llm", *self.chance.choice(((), ("--dry-run",))))

    def wait(self, number: int) -> None:
        self.personal.muninn.clock.advance(days=self.chance.choice((0.1, 5, 20, 33)))

    def rebuild(self, number: int) -> None:
        self.run("reindex")

    def step(self, number: int) -> str:
        """Do one thing and tell which."""
        things = (self.add, self.add_again, self.put, self.write, self.move, self.archive)
        things += (self.restore, self.mark, self.set_tier, self.supersede, self.take_back)
        things += (self.sweep, self.dream, self.wait, self.rebuild)
        thing = self.chance.choice(things)
        thing(number)
        return thing.__name__

    def check(self, told: list[str]) -> None:
        """Every text is somewhere; every file is listed once, under an id of its own."""
        runs = contents(self.personal.muninn.home / "state" / "runs")
        files = self.personal.files()
        everything = b"\n".join((*files.values(), *runs.values())).lower()
        assert [text for text in self.texts if text.lower().encode() not in everything] == [], told
        present = [hit for hit in self.hits if hit["state"] != "archived"]
        assert len({hit["id"] for hit in present}) == len(present), told
        memories = sorted(path for path in files if not path.startswith("."))
        assert sorted(hit["path"] for hit in present) == memories, told


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_is_done_in_whatever_order_nothing_is_lost(personal, seed):
    personal.muninn("init")
    walk = Walk(personal, random.Random(seed))
    told: list[str] = []
    for number in range(1, STEPS + 1):
        told.append(walk.step(number))
        walk.check(told)
    before = {hit["path"]: hit for hit in walk.hits}
    personal.muninn("reindex")
    assert {hit["path"]: hit for hit in walk.hits} == before, told
