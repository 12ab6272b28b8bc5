"""A question as words: which of them carry content, and how rare each one is.

Any string is a valid question; nothing in it is ever an operator.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.words import fold, raw_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from muninn_cli.core.words import Stems

MOST_MATCHED = 10
"""Content words that the rerank matches: each costs one or two milliseconds."""

MOST_SEARCHED = 64
"""Content words that full text looks up: a longer question is answered by its rarest ones."""

MOST_SCORED = 100_000
"""Texts that full text scores for one question, counted once a word, at 0.4 microseconds each."""

COMMON_SHARE = 0.2
COMMON_FROM = 50
"""From this many texts on, a word in more than a fifth of them says nothing."""


class Word(NamedTuple):
    """One word of a question, folded, with a stem for each search language."""

    text: str
    stems: tuple[str, ...]


class Question(NamedTuple):
    """The different words of a question in their order; `content` without stop words."""

    words: tuple[Word, ...] = ()
    content: tuple[Word, ...] = ()


class Rarity(NamedTuple):
    """How rare stems are: `total` texts, and the number of them that hold each stem."""

    total: int
    holding: Mapping[str, int]

    def stem(self, word: Word) -> str:
        """The stem of a word that most texts hold: the first of equals.

        A text that holds the word holds all its stems, so this one finds all that the others
        find of it; to look up several would count the word twice.
        """
        return max(word.stems, key=lambda stem: self.holding.get(stem, 0))

    def frequency(self, word: Word) -> int:
        """Texts that hold the word."""
        return min(self.total, self.holding.get(self.stem(word), 0))

    def idf(self, word: Word) -> float:
        """Weight of a word, above 0: ln(1 + (N - df + 0.5) / (df + 0.5)), as in BM25."""
        frequency = self.frequency(word)
        return math.log(1 + (self.total - frequency + 0.5) / (frequency + 0.5))


def read_question(text: str, stems: Stems, stop_words: AbstractSet[str]) -> Question:
    """The words of a question, each once; stop words count only where nothing else is left."""
    words: dict[str, Word] = {}
    for raw in raw_words(text):
        folded = fold(raw)
        if folded not in words:
            words[folded] = Word(folded, stems.stems(raw))
    content = tuple(word for folded, word in words.items() if folded not in stop_words)
    every = tuple(words.values())
    return Question(every, content or every)


def rarest(words: Sequence[Word], rarity: Rarity, most: int) -> tuple[Word, ...]:
    """At most `most` of the words, the rarest, in the order of the question."""
    if len(words) <= most:
        return tuple(words)
    kept = set(sorted(words, key=lambda word: -rarity.idf(word))[:most])
    return tuple(word for word in words if word in kept)


def searched(question: Question, rarity: Rarity) -> tuple[Word, ...]:
    """The content words that full text looks up: the known ones, without those in too many texts.

    A common word stays where no other known word would be left. Of words that all texts of a
    large vault are full of, only the rarest count.
    """
    known = [word for word in question.content if rarity.frequency(word)]
    telling = [word for word in known if not _is_common(word, rarity)]
    return _affordable(rarest(telling or known, rarity, MOST_SEARCHED), rarity)


def _affordable(words: tuple[Word, ...], rarity: Rarity) -> tuple[Word, ...]:
    """The rarest of the words, as long as they are in at most MOST_SCORED texts; at least one."""
    scored = accumulate(sorted(map(rarity.frequency, words)))
    return rarest(words, rarity, max(1, sum(texts <= MOST_SCORED for texts in scored)))


def _is_common(word: Word, rarity: Rarity) -> bool:
    if rarity.total < COMMON_FROM:
        return False
    return rarity.frequency(word) > COMMON_SHARE * rarity.total
