"""Numbers, dates, times and units have one spelling; what could be two values keeps its own."""

from __future__ import annotations

import pytest

from muninn_cli.core.likeness.reading import read


def stated(text: str) -> list[tuple[str, str]]:
    return [(str(token.kind), token.text) for token in read(text).tokens]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It has twenty-five rows.", "It has 25 rows."),
        ("two hundred and five thousand", "205000"),
        ("Hay treinta y cinco filas.", "Hay 35 filas."),
        ("Son dos mil uno.", "Son 2001."),
        ("It costs 1,234,567.50 there.", "It costs 1234567.50 there."),
        ("El total es 1.234.567,50 aquí.", "El total es 1234567.50 aquí."),
        ("La cuota es de 1.500.", "La cuota es de 1500."),
        ("on March 3rd, 2026", "on 2026-03-03"),
        ("el 3 de marzo de 2026", "el 2026-03-03"),
        ("at 12 am", "at 00:00"),
        ("at 12:30 p.m.", "at 12:30"),
        ("after 5 minutes", "after 5min"),
        ("the second page", "the 2nd page"),
        ("el tercer intento", "el 3.º intento"),
        ("version 2 of it", "v2 of it"),
        ("$5 each", "5 $ each"),
    ],
)
def test_two_spellings_of_one_value(a: str, b: str) -> None:
    assert read(a).words == read(b).words


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It costs 1.500 there.", "It costs 1500 there."),
        ("version 3.10", "version 3.1"),
        ("on 03/04/2026", "on 04/03/2026"),
        ("one, two", "three"),
        ("twenty, five", "25"),
        ("wait a second", "wait 2"),
        ("He may go.", "He 05 go."),
        ("once more", "11 more"),
        ("un día", "once días"),
    ],
)
def test_two_values(a: str, b: str) -> None:
    assert read(a).words != read(b).words


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("It is 2026-03-28 now.", "date", "2026-03-28"),
        ("Meet at 9:05.", "time", "09:05"),
        ("We ship on Friday.", "weekday", "friday"),
        ("Los miércoles no.", "weekday", "miercoles"),
        ("Due in March.", "month", "march"),
        ("Use 1.2.3-rc1 here.", "version", "1.2.3-rc1"),
        ("See https://example.com/a/.", "address", "https://example.com/a"),
        ("Ask ana@example.com.", "address", "ana@example.com"),
        ("Ping 10.0.0.1 first.", "address", "10.0.0.1"),
        ("Look in ~/notes/x.md first.", "path", "~/notes/x.md"),
        ("Call getUser first.", "code", "getuser"),
        ("Set max_size first.", "code", "max_size"),
        ("Then Marta signs.", "name", "marta"),
        ("It is 5 kg.", "unit", "kg"),
        ("Nunca se borra.", "negation", "nunca"),
        ("It must run.", "qualifier", "must"),
    ],
)
def test_the_kind_of_a_value(text: str, kind: str, value: str) -> None:
    assert (kind, value) in stated(text)


def test_articles_and_fillers_state_nothing_but_a_letter_does() -> None:
    assert read("The server is in a rack.").words == read("Server is in rack.").words
    assert read("Please run it.").words == read("Run it.").words
    assert read("Follow plan A now.").words != read("Follow plan now.").words
    assert read("A few users left.").words != read("Few users left.").words
