"""Phase 2b: what a model's answers come to, with what it cannot know decided here."""

import json

import pytest
from model_server import ModelServer, ollama_says
from planning import DAY, NOW, Bedroom, of, waiting

from muninn_cli.core.changes import Judge, Merge, SetStability, Suggest, Supersede
from muninn_cli.core.journal import Omission
from muninn_cli.core.terms import Kind

FRIDAY = "We deploy the website every Friday with a script."
FRIDAY_TOO = "Every Friday the website is deployed by a script."
BOTH = f"{FRIDAY} {FRIDAY_TOO}"


@pytest.fixture
def model():
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    return Bedroom(tmp_path)


def says(model: ModelServer, **answer: object) -> None:
    model.script = [ollama_says(json.dumps(answer))]


def plan(bedroom: Bedroom, model: ModelServer, phases=(2,), **settings: object):
    asked = {
        "providers.ollama.url": model.url,
        "providers.ollama.model": "local:1b",
        "providers.order": ("ollama",),
    }
    return bedroom.plan(phases, model=True, **asked, **settings)


def paraphrases(bedroom: Bedroom, **fields: object):
    vault = bedroom.vault()
    return (
        bedroom.put(vault, "one", FRIDAY, title="Website", **fields),
        bedroom.put(vault, "two", FRIDAY_TOO, title="Website"),
    )


def databases(bedroom: Bedroom, old="2026-02-01", new="2026-03-01", **fields: object) -> None:
    vault = bedroom.vault()
    text = "The staging database is Postgres."
    bedroom.put(vault, "old", text, title="Staging database", created=old, **fields)
    text = "The staging database is MySQL."
    bedroom.put(vault, "new", text, title="Staging database", created=new)


def test_a_merge_has_the_survivor_of_the_rule_and_the_model_s_text(bedroom, model) -> None:
    vault = bedroom.vault()
    paraphrases(bedroom)
    bedroom.recall(vault, "two", at=NOW - DAY)
    says(model, merges=[{"ids": ["one", "two"], "content": BOTH, "reason": "same"}])
    found = plan(bedroom, model)
    (merge,) = of(Merge, found)
    assert (merge.survivor, merge.losers, merge.by) == ("two", ("one",), Judge.MODEL)
    assert merge.content == BOTH
    assert not found.waiting
    assert [each.requests for each in found.models] == [1]
    assert found.estimate > 0


def test_titles_of_what_is_merged_stay_as_aliases(bedroom, model) -> None:
    vault = bedroom.vault()
    bedroom.put(vault, "one", "Restart it twice.", title="Server alpha", tier="T1")
    bedroom.put(vault, "two", "Restart it twice.", title="Server beta")
    says(model, merges=[{"ids": ["one", "two"], "reason": "same"}])
    (merge,) = of(Merge, plan(bedroom, model))
    assert merge.aliases == ("Server beta",)


def test_what_was_judged_is_not_asked_about_again_until_a_text_changes(bedroom, model) -> None:
    paraphrases(bedroom)
    says(model, journal="They differ.")
    found = plan(bedroom, model)
    assert len(model.chats) == 1
    assert not found.changes
    assert found.narrative == ("They differ.",)
    bedroom.judge(found)
    again = plan(bedroom, model)
    assert len(model.chats) == 1
    assert not again.waiting
    paraphrases(bedroom, tags="[web]")
    plan(bedroom, model)
    assert len(model.chats) == 1
    bedroom.put(bedroom.vault(), "one", FRIDAY.replace("a script", "our script"), title="Website")
    plan(bedroom, model)
    assert len(model.chats) == 2


def test_a_verdict_supersedes_where_the_dates_bear_it_out(bedroom, model) -> None:
    databases(bedroom)
    says(model, contradictions=[{"newer": "new", "older": "old", "reason": "moved"}])
    (change,) = of(Supersede, plan(bedroom, model))
    assert (change.old, change.new, change.by) == ("old", "new", Judge.MODEL)


def test_a_verdict_against_the_dates_is_dropped_and_named(bedroom, model) -> None:
    databases(bedroom)
    says(model, contradictions=[{"newer": "old", "older": "new", "reason": "?"}])
    found = plan(bedroom, model)
    assert not found.changes
    assert [each.why for each in found.left_out] == [Omission.ANSWER_PART]


def test_a_verdict_without_dates_is_a_suggestion(bedroom, model) -> None:
    databases(bedroom, old="2026-02-01", new="2026-02-01")
    says(model, contradictions=[{"newer": "new", "older": "old", "reason": "moved"}])
    found = plan(bedroom, model)
    (suggestion,) = of(Suggest, found)
    assert list(found.changes) == [suggestion]
    assert isinstance(suggestion.what, Supersede)


def test_a_line_of_verdicts_ends_in_one_head(bedroom, model) -> None:
    vault = bedroom.vault()
    for number in range(4):
        text = f"The staging database is {('Postgres', 'MySQL', 'Oracle', 'SQLite')[number]}."
        created = (NOW - (9 - number) * DAY).isoformat()
        bedroom.put(vault, f"v{number}", text, title="Staging database", created=created)
    verdicts = [{"newer": f"v{n + 1}", "older": f"v{n}", "reason": "moved"} for n in range(3)]
    says(model, contradictions=verdicts)
    found = of(Supersede, plan(bedroom, model))
    assert {(each.old, each.new) for each in found} == {(f"v{n}", "v3") for n in range(3)}


