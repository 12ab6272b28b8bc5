"""What a reading of two texts found is kept, but never longer than the rules that found it."""

from contextlib import closing

import pytest
from planning import Bedroom, of

from muninn_cli.core.changes import Merge
from muninn_cli.dream.pairing.relations import renew
from muninn_cli.store.index import pairs
from muninn_cli.store.index.connection import open_writer


@pytest.fixture
def read(tmp_path) -> Bedroom:
    """Two memories that state two values, read by a dream."""
    bedroom = Bedroom(tmp_path)
    vault = bedroom.vault()
    for name, colour in (("one", "purple"), ("two", "cyan")):
        bedroom.put(vault, name, f"My favourite colour is {colour}.", title="Colour")
    assert relations_after_a_dream(bedroom) == ["value"]
    return bedroom


def relations_after_a_dream(bedroom: Bedroom) -> list[str]:
    plan = bedroom.plan((2,), **{"dream.merge_at": 0.5})
    assert of(Merge, plan) == []
    return relations(bedroom)


def relations(bedroom: Bedroom) -> list[str]:
    return bedroom.indexed.rows("SELECT relation FROM pair")


def rewrite(bedroom: Bedroom, relation: str, rules: str | None = None) -> None:
    """As another muninn would have left the index."""
    with closing(open_writer(bedroom.indexed.home.index_db)) as writer:
        if rules:
            pairs.read_anew(writer, rules)
        ((a, b),) = writer.execute("SELECT a, b FROM pair")
        pairs.note_relations(writer, [(relation, a, b)])


def test_what_other_rules_found_is_read_anew(read: Bedroom) -> None:
    rewrite(read, "same", "rules of another version")
    assert relations_after_a_dream(read) == ["value"]


def test_what_the_same_rules_found_is_not_read_again(read: Bedroom) -> None:
    rewrite(read, "other")
    assert relations_after_a_dream(read) == ["other"]


def test_only_what_was_read_is_forgotten(read: Bedroom) -> None:
    rewrite(read, pairs.ABROAD)
    renew(read.indexed.home.index_db, "new rules")
    assert relations(read) == [pairs.ABROAD]
    rewrite(read, "value")
    renew(read.indexed.home.index_db, "newer rules")
    assert relations(read) == [""]
