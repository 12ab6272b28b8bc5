"""Which pairs state different values of one thing, and which texts say that they replace."""

from __future__ import annotations

import pytest

from muninn_cli.core.likeness import Text, contradicts, says_it_replaces

CONFLICTS = """
The API listens on port 8080. | The API now listens on port 9090.
The API listens on port 8080. | API port changed from 8080 to 9090.
We use Docker for local work. | We switched from Docker to Podman for local work.
We use Docker for local work. | We use Podman instead of Docker for local work.
Ana lives in Madrid. | Ana moved to Lisbon.
The team lead is Ana. | Luis is now the team lead.
My favourite colour is purple. | My favourite colour is cyan.
The deploy day is Friday. | The deploy day is Tuesday.
The user is vegetarian. | The user is no longer vegetarian.
Telemetry is enabled by default. | Telemetry is disabled by default.
The database is PostgreSQL 14. | The database is PostgreSQL 16.
We never deploy on Fridays. | We deploy on Fridays.
timeout: 30 | timeout: 60
The timeout is 30 seconds. | The timeout is 1 minute.
El puerto de la API es 8080. | Ahora el puerto de la API es 9090.
Usamos Docker en local. | Ya no usamos Docker en local.
Usamos Docker en local. | Usamos Podman en lugar de Docker en local.
La responsable de facturación es Ana. | El responsable de facturación es Luis.
La base de datos es MySQL. | PostgreSQL sustituye a MySQL como base de datos.
Desplegamos los viernes. | A partir de ahora desplegamos los martes.
"""
NO_CONFLICTS = """
The staging port is 8080. | The production port is 8081.
Ana lives in Madrid. | Luis lives in Lisbon.
The port is 8080 on staging. | The port is 9090 on production.
Ana likes tea. | Ana likes coffee.
We support Python. | We support Rust.
The upload timeout is 30 seconds. | The download timeout is 60 seconds.
The server has 8 cores. | The server has 32 GB of RAM.
The API runs on port 8080. | The API uses JWT.
On 3 May Ana deployed v2. | On 5 May Ana deployed v3.
web-01 is in Paris. | web-02 is in Rome.
The design meeting is on Monday. | The budget meeting is on Tuesday.
El puerto de pruebas es 8080. | El puerto de producción es 9090.
A Ana le gusta el té. | A Ana le gusta el café.
Incident 12 was caused by DNS. | Incident 14 was caused by a full disk.
Chapter 3 covers Git. | Chapter 4 covers Docker.
The API listens on port 8080. | the api listens on port 8080
The API listens on port 8080. | Ana reports to Luis.
"""


def pairs(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("a", "b"), pairs(CONFLICTS))
def test_another_value_of_one_thing_is_a_contradiction(a: str, b: str) -> None:
    assert contradicts(Text("", a), Text("", b))
    assert contradicts(Text("", b), Text("", a))


@pytest.mark.parametrize(("a", "b"), pairs(NO_CONFLICTS))
def test_another_thing_is_no_contradiction(a: str, b: str) -> None:
    assert not contradicts(Text("", a), Text("", b))
    assert not contradicts(Text("", b), Text("", a))


def test_the_title_says_what_a_bare_value_is_of() -> None:
    assert contradicts(Text("API port", "It is 8080."), Text("API port", "It is 9090."))
    assert not contradicts(Text("Staging port", "It is 80."), Text("Production port", "It is 90."))
    assert not contradicts(Text("Ana", "Lives in Madrid."), Text("Luis", "Lives in Rome."))


def test_one_conflicting_sentence_among_the_same_ones_is_found() -> None:
    same = "The service is in Go. Ana owns it. "
    assert contradicts(Text("", same + "It listens on 80."), Text("", same + "It listens on 90."))


@pytest.mark.parametrize(
    "text",
    [
        "The API now listens on 9090.",
        "We switched to Podman.",
        "The old key is no longer used.",
        "Ana moved from Madrid to Lisbon.",
        "As of May the limit is 10.",
        "This replaces the runbook of 2024.",
        "Ya no usamos Redis.",
        "Ahora usamos Caddy en lugar de nginx.",
        "PostgreSQL sustituye a MySQL.",
        "Dejamos de usar npm.",
        "El plan ha pasado a costar 30 euros.",
    ],
)
def test_a_text_that_says_it_replaces(text: str) -> None:
    assert says_it_replaces(text)


@pytest.mark.parametrize(
    "text",
    [
        "The API listens on 9090.",
        "For now we wait.",
        "It does not replace the runbook.",
        "He knows now and then.",
        "Until now nobody asked.",
        "Por ahora esperamos.",
        "Hasta ahora nadie lo pidió.",
        "Esto no sustituye a la guía.",
    ],
)
def test_a_text_that_does_not(text: str) -> None:
    assert not says_it_replaces(text)
