"""What the tests of planning stand on: vaults of real files, their usage, and dreams up to the plan."""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from indexed import NOW, OLD, Indexed, memory_text

from muninn_cli.core.changes import ChangeKey, Ref, Suggest
from muninn_cli.core.terms import Kind
from muninn_cli.core.tiers import Limits
from muninn_cli.core.usage import AssociationChange, Event, Recall, StabilityChange
from muninn_cli.dream.opening import opened, tools_for
from muninn_cli.dream.phases import make_plan
from muninn_cli.dream.plan import Plan
from muninn_cli.dream.state import Dreamed, Stamps, note_dismissed, note_judged, write_stamps
from muninn_cli.dream.suggestions import note, of_suggestion
from muninn_cli.dream.surroundings import Surroundings
from muninn_cli.embedding import open_embedder
from muninn_cli.providers import open_providers
from muninn_cli.providers.base import Deadline
from muninn_cli.store.usage import UsageLog
from muninn_cli.store.vault import Vault

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
FOR_EVER = float("inf")


@dataclass
class Bedroom:
    """Vaults that dream, as far as the plan: `put` files, `recall` them, `plan`."""

    base: Path
    indexed: Indexed = field(init=False)
    silent: bool = False

    def __post_init__(self) -> None:
        self.indexed = Indexed(self.base)

    @property
    def now(self) -> datetime:
        return self.indexed.now

    def vault(
        self, name: str = "notes", kind: Kind = Kind.PERSONAL, *, managed: bool = True
    ) -> Vault:
        return self.indexed.vault(name, kind=kind, managed=managed)

    def put(self, vault: Vault, name: str, body: str, **fields: object) -> Ref:
        """A memory whose id is its name; created ten days ago where nothing else is said."""
        stated = {"id": f'"{name}"', "created": (NOW - 10 * DAY).isoformat(), **fields}
        path = vault.root / f"{name}.md"
        fresh = path.with_name(f"{path.name}.fresh")
        front = {key: str(value) for key, value in stated.items() if value is not None}
        fresh.write_text(memory_text(f"{body}\n", **front), encoding="utf-8")
        os.utime(fresh, ns=(OLD, OLD))
        fresh.replace(path)
        return Ref(vault.id, name)

    def sync(self, at: datetime) -> None:
        """See what is there now, at an earlier time than the dream's."""
        self.indexed.now, now = at, self.indexed.now
        self.indexed.sync()
        self.indexed.now = now

    def log(self, vault: Vault, *events: Event) -> None:
        UsageLog(self.indexed.home.usage(vault.id)).append(*events)

    def recall(self, vault: Vault, *ids: str, at: datetime, score: float = 1.0) -> None:
        """These memories were shown together, all with the same score."""
        self.log(vault, Recall(at, tuple((each, score) for each in ids), "search"))

    def associate(self, vault: Vault, a: str, b: str, weight: float, at: datetime) -> None:
        self.log(vault, AssociationChange(at, a, b, weight, inferred=False, run="before"))

    def dreamed(self, *vaults: Vault, at: datetime) -> None:
        """These vaults have dreamed of all that is there now."""
        ids = tuple(vault.id for vault in vaults)
        write_stamps(self.indexed.home.dream_stamp, Stamps((Dreamed("before", at, ids, True),)))

    def dismiss(self, kind: str, *refs: Ref) -> None:
        """A person says no to a change of that kind, of these memories."""
        facts = self.snapshot().facts
        key = ChangeKey(kind, frozenset(facts[ref].text for ref in refs))
        note_dismissed(self.indexed.home.dismissed, [(key, refs)], self.now)

    def suggested(self, plan: Plan) -> None:
        """Note what a plan suggests, as the dream does that carries it out."""
        news = [of_suggestion(each) for each in of(Suggest, plan)]
        note(self.indexed.home.suggestions, news, "run", self.now)

    def judge(self, plan: Plan) -> None:
        """Note what a plan's model has judged, as the dream does that carries it out."""
        note_judged(self.indexed.home.judged, plan.judged, self.now)

    def surroundings(self, **settings: object) -> Surroundings:
        return Surroundings(
            home=self.indexed.home,
            vaults=tuple(self.indexed.vaults),
            settings=type(self.indexed.settings)(settings),
            env={},
            host="test",
            pid=1,
            time=self.now,
            now=self.now,
            silent=self.silent,
            limits=Limits(365, 90, 30, 5),
            runs=lambda: None,
            embedder=lambda: open_embedder("builtin", self.base),
            search=lambda *_: (),
            notify=lambda _: None,
            progress=lambda _: nullcontext(lambda _done, _total: None),
        )

    @contextmanager
    def tools(self, *, model: bool = False, seconds: float = FOR_EVER, **settings: object):
        """A snapshot, and the tools for planning over it."""
        around = self.surroundings(**settings)
        with opened(around, around.home) as found:
            yield (
                found.snapshot,
                tools_for(
                    found,
                    around,
                    around.home,
                    providers=open_providers(around.settings.providers, {}) if model else (),
                    deadline=Deadline.after(seconds),
                    model_deadline=Deadline.after(30.0),
                    progress=lambda *_: None,
                ),
            )

    def plan(self, phases: tuple[int, ...] | None = None, **options: object) -> Plan:
        """The plan of a dream over the vaults as they are now."""
        with self.tools(**options) as (snapshot, tools):
            return make_plan(snapshot, tools, phases)

    def snapshot(self):
        with self.tools() as (snapshot, _):
            return snapshot


