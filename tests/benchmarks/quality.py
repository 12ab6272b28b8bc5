"""Questions with known answers, put to a home in several modes; shares and paired bootstrap."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from homes import START, Home

DEPTH = 10
WAYS = {
    "hybrid": ("--mode", "hybrid"),
    "rank fusion (baseline)": ("--mode", "hybrid", "--no-rerank"),
    "semantic": ("--mode", "semantic"),
    "full text": ("--mode", "fulltext"),
}


@dataclass(frozen=True)
class Question:
    """A question and the paths of the notes that answer it."""

    text: str
    answers: frozenset[str]


def ranks(home: Home, questions: Sequence[Question], way: Sequence[str]) -> list[int]:
    """For each question the rank of the first right hit, 0 where none of ten is."""
    found = []
    for question in questions:
        arguments = ("search", question.text, *way, "--limit", str(DEPTH), "--no-recall")
        paths = [hit["path"] for hit in home(*arguments, at=START)["hits"]]
        right = [rank for rank, path in enumerate(paths, start=1) if path in question.answers]
        found.append(right[0] if right else 0)
    return found


def row(name: str, found: Sequence[int], baseline: Sequence[int]) -> list[str]:
    """First 1, 5, 10, MRR@10, and the gain in first 5 over the baseline with its 95 % interval."""

    def share(depth: int) -> str:
        return f"{sum(0 < rank <= depth for rank in found) / len(found):.3f}"

    mrr = sum(1 / rank for rank in found if rank) / len(found)
    return [name, share(1), share(5), share(10), f"{mrr:.3f}", gain(found, baseline)]


def gain(found: Sequence[int], baseline: Sequence[int], rounds: int = 2000) -> str:
    """The difference in first 5, by a paired bootstrap over the questions."""
    differences = [(0 < a <= 5) - (0 < b <= 5) for a, b in zip(found, baseline, strict=True)]
    chance = random.Random(3)
    means = sorted(
        sum(chance.choices(differences, k=len(differences))) / len(differences)
        for _ in range(rounds)
    )
    low, high = means[int(rounds * 0.025)], means[int(rounds * 0.975)]
    return f"{sum(differences) / len(differences):+.3f} ({low:+.3f}..{high:+.3f})"


HEAD = ("mode", "first 1", "first 5", "first 10", "MRR@10", "first 5, gain over rank fusion (95 %)")


def table(ask: Callable[[Sequence[str]], list[int]]) -> list[list[str]]:
    """A row for each way of searching."""
    found = {name: ask(way) for name, way in WAYS.items()}
    baseline = found["rank fusion (baseline)"]
    return [row(name, each, baseline) for name, each in found.items()]
