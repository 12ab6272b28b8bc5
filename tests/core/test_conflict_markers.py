"""What is a conflict that git left, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.conflict_markers import conflict_markers

CONFLICT = "<<<<<<< HEAD\nport 80\n=======\nport 81\n>>>>>>> other\n"


def test_a_triple_at_the_start_of_lines_is_a_conflict() -> None:
    assert conflict_markers(f"intro\n\n{CONFLICT}end\n") == (3,)


def test_every_conflict_is_named_also_one_in_the_front_matter() -> None:
    front_matter = f"---\nid: A\n{CONFLICT}---\n"
    assert conflict_markers(front_matter + "body\n" + CONFLICT) == (3, 10)


def test_a_base_between_the_sides_and_windows_line_ends_change_nothing() -> None:
    text = "<<<<<<< ours\na\n||||||| base\nb\n=======\nc\n>>>>>>> theirs\n"
    assert conflict_markers(text) == conflict_markers(text.replace("\n", "\r\n")) == (1,)


@pytest.mark.parametrize("fence", ["```", "~~~", "````text", "  ```"])
def test_markers_in_fenced_code_are_an_example(fence: str) -> None:
    closing = fence.removesuffix("text")
    assert conflict_markers(f"So it looks:\n\n{fence}\n{CONFLICT}{closing}\n") == ()


def test_a_conflict_about_a_fence_itself_is_found() -> None:
    text = "<<<<<<< a\n```\ncode\n=======\n```python\ncode\n>>>>>>> b\n```\n"
    assert conflict_markers(text) == (1,)


def test_a_conflict_after_a_closed_fence_is_found() -> None:
    assert conflict_markers(f"```\n{CONFLICT}```\n{CONFLICT}") == (8,)


@pytest.mark.parametrize(
    "text",
    [
        CONFLICT.replace("<<<<<<<", " <<<<<<<"),
        CONFLICT.replace("<<<<<<<", "<<<<<<<<"),
        CONFLICT.replace("=======", "========"),
        CONFLICT.replace(">>>>>>> other\n", ""),
        "A heading\n=======\n\n>>>>>>> a quote of quotes\n",
        "<<<<<<< HEAD\n>>>>>>> other\n=======\n",
        "the mark <<<<<<< opens, ======= parts\nand >>>>>>> closes\n",
    ],
)
def test_what_is_no_triple_in_order_is_text(text: str) -> None:
    assert conflict_markers(text) == ()


@given(st.lists(st.sampled_from(["<<<<<<<", "=======", ">>>>>>> x", "```", "~~~", "a", ""])))
def test_every_line_that_is_named_opens_a_conflict(lines: list[str]) -> None:
    for number in conflict_markers("\n".join(lines)):
        assert lines[number - 1] == "<<<<<<<"
        rest = lines[number:]
        assert ">>>>>>> x" in rest[rest.index("=======") :]
