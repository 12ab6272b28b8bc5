"""What a hit shows of its text."""

from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.snippets import LENGTH, snippet
from muninn_cli.core.words import Stems

STEMS = Stems(("en", "es"))
LONG = "Nothing of interest stands in this sentence at all. " * 8


def test_a_short_text_is_shown_whole_on_one_line():
    assert snippet("Uses  port\n8080.\n", {"port": 1.0}, STEMS) == "Uses port 8080."


def test_a_long_text_is_shown_from_the_sentence_that_answers():
    text = f"{LONG}The timeouts come from DNS. {LONG}"
    assert snippet(text, {"timeout": 1.0}, STEMS).startswith("… The timeouts come from DNS.")


def test_the_sentence_with_the_heavier_words_wins_and_the_first_of_equals():
    text = f"A note. {LONG}Docker note. {LONG}Docker again. {LONG}"
    assert "… Docker note." in snippet(text, {"docker": 2.0, "note": 1.0}, STEMS)
    assert "… Docker note." in snippet(text, {"docker": 2.0}, STEMS)


def test_without_a_match_the_beginning_is_shown():
    assert snippet(LONG, {"zebra": 1.0}, STEMS).startswith("Nothing of interest")


@given(st.text(st.characters(), min_size=150), st.sets(st.text(max_size=3)))
def test_a_snippet_is_one_short_line(text, wanted):
    shown = snippet(text, dict.fromkeys(wanted, 1.0), STEMS)
    assert len(shown) <= LENGTH
    assert "\n" not in shown
