"""Vaults of real files with a real index, brought in step by hand."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from muninn_cli.config import Settings
from muninn_cli.core.terms import Kind
from muninn_cli.embedding import open_embedder, word_vectors
from muninn_cli.paths import Home
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.sync import SyncReport, sync
from muninn_cli.store.vault import Vault

NOW = datetime(2026, 3, 28, 6, tzinfo=UTC)
OLD = 1_700_000_000_123_456_789
"""An mtime, in nanoseconds, that no later change can have."""


def memory_text(body: str = "", **fields: str) -> str:
    """A memory file; without fields it has no front matter."""
    block = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{block}---\n{body}" if fields else body


@dataclass
class Indexed:
    """Some vaults below one folder and what the index makes of them."""

    base: Path
    vaults: list[Vault] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    now: datetime = NOW

    @property
    def home(self) -> Home:
        return Home(self.base / "home")

    def vault(self, name: str = "notes", *, kind: Kind = Kind.PERSONAL, managed: bool = True):
        root = self.base / name
        root.mkdir(exist_ok=True)
        vault = Vault(f"id-{name}", name, root, kind, managed, git=False, id_name=name)
        self.vaults = [known for known in self.vaults if known.id != vault.id] + [vault]
        return vault

    @property
    def root(self) -> Path:
        return self.vaults[0].root

    def put(self, path: str, body: str = "", *, mtime_ns: int = OLD, **fields: str) -> Path:
        """Write a file of the first vault; each call gives it another inode and an old mtime."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_name(place.name + ".fresh")
        fresh.write_text(memory_text(body, **fields), encoding="utf-8", newline="")
        os.utime(fresh, ns=(mtime_ns, mtime_ns))
        fresh.replace(place)
        return place

    def sync(self, **options) -> SyncReport:
        options = {"embedder": lambda: open_embedder("builtin", self.base), **options}
        return sync(
            self.home,
            self.vaults,
            settings=self.settings,
            word_vectors=word_vectors,
            now=self.now,
            **options,
        )

    def rows(self, query: str, *values):
        """What a query on the index gives; rows of one column as plain values."""
        with open_reader(self.home.index_db) as connection:
            rows = connection.execute(query, values).fetchall()
        return [row[0] if len(row) == 1 else row for row in rows]

    @property
    def live(self) -> dict[str, str]:
        """Ids of live memories by path."""
        return dict(self.rows("SELECT path, id FROM memory WHERE NOT archived"))

    def found(self, word: str) -> list[str]:
        """Paths of memories whose full text holds a stem."""
        query = """
            SELECT DISTINCT m.path FROM fulltext f
            JOIN chunk c ON c.num = f.rowid JOIN memory m ON m.num = c.memory
            WHERE fulltext MATCH ? ORDER BY m.path"""
        return self.rows(query, f'"{word}"')
