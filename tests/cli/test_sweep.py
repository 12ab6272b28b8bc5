"""`muninn sweep` and `expiring`: what goes, what never goes, and clocks that are not believed."""

from __future__ import annotations

import pytest
from conftest import START
from personal import contents


@pytest.fixture
def shelf(personal):
    return personal.put_one_of_each_tier()


def test_an_unused_memory_is_archived_when_its_time_is_over(shelf, clock):
    data = (shelf.root / "T3.md").read_bytes()
    clock.advance(days=29)
    assert shelf.json("sweep")["archived"] == []
    clock.advance(days=2)
    answer = shelf.json("sweep")
    assert [(one["id"], one["reason"]) for one in answer["archived"]] == [("IN-T3", "expired")]
    assert shelf.names() == ["T0", "T1", "T2", "pinned"]
    assert data in shelf.files().values()
    shelf.json("restore", "IN-T3")
    assert (shelf.root / "T3.md").read_bytes() == data


TABLE = {
    0: "T0 T1 T2 T3 pinned",
    29: "T0 T1 T2 T3 pinned",
    30: "T0 T1 T2 pinned",
    89: "T0 T1 T2 pinned",
    90: "T0 T1 pinned",
    364: "T0 T1 pinned",
    365: "T0 pinned",
    730: "T0 pinned",
}
"""Days, and what is not hidden then of what nobody used."""


@pytest.mark.parametrize("swept", [False, True])
def test_two_years_of_one_memory_of_each_tier(shelf, clock, swept):
    """Another memory is used every ten days, so that the clock is believed."""
    shelf.put("used.md", "Something else.\n", id="USED")
    days = sorted({*TABLE, *range(0, 731, 10)})
    seen = {}
    for day in days:
        clock.now = START
        clock.advance(days=day)
        shelf.json("show", "USED")
        if swept:
            shelf.json("sweep")
        if day in TABLE:
            seen[day] = " ".join(name for name in shelf.names() if name != "used")
    assert seen == TABLE
    gone = {one["path"] for one in shelf.json("archive", "list")["archived"]}
    assert gone == ({"T1.md", "T2.md", "T3.md"} if swept else set())


def test_the_worked_example_of_the_clock(personal, clock):
    """Five counted recalls lift T3 to T2, since the fifth, swept or not."""
    personal.put("note.md", "Whales.\n", id="N", tier="T3", created="2026-03-01T06:00:00Z")
    at = START.replace(day=1)
    clock.now = at
    expiries = [personal.memory("N")["expires"][:16]]
    for day, hour in ((3, 6), (10, 6), (10, 6.5), (17, 6), (25, 6), (30, 6)):
        clock.now = at.replace(day=day, hour=int(hour), minute=int(hour % 1 * 60))
        personal.json("show", "N")
        expiries.append(personal.memory("N")["expires"][:16])
    assert expiries == [
        "2026-03-31T06:00",
        "2026-04-02T06:00",
        "2026-04-09T06:00",
        "2026-04-09T06:30",
        "2026-04-16T06:00",
        "2026-04-24T06:00",
        "2026-06-28T06:00",
    ]
    before = personal.memory("N")
    clock.now = at.replace(month=4, day=2)
    answer = personal.json("sweep")
    assert [(one["id"], one["from"], one["to"]) for one in answer["promoted"]] == [
        ("N", "T3", "T2")
    ]
    text = (personal.root / "note.md").read_text()
    assert "tier: T2\n" in text and "tier_since: 2026-03-30T06:00:00Z\n" in text
    after = personal.memory("N")
    assert [after[key] for key in ("tier", "expires")] == [
        before[key] for key in ("tier", "expires")
    ]


