"""Recall on LoCoMo: every turn of a conversation is a memory, every question asks for its turns.

    python tests/benchmarks/locomo.py FOLDER [--pooled] [--order told|shuffled|alone|undated]

FOLDER holds `locomo10.json.zip` (github.com/snap-research/locomo, CC BY-NC 4.0: not part of this
project). Turns become Markdown files of a real vault; sync and search are muninn's own, and no
recall is logged. Shuffled turns trade their sessions, so that nearly every neighbour is a false one;
turns alone have no session, undated ones no date either. Prints recall@5, recall@10 and MRR@10 of
each mode and of plain rank fusion, per category, with 95 % intervals of the differences (paired
bootstrap over questions).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from indexed import Indexed
from table import print_table, progress

from muninn_cli.core.words import Stems, stop_words
from muninn_cli.embedding import open_embedder
from muninn_cli.recall.query import Mode, Query, Tools
from muninn_cli.recall.search import search
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import vault_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

WAYS: dict[str, dict[str, Any]] = {
    "hybrid": {},
    "rank fusion": {"rerank": False},
    "semantic": {"mode": Mode.SEMANTIC},
    "full text": {"mode": Mode.FULLTEXT},
}
MEASURES = ("R@5", "R@10", "MRR")
CATEGORIES = {1: "several turns", 2: "time", 3: "open", 4: "one turn"}
BETWEEN_TURNS = timedelta(seconds=20)
RESAMPLES = 10_000
ASKED_AT = datetime(2024, 6, 1, tzinfo=UTC)
"""After the last session."""


class Turn(NamedTuple):
    """One turn of a conversation, to become a memory."""

    id: str
    speaker: str
    session: str
    at: datetime | None
    text: str


class Question(NamedTuple):
    """A question, its category, and the ids of the turns that answer it."""

    text: str
    category: int
    answers: frozenset[str]


class Conversation(NamedTuple):
    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pooled", action="store_true", help="one vault for all conversations")
    parser.add_argument("--order", choices=ORDERS, default="told", help="the places of the turns")
    arguments = parser.parse_args()
    place = ORDERS[arguments.order]
    conversations = [
        one._replace(turns=place(one.turns)) for one in read(arguments.folder / "locomo10.json.zip")
    ]
    vaults = [[one] for one in conversations] if not arguments.pooled else [conversations]
    scores: dict[str, list[np.ndarray]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for number, together in enumerate(vaults):
            tools, filters = index(Path(folder) / str(number), together)
            questions = [question for one in together for question in one.questions]
            for way, options in WAYS.items():
                found = [ask(question, filters, tools, options) for question in questions]
                scores[way].append(np.array(found))
            progress(f"{len(questions)} questions asked")
    categories = np.array([q.category for one in conversations for q in one.questions])
    report({way: np.concatenate(found) for way, found in scores.items()}, categories)


def read(archive: Path) -> Iterator[Conversation]:
    """The conversations of the archive, with the questions of categories 1 to 4."""
    with zipfile.ZipFile(archive) as files:
        for path in sorted(files.namelist()):
            if path.endswith(".json"):
                name = Path(path).stem
                data = json.loads(files.read(path))
                turns = tuple(_turns(name, data))
                yield Conversation(name, turns, tuple(_questions(name, data, turns)))


def _turns(name: str, data: dict[str, Any]) -> Iterator[Turn]:
    sessions = [key for key in data if re.fullmatch(r"session_\d+", key)]
    for session in sessions:
        began = datetime.strptime(data[f"{session}_date_time"], "%I:%M %p on %d %B, %Y")
        for place, turn in enumerate(data[session]):
            text = turn.get("clean_text") or turn["text"]
            if turn.get("blip_caption"):
                text += f" [{turn['blip_caption']}]"
            at = began.replace(tzinfo=UTC) + place * BETWEEN_TURNS
            turn_id = _turn_id(name, turn["dia_id"])
            yield Turn(turn_id, turn["speaker"], f"{name}-{session}", at, text)


def _questions(name: str, data: dict[str, Any], turns: Iterable[Turn]) -> Iterator[Question]:
    known = {turn.id for turn in turns}
    for asked in data["qa"]:
        evidence = " ".join(asked.get("evidence") or ())
        answers = {_turn_id(name, found) for found in re.findall(r"D\d+:\d+", evidence)} & known
        if asked["category"] in CATEGORIES and answers:
            yield Question(asked["question"], asked["category"], frozenset(answers))


def _turn_id(name: str, dialogue_id: str) -> str:
    return f"{name}-{dialogue_id.replace(':', '-')}"


def shuffled(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The turns in each other's sessions, at their own times."""
    sessions = [turn.session for turn in turns]
    random.Random(5).shuffle(sessions)
    return tuple(
        turn._replace(session=session) for turn, session in zip(turns, sessions, strict=True)
    )


