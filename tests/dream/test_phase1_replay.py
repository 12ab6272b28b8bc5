"""Phase 1: recalls since the last dream become associations, and no recall is learned twice."""

import pytest
from planning import DAY, HOUR, NOW, Bedroom, of

from muninn_cli.core.changes import Associate
from muninn_cli.core.usage import Recall


@pytest.fixture
def bedroom(tmp_path) -> Bedroom:
    bedroom = Bedroom(tmp_path)
    vault = bedroom.vault()
    for name in "abcdefg":
        bedroom.put(vault, name, f"Note {name}.")
    return bedroom


def learned(bedroom: Bedroom) -> dict[str, float]:
    return {each.a + each.b: each.new for each in of(Associate, bedroom.plan((1,)))}


def test_what_was_shown_together_is_associated_by_its_scores(bedroom: Bedroom) -> None:
    at = NOW - HOUR
    bedroom.log(bedroom.vault(), Recall(at, (("a", 0.8), ("b", 0.4), ("c", 0.2)), "search"))
    plan = bedroom.plan((1,))
    assert learned(bedroom) == pytest.approx({"ab": 0.05, "ac": 0.025, "bc": 0.0125})
    assert {(each.old, each.at, each.inferred) for each in of(Associate, plan)} == {
        (0.0, at, False)
    }


def test_only_the_first_five_belong_together(bedroom: Bedroom) -> None:
    bedroom.recall(bedroom.vault(), *"abcdefg", at=NOW - HOUR)
    assert "".join(sorted(set("".join(learned(bedroom))))) == "abcde"


def test_a_pair_learns_once_an_hour(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for minutes in (0, 10, 59):
        bedroom.recall(vault, "a", "b", at=NOW - 3 * HOUR + minutes * HOUR / 60)
    assert learned(bedroom) == pytest.approx({"ab": 0.1})
    bedroom.recall(vault, "a", "b", at=NOW - HOUR)
    assert learned(bedroom)["ab"] == pytest.approx(0.19, abs=0.001)


def test_a_known_weight_fades_before_it_grows(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.associate(vault, "a", "b", 0.8, NOW - 61 * DAY)
    bedroom.recall(vault, "a", "b", at=NOW - DAY)
    (change,) = of(Associate, bedroom.plan((1,)))
    assert change.old == pytest.approx(0.4)
    assert change.new == pytest.approx(0.4 + 0.1 * 0.2)


def test_only_recalls_since_the_last_dream_of_that_vault_count(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.recall(vault, "a", "b", at=NOW - 2 * DAY)
    assert learned(bedroom)
    bedroom.dreamed(vault, at=NOW - DAY)
    assert learned(bedroom) == {}
    bedroom.recall(vault, "c", "d", at=NOW - HOUR)
    assert set(learned(bedroom)) == {"cd"}


def test_a_dream_that_moved_no_stamp_learns_nothing_twice(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.recall(vault, "a", "b", at=NOW - 5 * HOUR)
    bedroom.recall(vault, "a", "b", at=NOW - 2 * HOUR)
    (change,) = of(Associate, bedroom.plan((1,)))
    bedroom.associate(vault, "a", "b", change.new, change.at)
    assert learned(bedroom) == {}


def test_vanished_memories_and_recalls_of_a_wrong_clock_teach_nothing(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    bedroom.recall(vault, "a", "gone", at=NOW - HOUR)
    bedroom.recall(vault, "b", "c", at=NOW + 3 * DAY)
    assert learned(bedroom) == {}


def test_what_was_shown_without_being_asked_for_teaches_nothing(bedroom: Bedroom) -> None:
    hits = (("a", 1.0), ("b", 1.0))
    bedroom.log(bedroom.vault(), Recall(NOW - HOUR, hits, "add"))
    assert learned(bedroom) == {}


def test_what_a_merged_memory_learned_is_its_survivor_s(bedroom: Bedroom) -> None:
    vault = bedroom.vault()
    for name, tier in (("copy", "T2"), ("kept", "T1")):
        bedroom.put(vault, name, "Whales sleep upright.", title="Whales", tier=tier)
    bedroom.recall(vault, "copy", "a", at=NOW - HOUR)
    bedroom.recall(vault, "copy", "kept", at=NOW - HOUR)
    plan = bedroom.plan((1, 2))
    assert [(each.a, each.b) for each in of(Associate, plan)] == [("a", "kept")]


@pytest.mark.parametrize(("own", "passed"), [(0.8, []), (0.05, [("a", "kept")])])
def test_a_survivor_s_stronger_association_is_not_overwritten(
    bedroom: Bedroom, own: float, passed: list[tuple[str, str]]
) -> None:
    vault = bedroom.vault()
    for name, tier in (("copy", "T2"), ("kept", "T1")):
        bedroom.put(vault, name, "Whales sleep upright.", title="Whales", tier=tier)
    bedroom.associate(vault, "a", "kept", own, NOW - DAY)
    bedroom.recall(vault, "copy", "a", at=NOW - HOUR)
    assert [(each.a, each.b) for each in of(Associate, bedroom.plan((1, 2)))] == passed
