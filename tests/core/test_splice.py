"""Edits of front matter: the wanted keys change, every other byte stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from muninn_cli.core import front_matter, memory_file
from muninn_cli.core.fields import Fields, listed, text
from muninn_cli.core.front_matter import MalformedError, parse
from muninn_cli.core.memory import Memory
from muninn_cli.core.splice import change
from muninn_cli.core.terms import Tier
from muninn_cli.errors import UnreadableError, UsageError


def edited(block: str, **changes: object) -> str:
    return change(block, changes, "\n")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("tags: [a, b]\n", "tags: [a, b, new]\n"),
        ("tags: [a, b] # mine\nx: 1\n", "tags: [a, b, new] # mine\nx: 1\n"),
        ("tags: [a,\n  b, # two\n]\n", "tags: [a,\n  b, new, # two\n]\n"),
        ('tags: ["#a", b, "", null]\n', 'tags: ["#a", b, "", null, new]\n'),
        (
            "tags:\n  - a # one\n  - b\n\n# next\nx: 1\n",
            "tags:\n  - a # one\n  - b\n  - new\n\n# next\nx: 1\n",
        ),
        ("tags:\n- a\n- 'b'\nx: 1\n", "tags:\n- a\n- 'b'\n- new\nx: 1\n"),
        ("tags:\n    -   a\n    -   b\n", "tags:\n    -   a\n    -   b\n    -   new\n"),
        ("tags: a, b\n", "tags: [a, b, new]\n"),
        ("tags: a b # c\n", "tags: [a, b, new] # c\n"),
        ("tags: >-\n  a\n  b\n\n\nx: 1\n", "tags: [a, b, new]\n\n\nx: 1\n"),
    ],
)
def test_adding_an_item_touches_only_its_place(block, expected):
    assert edited(block, tags=("a", "b", "new")) == expected


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("tags:\nx: 1\n", "tags: [new]\nx: 1\n"),
        ("tags:   # none yet\nx: 1\n", "tags: [new]   # none yet\nx: 1\n"),
        ("tags: []\n", "tags: [new]\n"),
        ("tags: ~\n", "tags: [new]\n"),
        ("tags: null # c\n", "tags: [new] # c\n"),
        ("tags: ''\n", "tags: [new]\n"),
        ("tags:", "tags: [new]"),
        ("x: |\n  text\n\n\n", "x: |\n  text\n\n\ntags: [new]\n"),
        ("x: |+\n  text\n\n", "x: |+\n  text\n\ntags: [new]\n"),
        ("  x: 1\n  y: 2\n", "  x: 1\n  y: 2\n  tags: [new]\n"),
        ("x: 1\n# the end\n", "x: 1\n# the end\ntags: [new]\n"),
        ("", "tags: [new]\n"),
        ("# only a comment\n", "# only a comment\ntags: [new]\n"),
        ("{x: 1, y: [a]}\n", "{x: 1, y: [a], tags: [new]}\n"),
        ('{"x": 1}\n', '{"x": 1, tags: [new]}\n'),
        ("tags: {a: 1}\n", "tags: [new]\n"),
        ("tags: # c\n  a:\n    b: 1\nx: 1\n", "tags: [new] # c\nx: 1\n"),
    ],
)
def test_setting_a_list_where_there_was_none(block, expected):
    assert edited(block, tags=("new",)) == expected


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("tags: [a, b, c]\n", "tags: [a, c]\n"),
        ("tags: [a, c, b] # d\n", "tags: [a, c] # d\n"),
        ("tags: [b, a, c]\n", "tags: [a, c]\n"),
        (
            "tags:\n  - a # one\n  - b # two\n  # about c\n  - c\n",
            "tags:\n  - a # one\n  # about c\n  - c\n",
        ),
        ("tags:\n- a\n- c\n- b\n\nx: 1\n", "tags:\n- a\n- c\n\nx: 1\n"),
    ],
)
def test_removing_an_item_touches_only_its_place(block, expected):
    assert edited(block, tags=("a", "c")) == expected


def test_other_order_writes_the_list_anew():
    assert edited("tags: [a, b]\nx: 1\n", tags=("b", "a")) == "tags: [b, a]\nx: 1\n"
    assert edited("tags:\n- a\n- b\nx: 1\n", tags=("b", "a")) == "tags: [b, a]\nx: 1\n"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("title: old\n", "title: New one\n"),
        ("title:   old   # why\n", "title:   New one   # why\n"),
        ("title: 'old'\n", "title: 'New one'\n"),
        ('title: "old"\n', 'title: "New one"\n'),
        ("title: old\n  and long\n\nx: 1\n", "title: New one\n\nx: 1\n"),
        ("title: |\n  old\n\n  still\n\n\n# c\nx: 1\n", "title: New one\n\n\n# c\nx: 1\n"),
        ("title: >- # c\n  old\nx: 1\n", "title: New one\nx: 1\n"),
        ("title:\nx: 1\n", "title: New one\nx: 1\n"),
        ("title:\n  old\nx: 1\n", "title:\n  New one\nx: 1\n"),
        ("title: [WIP]\n", "title: New one\n"),
        ("title: {{ page }}\n", "title: New one\n"),
        ('"title": old\n', '"title": New one\n'),
        ("? title\n: old\nx: 1\n", "? title\n: New one\nx: 1\n"),
        ("{title: old, x: 1}\n", "{title: New one, x: 1}\n"),
        ("title: first\ntitle: second\n", "title: first\ntitle: New one\n"),
    ],
)
def test_setting_a_text(block, expected):
    assert edited(block, title="New one") == expected


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain words", "plain words"),
        ("a: b", "'a: b'"),
        ("no", "'no'"),
        ("2024-01-01", '"2024-01-01"'),
        ("1e3", '"1e3"'),
        ("# x", "'# x'"),
        ("two\nlines", '"two\\nlines"'),
        ("\u2028", '"\\L"'),
        ("", "''"),
        ("a, [b]", "a, [b]"),
        (Tier.T1, "T1"),
        (True, "true"),
        (7, "7"),
        (datetime(2026, 3, 28, 8, 0, 0, 999, timezone(timedelta(hours=2))), "2026-03-28T06:00:00Z"),
        (("a, b", "c", "no"), "['a, b', c, 'no']"),
        ((), "[]"),
    ],
)
def test_values_are_written_so_that_any_reader_takes_them_as_meant(value, written):
    assert edited("x: 1\n", key=value) == f"x: 1\nkey: {written}\n"


def test_ids_are_always_in_double_quotes():
    changes = {"id": "dABC", "superseded_by": "01JQ", "merged_from": ("01A", "dB")}
    assert (
        change("", changes, "\n")
        == 'id: "dABC"\nsuperseded_by: "01JQ"\nmerged_from: ["01A", "dB"]\n'
    )


@pytest.mark.parametrize(
    ("block", "changes"),
    [
        ("tags: a b\n", {"tags": ("a", "b")}),
        ("tags: ['#a', \"b\", b]\n", {"tags": ("a", "b")}),
        ("title: 'x'\n", {"title": "x"}),
        ("title: >-\n  x\n\n", {"title": "x"}),
        (
            "created: 2026-03-28 08:00:00 +02:00\n",
            {"created": datetime(2026, 3, 28, 6, tzinfo=UTC)},
        ),
        ("pinned: TRUE\n", {"pinned": True}),
        ("id: 01A\n", {"id": "01A"}),
        ("related: ['[[Note#h|shown]]']\n", {"related": ("Note",)}),
        ("x: 1\n", {"gone": None}),
        ("{x: 1}\n", {}),
    ],
)
def test_what_is_said_already_stays_as_it_is_spelled(block, changes):
    assert change(block, changes, "\n") == block


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a: 1\ntier: T2 # c\nb: 2\n", "a: 1\nb: 2\n"),
        ("tier: T2\n", ""),
        ("tier:\n  - a\n  - b\n\n# c\nb: 2\n", "\n# c\nb: 2\n"),
        ("tier: |\n  x\n\n\nb: 2\n", "\n\nb: 2\n"),
        ("tier:\nb: 2\n", "b: 2\n"),
        ("  a: 1\n  tier: {x: 1,\n    y: 2} # c\n", "  a: 1\n"),
        ("tier: T1\na: 1\ntier: T2\n", "a: 1\n"),
        ("a: &t x\ntier: *t\nb: 2\n", "a: &t x\nb: 2\n"),
    ],
)
def test_removing_a_key_removes_its_lines(block, expected):
    assert edited(block, tier=None) == expected


@pytest.mark.parametrize(
    ("block", "changes"),
    [
        ("a: &t x\ntitle: *t\n", {"title": "new"}),
        ("title: &t x\na: *t\n", {"title": "new"}),
        ("tags: &t [x]\na: *t\n", {"tags": ("x", "new")}),
        ("title: &t x\na: *t\n", {"title": None}),
        ("{title: x, a: 1}\n", {"title": None}),
        ("a: 1\n? title\n", {"title": "new"}),
        ("# c\n{a: 1}\n", {"title": "new"}),
        ("note: |+\n  x\n\ntitle: y\n\nz: 1\n", {"title": None}),
    ],
)
def test_an_edit_that_would_touch_more_is_refused(block, changes):
    with pytest.raises(MalformedError):
        change(block, changes, "\n")


def test_several_changes_at_once():
    block = "a: 1\ntags: [x]\ntier: T3 # c\nold: gone\nb: 2\n"
    changes = {"tags": ("x", "y"), "tier": "T2", "old": None, "id": "01A"}
    assert change(block, changes, "\n") == 'a: 1\ntags: [x, y]\ntier: T2 # c\nb: 2\nid: "01A"\n'


def test_line_ends_of_the_file_are_used():
    assert change("tags:\r\n- a\r\n", {"tags": ("a", "b"), "x": "y"}, "\r\n") == (
        "tags:\r\n- a\r\n- b\r\nx: y\r\n"
    )


# --- whole files, made of pieces -----------------------------------------------------------------

OTHERS = [
    "title: Some: \"title\"\n".replace(": \"title\"", " title"), "# a comment\n", "\n",
    "note: |\n  text  \n\n  # no comment\n\n", "folded: >+\n  a\n  b\n\n\n", "quoted: 'it''s'  # c\n",
    'double: "a\\nb"\n', "empty:\n", "list:\n  - a\n  - [b, c]\n", "flow: {a: [1, 2], b: ~}\n",
    "1: one\n", "true: two\n", "plain: two\n  lines\n", "date: 2026-02-30\n", "emoji: 😀 é\n",
    "nested:\n  deep:\n    - x: |\n        t\n\n", "spaced :   x   \n", "anchor: &n v\n",
]  # fmt: skip
TAGS = [
    "tags: [a, b]\n", "tags: a b\n", "tags: a, b\n", "tags:\n  - a\n  # c\n  - b # d\n", "tags:\n- a\n- \"#b\"\n",
    "tags: [a,\n  b]\n", "tags: |\n  a\n  b\n", "tags: ['a', b,]  # c\n", "tags: # c\n  - a\n  - b\n",
]  # fmt: skip
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """The text before the tags, the tags, the text after them, and the line end."""
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    pieces = draw(st.permutations(OTHERS))
    first, last = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    body = draw(st.sampled_from(["", "\nbody\r\nmixed\rends", "body\n---\nx: y\n", "no end"]))
    fence = (
        draw(st.sampled_from(["---\n", "...\n"]))
        if body
        else draw(st.sampled_from(["---", "---\n"]))
    )
    before = "---\n" + "".join(pieces[:first])
    after = "".join(pieces[first : first + last]) + fence
    tags = draw(st.sampled_from(TAGS))
    before, tags, after = (piece.replace("\n", line_end) for piece in (before, tags, after))
    return mark + before, tags, after + body, line_end


def tags_of(data: bytes) -> tuple[str, ...]:
    memory = memory_file.read(data, "a.md", "v")
    assert isinstance(memory, Memory)
    assert memory.editable
    return memory.tags


@given(files())
def test_no_change_is_no_change(pieces):
    data = "".join(pieces[:3]).encode()
    assert memory_file.edit(data, {}) == data
    assert memory_file.edit(data, {"tags": ("a", "b"), "missing": None}) == data


@given(files(), st.lists(WORDS, max_size=4), st.booleans(), st.booleans())
def test_only_the_lines_of_the_key_differ(pieces, new, keep_a, keep_b):
    before, tags, after, _ = pieces
    wanted = tuple("ab"[number] for number, keep in enumerate((keep_a, keep_b)) if keep) + tuple(
        new
    )
    result = memory_file.edit((before + tags + after).encode(), {"tags": wanted}).decode()
    assert result.startswith(before + "tags:")
    assert result.endswith(after)
    middle = result[len(before) : len(result) - len(after)]
    assert middle.endswith(pieces[3])
    cleaned = tuple(
        dict.fromkeys(filter(None, (item.strip().lstrip("#").strip() for item in wanted)))
    )
    assert tags_of(result.encode()) == cleaned


@given(files())
def test_a_removed_key_leaves_the_rest(pieces):
    before, tags, after, _ = pieces
    assume(not before.endswith(("\n\n", "\n\r\n")) or ">+" not in before)
    result = memory_file.edit((before + tags + after).encode(), {"tags": None}).decode()
    kept = tags.rstrip("\r\n") if "|" in tags else tags
    assert result == before + after or (kept != tags and result.startswith(before))


@given(
    files(),
    st.dictionaries(
        st.sampled_from(["summary", "session", "id", "weird key", "a:b", "no"]), WORDS, min_size=1
    ),
)
def test_new_keys_are_lines_before_the_closing_fence(pieces, new):
    before, tags, after, line_end = pieces
    text_before = before + tags + after
    result = memory_file.edit(text_before.encode(), new).decode()
    block, tail = parse(text_before).block, parse(text_before).fence + parse(text_before).body
    head = text_before[: len(text_before) - len(block + tail)]
    assert result.startswith(head + block)
    assert result.endswith(tail)
    added = result[len(head + block) : len(result) - len(tail)]
    assert added.count(line_end) == added.count("\n") == len(new)
    assert {entry.key: text(entry) for entry in parse(result).entries if entry.key in new} == new


@given(WORDS)
@settings(max_examples=300)
def test_any_text_is_read_back_as_it_was_given(word):
    for block in (
        "title: old\n",
        "title: 'old'\n",
        'title: "old"\n',
        "{title: old}\n",
        "title:\n",
        "x: 1\n",
    ):
        entries = front_matter.entries(edited(block, title=word))
        assert text(next(entry for entry in entries if entry.key == "title")) == word
    entry = front_matter.entries(edited("aliases:\n- x\n", aliases=("x", word)))[0]
    assert listed(entry) == tuple(dict.fromkeys(filter(None, ("x", word.strip()))))


def test_without_libyaml_the_edits_are_the_same(monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    front_matter._loader.cache_clear()
    try:
        for tags in TAGS:
            block = "x: |\n  t\n\n" + tags + "\n# c\ny: 1\n"
            result = edited(block, tags=("a", "b", "new"), z="1")
            assert Fields(front_matter.entries(result)).list("tags") == ("a", "b", "new")
            assert result.startswith("x: |\n  t\n\ntags:")
            assert result.endswith('\n# c\ny: 1\nz: "1"\n')
        assert edited("{tags: , x: 1}\n", tags=("a",)) == "{tags: [a] , x: 1}\n"
    finally:
        front_matter._loader.cache_clear()


def test_lone_surrogates_are_refused_before_anything_is_written():
    with pytest.raises(UsageError):
        memory_file.edit(b"---\na: 1\n---\n", {"title": "\udcff"})


@pytest.mark.parametrize(
    "data", [b"---\na: b: c\n---\n", b"---\na: \xff\n---\n", b"---\na: 1\n", b"\xff\xfea\0"]
)
def test_what_does_not_parse_is_never_edited(data):
    with pytest.raises(UnreadableError):
        memory_file.edit(data, {"title": "x"})
    with pytest.raises(UnreadableError):
        memory_file.replace_body(data, "x")
