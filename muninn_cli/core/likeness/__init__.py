"""Likeness: whether two memories say the same, and what keeps them apart.

Pure and without a model: cosines come from elsewhere, and no cosine outweighs a veto.
"""

from muninn_cli.core.likeness.clusters import (
    MOST_CHUNKS,
    Bounds,
    Clusters,
    Pair,
    alike,
    clusters,
    merge_bound,
)
from muninn_cli.core.likeness.contradictions import conflict, contradicts
from muninn_cli.core.likeness.facts import keeps_facts, lost_facts
from muninn_cli.core.likeness.normal import normal_form, text_hash
from muninn_cli.core.likeness.stated import says_something, stated
from muninn_cli.core.likeness.updates import says_it_replaces
from muninn_cli.core.likeness.vetoes import Part, Reason, Text, Veto, veto

__all__ = [
    "MOST_CHUNKS",
    "Bounds",
    "Clusters",
    "Pair",
    "Part",
    "Reason",
    "Text",
    "Veto",
    "alike",
    "clusters",
    "conflict",
    "contradicts",
    "keeps_facts",
    "lost_facts",
    "merge_bound",
    "normal_form",
    "says_it_replaces",
    "says_something",
    "stated",
    "text_hash",
    "veto",
]
