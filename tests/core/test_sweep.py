"""Planning a sweep: who rises, who leaves, and what stops it."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.core.sweep import Standing, SweepPlan, archive_limit, kept_by_links, plan_sweep
from muninn_cli.core.terms import Tier
from muninn_cli.core.tiers import Effective

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
BUDGETS = {Tier.T1: 100, Tier.T2: 100, Tier.T3: 100}


def standing(name: str, days_left: float | None = 10, **changes: object) -> Standing:
    tier = changes.pop("tier", Tier.T3)
    expires = None if days_left is None else NOW + days_left * DAY
    fields: dict[str, object] = {
        "id": name,
        "tier": tier,
        "now": Effective(tier, None, expires, 0),  # type: ignore[arg-type]
        "relevance": 0.5,
        "importance": 3,
        "links": frozenset(),
        "protected": False,
        "editable": True,
    }
    return Standing(**(fields | changes))  # type: ignore[arg-type]


def sweep(
    *standings: Standing,
    limit: int | None = None,
    silent: bool = False,
    budgets: dict[Tier, int] = BUDGETS,
) -> SweepPlan:
    return plan_sweep("vault", standings, budgets, NOW, limit=limit, silent=silent)


def leaving(plan: SweepPlan) -> list[tuple[str, str]]:
    return [(each.id, each.reason) for each in plan.departures]


def test_the_expired_leave_and_the_others_stay() -> None:
    plan = sweep(
        standing("old", -1), standing("due", 0), standing("new", 1), standing("ever", None)
    )
    assert leaving(plan) == [("due", "expired"), ("old", "expired")]


def test_protected_memories_never_leave() -> None:
    plan = sweep(standing("pinned", -1, protected=True), budgets={Tier.T3: 0})
    assert plan == SweepPlan()


def test_a_living_memory_keeps_what_it_links_to() -> None:
    keeper = standing("keeper", links=frozenset({"kept"}))
    assert leaving(sweep(keeper, standing("kept", -1))) == []


def test_a_memory_kept_only_by_a_link_keeps_nothing_itself() -> None:
    chain = [
        standing("living", 5, links=frozenset({"first"})),
        standing("first", -1, links=frozenset({"second"})),
        standing("second", -1),
    ]
    assert leaving(sweep(*chain)) == [("second", "expired")]
    assert kept_by_links(chain, NOW) == {"first"}


def test_expired_memories_do_not_keep_one_another_nor_themselves() -> None:
    one = standing("one", -1, links=frozenset({"other", "one"}))
    other = standing("other", -1, links=frozenset({"one"}))
    assert len(leaving(sweep(one, other))) == 2


def test_over_budget_the_least_relevant_then_the_least_important_leave() -> None:
    plan = sweep(
        standing("useful", relevance=0.9),
        standing("dull", relevance=0.1, importance=9),
        standing("trivial", relevance=0.2, importance=1),
        standing("weighty", relevance=0.2, importance=8),
        budgets={Tier.T3: 2},
    )
    assert leaving(plan) == [("dull", "budget"), ("trivial", "budget")]


def test_the_expired_leave_before_a_budget_is_counted() -> None:
    plan = sweep(standing("old", -1), standing("a"), standing("b"), budgets={Tier.T3: 2})
    assert leaving(plan) == [("old", "expired")]


def test_a_budget_is_of_the_tier_that_a_memory_has_now() -> None:
    risen = standing("risen", now=Effective(Tier.T2, NOW - DAY, NOW + DAY, 0), relevance=0.0)
    plan = sweep(risen, standing("a"), standing("b"), budgets={Tier.T3: 2, Tier.T2: 1})
    assert leaving(plan) == []


def test_one_command_takes_no_more_than_its_limit_and_names_the_rest() -> None:
    plan = sweep(*(standing(f"m{n}", -1, relevance=n / 10) for n in range(7)), limit=5)
    assert [each.id for each in plan.departures] == ["m0", "m1", "m2", "m3", "m4"]
    assert [each.id for each in plan.held] == ["m5", "m6"]


def test_the_limit_is_a_fifth_but_at_least_five() -> None:
    assert [archive_limit(live, 0.2) for live in (0, 10, 29, 30, 100)] == [5, 5, 5, 6, 20]


def test_a_silent_vault_loses_nothing_and_still_rises() -> None:
    risen = standing("risen", now=Effective(Tier.T2, NOW - DAY, NOW + DAY, 0))
    plan = sweep(risen, standing("old", -1), silent=True, budgets={Tier.T3: 0})
    assert (plan.departures, plan.held) == ((), ())
    assert [each.id for each in plan.promotions] == ["risen"]


def test_a_promotion_says_since_when_and_is_not_for_files_that_must_not_be_written() -> None:
    up = Effective(Tier.T2, NOW - DAY, NOW + DAY, 0)
    plan = sweep(standing("risen", now=up), standing("broken", now=up, editable=False))
    (only,) = plan.promotions
    assert (only.id, only.old, only.new, only.since) == ("risen", Tier.T3, Tier.T2, NOW - DAY)


@given(
    st.lists(
        st.tuples(st.integers(-9, 9), st.booleans(), st.sampled_from(list(Tier)), st.floats(0, 1)),
        max_size=40,
    ),
    st.integers(0, 10),
    st.integers(0, 10),
)
def test_a_plan_never_takes_the_protected_nor_more_than_its_limit(
    rows: list[tuple[int, bool, Tier, float]], budget: int, limit: int
) -> None:
    standings = [
        standing(f"m{n}", left, protected=protected, tier=tier, relevance=relevance)
        for n, (left, protected, tier, relevance) in enumerate(rows)
    ]
    plan = sweep(
        *standings, limit=limit, budgets=dict.fromkeys((Tier.T1, Tier.T2, Tier.T3), budget)
    )
    protected = {each.id for each in standings if each.protected}
    ids = [each.id for each in (*plan.departures, *plan.held)]
    assert len(plan.departures) <= limit
    assert len(ids) == len(set(ids))
    assert not protected & set(ids)
