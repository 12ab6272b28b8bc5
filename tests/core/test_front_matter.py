"""Where front matter lies, and that reading it constructs and expands nothing."""

from __future__ import annotations

import time
import tracemalloc

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core import front_matter
from muninn_cli.core.front_matter import MalformedError, entries, parse


def said(text: str) -> list[tuple[str, str]]:
    return [(entry.key, entry.value.value) for entry in parse(text).entries]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\ufeff\ufeff"])
@pytest.mark.parametrize("closing", ["---", "...", "---  \t"])
def test_block_is_found_with_any_line_end_mark_and_closing_fence(line_end, mark, closing):
    text = f"{mark}---{line_end}title: A{line_end}{closing}{line_end}body"
    document = parse(text)
    assert document.problem is None
    assert said(text) == [("title", "A")]
    assert document.body == "body"


def test_closing_fence_may_be_the_end_of_the_file():
    assert said("---\na: b\n---") == [("a", "b")]


def test_dashes_inside_other_text_close_nothing():
    text = '---\ntitle: "one --- two"\nnote: a---b\n ---\n----\n---\nbody\n---\n'
    document = parse('---\ntitle: "one --- two"\nnote: a---b\n---\nmid --- dle\n----\n')
    assert [entry.key for entry in document.entries] == ["title", "note"]
    assert document.body == "mid --- dle\n----\n"
    assert parse(text).problem is not None


@pytest.mark.parametrize("text", ["", "no fence", "----\na: b\n---\n", " ---\na: b\n---\n", "---"])
def test_text_without_front_matter_is_all_body(text):
    document = parse(text)
    assert (document.problem, document.body, document.fence) == (None, text, "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: a\nno end\n", 1),
        ("---\n**BANNER**\nFor: nobody\n---\nbody\n", 2),
        ("---\ntitle: A: b: c\n---\n", 2),
        ("---\nok: 1\npath: `C:\\x`: y\n---\n", 3),
        ("---\ntitle: t\nmeta:\n\tkey: value\n---\n", 4),
        ("---\njust a sentence\n---\n", 2),
        ("---\n- a\n- b\n---\n", 2),
        ("---\na: 1\nb: !Thing {x: 1}\n---\n", 3),
        ("---\na: !!python/object/apply:os.getcwd []\n---\n", 2),
        ("---\na: !<tag:example.org,2000:x> 1\n---\n", 2),
        ("+++\ntitle = 'x'\n+++\nbody\n", 1),
        ('{"title": "x"}\n\nbody\n', 1),
        ("---\na: *nowhere\n---\n", 2),
        ("---\na: 1\n--- b\n---\n", 3),
    ],
)
def test_what_does_not_parse_is_body_with_the_line_and_cause(text, line):
    for mark in ("", "\ufeff"):
        document = parse(mark + text)
        assert document.problem is not None
        assert document.problem.line == line
        assert document.problem.cause
        assert document.body == text
        assert document.entries == ()


@pytest.mark.parametrize(
    "text", ["{% include x %}\n", "{}\n", "{ not json }", "+++ plus\n", "{" * 99_999]
)
def test_text_that_only_looks_like_toml_or_json_is_plain(text):
    assert parse(text).problem is None


def test_prose_begins_after_a_block_that_does_not_parse():
    document = parse("\ufeff---\n# a comment\nx: : y\n---\n# Heading\n")
    assert document.body[document.prose :] == "# Heading\n"


def test_values_are_the_words_as_written():
    text = "---\na: no\nb: 2024-02-30\nc: 0o17\nd: 1_000\ne: ~\nf: !!str 5\ng: 'x'\n---\n"
    assert said(text) == [
        ("a", "no"), ("b", "2024-02-30"), ("c", "0o17"), ("d", "1_000"), ("e", "~"), ("f", "5"), ("g", "x"),
    ]  # fmt: skip


def test_doubled_and_foreign_keys_are_all_kept_in_order():
    text = "---\n1: one\ntrue: yes\n~: nil\n2026-01-01: day\na: x\na: y\n? [k, l]\n: z\n---\n"
    assert [entry.key for entry in parse(text).entries] == [
        "1", "true", "~", "2026-01-01", "a", "a", "[k, l]",
    ]  # fmt: skip


def test_lines_are_counted_from_the_opening_fence():
    document = parse("---\r\na: 1\r\n# c\r\n\r\nb: 2\r\n---\r\n")
    assert [entry.line for entry in document.entries] == [2, 5]


@pytest.mark.parametrize(
    "char", ["\x00", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\uffff", "\ufeff"]
)
def test_characters_that_yaml_forbids_or_breaks_lines_at_are_read(char):
    assert said(f"---\na: x{char}y\nb: 'x{char}y'\n---\n") == [
        ("a", f"x{char}y"),
        ("b", f"x{char}y"),
    ]


def alias_bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [" + ", ".join("x" * width) + "]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * width) + "]")
    return "\n".join(lines) + "\n"


def nested_mapping(depth: int) -> str:
    return "".join(f"{' ' * level}k{level}:\n" for level in range(depth))


@pytest.mark.parametrize(
    "block",
    [
        alias_bomb(9, 9),
        alias_bomb(40, 30),
        "a: &a [*a, *a]\n",
        "a: " + "[" * 200_000 + "\n",
        "a: " + "[" * 5000 + "]" * 5000 + "\n",
        "a: " + "{a: " * 50_000 + "\n",
        "- " * 100_000 + "\n",
        "? " * 100_000 + "\n",
        nested_mapping(400),
        "a: |\n" + "  filler line\n" * 20_000,
        "a: " + "word " * 100_000 + "\n",
    ],
    ids=str,
)
def test_bombs_and_giants_take_little_time_and_memory(block):
    tracemalloc.start()
    start = time.process_time()
    parse(f"---\n{block}---\nbody\n")
    elapsed, (_, peak) = time.process_time() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert elapsed < 1
    assert peak < 50_000_000


def test_depth_is_bounded_and_named():
    entries("a: " + "[" * 90 + "]" * 90)
    with pytest.raises(MalformedError) as caught:
        entries("b: 1\na: " + "[" * 120 + "]" * 120)
    assert caught.value.problem.line == 3
    assert "deeper" in caught.value.problem.cause


def test_front_matter_of_any_length_is_read_to_its_end():
    text = (
        "---\n" + "".join(f"key{n}: {'v' * 80}\n" for n in range(2000)) + "last: here\n---\nbody\n"
    )
    assert said(text)[-1] == ("last", "here")


def test_the_loader_in_python_reads_the_same(monkeypatch):
    text = "---\na: no\nb: [x, 'y']\nc:\n- 1\nd: |\n  t\n---\n"
    expected = [
        (e.key, e.value.start_mark.index, e.value.end_mark.index) for e in parse(text).entries
    ]
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    front_matter._loader.cache_clear()
    try:
        found = [
            (e.key, e.value.start_mark.index, e.value.end_mark.index) for e in parse(text).entries
        ]
        assert parse("---\na: " + "[" * 5000 + "\n---\n").problem is not None
    finally:
        front_matter._loader.cache_clear()
    assert found == expected


@given(st.text(alphabet="---...\n\r\ufeff ab:[]{}#&*!|>'\"%@`?,\t\x00\u2028é😀", max_size=80))
def test_pieces_joined_are_the_text_and_nothing_raises(text):
    for candidate in (text, f"---\n{text}", f"---\n{text}\n---\n{text}"):
        document = parse(candidate)
        assert document.head + document.block + document.fence + document.body == candidate
