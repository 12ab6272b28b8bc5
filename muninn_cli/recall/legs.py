"""The candidates of a search: what full text and the vectors find, and what either is missing."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.question import Rarity, read_question, searched
from muninn_cli.core.times import epoch
from muninn_cli.errors import MuninnError
from muninn_cli.recall.query import Mode
from muninn_cli.store.index import search as index

if TYPE_CHECKING:
    from collections.abc import Callable

    from muninn_cli.core.question import Question
    from muninn_cli.embedding import Embedder
    from muninn_cli.recall.query import Query, Tools
    from muninn_cli.store.index.search import Found

CANDIDATES_PER_HIT = 4
FEWEST_CANDIDATES = 50
"""Each leg brings four chunks for every hit that may be shown, and at least fifty."""

NO_KNOWN_WORD = "No memory holds a word of the question."
BY_MEANING = "No memory holds a word of the question: it was looked for by meaning alone."
NO_MEANING = "The embedder knows no word of the question: it was looked for by words alone."
OTHER_EMBEDDER = "The vectors are of another embedder: it was looked for by words alone."
SOME_WAIT = "{count} texts have no vector yet: they were looked for by words alone."


class Legs(NamedTuple):
    """What both legs found, best first, and what is needed to rank it.

    `vector` is the question with each word weighing the square root of its idf, which finds more;
    `plain` weighs them alike, for a rerank, which has their idf in its word match. Both are None
    where the question has no vector, or where none of the index can be compared with it.
    """

    question: Question
    rarity: Rarity
    vector: bytes | None
    plain: bytes | None
    semantic: list[Found]
    fulltext: list[Found]
    notices: tuple[str, ...]


def gather(query: Query, tools: Tools) -> Legs:
    """Run the legs that the mode asks for; one that cannot answer is named in `notices`."""
    question = read_question(query.text, tools.stems, tools.stop_words)
    rarity = _rarity(question, tools)
    notices: list[str] = []
    embedder = _embedder(query, tools, notices)
    weights = {word.text: sqrt(rarity.idf(word)) for word in question.words}
    vector = embedder.encode_weighted(weights) if embedder else None
    alike = dict.fromkeys(weights, 1.0)
    plain = embedder.encode_weighted(alike) if embedder and query.reranks else None
    if embedder and vector is None:
        notices.append(NO_MEANING)
    semantic = _semantic(vector, query, tools) if query.mode is not Mode.FULLTEXT else []
    return Legs(
        question=question,
        rarity=rarity,
        vector=vector,
        plain=plain,
        semantic=semantic,
        fulltext=_fulltext(question, rarity, query, tools, notices, by_meaning=bool(semantic)),
        notices=tuple(notices),
    )


def _rarity(question: Question, tools: Tools) -> Rarity:
    stems = {stem for word in question.words for stem in word.stems}
    total = index.chunk_count(tools.connection)
    return Rarity(total, index.holding(tools.connection, stems))


def _embedder(query: Query, tools: Tools, notices: list[str]) -> Embedder | None:
    """The embedder, where a vector is asked for and the index holds vectors of the same."""
    if query.mode is Mode.FULLTEXT and query.min_cosine is None:
        return None
    try:
        embedder = tools.embedder()
    except MuninnError as error:
        notices.append(f"{error.message}: it was looked for by words alone.")
        return None
    if index.embedder_id(tools.connection) != embedder.id:
        notices.append(OTHER_EMBEDDER)
        return None
    waiting = index.waiting_count(tools.connection)
    if waiting:
        notices.append(SOME_WAIT.format(count=waiting))
    return embedder


def _semantic(vector: bytes | None, query: Query, tools: Tools) -> list[Found]:
    if vector is None:
        return []
    now = epoch(tools.now)
    return _enough(
        query,
        lambda limit: index.nearest(tools.connection, vector, query.filters, now=now, limit=limit),
    )


def _fulltext(
    question: Question,
    rarity: Rarity,
    query: Query,
    tools: Tools,
    notices: list[str],
    *,
    by_meaning: bool,
) -> list[Found]:
    if query.mode is Mode.SEMANTIC:
        return []
    stems = [rarity.stem(word) for word in searched(question, rarity)]
    if not stems:
        notices.append(BY_MEANING if by_meaning else NO_KNOWN_WORD)
        return []
    now = epoch(tools.now)
    return _enough(
        query,
        lambda limit: index.fulltext(tools.connection, stems, query.filters, now=now, limit=limit),
    )


def _enough(query: Query, leg: Callable[[int], list[Found]]) -> list[Found]:
    """Chunks of at least as many memories as may be shown, where there are so many.

    A few long memories can hold all the best chunks: then the leg is asked for more.
    """
    limit = max(CANDIDATES_PER_HIT * query.limit, FEWEST_CANDIDATES)
    while True:
        found = leg(limit)
        if len(found) < limit or len({chunk.memory for chunk in found}) >= query.limit:
            return found
        limit *= CANDIDATES_PER_HIT
