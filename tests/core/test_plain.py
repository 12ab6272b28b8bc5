"""Plain text: nothing a terminal, an editor or a fence would take for more than text."""

from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.plain import fence_for, inline, one_line, plain

hostile = st.text(
    alphabet=st.sampled_from("a~ \n\r\t\x00\x1b[]m;2J\x07\x9b\u202e\u2028\ud800#-<!é")
)


def test_escape_sequences_go_as_a_whole():
    assert plain("\x1b[2Jred \x1b[1;31mtext\x1b[0m") == "red text"
    assert plain("\x1b]8;;http://x\x07link\x1b]8;;\x1b\\ \x9b31mred") == "link red"


def test_line_breaks_of_every_kind_are_newlines_and_tabs_stay():
    assert plain("a\r\nb\rc\u2028d\te") == "a\nb\nc\nd\te"


def test_bidi_marks_and_surrogates_go_and_joiners_stay():
    assert plain("a\u202eb\ud800c") == "abc"
    assert plain("👨\u200d👩\u200d👧 नम\u200dस्ते") == "👨\u200d👩\u200d👧 नम\u200dस्ते"


@given(hostile)
def test_plain_is_encodable_and_has_no_control_character(text):
    made = plain(text)
    made.encode("utf-8")
    assert all(character >= " " or character in "\n\t" for character in made)
    assert plain(made) == made


@given(hostile, st.integers(1, 30))
def test_one_line_is_one_bounded_line(text, limit):
    assert len(one_line(text, limit)) <= limit
    assert len(inline(text, limit).splitlines()) <= 1


def test_inline_fetches_and_links_nothing():
    made = inline("![a](http://x) <img> [[note]] [a](b)", 99)
    assert made == r"\![a](http://x) \<img> \[[note]] [a](b)"


@given(st.lists(hostile))
def test_a_fence_occurs_in_no_text(texts):
    fence = fence_for(texts)
    assert len(fence) >= 3
    assert not any(fence in text for text in texts)


def test_a_fence_is_longer_than_any_run_of_its_character():
    assert fence_for(["no run", "~~~~ and ~~"]) == "~~~~~"
    assert fence_for([]) == "~~~"
