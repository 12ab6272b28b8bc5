"""Batches: of one trust, within the budget, in order, nothing lost and nothing asked twice."""

from dream_clusters import LINK, cluster, member
from hypothesis import given
from hypothesis import strategies as st

from muninn_cli.dream.judging.batches import BATCH_TOKENS, batch, estimate


def pair(name: str, size: int = 100, vault: str = "v1"):
    return cluster(
        member(f"{name}1", "x" * size, vault=vault), member(f"{name}2", "y" * size, vault=vault)
    )


def test_an_estimate_is_a_quarter_of_the_characters_rounded_up():
    assert [estimate(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_small_clusters_share_a_request():
    made = batch([pair("a"), pair("b"), pair("c")], budget=60_000)
    assert [len(each.clusters) for each in made.batches] == [3]
    assert made.skipped == ()


def test_a_full_batch_is_followed_by_another():
    clusters = [pair(name, size=BATCH_TOKENS) for name in "abcd"]
    made = batch(clusters, budget=10**9)
    assert [len(each.clusters) for each in made.batches] == [1, 1, 1, 1]


def test_a_cluster_larger_than_a_batch_goes_alone():
    made = batch([pair("a"), pair("b", size=10 * BATCH_TOKENS), pair("c")], budget=10**9)
    assert [len(each.clusters) for each in made.batches] == [1, 1, 1]


def test_vaults_do_not_share_a_request_but_in_a_connection():
    link = cluster(member("a", "x"), member("b", "y", vault="v2"), reason=LINK)
    made = batch([pair("a"), pair("b", vault="v2"), pair("c"), link], budget=60_000)
    assert [sorted(each.vaults) for each in made.batches] == [["v1"], ["v2"], ["v1", "v2"]]
    assert [len(each.clusters) for each in made.batches] == [2, 1, 1]


def test_what_the_budget_does_not_cover_is_skipped_by_name():
    clusters = [pair(name, size=8000) for name in "abcdef"]
    made = batch(clusters, budget=20_000)
    assert made.tokens <= 20_000
    assert made.batches
    assert [each.cluster for each in made.skipped] == clusters[-len(made.skipped) :]
    assert "dream.max_tokens" in made.skipped[0].why


def test_two_memories_of_one_id_cannot_be_told_apart():
    twins = cluster(member("a", "x"), member("a", "y", vault="v2"), reason=LINK)
    made = batch([twins], budget=60_000)
    assert made.batches == ()
    assert "two vaults" in made.skipped[0].why


@given(
    st.lists(st.tuples(st.integers(0, 40_000), st.sampled_from(["v1", "v2"])), max_size=8),
    st.integers(0, 60_000),
)
def test_every_cluster_is_asked_or_skipped_once_and_the_budget_holds(sizes, budget):
    clusters = [pair(str(number), size, vault) for number, (size, vault) in enumerate(sizes)]
    made = batch(clusters, budget)
    asked = [each for batch_ in made.batches for each in batch_.clusters]
    skipped = [each.cluster for each in made.skipped]
    assert sorted(map(id, asked + skipped)) == sorted(map(id, clusters))
    assert made.tokens <= budget
    assert all(len(each.vaults) == 1 for each in made.batches)
