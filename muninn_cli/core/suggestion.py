"""The nearest of the words that would have been right, for the hint of an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR = 65
"""Likeness, of 100, from which a word is worth naming (indel distance over both lengths)."""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """`did you mean "limit"?`, or an empty text where nothing is near."""
    from rapidfuzz import fuzz, process, utils

    best = process.extractOne(
        word, list(choices), scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=NEAR
    )
    return f'did you mean "{best[0]}"?' if best else ""
