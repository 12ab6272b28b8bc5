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
The nightly backup starts at 3:00. | The nightly backup now starts at 4:30.
The gym costs 30 euros a month. | The gym now costs 35 euros a month.
Room A seats 8 people. | Room A now seats 12 people.
We host the site on Netlify. | We now host the site on Hetzner.
We host the site on Netlify. | We moved the site from Netlify to Hetzner.
Marta lives in Rome. | Marta has moved to Turin.
Mi médico es Pedro Gil. | Mi médico ahora es Ana Sanz.
La reunión semanal es el lunes. | La reunión semanal pasa a ser los jueves a partir de ahora.
El alquiler es de 800 euros. | El alquiler es ahora de 850 euros.
Usamos npm en la web. | Usamos pnpm en lugar de npm en la web.
Logs are kept for 30 days. | Logs are now kept for 90 days.
The default branch is master. | The default branch is now main.
The API key rotates every 90 days. | The API key now rotates every 30 days.
The minimum is Python 3.11. | The minimum is now Python 3.12.
Deploys happen on Tuesdays. | Deploys now happen on Thursdays.
The user prefers light mode. | The user now prefers dark mode.
The CI runner is Jenkins. | The CI runner is GitHub Actions, no longer Jenkins.
The office is closed on Fridays. | The office is no longer closed on Fridays.
El servidor de correo es mail1.example.org. | El servidor de correo es ahora mail2.example.org.
The car insurance is with Axa. | The car insurance is now with Mapfre.
The database is MySQL. | We migrated the database from MySQL to Postgres.
Prod runs version 1.4.2. | Prod now runs version 1.5.0.
The wifi password hint is tulips. | The wifi password hint is now roses.
Lunch is at 13:00. | Lunch is at 13:30 from now on.
The retention is 7 years. | As of May the retention is 10 years.
Ana is the on-call lead. | Ana is no longer the on-call lead.
El plan es gratis. | El plan ya no es gratis.
Ana trabaja en Acme. | Ana ya no trabaja en Acme, ahora trabaja en Globex.
El equipo usa Slack. | El equipo ya no usa Slack, usa Teams.
Backups run at 02:00. | Backups no longer run at 02:00, they run at 04:00.
Port of the proxy: 8080. | The proxy now listens on port 9090.
For the proxy, port 8080 is open. | The proxy now listens on port 9090.
Puerto del proxy: 8080. | El proxy escucha ahora en el puerto 9090.
We use Jenkins. | We switched from Jenkins to GitHub Actions.
We host on Heroku. | Moved from Heroku to Fly.
Usamos MySQL. | Migramos de MySQL a PostgreSQL.
Usamos Jenkins. | Hemos pasado de Jenkins a GitHub Actions.
Usamos la API v1. | La API v2 sustituye a la API v1.
"""
NO_CONFLICTS = """
Bought 2 licences of Figma. | Bought 5 licences of Figma.
Ana trabaja en Acme. | Ben ya no trabaja con Ana en Acme.
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
The backup runs at 3:00. | The cleanup now runs at 4:00.
Ana owns 2 services. | Luis now owns 3 services.
The north office opens at 8:00. | The south office now opens at 9:00.
Build 12 failed on Linux. | Build 14 now fails on macOS.
La oficina de Vigo abre a las 8:00. | La oficina de Lugo abre ahora a las 9:00.
We pay 20 euros for hosting. | We now pay 15 euros for the domain.
The API has a limit of 100 requests. | The API now has a timeout of 5 seconds.
The queue holds 500 jobs. | The queue is now read by 5 workers.
Step 3 takes 5 minutes. | Step 4 now takes 6 minutes.
Luis has a red car. | Luis now has a blue bike.
We use Redis for sessions. | We now use Postgres for reports.
We host docs on Netlify. | We moved the blog to Hetzner.
Ana works at Acme. | Luis moved to Globex.
Ana works in Vigo on Mondays. | Ana now works in Lugo on Fridays.
The test database is MySQL. | The main database is now Postgres.
El equipo de datos usa Spark. | El equipo web ahora usa React.
Usamos Kafka para eventos. | Ahora usamos S3 para copias.
Version 2 supports OAuth. | Version 3 now supports SAML.
The web client supports OAuth. | The web client now supports SAML.
The meeting room seats 8. | The meeting room now has 2 screens.
Marta studied in Paris. | Marta now lives in Rome.
The docs are in English. | The docs are now on GitHub.
The site is written in Go. | The site is now hosted in Madrid.
Ana likes tea. | Ana now likes coffee.
Room A is for the design team. | Room B is now for the data team.
The invoice of March was 300 euros. | The invoice of April is now 320 euros.
La factura de marzo fue de 300 euros. | La factura de abril es ahora de 320 euros.
Luis is the owner of billing. | Ana is now the owner of search.
The key of the door is with Ana. | The key of the safe is now with Luis.
Deploys of the API take 5 minutes. | Deploys of the site now take 9 minutes.
Call the bank before Friday. | Call the school instead of the bank on Monday.
We no longer use Jenkins for the site. | We use Jenkins for the API.
Ya no usamos Jenkins en la web. | Usamos Jenkins en la API.
Port 443 is used by nginx. | Port 8080 is now used by the proxy.
The staging cluster has 3 nodes. | The production cluster now has 5 nodes.
Ana's laptop has 16 GB. | Luis's laptop now has 32 GB.
The alarm rings at 7:00. | The train now leaves at 7:40.
Chapter 2 has 20 pages. | Chapter 2 now has 3 figures.
The gym costs 30 euros. | The gym now opens at 6:00.
Mi hermana vive en Vigo. | Mi hermano vive ahora en Lugo.
Port 8080 is open. | Port 9090 is now open.
The staging server runs on Debian. | Debian is now installed on 5 hosts.
Ana leads the search team. | The search team now has 5 members.
Luis has 3 keys. | The office now has 5 keys.
Luis has 3 keys of the office. | The office now has 5 rooms.
Room 3 has a printer. | The printer now prints 5 pages a minute.
Server 3 is in Madrid. | The office in Madrid now has 5 servers.
El servidor 3 está en Madrid. | Madrid ahora tiene 5 servidores.
Retries of the proxy: 5. | The proxy listens on port 9090.
Port of the proxy: 8080. | Workers of the proxy: 8.
Jenkins needs Java 17. | We switched from Jenkins to GitHub Actions.
CI runs on Jenkins. | We switched from Jenkins to GitHub Actions.
The billing team uses Jenkins. | We switched from Jenkins to GitHub Actions.
We use Jenkins and Docker. | We switched from Jenkins to GitHub Actions.
We use Jenkins. | Ana switched from Jenkins to GitHub Actions.
We use Jenkins. | We did not switch from Jenkins to GitHub Actions.
Marta is from Soria. | We moved from Soria to Burgos.
"""
CHATTER = """
Thanks, Eva! The garden is good for my sleep. I'll keep it up. | Eva, thanks! Sleep matters to me, and the garden has done so much!
I won't give up, whatever they say. You keep me going. | I won't give up. I'm gonna carry on, no matter what.
Enjoy the trip! Have a good week. | Bye! Good talking to you! Have a great week!
It's great how much fun they have. Do you have a cat? | Right!? Cats are great! They are such fun.
Look at this beautiful boat! [a photo of two men fishing in a river] | Look at this wonderful boat! [a photo of two men fishing in a lake]
I'll make sure to find an hour for that. | I'll make sure to take it. See you soon!
How's the paper going? | I'm really glad the paper worked out.
I think I am a real climber now. It was fun! | It was awesome. The view was a reward.
Gracias, Eva. Significa mucho para mí. Seguiré así. | ¡Gracias, Eva! Lo aprecio mucho. Seguiré adelante.
"""
"""What people say to each other: the same words, and no claim that could be contradicted."""


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


@pytest.mark.parametrize(("a", "b"), pairs(CHATTER))
def test_talk_is_no_contradiction(a: str, b: str) -> None:
    assert not contradicts(Text("Marta", a), Text("Marta", b))
    assert not contradicts(Text("Marta", b), Text("Marta", a))


def test_the_title_says_what_a_bare_value_is_of() -> None:
    assert contradicts(Text("API port", "It is 8080."), Text("API port", "It is 9090."))
    assert contradicts(Text("Sky colour", "It is blue."), Text("Sky colour", "It is grey."))
    moved = "We switched from Jenkins to GitHub Actions."
    assert contradicts(Text("CI", "CI runs on Jenkins."), Text("CI", moved))
    assert not contradicts(Text("Staging port", "It is 80."), Text("Production port", "It is 90."))
    assert not contradicts(Text("Ana", "Lives in Madrid."), Text("Luis", "Lives in Rome."))


def test_titles_that_each_say_more_name_two_things_unless_a_text_says_that_it_replaces():
    gamma, normal = "Gamma distribution", "Normal distribution"
    shape = "The support of the distribution is {}."
    pair = Text(gamma, shape.format("positive")), Text(normal, shape.format("whole"))
    assert not contradicts(*pair)
    old, new = Text("Lamp room hours", "It opens at 8:00."), Text("Lamp room news", "{}")
    assert not contradicts(old, Text(new.title, "It opens at 9:00."))
    assert contradicts(old, Text(new.title, "It now opens at 9:00."))


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
