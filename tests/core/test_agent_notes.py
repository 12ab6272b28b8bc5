"""An agent's own notes as memories."""

from __future__ import annotations

import pytest

from muninn_cli.core.agent_notes import as_memory, is_index
from muninn_cli.core.memory import Memory
from muninn_cli.core.memory_file import read
from muninn_cli.core.terms import MemoryType, Tier

NESTED = b"""---
name: project_table-type
description: "How a table's type is read: from the page"
metadata:
  node_type: memory
  type: project
---
Body with [[another_note]].
"""
FLAT = NESTED.replace(b"metadata:\n  node_type: memory\n  type: project", b"type: feedback")


def memory_of(data: bytes) -> Memory:
    memory = read(as_memory(data), "a.md", "work")
    assert isinstance(memory, Memory)
    return memory


def test_a_note_becomes_a_memory_that_says_so():
    memory = memory_of(NESTED)
    assert memory.title == "Project table type"
    assert memory.aliases == ("project_table-type",)
    assert memory.summary == "How a table's type is read: from the page"
    assert (memory.type, memory.tier) == (MemoryType.SEMANTIC, Tier.T2)
    assert (memory.source, memory.tags, memory.problems) == ("agent", ("project",), ())


def test_what_an_agent_learned_about_its_work_is_a_procedure():
    memory = memory_of(FLAT)
    assert (memory.type, memory.tier, memory.tags) == (
        MemoryType.PROCEDURAL,
        Tier.T1,
        ("feedback",),
    )
    assert memory.problems == ()


def test_a_name_in_words_is_the_title():
    memory = memory_of(NESTED.replace(b"project_table-type", b"Table types"))
    assert (memory.title, memory.aliases) == ("Table types", ())


def test_only_lines_are_added_and_doing_it_again_changes_nothing():
    changed = as_memory(NESTED)
    assert [line for line in changed.splitlines() if line in NESTED.splitlines()] == (
        NESTED.splitlines()
    )
    assert as_memory(changed) == changed


@pytest.mark.parametrize(
    "data",
    [
        b"no front matter\n",
        b"---\nname: a\n---\nno description\n",
        b"---\ntitle: a\nname: a\ndescription: b\n---\nours already\n",
        b"---\nname: [a\ndescription: b\n---\nbroken\n",
        b"---\nname: a\ndescription: \xff\n---\nnot UTF-8\n",
    ],
)
def test_any_other_file_stays_as_it_is(data):
    assert as_memory(data) == data


def test_what_the_agent_says_in_our_words_stays():
    memory = memory_of(NESTED.replace(b"name:", b"tags: [mine]\ntier: T0\nname:"))
    assert (memory.tags, memory.tier) == (("mine",), Tier.T0)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("# Memory\n\n- [One](one.md) - a hook\n* [[two]]\n1. [Three](three.md)\n", True),
        ("# Memory\n\n- [One](one.md)\n- the port is 8080\n", False),
        ("# Memory\n\nThe port is 8080.\n", False),
    ],
)
def test_an_index_holds_nothing_but_links(text, is_one):
    assert is_index(text.encode()) is is_one
