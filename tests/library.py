"""A vault of real files with its index, and questions to it by path and id."""

from __future__ import annotations

import json
from contextlib import contextmanager

from indexed import Indexed

from muninn_cli.core.memory_usage import MemoryUsage
from muninn_cli.core.times import epoch
from muninn_cli.core.words import Stems, stop_words
from muninn_cli.embedding import open_embedder
from muninn_cli.recall.lookup import resolve
from muninn_cli.recall.query import Mode, Query, Tools
from muninn_cli.recall.search import search
from muninn_cli.store.index.connection import open_reader, open_writer
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import named, newest_rows, rows_of, vault_numbers
from muninn_cli.store.index.search import fulltext, nearest

LANGUAGES = ("en", "es")
STEMS = Stems(LANGUAGES)
STOP_WORDS = stop_words(LANGUAGES)

NOTES = {
    "network": (
        "Container network",
        "Docker containers lost their network after a timeout in DNS.",
    ),
    "clave": ("Contraseñas", "La contraseña de la base de datos se cambia cada noventa días."),
    "backup": ("Copias de seguridad", "El servidor guarda una copia cada noche en otro disco."),
    "cake": ("Apple cake", "Grandmother bakes it with cinnamon and butter."),
    "ticket": ("multi-agent setup", 'The multi-agent rollout uses ticket POL-358. It\'s "done".'),
    "logic": ("AND gate", "NEAR the AND gate, NOT the OR gate."),
    "chinese": ("记忆", "今天讨论了部署方案，云工开物学生券。メモリ 기억력"),
    "hindi": ("नोट", "सर्वर रात में बंद होता है"),
    "moon": ("🌙", "🌙🌙🌙"),
}


def bilingual_library(base):
    """An open library of NOTES."""
    library = Library(base)
    for name, (title, body) in NOTES.items():
        library.put(name, body, title=json.dumps(title, ensure_ascii=False))
    library.open()
    return library


class Library:
    """Begins with one empty vault; `open` brings the index in step with what was put."""

    def __init__(self, base):
        self.indexed = Indexed(base)
        self.indexed.vault()
        self.embedder = open_embedder("builtin", base)
        self.connection = None

    def put(self, name, body, **fields):
        """A memory in the file `name`.md, its id the name unless another is given."""
        self.indexed.put(f"{name}.md", body, **{"id": f'"{name}"', **fields})

    def open(self):
        if self.connection is not None:
            self.connection.close()
        self.indexed.sync()
        self.connection = open_reader(self.indexed.home.index_db)
        return self.connection

    @contextmanager
    def writing(self):
        """Change the index behind its back."""
        self.connection.close()
        with open_writer(self.indexed.home.index_db) as writer:
            yield writer
        self.connection = open_reader(self.indexed.home.index_db)

    def use(self, name, **usage):
        """Give a memory of the first vault this usage."""
        query = "INSERT INTO usage(vault, id, fold) SELECT num, ?, ? FROM vault LIMIT 1"
        with self.writing() as writer:
            writer.execute(query, (name, MemoryUsage(**usage).to_json()))

    @property
    def now(self):
        return epoch(self.indexed.now)

    @property
    def tools(self):
        return Tools(self.connection, lambda: self.embedder, STEMS, STOP_WORDS, self.indexed.now)

    def filters(self, **chosen):
        ids = [vault.id for vault in self.indexed.vaults]
        return Filters(**{"vaults": vault_numbers(self.connection, ids), **chosen})

    def search(self, text, mode=Mode.HYBRID, only=None, **options):
        """The whole search; `only` are filters."""
        return search(Query(text, self.filters(**(only or {})), mode, **options), self.tools)

    def ids(self, text, mode=Mode.HYBRID, **options):
        return [hit.id for hit in self.search(text, mode, **options).hits]

    def by_words(self, *stems, limit=50, **chosen):
        """Paths that the full-text leg finds."""
        filters = self.filters(**chosen)
        return self.paths(fulltext(self.connection, stems, filters, now=self.now, limit=limit))

    def by_meaning(self, text, *, limit=50, **chosen):
        """Paths that the semantic leg finds."""
        [vector] = self.embedder.encode([text])
        filters = self.filters(**chosen)
        return self.paths(nearest(self.connection, vector, filters, now=self.now, limit=limit))

    def paths(self, places):
        query = "SELECT path FROM memory WHERE num = ?"
        return [self.connection.execute(query, (place.memory,)).get for place in places]

    def listed(self, **chosen):
        rows = newest_rows(self.connection, self.filters(**chosen), now=self.now)
        return [row.path for row in rows]

    def row(self, path):
        rows = rows_of(self.connection, range(99), self.filters(), now=self.now)
        return next(row for row in rows.values() if row.path == path)

    def chunk(self, path):
        query = "SELECT c.num FROM chunk c JOIN memory m ON m.num = c.memory WHERE m.path = ?"
        return self.connection.execute(query, (path,)).get

    def named(self, handle):
        numbers = self.filters().vaults
        return [row.path for row in named(self.connection, handle, numbers, now=self.now)]

    def resolve(self, handle):
        return resolve(handle, self.indexed.vaults, self.tools, self.indexed.base)
