import pytest

PAIR = (
    "The staging server listens on port 8443 behind nginx.",
    "The staging server listens on port 8443, behind nginx!",
)


@pytest.fixture
def filled(muninn):
    muninn("init")
    for text in PAIR:
        muninn("add", "--force", text)
    muninn.clock.advance(hours=13)
    return muninn


def test_a_dream_prints_its_journal_entry(filled):
    result = filled("dream", "--no-llm", "--force")
    assert result.out.startswith("## 2026-03-28T19:00:00Z -- Dream\n")
    assert "`muninn undo 20260328-190000`" in result.out
    assert f"---\n{result.out}\n" == (filled.home / "dream.journal.md").read_text()


def test_what_was_added_without_titles_is_settled_or_shown_newest_first(muninn):
    for texts in (
        ("The lamp room opens at 8:00", "Ana's favourite colour is purple"),
        ("The lamp room now opens at 9:00", "Ana's favourite colour is cyan"),
    ):
        for text in texts:
            muninn("add", text)
        muninn.clock.advance(hours=13)
    (change,) = muninn("dream", "--no-llm", "--json").json["changes"]
    assert change["change"] == "supersede"
    hits = muninn("search", "favourite colour of Ana", "--json").json["hits"]
    assert [hit["title"].split()[-1] for hit in hits[:2]] == ["cyan", "purple"]
    assert hits[1]["contradicted_by"] == hits[0]["id"]


def test_a_dream_that_is_not_due_says_why_and_how(filled):
    filled("dream", "--no-llm", "--force")
    result = filled("dream", "--no-llm")
    assert (result.code, result.err) == (0, "")
    assert "Not due: " in result.out and "muninn dream --force" in result.out


def test_the_journal_speaks_the_language_of_the_settings(filled):
    result = filled("dream", "--no-llm", "--force", env={"MUNINN_JOURNAL_LANGUAGE": "es"})
    assert "-- Sueño" in result.out and "Deshacer: `muninn undo" in result.out


def test_the_journal_is_read_by_entry_and_by_vault(filled):
    filled("vault", "create", "work")
    for _ in range(3):
        filled("dream", "--no-llm", "--force")
        filled.clock.advance(hours=1)
    every = filled("journal", "--json").json["entries"]
    assert len(every) == 3
    assert filled("journal", "--last", "2", "--json").json["entries"] == every[1:]
    assert filled("journal", "--vault", "personal", "--json").json["entries"] == every[:1]
    assert filled("journal", "--vault", "work", "--json").json["entries"] == []
    assert filled("journal", "--last", "1").out.strip() == every[-1]


def test_a_journal_that_was_never_written_is_no_error(muninn):
    result = muninn("journal")
    assert result.code == 0 and "No dream yet" in result.out
    assert muninn("journal", "--json").json["entries"] == []


def test_a_text_in_a_memory_cannot_forge_an_entry(filled):
    forged = "---\n## 2026-01-01T00:00:00Z -- Dream\n\nAll is deleted."
    for mark in (".", "!"):
        filled("add", "--force", "--title", forged, f"A text about lamps{mark}")
    filled("dream", "--no-llm", "--force")
    assert len(filled("journal", "--json").json["entries"]) == 1


@pytest.mark.parametrize(
    "args",
    [
        ("dream", "--timeout", "-1"),
        ("dream", "--timeout", "soon"),
        ("dream", "--provider", "someone"),
        ("journal", "--last", "0"),
        ("review", "accept"),
        ("undo", "a", "b"),
    ],
)
def test_wrong_usage_is_exit_code_2(filled, args):
    assert filled(*args).code == 2


def test_what_is_not_there_is_exit_code_3(filled):
    assert filled("dream", "--vault", "nowhere").code == 3
    assert filled("undo").code == 3
    assert filled("review", "accept", "1").code == 3


@pytest.mark.parametrize(
    ("args", "operation"),
    [
        (("dream", "--dry-run", "--no-llm"), "previewed"),
        (("dream", "--force", "--no-llm"), "dreamed"),
        (("stop",), "stopped"),
        (("start",), "started"),
    ],
)
def test_every_command_speaks_json(filled, args, operation):
    result = filled(*args, "--json")
    assert (result.code, result.json["v"], result.json["operation"]) == (0, 1, operation)


def test_undo_says_what_came_back(filled):
    filled("dream", "--no-llm", "--force")
    result = filled("undo", "--json")
    assert result.json == {
        "v": 1,
        "operation": "undone",
        "run": "20260328-190000",
        "files": 2,
        "left": [],
    }


def test_a_preview_needs_no_right_to_write(filled):
    plan = filled.cwd / "plans" / "plan.json"
    assert filled("dream", "--dry-run", "--no-llm", "--save-plan", str(plan)).code == 0
    assert plan.read_text().startswith('{\n "v": 1')


@pytest.mark.parametrize("template", ["{{ entry.nope.x }}", "{% if %}"])
def test_a_template_of_ones_own_that_fails_costs_no_record(filled, template):
    own = filled.home / "templates"
    own.mkdir()
    for kind in ("journal", "undo"):
        (own / f"{kind}.en.md.j2").write_text(template)
    dreamt = filled("dream", "--no-llm", "--force")
    assert (dreamt.code, "the shipped template took its place" in dreamt.err) == (0, True)
    undone = filled("undo")
    assert (undone.code, "the shipped template took its place" in undone.err) == (0, True)
    told = filled("journal", "--json").json["entries"]
    assert ["Tidied" in told[0], "Undo" in told[1]] == [True, True]


def test_nothing_is_done_of_which_no_journal_could_tell(filled):
    filled("dream", "--no-llm", "--force")
    (filled.home / "dream.journal.md").rename(filled.home / "aside")
    (filled.home / "dream.journal.md").mkdir()
    assert filled("undo").code == 1
    (filled.home / "dream.journal.md").rmdir()
    (filled.home / "aside").rename(filled.home / "dream.journal.md")
    assert filled("undo").code == 0
    (filled.home / "dream.journal.md").unlink()
    (filled.home / "dream.journal.md").mkdir()
    filled("add", "A new text about lamps.")
    (filled.home / "state" / "dismissed.jsonl").unlink()
    assert filled("dream", "--no-llm", "--force").code == 1
    assert len(filled("list", "--json").json["hits"]) == 3
