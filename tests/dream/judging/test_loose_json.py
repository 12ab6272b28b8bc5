"""Reading the one JSON object in a model's answer, or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.dream.judging.loose_json import read_object

KEYS = frozenset({"merges", "journal"})
OBJECT = {"merges": [{"ids": ["A", "B"], "content": 'it\'s {here}, ~~~ "so"'}], "journal": "//no"}
BARE = json.dumps(OBJECT)


def read(text: str):
    return read_object(text, KEYS)


@pytest.mark.parametrize(
    "text",
    [
        BARE,
        f"\ufeff  {BARE}\n",
        f"Sure:\n```json\n{BARE}\n```\nHope it helps.",
        f"```JSON\n{BARE}\n```",
        f"~~~\n{BARE}\n~~~",
        f"```\n{json.dumps(OBJECT, indent=2)}\n```",
        f"I looked at {{A}} and {{ B }}: {BARE} (done)",
        f'{{"note": "an example"}}\n{BARE}',
        f"{BARE}\n{BARE}",
    ],
)
def test_fences_and_prose_do_not_matter(text):
    assert read(text) == OBJECT


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"merges": [1, 2,], "journal": "a",}', {"merges": [1, 2], "journal": "a"}),
        (
            '{"merges": [] /* none */, // yet\n "journal": "http://x"}',
            {"merges": [], "journal": "http://x"},
        ),
        ('{"merges": [] # none\n}', {"merges": []}),
        ("{'merges': [], 'journal': 'a \"b\" c'}", {"merges": [], "journal": 'a "b" c'}),
        ("{'journal': 'it\\'s'}", {"journal": "it's"}),
        ("{'journal': None, 'merges': [True, False]}", {"journal": None, "merges": [True, False]}),
        ('{"merges": [NaN, Infinity, -Infinity]}', {"merges": [None, None, None]}),
        ('{"merges": [NaN,]}', {"merges": [None]}),
        ('{"journal": "two\nlines"}', {"journal": "two\nlines"}),
        ('{"journal": "a"} // end', {"journal": "a"}),
        ('{"journal": "//kept, [x,]",}', {"journal": "//kept, [x,]"}),
    ],
)
def test_what_has_one_plain_meaning_is_repaired(text, meant):
    assert read(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would merge A and B.",
        "[1, 2]",
        '{"archive": ["*"]}',
        '{"merges": [{"ids": ["A", "B"]}',
        '{"merges": [1 2]}',
        '{"merges" []}',
        "{merges: []}",
        "{'journal': 'don't'}",
        '{"merges": []} {"merges": [1]}',
        '{"merges": [1], "merges": [2]}',
        '{"merges": ]}',
        '{"journal": undefined}',
        "{" * 5000,
        '{"merges": ' + "[" * 200_000,
        '{"merges": [' + "9" * 5000 + "]}",
    ],
)
def test_anything_else_is_no_answer(text):
    assert read(text) is None


def test_an_object_quoted_inside_a_broken_answer_is_not_taken_for_it():
    text = "{\"journal\": \"the note says: {'merges': [{'ids': ['A']}]} and so"
    assert read(text) is None
    assert read('{"x": tru, "y": {"merges": [1]}}') is None


@given(st.text(alphabet=st.sampled_from("{}[]\"'\\,:#/* \nNaTrue1merges"), max_size=60))
def test_no_text_makes_it_fail(text):
    made = read(text)
    assert made is None or isinstance(made, dict)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(values)
def test_valid_json_is_read_as_it_is(value):
    assert read(f"Here: {json.dumps({'merges': value})} ok") == {"merges": value}


@given(values)
def test_a_trailing_comma_changes_no_value(value):
    assert read(json.dumps({"merges": [value]})[:-2] + ",],}") == {"merges": [value]}
