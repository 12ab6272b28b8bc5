"""What a warm search costs as a vault grows, against the bare query on its vectors.

    python tests/benchmarks/search_scale.py [--notes 1000 10000 100000] [--questions 40]

The baseline is `vec0` asked for as many neighbours of the question's vector as a search looks at,
with no filter, no full text and no rows; the vector is given. Questions are an everyday word and two
rare ones. A second table holds questions of other kinds, and an empty vault.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from indexed import Indexed
from notes import write_notes
from table import machine, print_table, progress, seconds

from muninn_cli.core.words import Stems, stop_words
from muninn_cli.embedding import open_embedder
from muninn_cli.recall.legs import FEWEST_CANDIDATES
from muninn_cli.recall.query import Mode, Query, Tools
from muninn_cli.recall.search import search
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import vault_numbers

NOW = datetime(2026, 11, 1, tzinfo=UTC)
ROUNDS = 3
KINDS = {
    "one word": "backup",
    "30 content words": (
        "server network database release backup customer invoice deadline meeting garden recipe"
        " travel family doctor school contract budget printer password certificate servidor copia"
        " viaje factura receta contrato clave impresora colegio plazo"
    ),
    "only stop words": "what is it that they have been doing with this",
    "Japanese": "サーバーのバックアップはいつですか",
    "emoji": "🎉🔥🚀",
    "unknown words": "xqzzv wqqyk",
    "FTS operators": 'backup AND (server OR "NEAR/3") NOT * ^',
}
BARE = f"SELECT rowid, distance FROM vector WHERE window MATCH ? AND k = {FEWEST_CANDIDATES}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--notes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    options.add_argument("--questions", type=int, default=40)
    chosen = options.parse_args()
    scale, kinds = [], []
    for count in (0, *chosen.notes):
        with tempfile.TemporaryDirectory() as folder:
            tools, filters, texts = vault(Path(folder), count, chosen.questions)
            progress("asking")
            if texts:
                scale += [[f"{count:,}", *row] for row in compared(texts, tools, filters)]
            kinds.append([f"{count:,}", *(kind(text, tools, filters) for text in KINDS.values())])
    print(machine())
    title = f"A warm search, median of {chosen.questions} questions, each the least of {ROUNDS}"
    print_table(title, ("notes", "search", "ms", "ratio"), scale)
    print_table("Hybrid: ms (hits)", ("notes", *KINDS), kinds)


def vault(folder: Path, count: int, questions: int) -> tuple[Tools, Filters, list[str]]:
    """A vault of generated notes in step with its index, opened; and questions about it."""
    progress(f"{count} notes: writing and indexing")
    indexed = Indexed(folder, now=NOW)
    vault_id = indexed.vault("notes", managed=False).id
    write_notes(indexed.root, count)
    indexed.sync()
    connection = open_reader(indexed.home.index_db)
    embedder = open_embedder("builtin", folder)
    languages = indexed.settings.search.languages
    tools = Tools(connection, lambda: embedder, Stems(languages), stop_words(languages), NOW)
    titles = [row[0] for row in connection.execute("SELECT title FROM memory ORDER BY num")]
    picked = random.Random(2).sample(titles, min(questions, len(titles)))
    pairs = zip(picked, reversed(picked), strict=True)
    texts = [f"{one.rpartition(' ')[0]} {other.split()[1]}" for one, other in pairs]
    return tools, Filters(vault_numbers(connection, [vault_id])), texts


def compared(texts: Sequence[str], tools: Tools, filters: Filters) -> list[list[str]]:
    """The bare query, then each mode: median milliseconds, and the ratio to the bare query."""
    vectors = {
        text: vector for text in texts if (vector := tools.embedder().encode([text])[0]) is not None
    }

    def ask(mode: Mode) -> Callable[[str], object]:
        return lambda text: search(Query(text, filters, mode=mode), tools)

    ways: dict[str, Callable[[str], object]] = {
        "bare vec0": lambda text: tools.connection.execute(BARE, (vectors[text],)).fetchall(),
        **{mode.value: ask(mode) for mode in (Mode.SEMANTIC, Mode.HYBRID, Mode.FULLTEXT)},
    }
    least = {name: [milliseconds(way, text) for text in vectors] for name, way in ways.items()}
    base = median(least["bare vec0"])
    return [
        [name, f"{median(spent):.1f}", f"{median(spent) / base:.2f}"]
        for name, spent in least.items()
    ]


def milliseconds(way: Callable[[str], object], text: str) -> float:
    return 1000 * seconds(lambda: way(text), ROUNDS)


def kind(text: str, tools: Tools, filters: Filters) -> str:
    """Milliseconds of a hybrid search, and how many hits it has."""
    query = Query(text, filters)
    hits = len(search(query, tools).hits)
    return f"{1000 * seconds(lambda: search(query, tools), ROUNDS):.1f} ({hits})"


if __name__ == "__main__":
    main()
