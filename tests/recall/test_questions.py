"""What a question finds: any string, in English or Spanish, in every mode."""

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library import bilingual_library

from muninn_cli.errors import UsageError
from muninn_cli.recall.hits import hit_json
from muninn_cli.recall.query import Mode


@pytest.fixture(scope="module")
def bilingual(tmp_path_factory):
    return bilingual_library(tmp_path_factory.mktemp("bilingual"))


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.SEMANTIC])
@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("why did my container lose its connection?", "network"),
        ("¿por qué perdieron la red los contenedores?", "network"),
        ("how often do we change the database password?", "clave"),
        ("¿cada cuánto se renueva la clave?", "clave"),
        ("where do the nightly backups go?", "backup"),
        ("dessert recipe", "cake"),
    ],
)
def test_a_question_finds_its_memory_in_either_language(bilingual, mode, question, name):
    assert bilingual.ids(question, mode)[0] == name


@pytest.mark.parametrize("mode", (Mode.HYBRID, Mode.FULLTEXT))
@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("multi-agent", "ticket"),
        ("POL-358", "ticket"),
        ("-358", "ticket"),
        ("agentic-os rollout", "ticket"),
        ("contrasena", "clave"),
        ("contraseñas", "clave"),
        ("timeouts", "network"),
        ("gates", "logic"),
        ("NOT gate", "logic"),
        ("gate AND", "logic"),
        ("NEAR(and gate, 3)", "logic"),
        ("title:gate*", "logic"),
        ('"unclosed gate', "logic"),
        ("云工开物 优惠券", "chinese"),
        ("部署", "chinese"),
        ("メモリ", "chinese"),
        ("सर्वर", "hindi"),
        ("docker cosmonaut", "network"),
    ],
)
def test_words_find_what_holds_them_whatever_stands_around_them(bilingual, mode, question, name):
    assert bilingual.ids(question, mode)[0] == name


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("question", ["?", "...", "*", "()", "🦊", "\u200b", "§§§"])
def test_what_says_nothing_finds_nothing_and_says_so(bilingual, mode, question):
    answer = bilingual.search(question, mode)
    assert answer.hits == ()
    assert answer.notices


@pytest.mark.parametrize("question", ["", " ", "\n\t", "\u3000"])
def test_an_empty_question_is_wrong_usage(bilingual, question):
    with pytest.raises(UsageError):
        bilingual.search(question)


def test_a_question_of_stop_words_is_searched_for_them(bilingual):
    assert bilingual.ids("not the or", Mode.FULLTEXT)[0] == "logic"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text(st.characters(), min_size=1, max_size=60)
    | st.lists(
        st.sampled_from(["docker", "AND", "NEAR/3", '"', "*", "(", "network", "部署", "May", "\0"]),
        min_size=1,
    ).map(" ".join),
    st.sampled_from(Mode),
    st.booleans(),
)
def test_any_string_is_a_question_in_every_mode(bilingual, text, mode, rerank):
    try:
        answer = bilingual.search(text, mode, rerank=rerank)
    except UsageError:
        assert not text.strip()
        return
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1.1 for score in scores)
    for hit in answer.hits:
        assert hit.cosine is None or math.isfinite(hit.cosine)
        json.dumps(hit_json(hit, explain=True), allow_nan=False)
