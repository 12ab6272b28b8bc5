"""What the tests of a dream stand on: vaults of real files, their index, and plans made by hand."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from indexed import Indexed

from muninn_cli.core.changes import Change, Judge, Merge, Ref, Supersede, involved
from muninn_cli.core.tiers import Limits
from muninn_cli.core.words import Stems, stop_words
from muninn_cli.dream.applying.apply import Applied, apply
from muninn_cli.dream.applying.writing import write
from muninn_cli.dream.known import Known
from muninn_cli.dream.plan import Plan, Subject
from muninn_cli.dream.rehearsing.rehearsal import Stage
from muninn_cli.dream.rehearsing.scratch import Scratch
from muninn_cli.dream.snapshot import Remembered, Snapshot, take_snapshot
from muninn_cli.embedding import open_embedder, word_vectors
from muninn_cli.providers.base import Deadline
from muninn_cli.recall.query import Query
from muninn_cli.recall.query import Tools as RecallTools
from muninn_cli.recall.search import search
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import vault_numbers
from muninn_cli.store.runs import Runs

LIMITS = Limits(365, 90, 30, 5)


class Bed:
    """Some vaults that are about to dream."""

    def __init__(self, base: Path) -> None:
        self.indexed = Indexed(base)
        self.vault = self.indexed.vault()

    def put(self, name: str, body: str, **fields: str) -> Ref:
        """A memory whose id is its name."""
        fields = {"id": f'"{name}"', "title": name, **fields}
        self.indexed.put(f"{name}.md", f"{body}\n", **fields)
        return Ref(self.vault.id, name)

    def merge(self, survivor: str, *losers: str, content: str | None = None) -> Merge:
        return Merge(self.vault.id, survivor, losers, "alike", Judge.RULE, content)

    def supersede(self, old: str, new: str) -> Supersede:
        return Supersede(self.vault.id, old, new, "newer", Judge.RULE)

    @property
    def vaults(self):
        return {vault.id: vault for vault in self.indexed.vaults}

    def snapshot(self, remembered: Remembered | None = None) -> Snapshot:
        with open_reader(self.indexed.home.index_db) as reader:
            return take_snapshot(
                reader, self.indexed.vaults, remembered or Remembered(), self.indexed.now
            )

    def plan(self, *changes: Change) -> Plan:
        """A plan of these changes over the vaults as they are now."""
        self.indexed.sync()
        facts = self.snapshot().facts
        refs = dict.fromkeys(ref for change in changes for ref in involved(change))
        subjects = tuple(
            Subject(ref, facts[ref].title, facts[ref].path, facts[ref].hash, facts[ref].text)
            for ref in refs
        )
        changed = tuple(
            Subject(ref, each.title, each.path, each.hash, each.text) for ref, each in facts.items()
        )
        return Plan(self.indexed.now, (0, 1, 2, 3, 4, 5), (), 0, changes, subjects, changed)

    def stage(self, plan: Plan, seconds: float = 60.0) -> Stage:
        """A scratch copy of the index, shown nothing yet."""
        path = self.indexed.base / "scratch.db"
        shutil.copyfile(self.indexed.home.index_db, path)
        scratch = Scratch(
            path,
            self.vaults,
            languages=("en", "es"),
            embedder=self.embedder,
            word_vectors=word_vectors,
            limits=LIMITS,
            now=self.indexed.now,
        )
        subjects = {subject.ref: subject for subject in plan.subjects}
        known = Known(scratch.connection)
        return Stage(
            scratch,
            self.search,
            lambda changes: write(changes, subjects, self.vaults, known, self.indexed.now),
            Deadline.after(600),
            seconds,
        )

    @property
    def runs(self) -> Runs:
        return Runs(self.indexed.home, self.indexed.vaults, "test", 1)

    def apply(self, plan: Plan) -> Applied:
        with open_reader(self.indexed.home.index_db) as reader:
            return apply(
                plan,
                vaults=self.vaults,
                known=Known(reader),
                runs=self.runs,
                command="dream",
                now=self.indexed.now,
                time=self.indexed.now,
            )

    def embedder(self):
        return open_embedder("builtin", self.indexed.base)

    def search(self, connection, query: str, vault: str, limit: int) -> list[Ref]:
        tools = RecallTools(
            connection,
            self.embedder,
            Stems(("en", "es")),
            stop_words(("en", "es")),
            self.indexed.now,
        )
        filters = Filters(vault_numbers(connection, [vault]))
        found = search(Query(query, filters, limit=limit), tools).hits
        return [Ref(hit.vault_id, hit.id) for hit in found]


def without(plan: Plan, *changes: Change) -> Plan:
    return replace(plan, changes=tuple(c for c in plan.changes if c not in changes))


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