def alone(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The turns as notes that have nothing to do with each other."""
    return tuple(turn._replace(session="") for turn in turns)


def undated(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    return tuple(turn._replace(at=None) for turn in alone(turns))


ORDERS: dict[str, Callable[[tuple[Turn, ...]], tuple[Turn, ...]]] = {
    "told": tuple,
    "shuffled": shuffled,
    "alone": alone,
    "undated": undated,
}


def index(folder: Path, conversations: Iterable[Conversation]) -> tuple[Tools, Filters]:
    """Write the turns into a vault, bring the index in step, and open it."""
    folder.mkdir()
    indexed = Indexed(folder, now=ASKED_AT)
    vault = indexed.vault("conversations", managed=False)
    for conversation in conversations:
        for turn in conversation.turns:
            indexed.put(
                f"{conversation.name}/{turn.id}.md",
                turn.text + "\n",
                id=json.dumps(turn.id),
                title=json.dumps(turn.speaker),
                **({"session": turn.session} if turn.session else {}),
                **({"created": turn.at.isoformat()} if turn.at else {}),
            )
    indexed.sync()
    connection = open_reader(indexed.home.index_db)
    embedder = open_embedder("builtin", folder)
    languages = indexed.settings.search.languages
    tools = Tools(connection, lambda: embedder, Stems(languages), stop_words(languages), ASKED_AT)
    return tools, Filters(vault_numbers(connection, [vault.id]))


def ask(
    question: Question, filters: Filters, tools: Tools, options: dict[str, Any]
) -> tuple[float, float, float]:
    """Recall among the first 5 and 10 hits, and the reciprocal rank of the first right one."""
    hits = search(Query(question.text, filters, limit=10, **options), tools).hits
    right = [hit.id in question.answers for hit in hits]
    first = right.index(True) + 1 if True in right else 0
    total = len(question.answers)
    return sum(right[:5]) / total, sum(right) / total, 1 / first if first else 0.0


def report(scores: dict[str, np.ndarray], categories: np.ndarray) -> None:
    """Print the figures of every way, then what hybrid gains over the others."""
    groups = {f"{number} {name}": categories == number for number, name in CATEGORIES.items()}
    groups = {"all": categories > 0, **groups}
    print_table(
        f"LoCoMo: {' / '.join(MEASURES)}",
        ("category", "questions", *scores),
        [
            (name, str(chosen.sum()), *(_cell(found[chosen]) for found in scores.values()))
            for name, chosen in groups.items()
        ],
    )
    gains = {way: scores["hybrid"] - found for way, found in scores.items() if way != "hybrid"}
    print_table(
        "hybrid minus ...",
        ("", *MEASURES),
        [(way, *map(_gain, gain.T)) for way, gain in gains.items()],
    )


def _cell(found: np.ndarray) -> str:
    return " / ".join(f"{value:.3f}" for value in found.mean(axis=0))


def _gain(gains: np.ndarray) -> str:
    """The mean difference and its 95 % interval, by resampling questions."""
    draw = np.random.default_rng(0)
    picks = draw.integers(len(gains), size=(RESAMPLES, len(gains)), dtype=np.int32)
    low, high = np.percentile(gains[picks].mean(axis=1), [2.5, 97.5])
    return f"{gains.mean():+.3f} ({low:+.3f}..{high:+.3f})"


if __name__ == "__main__":
    main()
