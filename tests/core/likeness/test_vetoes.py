"""Why two memories never merge by themselves, and which vetoes a judge may cross."""

from __future__ import annotations

import pytest

from muninn_cli.core.likeness import Part, Text, Veto, veto


def between(a: str, b: str) -> Veto:
    found = veto(Text("", a), Text("", b))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("The port is 8080.", "The port is 8081.", "number"),
        ("We keep three copies.", "We keep four copies.", "number"),
        ("It is 5 MB large.", "It is 5 GB large.", "unit"),
        ("Due on 28 March 2026.", "Due on 2026-03-29.", "date"),
        ("We meet at 3 pm.", "We meet at 16:00.", "time"),
        ("We deploy on Friday.", "We deploy on Tuesday.", "weekday"),
        ("Vence en marzo.", "Vence en abril.", "month"),
        ("The API is at v1.", "The API is at v2.", "version"),
        ("Ask Ana about it.", "Ask Luis about it.", "name"),
        ("It runs on api.example.com.", "It runs on web.example.com.", "address"),
        ("Logs are in /var/log.", "Logs are in /srv/log.", "path"),
        ("Call `load_all`.", "Call `load_one`.", "code"),
        ("We use Redis.", "We do not use Redis.", "negation"),
        ("Usamos Redis.", "Ya no usamos Redis.", "negation"),
        ("The cache is enabled.", "The cache is disabled.", "opposite"),
        ("Ana reports to Luis.", "Luis reports to Ana.", "order"),
        ("Reviewers must approve.", "Reviewers may approve.", "opposite"),
        ("Only Ana signs.", "Ana signs.", "qualifier"),
        ("My colour is purple.", "My colour is cyan.", "word"),
    ],
)
def test_a_veto_names_what_differs(a: str, b: str, kind: str) -> None:
    found = between(a, b)
    assert found.kind == kind
    assert not found.crossable


def test_a_veto_says_what_each_side_states() -> None:
    assert str(between("The port is 8080.", "The port is 8081.")) == "number: 8080 / 8081"
    assert str(between("We use Redis.", "We never use Redis.")) == "negation: - / never"


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("The API listens on 8080.", "The API is listening on 8080.", "wording"),
        (
            "Docker DNS lookups fail on slow networks, so set the timeout to 5 s.",
            "Set the timeout to 5 s because name resolution in Docker breaks on slow links.",
            "name",
        ),
        ("The red docker is here.", "The red of docker is here.", "addition"),
        ("La red docker usa 10.0.0.0/24.", "La red de docker usa 10.0.0.0/24.", "addition"),
        ("We host on Hetzner.", "We host on Hetzner in Falkenstein.", "name"),
    ],
)
def test_a_judge_may_cross_another_wording_and_an_addition(a: str, b: str, kind: str) -> None:
    found = between(a, b)
    assert found.kind == kind
    assert found.crossable


def test_a_judge_may_not_cross_a_value_that_both_state_differently() -> None:
    a = "Docker lookups fail on slow networks, so set the timeout to 5 s."
    b = "Set the timeout to 6 s because name resolution in Docker breaks on slow links."
    assert not between(a, b).crossable


def test_other_titles_of_one_body_are_a_veto_that_a_judge_may_cross() -> None:
    body = "La red docker usa 10.0.0.0/24."
    found = veto(Text("Redes 1", body), Text("Redes 2", body))
    assert found is not None
    assert found.part is Part.TITLE
    assert found.crossable


def test_a_difference_of_the_bodies_outweighs_one_of_the_titles() -> None:
    found = veto(Text("Port 1", "It is 8080."), Text("Port 2", "It is 8081."))
    assert found is not None
    assert found.part is Part.BODY


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Use tabs", "Use tabs. Run the linter."),
        ("Use tabs", "# Use tabs\n\nRun the linter."),
        ("Use tabs", "1. **Use tabs.** Run the linter."),
        ("Use tabs. Run the lin…", "Use tabs. Run the linter."),
        ("", "Use tabs. Run the linter."),
    ],
)
def test_a_title_taken_from_the_body_counts_for_nothing(title: str, body: str) -> None:
    assert veto(Text(title, body), Text("Editor", body)) is None


def test_a_title_that_is_no_start_of_the_body_counts() -> None:
    body = "Use tabs. Run the linter."
    assert veto(Text("Use", body), Text("Editor", body)) is None
    assert veto(Text("Linter", body), Text("Editor", body)) is not None


def test_memories_without_a_body_are_compared_by_title() -> None:
    assert veto(Text("Port 8080", ""), Text("port 8080.", "")) is None
    found = veto(Text("Port 8080", ""), Text("Port 8081", " "))
    assert found is not None
    assert found.part is Part.BODY


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Run `git branch -d x`.", "Run `git branch -D x`."),
        ("Set `Timeout` here.", "Set `timeout` here."),
        ("The link is 100 Mb.", "The link is 100 MB."),
    ],
)
def test_the_case_of_code_counts(a: str, b: str) -> None:
    assert veto(Text("", a), Text("", b)) is not None


def test_the_case_of_code_does_not_count_in_a_text_without_case() -> None:
    a = "Set `Timeout` in the Docker profile."
    assert veto(Text("", a), Text("", a.lower())) is None
    assert veto(Text("", a), Text("", a.upper())) is None