@pytest.mark.parametrize("fields", [{"pinned": "true"}, {"tier": "T0"}], ids=["pinned", "T0"])
def test_a_protected_memory_is_only_suggested(bedroom, model, fields) -> None:
    paraphrases(bedroom, **fields)
    says(model, merges=[{"ids": ["one", "two"], "content": BOTH, "reason": "same"}])
    (suggestion,) = plan(bedroom, model).changes
    assert isinstance(suggestion.what, Merge)


def test_what_dreams_are_to_leave_alone_is_never_sent(bedroom, model) -> None:
    paraphrases(bedroom, consolidate="false")
    says(model, journal="")
    assert not plan(bedroom, model).changes
    assert model.chats == []


def test_another_type_makes_a_merge_a_suggestion(bedroom, model) -> None:
    paraphrases(bedroom, type="episodic")
    says(model, merges=[{"ids": ["one", "two"], "content": BOTH, "reason": "same"}])
    (suggestion,) = plan(bedroom, model).changes
    assert isinstance(suggestion.what, Merge)


def test_an_answer_against_a_person_s_no_changes_nothing(bedroom, model) -> None:
    bedroom.dismiss("near-duplicate", *paraphrases(bedroom))
    says(model, merges=[{"ids": ["one", "two"], "content": BOTH, "reason": "same"}])
    assert not plan(bedroom, model).changes
    assert model.chats == []


def connected(bedroom: Bedroom) -> None:
    work, home = bedroom.vault("work", Kind.WORK), bedroom.vault("home")
    bedroom.put(work, "bakery", "The bakery sells sourdough bread from a hot oven.", title="Bakery")
    bedroom.put(home, "recipe", "Sourdough bread needs a hot oven and flour.", title="Bread")


def test_a_connection_across_vaults_is_only_suggested_and_only_once(bedroom, model) -> None:
    connected(bedroom)
    says(model, suggestions=[{"ids": ["bakery", "recipe"], "text": "Both bake bread."}])
    found = plan(bedroom, model)
    (suggestion,) = found.changes
    assert isinstance(suggestion, Suggest)
    assert {ref.vault for ref in suggestion.refs} == {"id-work", "id-home"}
    assert suggestion.what is None
    bedroom.suggested(found)
    assert not plan(bedroom, model).changes
    assert len(model.chats) == 1


def test_legal_vaults_are_connected_to_nothing(bedroom, model) -> None:
    law, home = bedroom.vault("law", Kind.LEGAL), bedroom.vault("home")
    for vault in (law, home):
        bedroom.put(vault, f"{vault.name}-note", "Sourdough bread needs a hot oven.", title="Bread")
    says(model, journal="")
    assert not plan(bedroom, model).changes
    assert model.chats == []


def test_a_vault_that_trusts_no_provider_costs_the_others_no_budget(bedroom, model) -> None:
    closed, open_ = bedroom.vault("closed", Kind.WORK), bedroom.vault("open", Kind.PROJECT)
    for vault in (closed, open_):
        bedroom.put(vault, f"{vault.name}-1", FRIDAY, title="Website")
        bedroom.put(vault, f"{vault.name}-2", FRIDAY_TOO, title="Website")
    says(model, journal="")
    found = plan(bedroom, model, **{"trust.work": (), "dream.max_tokens": 1300})
    assert len(model.chats) == 1
    assert b"closed-1" not in model.chats[0].body
    assert waiting(found) == {"near-duplicate": [{"closed-1", "closed-2"}]}
    assert "closed" in found.waiting[0].why


def test_what_the_budget_has_no_room_for_waits(bedroom, model) -> None:
    vault = bedroom.vault()
    for topic in ("bread", "whale", "bicycle", "printer"):
        bedroom.put(vault, f"{topic}-1", f"The {topic} is repaired by us on Friday.", title=topic)
        bedroom.put(vault, f"{topic}-2", f"On Friday we are repairing the {topic}.", title=topic)
    says(model, journal="")
    found = plan(bedroom, model, **{"dream.max_tokens": 1200})
    assert found.judged
    assert found.waiting
    assert "budget" in found.waiting[0].why
    assert found.estimate <= 1200


def test_a_model_that_is_down_leaves_everything_waiting_and_is_named(bedroom, model) -> None:
    paraphrases(bedroom)
    found = bedroom.plan(
        (2,),
        model=True,
        **{"providers.ollama.url": "http://127.0.0.1:9", "providers.order": ("ollama",)},
    )
    assert waiting(found) == {"near-duplicate": [{"one", "two"}]}
    assert [each.why for each in found.left_out] == [Omission.PROVIDER]


def test_advice_on_stability_goes_before_the_rules(bedroom, model) -> None:
    vault = bedroom.vault()
    paraphrases(bedroom)
    for day in range(8, 2, -1):
        bedroom.recall(vault, "one", at=NOW - day * DAY)
    says(model, stability=[{"id": "one", "days": 15.0}])
    found = of(SetStability, plan(bedroom, model, (2, 4)))
    assert {each.id: each.new for each in found} == {"one": 15.0}


def test_without_a_model_nothing_is_sent(bedroom, model) -> None:
    paraphrases(bedroom)
    found = bedroom.plan((2,), **{"providers.ollama.url": model.url})
    assert found.waiting
    assert model.asked == []
