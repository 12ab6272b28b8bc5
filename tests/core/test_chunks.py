"""How a body is cut into chunks."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muninn_cli.core.chunks import MOST, cut
from muninn_cli.core.words import words


def prose(count: int, name: str = "palabra") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def long_note(*sections: str) -> str:
    return "\n\n".join(
        f"## {name}\n\n{prose(120, name)}\n\n{prose(60, name + 'x')}" for name in sections
    )


@pytest.mark.parametrize("body", ["", " \n\t\r\n ", "\n" * 50])
def test_a_body_without_text_is_one_empty_chunk(body: str) -> None:
    assert cut("Title", body) == ("",)


def test_a_short_note_is_one_chunk_whatever_its_headings() -> None:
    body = "# A\n\none\n\n## B\n\ntwo\n\n- three\n- four\n\n## C\n\n" + prose(150)
    assert cut("Title", body) == (body,)


def test_a_first_heading_that_repeats_the_title_is_left_out() -> None:
    assert cut("Red de Docker", "# Red de *docker*\n\nCaduca.\n") == ("Caduca.",)
    assert cut("Otra cosa", "# Red de Docker\n\nCaduca.\n") == ("# Red de Docker\n\nCaduca.",)
    assert cut("A", "text\n\n# A\n\nmore") == ("text\n\n# A\n\nmore",)


def test_a_chunk_begins_at_a_heading_and_keeps_it() -> None:
    body = "\n\n".join(f"## {name}\n\n{prose(110, name)}" for name in ("uno", "dos", "tres"))
    chunks = cut("Title", body)
    assert [chunk.split("\n")[0] for chunk in chunks] == ["## uno", "## dos", "## tres"]


def test_a_heading_is_never_the_end_of_a_chunk_that_has_text() -> None:
    body = "\n\n".join(f"{prose(90, f'p{n}x')}\n\n### part {n}" for n in range(9))
    for chunk in cut("Title", body)[:-1]:
        assert not chunk.split("\n")[-1].startswith("#")


def test_headings_at_the_end_make_no_chunk_of_their_own() -> None:
    body = f"{prose(150)}\n\n{prose(150, 'b')}\n\n## To do\n\n## Later"
    assert len(cut("Title", body)) == 2


def test_small_sections_share_a_chunk() -> None:
    body = "\n\n".join(f"## s{n}\n\n{prose(30, f's{n}w')}" for n in range(20))
    sizes = [len(words(chunk)) for chunk in cut("Title", body)]
    assert len(sizes) <= 6
    assert min(sizes) >= 100


def test_a_fenced_block_is_not_cut_at_its_blank_lines_or_comments() -> None:
    code = "```python\n# not a heading\n\nx = 1\n\n\ny = 2\n~~~\n```"
    chunks = cut("Title", f"{prose(200)}\n\n{code}\n\n{prose(200, 'after')}")
    assert sum(code in chunk for chunk in chunks) == 1


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("```", "```"),
        ("~~~ sh", "~~~~"),
        ("`````", "`````"),
        ("- ```", "  ```"),
        ("> ```", "> ```"),
    ],
)
def test_a_heading_after_a_fenced_block_begins_a_chunk(opening: str, closing: str) -> None:
    code = f"{opening}\n# {prose(110, 'c')}\n{closing}"
    chunks = cut("Title", f"{code}\n## Next\n{prose(180, 'n')}")
    assert chunks[-1].startswith("## Next")


def test_an_unclosed_fence_runs_to_the_end_and_is_still_cut() -> None:
    chunks = cut("Title", "```\n" + "\n\n".join(prose(50, f"l{n}x") for n in range(20)))
    assert len(chunks) >= 4
    assert max(len(words(chunk)) for chunk in chunks) <= MOST


def test_a_list_is_cut_between_its_lines() -> None:
    items = [f"- {prose(6, f'i{n}x')}" for n in range(100)]
    lines = [line for chunk in cut("Title", "\n".join(items)) for line in chunk.split("\n")]
    assert lines == items


def test_a_paragraph_is_cut_between_its_sentences() -> None:
    body = " ".join(f"{prose(7, f's{n}x')}." for n in range(100))
    assert all(chunk.endswith(".") for chunk in cut("Title", body))


@pytest.mark.parametrize(
    "body",
    [
        "palabra " * 125_000,
        "a,b;c/d" * 150_000,
        "- uno\n" * 160_000,
        "# uno\n" * 160_000,
        "```\n" * 250_000,
        "日本語。" * 250_000,
        ("a" + " " * 4000) * 250,
        "\n" * 1_000_000,
        "`" * 1_000_000,
    ],
    ids=lambda body: repr(body[:8]),
)
def test_a_megabyte_of_one_kind_is_cut_in_linear_time(body: str) -> None:
    began = time.process_time()
    chunks = cut("Title", body)
    assert time.process_time() - began < 10  # a quadratic cut takes minutes
    assert max(len(chunk.split()) for chunk in chunks) <= 2 * MOST


def test_a_single_giant_word_stays_whole() -> None:
    assert cut("Title", "x" * 100_000) == ("x" * 100_000,)


BLANKS = st.sampled_from([" ", "\n", "\n\n", "\r\n", "\t", "  \n", "\u00a0"])
PARTS = st.sampled_from(
    [
        "# uno",
        "## dos tres",
        "```",
        "~~~ sh",
        "- cosa",
        "año, mes;",
        "日本語",
        "a_b-c.d",
        "Fin.",
        "e\u0301",
    ]
)
TEXTS = st.one_of(
    st.text(),
    st.builds(
        lambda pieces, times: "".join(a + b for a, b in pieces) * times,
        st.lists(st.tuples(PARTS, BLANKS), max_size=30),
        st.integers(1, 60),
    ),
)


@settings(deadline=None)
@given(TEXTS)
def test_the_words_of_the_chunks_are_the_words_of_the_body(body: str) -> None:
    assert words("\n".join(cut("no title like this", body))) == words(body)


@settings(deadline=None)
@given(TEXTS)
def test_no_chunk_is_much_too_large_or_empty(body: str) -> None:
    chunks = cut("no title like this", body)
    assert all(chunks) or chunks == ("",)
    for chunk in chunks:
        text = [line for line in chunk.split("\n") if not line.lstrip().startswith("#")]
        assert sum(len(line.split()) for line in text) <= MOST


@settings(deadline=None)
@given(TEXTS)
def test_cutting_says_the_same_for_other_line_ends_and_trailing_space(body: str) -> None:
    plain = "\n".join(body.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    spaced = plain.replace("\n", "  \r\n") + "\n\n\n"
    assert cut("t", spaced) == cut("t", plain) == cut("t", body)


def test_a_changed_heading_changes_only_its_chunk() -> None:
    body = "\n\n".join(f"## part {n}\n\n{prose(30, f's{n}w')}" for n in range(20))
    longer = body.replace("## part 8\n", f"## {prose(30, 'heading')}\n")
    before, after = cut("Title", body), cut("Title", longer)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_more_blank_space_changes_no_chunk() -> None:
    note = long_note("uno", "dos", "tres")
    assert cut("Title", note.replace("\n\n", "  \n\n\n\n")) == cut("Title", note)


def test_a_section_taken_out_leaves_the_other_chunks() -> None:
    whole = cut("Title", long_note("uno", "dos", "tres", "cuatro", "cinco"))
    less = cut("Title", long_note("uno", "tres", "cinco"))
    assert less == (whole[0], whole[2], whole[4])
