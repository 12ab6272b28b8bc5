"""Updates of one fact get in each other's way: how often is the newest value found first?

    python tests/benchmarks/interference.py [--facts 20]

Facts with 1 to 50 versions, worded differently. With scripted verdicts a model settles what the
rules leave; offline only those that say in plain words that they replace something are settled.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from datetime import timedelta
from pathlib import Path

from homes import START, Home
from oracle import Oracle, Truth
from table import machine, print_table, progress

VERSIONS = (1, 2, 5, 10, 20, 50)
SERVICES = "billing search login payments reports gallery mailer cart catalog chat maps weather coupons invoices avatars uploads sessions alerts ratings stock".split()
PLAIN = (
    "The {0} service listens on port {1}.",
    "Port of the {0} service: {1}.",
    "We reach the {0} service through port {1}.",
    "For the {0} service, port {1} is open.",
)
TOLD = (
    "The {0} service now listens on port {1}.",
    "The {0} service listens on port {1} from now on.",
    "Update: the {0} service listens on port {1}.",
)
NIGHTS = 8
"""Dreams until nothing is left to settle: a model judges only so many notes in one."""


def plant(home: Home, facts: int, versions: int, told: bool, chance: random.Random) -> Truth:
    """Write every version of every fact, a day apart."""
    truth: Truth = {}
    for number in range(facts):
        service = SERVICES[number % len(SERVICES)] + ("" if number < len(SERVICES) else str(number))
        for version in range(versions):
            wordings = TOLD if told and version else PLAIN
            text = chance.choice(wordings).format(service, 10_000 + 100 * number + version)
            at = START - timedelta(days=60 - version)
            memory_id = home.write(f"{service}-{version}", text, at=at, title=f"Port of {service}")
            truth[memory_id] = (service, version)
    return truth


def newest_first(home: Home, truth: Truth, at) -> float:
    """The share of facts whose newest value is the first hit."""
    newest: dict[str, str] = {}
    for memory_id, (service, version) in truth.items():
        if version >= truth[newest.get(service, memory_id)][1]:
            newest[service] = memory_id
    right = 0
    for service, memory_id in newest.items():
        question = f"port of the {service} service"
        hits = home("search", question, "--limit", "1", "--no-recall", at=at)["hits"]
        right += bool(hits) and hits[0]["id"] == memory_id
    return right / len(newest)


def trial(facts: int, versions: int, *, model: bool, told: bool) -> str:
    chance = random.Random(versions)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home("init")
        truth = plant(home, facts, versions, told, chance)
        before = newest_first(home, truth, START)
        at = START
        with Oracle(truth).running() as oracle:
            home.env["MUNINN_PROVIDERS_OLLAMA_URL"] = oracle.url
            for _ in range(NIGHTS if versions > 1 else 1):
                at += timedelta(days=1)
                home("dream", "--force", *(() if model else ("--no-llm",)), at=at)
        return f"{before:.2f} → {newest_first(home, truth, at):.2f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--facts", type=int, default=20)
    facts = options.parse_args().facts
    ways = {
        "offline, versions say nothing of it": {"model": False, "told": False},
        "offline, versions say “now”": {"model": False, "told": True},
        "with verdicts of a scripted model": {"model": True, "told": False},
    }
    rows = []
    for name, way in ways.items():
        cells = []
        for versions in VERSIONS:
            progress(f"{name}: {versions} versions")
            cells.append(trial(facts, versions, **way))
        rows.append([name, *cells])
    print(machine())
    head = ["newest value first, before → after", *(f"{n} versions" for n in VERSIONS)]
    print_table(f"Updates of {facts} facts", head, rows)


if __name__ == "__main__":
    main()