def test_a_living_memory_keeps_what_it_links_to(personal, clock):
    personal.put("old.md", "Old.\n", tier="T3")
    personal.put("keeper.md", "See [[old]].\n", tier="T1")
    personal.put("lonely.md", "Lonely.\n", tier="T3")
    personal.listed()
    clock.advance(days=31)
    assert personal.names() == ["keeper", "old"]
    answer = personal.json("sweep")
    assert len(answer["archived"]) == 1
    assert personal.names() == ["keeper", "old"]


@pytest.mark.parametrize("kind", ["legal", "unmanaged"])
def test_where_time_does_not_act_nothing_goes(personal, clock, tmp_path, kind):
    if kind == "legal":
        personal.muninn("vault", "create", "legal")
        root = personal.muninn.home / "vaults/legal"
    else:
        root = tmp_path / "unmanaged"
        root.mkdir()
        personal.muninn("vault", "add", root)
    (root / "t3.md").write_text("---\ntier: T3\n---\nWhales.\n")
    for _ in range(5):
        personal.add(f"Something else on {clock.now:%d %B %Y}.")
        clock.advance(days=50)
        personal.json("sweep", "--yes")
    assert "t3" in personal.names()
    assert not (root / ".muninn").exists()


# No more at once than five, or a fifth


@pytest.fixture
def crowd(personal, clock):
    """Thirty ephemeral memories whose time is over."""
    for number in range(30):
        personal.put(f"{number:02}.md", f"Note {number}.\n", tier="T3")
    personal.listed()
    clock.advance(days=31)
    return personal


def test_one_command_takes_a_fifth_and_names_the_rest(crowd):
    result = crowd.muninn("sweep", "--json")
    assert (len(result.json["archived"]), len(result.json["held"])) == (6, 24)
    assert "24 more" in result.err and "--yes" in result.err
    assert len(crowd.listed("--expired")) == 24


def test_a_person_may_say_yes_to_all_of_them(crowd):
    assert len(crowd.json("sweep", "--yes")["archived"]) == 30
    assert crowd.listed("--expired") == []


def test_a_dry_run_says_the_same_and_writes_nothing(crowd, home):
    crowd.listed()
    before = crowd.files(), contents(home / "state")
    dry = crowd.json("sweep", "--dry-run")
    assert (crowd.files(), contents(home / "state")) == before
    wet = crowd.json("sweep")
    assert [dry[key] for key in ("archived", "held", "promoted")] == [
        wet[key] for key in ("archived", "held", "promoted")
    ]
    assert (dry["dry_run"], dry["run"], wet["dry_run"]) == (True, None, False)


def test_over_budget_the_least_used_go(personal, clock):
    for number in range(6):
        personal.put(f"{number}.md", f"Note {number}.\n", id=f"N{number}", tier="T3")
    personal.listed()
    clock.advance(days=1)
    for number in (1, 4):
        personal.json("show", f"N{number}")
    answer = personal.json("sweep", env={"MUNINN_BUDGETS_T3": "2"})
    assert {one["reason"] for one in answer["archived"]} == {"budget"}
    assert personal.names() == ["1", "4"]


def test_one_vault_can_be_named(crowd, clock):
    crowd.muninn("vault", "create", "work")
    assert crowd.json("sweep", "--vault", "work")["archived"] == []
    assert crowd.muninn("sweep", "--vault", "wrok").code == 3


# What will go


def test_what_expires_soon_is_listed_the_first_to_go_first(shelf, clock):
    clock.advance(days=25)
    assert [hit["id"] for hit in shelf.json("expiring")["hits"]] == ["IN-T3"]
    assert [hit["id"] for hit in shelf.json("expiring", "--days", "90")["hits"]] == [
        "IN-T3",
        "IN-T2",
    ]
    assert shelf.json("expiring", "--days", "1")["hits"] == []
    assert "in 5 days" in shelf.muninn("expiring").out


def test_looking_at_it_does_not_keep_it(shelf, clock):
    clock.advance(days=25)
    before = shelf.memory("IN-T3")["expires"]
    shelf.muninn("expiring")
    assert shelf.memory("IN-T3")["expires"] == before
