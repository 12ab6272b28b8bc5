"""Change one value in any sentence, and it is no duplicate any more."""

from __future__ import annotations

import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from muninn_cli.core.likeness import Text, keeps_facts, normal_form, text_hash, veto

NAMES = ["Ana", "Luis", "Marta", "Acme", "Redis", "Madrid", "Quito", "Vega", "Iberia", "Orion"]
THINGS = [
    "report",
    "invoice",
    "backup",
    "server",
    "parser",
    "garden",
    "bridge",
    "recipe",
    "ticket",
    "camera",
]
COSAS = [
    "informe",
    "factura",
    "ventana",
    "servidor",
    "puente",
    "receta",
    "jardín",
    "cámara",
    "tarea",
    "llave",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
DIAS = ["lunes", "martes", "miércoles", "jueves", "viernes"]
COLOURS = ["purple", "cyan", "green", "amber", "scarlet", "morado", "verde", "ámbar"]

TEMPLATES = [
    "{name} keeps the {thing} in room {number} since {day}.",
    "The {thing} of {name} costs {number} euros and is {colour}.",
    "On {day} {name} sends {number} copies of the {thing} to the {colour} team.",
    "Note that the {colour} {thing} belongs to {name}. It has {number} parts, due {day}.",
    "{thing}: {number} items; owner: {name}; colour: {colour}; day: {day}",
    "# {thing}\n\n- {name} has {number}\n- it is {colour} on {day}",
    "{name} guarda la {cosa} en la sala {number} desde el {dia}.",
    "La {cosa} de {name} cuesta {number} euros y es de color {colour}.",
    "El {dia} {name} manda {number} copias de la {cosa}, de color {colour}.",
    "Nota: la {cosa} {colour} es de {name}. Tiene {number} partes, para el {dia}.",
]
SLOTS = {
    "name": st.sampled_from(NAMES),
    "thing": st.sampled_from(THINGS),
    "cosa": st.sampled_from(COSAS),
    "day": st.sampled_from(WEEKDAYS),
    "dia": st.sampled_from(DIAS),
    "colour": st.sampled_from(COLOURS),
    "number": st.one_of(
        st.integers(0, 99_999).map(str),
        st.decimals(0, 99, places=2).map(str),
        st.sampled_from(["three", "twelve", "ninety", "v2", "10:30", "5-10", "1/2", "7%"]),
    ),
}
VERBS = re.compile(r"\b(keeps|costs|sends|belongs|has|is|guarda|cuesta|manda|es|Tiene)\b")


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str]:
    """A sentence, and the same with one slot filled in another way."""
    template = draw(st.sampled_from(TEMPLATES))
    values = {slot: draw(SLOTS[slot]) for slot in re.findall(r"{(\w+)}", template)}
    slot = draw(st.sampled_from(sorted(values)))
    other = draw(SLOTS[slot])
    assume(normal_form(other) != normal_form(values[slot]))
    return template.format(**values), template.format(**{**values, slot: other})


@settings(max_examples=400)
@given(mutated())
def test_another_value_in_any_place_is_a_veto_both_ways(pair: tuple[str, str]) -> None:
    a, b = pair
    assert veto(Text("", a), Text("", b)) is not None
    assert veto(Text("", b), Text("", a)) is not None
    assert text_hash(a) != text_hash(b)
    assert not keeps_facts(a, b)


@settings(max_examples=200)
@given(mutated(), st.sampled_from(["not", "never", "no", "nunca", "no longer", "ya no"]))
def test_a_negation_is_a_veto_no_judge_may_cross(pair: tuple[str, str], negation: str) -> None:
    sentence = pair[0]
    verb = VERBS.search(sentence)
    assume(verb)
    assert verb is not None
    denied = f"{sentence[: verb.start()]}{negation} {sentence[verb.start() :]}"
    found = veto(Text("", sentence), Text("", denied))
    assert found is not None
    assert not found.crossable
    assert not keeps_facts(denied, sentence)


@settings(max_examples=200)
@given(mutated(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_two_names_that_change_places_are_a_veto(pair: tuple[str, str], one: str, two: str) -> None:
    assume(one != two)
    sentence = f"{one} reports to {two}. {pair[0]}"
    assert veto(Text("", sentence), Text("", f"{two} reports to {one}. {pair[0]}")) is not None


@settings(max_examples=200)
@given(mutated(), st.data())
def test_a_word_left_out_is_a_veto(pair: tuple[str, str], data: st.DataObject) -> None:
    words = pair[0].split(" ")
    ignored = {"the", "la", "el", "#", "-", "and", "y"}
    places = [at for at, word in enumerate(words) if word.lower() not in ignored]
    place = data.draw(st.sampled_from(places[1:]))
    shorter = " ".join(words[:place] + words[place + 1 :])
    assert veto(Text("", pair[0]), Text("", shorter)) is not None


@settings(max_examples=200)
@given(mutated())
def test_case_space_and_the_last_mark_are_no_difference(pair: tuple[str, str]) -> None:
    sentence = pair[0]
    for other in (sentence.lower(), sentence.upper(), sentence.rstrip("."), f"  {sentence}\n"):
        assert text_hash(other) == text_hash(sentence)
        assert veto(Text("", sentence), Text("", other)) is None


ANY = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [
                "the",
                "a",
                "don't",
                "no,",
                "No",
                "Ana",
                "and",
                "y",
                "e",
                "v2",
                "3pm",
                "p.m.",
                "1,000",
                "1.5",
                "$5",
                "5%",
                "-5",
                "`x",
                "y`",
                "```",
                "[x]",
                "~~a~~",
                "2026-03-28",
                "28",
                "March",
                "May",
                "http://a.b/c",
                "a@b.c",
                "/x",
                "./",
                "--",
                "--f",
                "-d",
                "C#",
                "__x__",
                "½",
                "10²",
                "1.º",
                "dos",
                "mil",
                "once",
                "hundred",
                "cien",
                "los",
                "viernes",
                "few",
                "'",
                '"',
                "…",
                "–",
                "—",
                "=",
                "==",
                "->",
                "!=",
                "#",
                "*",
                "+",
                ">",
                "|",
                "&",
                "?",
                "!",
                "¿",
                ":",
                ";",
                ",",
            ]
        ),
        max_size=14,
    ).map(" ".join),
)


@settings(max_examples=400)
@given(ANY, ANY)
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    found = veto(Text("", a), Text("", b))
    assert (found is None) == (veto(Text("", b), Text("", a)) is None)
    if normal_form(a) == normal_form(b):
        assert found is None
    assert veto(Text(a, b), Text(a, b)) is None
    assert keeps_facts(a, a)
