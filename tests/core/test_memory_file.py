"""What is read from a memory file, however it is written, and what is written into one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.ids import derived_id
from muninn_cli.core.links import links
from muninn_cli.core.markdown import first_heading, without_code
from muninn_cli.core.memory import Memory, Problem
from muninn_cli.core.memory_file import Unreadable, edit, read, render, replace_body
from muninn_cli.core.terms import MemoryType, Tier
from muninn_cli.errors import UnreadableError, UsageError

FULL = """---
id: "01JQXW9Z6N8F4T2M5R7K3C1B0A"
title: Docker network timeouts
type: episodic
tier: T1
tags: [docker, network]
source: agent
category: [infra]
summary: |
  Two
  lines
importance: 8
pinned: true
consolidate: false
created: 2026-03-28T06:00:00Z
updated: 2026-03-28 07:00:00 +1
valid_from: 2026-03-01
expires: 1774677600
tier_since: 2026-03-28
aliases: [Timeouts, DNS wait]
related: ["[[Other note#part|shown]]", dXYZ]
session: s-1
merged_from: ["01A"]
supersedes: [01B]
superseded_by: "01C"
unknown: {deep: [1, 2]}
---

The body.
"""


def memory(text: str | bytes, path: str = "notes/a-file.md") -> Memory:
    data = text if isinstance(text, bytes) else text.encode()
    found = read(data, path, "work")
    assert isinstance(found, Memory)
    return found


def front(*lines: str) -> Memory:
    return memory("---\n" + "\n".join(lines) + "\n---\nbody\n")


def test_every_known_key_is_read():
    found = memory(FULL)
    assert (found.id, found.written_id) == ("01JQXW9Z6N8F4T2M5R7K3C1B0A", True)
    assert (found.title, found.type, found.tier) == (
        "Docker network timeouts",
        MemoryType.EPISODIC,
        Tier.T1,
    )
    assert (found.tags, found.source, found.category) == (("docker", "network"), "agent", "[infra]")
    assert (found.summary, found.importance, found.session) == ("Two\nlines", 8, "s-1")
    assert (found.pinned, found.consolidate, found.editable) == (True, False, True)
    assert [when.shown for when in (found.created, found.updated, found.valid_from) if when] == [
        "2026-03-28T06:00:00Z", "2026-03-28T06:00:00Z", "2026-03-01",
    ]  # fmt: skip
    assert found.expires is not None
    assert found.expires.instant == datetime(2026, 3, 28, 6, tzinfo=UTC)
    assert found.tier_since is not None
    assert found.aliases == ("Timeouts", "DNS wait")
    assert found.related == ("Other note", "dXYZ")
    assert (found.merged_from, found.supersedes, found.superseded_by) == (("01A",), ("01B",), "01C")
    assert found.body == "\nThe body.\n"
    assert found.problems == ()


def test_defaults_of_a_bare_file():
    found = memory("just text\n")
    assert found == Memory(
        id=derived_id("work", "notes/a-file.md"),
        title="a-file",
        body="just text\n",
        written_id=False,
    )


@pytest.mark.parametrize(
    "lines",
    [
        ["tags: redes, docker"],
        ["tags: redes docker"],
        ["tags: '#redes #docker'"],
        ['tags: ["#redes", docker, "", null]'],
        ["tags:", "- redes", "- docker", "-"],
        ["tags:", "  - '#redes'", "  - ' docker '", "  - redes"],
        ["tags: |", "  redes", "  docker"],
        ["x: &t [redes, docker]", "tags: *t"],
        ["tags: [redes, [docker], {a: 1}]"],
    ],
)
def test_tags_in_any_spelling_are_one_list(lines):
    assert front(*lines).tags[0] == "redes"
    assert [tag.strip("[]") for tag in front(*lines).tags[:2]] == ["redes", "docker"]


@pytest.mark.parametrize("value", ["", " ~", " null", " []", " ''", " [null, '', '#']"])
def test_no_tags(value):
    assert (front(f"tags:{value}").tags, front(f"tags:{value}").problems) == ((), ())


def test_words_stay_words():
    found = front(
        'tags: [no, on, yes, "null", 1.0, 2024-01-01]', "title: 2024-01-01", "source: off"
    )
    assert found.tags == ("no", "on", "yes", "null", "1.0", "2024-01-01")
    assert (found.title, found.source) == ("2024-01-01", "off")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("pinned: yes", "`pinned` is neither true nor false: yes"),
        ("consolidate: 0", "`consolidate` is neither true nor false: 0"),
        ("tier: urgent", "`tier` is no tier: urgent"),
        ("tier: {a: 1}", "`tier` is no tier: {a: 1}"),
        ("type: note", "`type` is none of semantic, episodic, procedural: note"),
        ("importance: 11", "`importance` is no whole number of 1 to 10: 11"),
        ("importance: 5.5", "`importance` is no whole number of 1 to 10: 5.5"),
        ("created: 2026-02-30", "`created` is no date or time: 2026-02-30"),
        ("created: 28/03/2026", "`created` is no date or time: 28/03/2026"),
        ("id: a b", "`id` is no id: 1 to 64 letters, digits, - or _: a b"),
        (f"id: {'x' * 65}", f"`id` is no id: 1 to 64 letters, digits, - or _: {'x' * 60}…"),
        ("tags: {a: 1}", "`tags` is no list"),
        ("session:\n  a: 1\n  b: 2", "`session` is no text"),
    ],
)
def test_what_cannot_be_meant_has_the_default_and_is_named(line, complaint):
    found = front("a: 1", line)
    assert found.problems == (Problem(3, complaint),)
    plain = front("a: 1")
    assert found == Memory(
        id=plain.id,
        title=plain.title,
        body=plain.body,
        written_id=False,
        problems=found.problems,
    )


@pytest.mark.parametrize(
    ("path", "text", "title", "stated"),
    [
        ("a-file.md", "text", "a-file", ""),
        ("m0001.md", "text", "m0001", ""),
        ("01JQXW9Z6N8F4T2M5R7K3C1B0A.md", "text", "01JQXW9Z6N8F4T2M5R7K3C1B0A", ""),
        ("people/Ana.md", "text", "Ana", "Ana"),
        ("Exercise 12.md", "# Task\n\ntext", "Task", "Exercise 12: Task"),
        ("Task.md", "# Task\n\ntext", "Task", "Task"),
        ("東京.md", "text", "東京", "東京"),
        ("Ana.md", "---\ntitle: Team\n---\n# Task\n", "Team", "Team"),
    ],
)
def test_a_name_that_reads_like_a_title_counts_where_memories_are_compared(
    path, text, title, stated
):
    found = read(text.encode(), path, "work")
    assert (found.title, found.stated_title) == (title, stated)


def test_doubled_keys_count_last_and_are_named():
    found = front("title: one", "title: two")
    assert (found.title, found.problems) == (
        "two",
        (Problem(3, "`title` is there twice, the last one counts"),),
    )


def test_letter_case_of_fixed_words_does_not_matter():
    found = front("tier: t3", "type: Procedural", "pinned: True")
    assert (found.tier, found.type, found.pinned, found.problems) == (
        Tier.T3,
        MemoryType.PROCEDURAL,
        True,
        (),
    )


def test_foreign_category_moves_no_tier():
    assert front("category: compliance").tier is Tier.T2


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 'From: key'\n---\n# Heading\n", "From: key"),
        ("---\ntitle:\n---\ntext\n\n## The *heading* ##\n# Second\n", "The *heading*"),
        ("---\ntitle: |\n  two\n  lines\n---\n", "two lines"),
        ("---\ntitle: [WIP]\n---\n", "[WIP]"),
        ("---\ntitle: {{ page }}\n---\n", "{{ page }}"),
        ("Under\n=====\n\n# Later\n", "Under"),
        ("```sh\n# no heading\n```\n# Yes\n", "Yes"),
        ("# C#\r\n", "C#"),
        ("\ufeff# First\n", "First"),
        ("one\r# Two\rthree\r", "Two"),
        ("#tag only\n", "a-file"),
        ("# #\n", "a-file"),
        ("---\n# comment in YAML\nx: : y\n---\n# Real\n", "Real"),
    ],
)
def test_title_is_the_key_else_the_first_heading_else_the_file_name(text, title):
    assert memory(text).title == title


@pytest.mark.parametrize(
    ("path", "title"),
    [("x/Name.MD", "Name"), ("a.b.md", "a.b"), (".md", ".md"), ("b\udcff.md", "b\ufffd")],
)
def test_title_from_the_file_name_is_text_without_the_suffix(path, title):
    assert memory("x", path).title == title


def test_front_matter_that_does_not_parse_is_body_and_never_written():
    text = "---\n**BANNER**\nFor: nobody\n---\n\nClaim.\n"
    found = memory(text)
    assert (found.body, found.title, found.editable) == (text, "a-file", False)
    assert [problem.line for problem in found.problems] == [2]


def test_bytes_that_are_not_utf8_are_replaced_and_never_written():
    found = memory("---\ntitle: Año\n---\nniña\n".encode("latin-1"))
    assert (found.title, found.body, found.editable) == ("A\ufffdo", "ni\ufffda\n", False)
    assert found.problems == (Problem(2, "byte 0xf1 at offset 12 is not UTF-8"),)


@pytest.mark.parametrize(
    "data",
    [
        "---\ntitle: x\n".encode("utf-16"),
        b"\xfe\xff" + "x".encode("utf-16-be"),
        "title".encode("utf-16-le"),
        "text".encode("utf-32"),
        b"\0" * 512,
        b"half a text" + b"\0" * 500,
        b"\0",
    ],
)
def test_utf16_and_nul_bytes_are_unreadable_not_garbage(data):
    found = read(data, "a.md", "v")
    assert isinstance(found, Unreadable)
    assert found.cause
    with pytest.raises(UnreadableError):
        edit(data, {"title": "x"})


def test_one_stray_nul_does_not_hide_a_text():
    assert memory(b"some words\0 and more words\n").title == "a-file"


def test_byte_order_mark_is_no_text_and_stays_single():
    data = "\ufeff---\ntitle: A\n---\nbody\n".encode()
    assert "\ufeff" not in memory(data).title + memory(data).body
    assert edit(data, {"tier": "T1"}) == "\ufeff---\ntitle: A\ntier: T1\n---\nbody\n".encode()


def test_front_matter_is_made_where_there_is_none():
    assert edit(b"body\r\nmore", {"id": "dA"}) == b'---\r\nid: "dA"\r\n---\r\nbody\r\nmore'
    assert edit(b"", {"id": "dA"}) == b'---\nid: "dA"\n---\n'
    assert edit("\ufeffx".encode(), {"id": "dA"}) == '\ufeff---\nid: "dA"\n---\nx'.encode()
    assert edit(b"---", {"id": "dA"}) == b'---\nid: "dA"\n---\n---'
    assert edit(b"body", {"id": None}) == b"body"


def test_body_is_replaced_and_front_matter_stays():
    data = b"---\ntitle: A # c\n...\nold\n"
    assert replace_body(data, "new\n") == b"---\ntitle: A # c\n...\nnew\n"
    assert (
        replace_body(b"---\r\na: 1\r\n---\r\nold\r\n", "x\ny\n")
        == b"---\r\na: 1\r\n---\r\nx\r\ny\r\n"
    )
    assert replace_body(b"---\na: 1\n---\nold\r\n", "x\ny\n") == b"---\na: 1\n---\nx\ny\n"
    assert replace_body(b"plain", "other") == b"other"


def test_body_that_would_become_front_matter_is_refused():
    with pytest.raises(UnreadableError):
        replace_body(b"plain\n", "---\na: 1\n---\n")
    assert (
        replace_body(b"---\nb: 2\n---\n", "---\na: 1\n---\n") == b"---\nb: 2\n---\n---\na: 1\n---\n"
    )


def test_new_file_reads_back_as_it_was_given():
    created = datetime(2026, 3, 28, 6, tzinfo=UTC)
    fields = {
        "id": "01JQXW9Z6N8F4T2M5R7K3C1B0A",
        "title": "2024: a [plan] # 1",
        "tier": Tier.T1,
        "tags": ("no", "1", "docker"),
        "importance": 7,
        "pinned": True,
        "created": created,
    }
    data = render(fields, "\n  Body without end")
    assert data.decode() == (
        '---\nid: "01JQXW9Z6N8F4T2M5R7K3C1B0A"\ntitle: "2024: a [plan] # 1"\ntier: T1\n'
        "tags: ['no', \"1\", docker]\nimportance: 7\npinned: true\ncreated: 2026-03-28T06:00:00Z\n"
        "---\n\n  Body without end"
    )
    found = memory(data)
    assert (found.id, found.title, found.tags) == (fields["id"], fields["title"], fields["tags"])
    assert (found.tier, found.importance, found.pinned) == (Tier.T1, 7, True)
    assert found.created is not None
    assert found.created.instant == created
    assert found.body == "\n  Body without end"


def test_new_file_with_lone_surrogates_is_refused():
    for fields, body in (
        ({"title": "\udcff"}, ""),
        ({"tags": ("\ud800",)}, ""),
        ({"title": "x"}, "\udcff"),
    ):
        with pytest.raises(UsageError):
            render(fields, body)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.binary(max_size=60))
def test_reading_never_raises(data):
    for candidate in (
        data,
        b"---\n" + data,
        b"---\n" + data + b"\n---\n" + data,
        b"---\nid: " + data + b"\n---\n",
    ):
        found = read(candidate, "a.md", "v")
        assert isinstance(found, Memory | Unreadable)
        if isinstance(found, Memory):
            assert found.title


@given(st.text(alphabet="ab:-[]{}#&*!|>'\"%@`?,~ \t\n\r", max_size=60), TEXT)
def test_editing_odd_yaml_changes_what_was_asked_or_nothing(block, title):
    data = f"---\n{block}\n---\nbody".encode()
    before = read(data, "a.md", "v")
    try:
        after = read(edit(data, {"title": title, "tags": ("a", "new")}), "a.md", "v")
    except UnreadableError:
        return
    assert isinstance(before, Memory)
    assert isinstance(after, Memory)
    assert before.editable
    assert after.tags == ("a", "new")
    assert after.body == before.body


@given(TEXT, st.lists(TEXT, max_size=3), TEXT)
def test_new_files_read_back(title, tags, body):
    found = read(
        render({"id": "01A", "title": title, "tags": tuple(tags), "summary": title}, body),
        "a.md",
        "v",
    )
    if isinstance(found, Unreadable):
        assert "\0" in body
        return
    assert found.problems == ()
    assert found.body == body
    assert found.summary == title.strip()
    assert found.title == (" ".join(title.split()) or first_heading(body) or "a")


# --- Markdown and links --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("See [[Note]], [[Note#part]] and [[dir/Other|shown]].", ("Note", "dir/Other")),
        ("| [[Cell\\|shown]] | ![[Embed]] |", ("Cell", "Embed")),
        (
            "[a](b.md) [c](../d/e.md#part 'title') [f](<g h.md>) [i](j%20k.MD)",
            ("b.md", "../d/e.md", "g h.md", "j k.MD"),
        ),
        ("[web](https://x.org/a.md) [site](/a.md) [file](a.txt) [[#here]] [[]]", ()),
        ("`[[code]]` and\n```\n[[fenced]]\n[x](y.md)\n```\n[[out]]", ("out",)),
        ("~~~\n[[open to the end]]", ()),
        ("[[one\ntwo]]", ()),
    ],
)
def test_links(body, targets):
    assert links(body) == targets


def test_odd_markdown_takes_linear_time():
    for text in (
        "[[" * 50_000,
        "](" * 50_000,
        "```\n" * 50_000,
        "`" * 100_000,
        "# " + "#" * 100_000 + "x",
        "=\n" * 50_000,
    ):
        links(text + "[[x]]")
        first_heading(text)
        without_code(text)