def of(kind: type, plan: Plan) -> list:
    """The changes of one kind."""
    return [change for change in plan.changes if isinstance(change, kind)]


def waiting(plan: Plan) -> dict[str, list[set[str]]]:
    """The ids of the memories that wait for a judge, by reason."""
    found: dict[str, list[set[str]]] = {}
    for each in plan.waiting:
        found.setdefault(each.reason.value, []).append({ref.id for ref in each.refs})
    return found


def full_house(base: Path) -> Bedroom:
    """Vaults in which every phase has something to do; the tests say what."""
    bedroom = Bedroom(base)
    work, home = bedroom.vault("work", Kind.WORK), bedroom.vault("home")
    law = bedroom.vault("law", Kind.LEGAL)
    put = bedroom.put
    put(law, "secret", "The settlement with Acme is confidential.")
    put(work, "stale", "Ticket 4711 was about a printer.", tier="T3", created="2025-11-01")
    put(work, "weak", "The old office had a plotter.", created="2025-11-01", tier="T1")
    bedroom.sync(NOW - 100 * DAY)
    for name in ("docker-1", "docker-2"):
        put(work, name, "Docker networks time out on a small MTU.", title="Docker timeouts")
    put(work, "worded-1", "The deploy script restarts the workers.", title="Deploy")
    put(work, "worded-2", "The deploy script restarts workers.", title="Deploy")
    put(work, "port-1", "The shop API listens on port 8080.", title="Port", created="2026-02-01")
    put(
        work, "port-2", "The shop API now listens on port 9090.", title="Port", created="2026-03-01"
    )
    put(work, "db-1", "The staging database is Postgres.", title="Staging database")
    put(work, "db-2", "The staging database is MySQL.", title="Staging database")
    put(work, "friday-1", "We deploy the website every Friday with a script.", title="Website")
    put(work, "friday-2", "Every Friday the website is deployed by a script.", title="Website")
    put(home, "sourdough", "Sourdough bread needs a starter, flour, water and a hot oven.")
    put(work, "bakery", "The bakery client sells sourdough bread from a hot oven.")
    put(work, "used", "The VPN password is rotated by Luis.", tier="T3")
    for day in range(8, 2, -1):
        bedroom.recall(work, "used", at=NOW - day * DAY)
    put(work, "hub", "Architecture overview of the shop.", tier="T3")
    for number in range(11):
        put(work, f"spoke-{number}", f"Module {number} has {number + 3} endpoints.")
        bedroom.associate(work, "hub", f"spoke-{number}", 0.8, NOW - DAY)
    for hours in range(4, 0, -1):
        bedroom.recall(work, "hub", "spoke-0", "bakery", at=NOW - hours * HOUR)
    bedroom.log(work, StabilityChange(NOW - 90 * DAY, "weak", 50.0, "before"))
    return bedroom
