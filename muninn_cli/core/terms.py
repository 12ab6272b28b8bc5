"""The closed sets of words that memories and vaults are described with."""

from __future__ import annotations

from enum import StrEnum


class Tier(StrEnum):
    """How long a memory lives unused; T0 for ever, T3 the shortest."""

    T0 = "T0"
    T1 = "T1"
    T2 = "T2"
    T3 = "T3"


class MemoryType(StrEnum):
    """What kind of knowledge a memory holds."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Source(StrEnum):
    """Who wrote a memory."""

    CLI = "cli"
    AGENT = "agent"
    IMPORT = "import"
    DREAM = "dream"


class Kind(StrEnum):
    """What a vault is for; decides who may see it."""

    LEGAL = "legal"
    WORK = "work"
    PERSONAL = "personal"
    PROJECT = "project"
    GLOBAL = "global"
