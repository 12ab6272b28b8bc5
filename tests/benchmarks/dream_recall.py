"""Does a dream cost answers? Questions with known answers, asked before and after it.

    python tests/benchmarks/dream_recall.py

A vault with planted exact duplicates, paraphrases, facts of one shape with other values, updated
facts and unused chatter; one dream offline and one with a scripted model.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from homes import START, Home
from oracle import Oracle, Truth
from table import machine, print_table, progress

SERVICES = (
    "billing search login payments reports gallery mailer cart catalog chat maps weather coupons"
    " invoices avatars uploads sessions alerts ratings stock orders shipping refunds profiles"
    " comments feeds exports imports labels quotas"
).split()
PEOPLE = (
    "Ana Luis Marta Julián Rosa Pablo Elena Óscar Irene Daniel Lucía Marcos Sara Andrés Vera Nuria"
    " Hugo Carmen Iván Teresa"
).split()
TOWNS = "Madrid Lisbon Oslo Vienna Dublin Athens Prague Warsaw Bergen Porto Turin Lyon Ghent Graz Bern".split()
NEXT_DAY = timedelta(days=40)


@dataclass
class Fact:
    """A fact with its question; `subject` and `value` must both stand in an answer."""

    key: str
    subject: str
    value: str
    text: str
    paraphrase: str
    question: str
    update: str = ""
    new_value: str = ""

    def stated_in(self, text: str) -> bool:
        """Whether a text states the value that holds."""
        text = text.casefold()
        return self.subject.casefold() in text and (self.new_value or self.value).casefold() in text


@dataclass
class Planted:
    """What was written: the truth about each id, and the pairs a dream should find."""

    truth: Truth = field(default_factory=dict)
    duplicates: list[tuple[str, str]] = field(default_factory=list)
    paraphrases: list[tuple[str, str]] = field(default_factory=list)


def facts(chance: random.Random) -> list[Fact]:
    """Facts of four shapes; every third of the first shape is updated later."""
    made = []
    for number, service in enumerate(SERVICES):
        port, other = str(7000 + 13 * number), str(9000 + 7 * number)
        made.append(
            Fact(
                f"port-{service}",
                service,
                port,
                f"The {service} service listens on port {port}.",
                f"Port {port} is where the {service} service listens.",
                f"on which port does {service} listen",
                f"The {service} service now listens on port {other} instead of port {port}."
                if number % 3 == 0
                else "",
                other if number % 3 == 0 else "",
            )
        )
        hour = f"{number % 12 + 1:02d}:{chance.choice(('05', '20', '40'))}"
        made.append(
            Fact(
                f"backup-{service}",
                service,
                hour,
                f"The backup of the {service} database starts at {hour}.",
                f"At {hour} the {service} database backup starts.",
                f"when does the {service} database backup start",
            )
        )
    for person, town in zip(PEOPLE, TOWNS * 2, strict=False):
        made.append(
            Fact(
                f"town-{person}",
                person,
                town,
                f"{person} works from the office in {town}.",
                f"The office that {person} works from is in {town}.",
                f"in which city does {person} work",
            )
        )
    return made


def plant(home: Home, known: list[Fact], chance: random.Random) -> Planted:
    """Write the vault: every fact, most of them twice, and chatter nobody asks for."""
    planted = Planted()

    def write(fact: Fact, name: str, text: str, version: int, day: int) -> str:
        at = START - timedelta(days=200 - day)
        memory_id = home.write(
            f"{fact.key}-{name}", text, at=at, title=fact.key.replace("-", " of ")
        )
        planted.truth[memory_id] = (fact.key, version)
        return memory_id

    for number, fact in enumerate(known):
        first = write(fact, "first", fact.text, 1, number % 50)
        if fact.update:
            write(fact, "update", fact.update, 2, 100 + number % 50)
        elif number % 2:
            copy = fact.text.upper().rstrip(".") + "!!"
            planted.duplicates.append((first, write(fact, "copy", copy, 1, 60 + number % 30)))
        else:
            again = write(fact, "again", fact.paraphrase, 1, 60 + number % 30)
            planted.paraphrases.append((first, again))
    for number in range(360):
        words = chance.sample(SERVICES, 4) + chance.sample(TOWNS, 2)
        text = f"Looked at {' and '.join(words)} again today; nothing to do, ticket {4000 + number} closed."
        home.write(
            f"chatter-{number}",
            text,
            at=START - timedelta(days=90),
            tier="T3",
            title=f"Chatter {number}",
        )
    return planted


def asked(home: Home, known: list[Fact], at) -> tuple[int, int]:
    """How many questions the first hit answers, and one of the first five."""
    first = five = 0
    for fact in known:
        hits = home("search", fact.question, "--limit", "5", "--no-recall", at=at)["hits"]
        right = [fact.stated_in(home.body(hit["path"])) for hit in hits]
        first += bool(right and right[0])
        five += any(right)
    return first, five


def trial(name: str, model: bool) -> list[str]:
    """One vault, one dream; a row of the table."""
    chance = random.Random(11)
    known = facts(chance)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home("init")
        planted = plant(home, known, chance)
        home("sync")
        before = asked(home, known, START + NEXT_DAY)
        progress(f"{name}: {len(planted.truth) + 360} memories, {len(known)} questions")
        with Oracle(planted.truth).running() as oracle:
            home.env["MUNINN_PROVIDERS_OLLAMA_URL"] = oracle.url
            arguments = ("dream", "--force", *(() if model else ("--no-llm",)))
            home(*arguments, at=START + NEXT_DAY)
        after = asked(home, known, START + NEXT_DAY)
        return row(name, home, planted, known, before, after)


def row(name, home: Home, planted: Planted, known: list[Fact], before, after) -> list[str]:
    entries = home("archive", "list")["archived"]
    merged = {one["id"]: one["into"] for one in entries if one["into"] and one["kind"] == "memory"}
    wrong = sum(planted.truth.get(a) != planted.truth.get(b) for a, b in merged.items())
    groups = home("review", "list")["suggestions"]
    waiting = [{member["id"] for member in item["memories"]} for item in groups]

    def share(pairs: list[tuple[str, str]], *, or_waiting: bool) -> str:
        done = sum(
            merged.get(a) == b
            or merged.get(b) == a
            or (or_waiting and any({a, b} <= group for group in waiting))
            for a, b in pairs
        )
        return f"{done} of {len(pairs)}"

    reasons = Counter(one["reason"] for one in entries)
    total = len(known)
    return [
        name,
        f"{before[0] / total:.3f} → {after[0] / total:.3f}",
        f"{before[1] / total:.3f} → {after[1] / total:.3f}",
        share(planted.duplicates, or_waiting=False),
        share(planted.paraphrases, or_waiting=True),
        str(wrong),
        str(reasons["expired"]),
    ]


def main() -> None:
    rows = [trial("offline", model=False), trial("scripted model", model=True)]
    print(machine())
    head = (
        "dream",
        "recall@1",
        "recall@5",
        "exact duplicates merged",
        "paraphrases merged or clustered",
        "wrong merges",
        "expired",
    )
    print_table("A dream, and the questions before and after it", head, rows)


if __name__ == "__main__":
    main()
