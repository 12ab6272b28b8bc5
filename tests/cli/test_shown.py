"""How things look in a terminal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.cli.fitting import Sheet, cells, fitted, fitted_path, prose, wrapped
from muninn_cli.cli.shown import counted, distance

NOW = datetime(2026, 3, 28, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (3, "in 3 days"),
        (1, "in 1 day"),
        (89.9, "in 89 days"),
        (100, "in 3 months"),
        (365, "in 1 year"),
        (-2, "2 days ago"),
        (-40, "40 days ago"),
        (0, "just now"),
    ],
)
def test_a_distance_in_time_is_said_in_whole_units(days: float, text: str) -> None:
    assert distance(NOW + timedelta(days=days), NOW) == text


def test_one_thing_is_said_in_the_singular() -> None:
    assert [counted(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert counted(2, "memory", "memories") == "2 memories"


def test_a_wide_character_takes_two_columns() -> None:
    assert cells("日本") == 4
    assert fitted("日本語", 5) == "日本…"


@given(st.text(max_size=60), st.integers(5, 30))
def test_a_fitted_text_never_takes_more_columns_than_it_may(text: str, width: int) -> None:
    assert cells(fitted(text, width)) <= width


@given(st.text(alphabet="ab 日ñ", max_size=80), st.integers(4, 20))
def test_wrapping_loses_no_character_and_keeps_to_the_width(text: str, width: int) -> None:
    lines = list(wrapped(text, width))
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cells(line) <= width for line in lines)


@given(st.text(alphabet="ab/日é\u0301", max_size=60), st.integers(4, 30))
def test_a_fitted_path_keeps_to_the_width_and_its_end(path: str, width: int) -> None:
    shown = fitted_path(path, width)
    assert cells(shown) <= width
    begin, cut, end = shown.partition("…")
    assert not cut or (path.startswith(begin) and path.endswith(end))


def test_a_path_is_cut_in_the_middle() -> None:
    assert fitted_path("notes/projects/gateway/timeouts.md", 20) == "notes/…y/timeouts.md"
    assert fitted_path("notes/a.md", None) == "notes/a.md"


def test_the_name_of_the_file_stays_whole_where_it_fits() -> None:
    assert fitted_path("personal/editor-settings.md", 21) == "p…/editor-settings.md"
    assert fitted_path("personal/editor-settings.md", 19) == "person…-settings.md"


ENTRY = "**Tidied:**\n- Merged 2 notes: “A note” stays; `muninn restore NN00XY00`\n\n*Done.*"


def test_prose_is_broken_between_words_under_its_bullet_and_in_no_command() -> None:
    assert prose(ENTRY, Sheet(30, 30)).split("\n") == [
        "**Tidied:**",
        "- Merged 2 notes: “A note”",
        "  stays;",
        "  `muninn restore NN00XY00`",
        "",
        "*Done.*",
    ]


def test_prose_after_a_pipe_stays_as_it_is() -> None:
    assert prose(ENTRY, Sheet(30, None)) == ENTRY


@given(st.text(alphabet="ab `\n-", max_size=200), st.integers(8, 40))
def test_prose_keeps_to_the_width_and_loses_no_character(text: str, width: int) -> None:
    shown = prose(text, Sheet(width, width))
    assert all(cells(line) <= width for line in shown.split("\n"))
    assert "".join(shown.split()) == "".join(text.split())


def test_marks_and_joiners_take_no_column() -> None:
    assert cells("e\u0301") == 1
    assert cells("a\u200db") == 2
