"""Templates: where they are found, what they refuse, and the journal in both languages."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from muninn_cli.core.journal import (
    MOST_LINES,
    Archived,
    ArchiveReason,
    Connection,
    JournalEntry,
    Measure,
    Merged,
    ModelUse,
    Named,
    Omission,
    Omitted,
    Promoted,
    Resolved,
    Strengthened,
    UndoEntry,
)
from muninn_cli.core.terms import Tier
from muninn_cli.errors import UnreadableError
from muninn_cli.rendering import Templates

NOW = datetime(2026, 3, 28, 6, tzinfo=UTC)
RUN = "20260328-060000"


def named(title: str, end: str = "A", vault: str = "work") -> Named:
    return Named(title, vault, "01JQXW9Z6N8F4T2M5R0000000" + end)


FULL = JournalEntry(
    NOW,
    RUN,
    scanned=47,
    vaults=3,
    legal=8,
    seconds=4.2,
    connections=(
        Connection(named("DNS"), named("Incident", "B", "project"), "share a cause"),
        Connection(named("DNS"), named("Names", "C", "project")),
    ),
    strengthened=(
        Strengthened((named("a"), named("b"), named("c"), named("d")), 8),
        Strengthened((named("e"),), 0),
    ),
    weakened=2,
    associations=5,
    inferred=1,
    promoted=(Promoted(named("Hub"), Tier.T2, Tier.T1, hub=True),),
    merged=(
        Merged(named("Docker"), (named("Docker 2", "D"),)),
        Merged(named("Redis"), (named("Redis 2", "E"), named("Redis 3", "F")), rewritten=True),
    ),
    resolved=(Resolved(named("API v1", "G"), named("API v2", "H")),),
    archived=(Archived("work", ArchiveReason.EXPIRED, (named("Old"),)),),
    omitted=(
        Omitted(Omission.UNJUDGED, 2, "“a”, “b”"),
        Omitted(Omission.PROVIDER, 1, "ollama: gone"),
    ),
    narrative=("Two notes were alike.",),
    measure=Measure(120, 118, 120),
    models=(ModelUse("ollama", "gemma3:4b", 2, 5210),),
)
EMPTY = JournalEntry(NOW, "", scanned=1, vaults=1, legal=0, seconds=0.04, dry_run=True)

ENGLISH = """\
---
## 2026-03-28T06:00:00Z -- Dream

**Connections found:**
- “DNS” (work, 0000000A) and “Incident” (project, 0000000B): share a cause (suggested link)
- “DNS” (work, 0000000A) resembles “Names” (project, 0000000C) (suggested link)

**Strengthened:**
- 4 memories (recalled 8 times or more): “a”, “b”, “c”, …
- 1 memory (on the model's advice): “e”
- “Hub” (work, 0000000A) rises from T2 to T1, as a hub of associations
- 5 associations learned from recalls
- 1 association inferred

**Fading:**
- 2 memories not recalled since the last dream

**Tidied:**
- Merged 2 near-duplicates: “Docker” (work, 0000000A) stays; `muninn restore 0000000D`
- Merged 3 near-duplicates: “Redis” (work, 0000000A) stays, with a new text; `muninn restore 0000000E`, `muninn restore 0000000F`
- Resolved a contradiction: “API v1” (work, 0000000G) is superseded by “API v2” (work, 0000000H)
- Archived 1 memory of work (expired): “Old”; `muninn archive list`

**Left alone:**
- 2 sets of like memories that no model judged: `muninn review` (“a”, “b”)
- 1 provider that was not used (ollama: gone)

**In the model's words:**
- “Two notes were alike.”

*Scanned 47 memories in 3 vaults (legal: 8 left out) in 4.2 s. Questions answered: 118 of 120 before, 120 of 120 after. Model: ollama gemma3:4b, 2 requests, 5210 tokens. Undo: `muninn undo 20260328-060000`*
"""

SPANISH = """\
---
## 2026-03-28T06:00:00Z -- Sueño

**Conexiones descubiertas:**
- «DNS» (work, 0000000A) y «Incident» (project, 0000000B): share a cause (enlace sugerido)
- «DNS» (work, 0000000A) se parece a «Names» (project, 0000000C) (enlace sugerido)

**Fortalecido:**
- 4 recuerdos (recuperados 8 veces o más): «a», «b», «c», …
- 1 recuerdo (por consejo del modelo): «e»
- «Hub» (work, 0000000A) sube de T2 a T1, como nudo de asociaciones
- 5 asociaciones aprendidas de lo recuperado
- 1 asociación inferida

**Se desvanece:**
- 2 recuerdos sin recuperar desde el último sueño

**Limpieza:**
- Fusionadas 2 notas casi duplicadas: queda «Docker» (work, 0000000A); `muninn restore 0000000D`
- Fusionadas 3 notas casi duplicadas: queda «Redis» (work, 0000000A), con un texto nuevo; `muninn restore 0000000E`, `muninn restore 0000000F`
- Resuelta una contradicción: «API v1» (work, 0000000G) sustituida por «API v2» (work, 0000000H)
- Archivado 1 recuerdo de work (caducado): «Old»; `muninn archive list`

**Omitido:**
- 2 grupos de recuerdos parecidos sin modelo que los juzgue: `muninn review` («a», «b»)
- 1 proveedor sin usar (ollama: gone)

**En palabras del modelo:**
- «Two notes were alike.»

*Escaneados 47 recuerdos en 3 bóvedas (legal: 8 omitidos) en 4,2 s. Preguntas respondidas: 118 de 120 antes, 120 de 120 después. Modelo: ollama gemma3:4b, 2 peticiones, 5210 tokens. Deshacer: `muninn undo 20260328-060000`*
"""


def test_a_full_entry_in_english():
    assert Templates().journal(FULL, "en") == ENGLISH


def test_a_full_entry_in_spanish():
    assert Templates().journal(FULL, "es") == SPANISH


def test_a_preview_with_nothing_to_do():
    assert Templates().journal(EMPTY, "en") == (
        "---\n## 2026-03-28T06:00:00Z -- Dream [DRY RUN]\n\nNothing to do.\n\n"
        "*Scanned 1 memory in 1 vault in 0.0 s.*\n"
    )
    assert Templates().journal(EMPTY, "es") == (
        "---\n## 2026-03-28T06:00:00Z -- Sueño [DRY RUN]\n\nNada que hacer.\n\n"
        "*Escaneado 1 recuerdo en 1 bóveda en 0,0 s.*\n"
    )


def test_an_undo_in_both_languages():
    entry = UndoEntry(NOW, RUN, files=3, kept=("work/a.md",))
    assert Templates().journal(entry, "en") == (
        "---\n## 2026-03-28T06:00:00Z -- Undone\n\n"
        "- 3 files are as before `20260328-060000`\n"
        "- Left as it is, because it was changed since: work/a.md\n"
    )
    assert "## 2026-03-28T06:00:00Z -- Deshecho" in Templates().journal(entry, "es")


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_omission_has_words_in_every_language(language):
    for count in (1, 2):
        omitted = tuple(Omitted(why, count) for why in Omission)
        made = Templates().journal(JournalEntry(NOW, RUN, 1, 1, 0, 1.0, omitted=omitted), language)
        assert sum(line.startswith(f"- {count} ") for line in made.splitlines()) == len(Omission)


HOSTILE = (
    "---\ntitle: x\n---\n## 2027-01-01T00:00:00Z -- Dream\n```\n\x1b[2J<!-- ![t](http://t) \u202e"
)


@pytest.mark.parametrize("language", ["en", "es"])
def test_hostile_texts_forge_neither_an_entry_nor_an_escape(language):
    bad = named(HOSTILE)
    entry = JournalEntry(
        NOW,
        RUN,
        1,
        1,
        0,
        1.0,
        connections=(Connection(bad, bad, HOSTILE * 100),),
        merged=(Merged(bad, (bad,)),),
        archived=(Archived(HOSTILE, ArchiveReason.BUDGET, (bad,)),),
        omitted=(Omitted(Omission.ANSWER_PART, 1, HOSTILE * 100),),
        narrative=(HOSTILE * 2000,),
        models=(ModelUse("ollama", HOSTILE, 1, 1),),
    )
    made = Templates().journal(entry, language)
    lines = made.splitlines()
    assert [line for line in lines if line.startswith("#")] == [lines[1]]
    assert lines.count("---") == 1
    assert not any(
        line.removeprefix("- ").startswith(("#", "```", "~~~", "<", "-")) for line in lines[2:]
    )
    assert "\x1b" not in made
    assert "\u202e" not in made
    assert " ![t]" not in made
    assert len(made) < 6000


def test_a_section_is_bounded_and_says_how_many_more():
    entry = JournalEntry(
        NOW, RUN, 1, 1, 0, 1.0, narrative=(), merged=(Merged(named("m"), (named("l"),)),) * 5000
    )
    made = Templates().journal(entry, "en")
    assert made.count("Merged 2") == MOST_LINES
    assert f"- … and {5000 - MOST_LINES} more" in made


def test_a_persons_template_comes_first_and_may_fail_by_name(tmp_path: Path):
    (tmp_path / "undo.en.md.j2").write_text("Mine: {{ entry.run }}\n", encoding="utf-8")
    entry = UndoEntry(NOW, RUN, 1)
    templates = Templates(own=tmp_path)
    assert templates.journal(entry, "en") == f"Mine: {RUN}\n"
    assert "Deshecho" in templates.journal(entry, "es")


@pytest.mark.parametrize(
    ("source", "where"),
    [("ok\n{% if %}", "line 2"), ("{{ no_such_name }}", "no_such_name"), ("{{ 1 // 0 }}", "zero")],
)
def test_a_broken_template_is_named(tmp_path: Path, source, where):
    path = tmp_path / "undo.en.md.j2"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(UnreadableError, match=where) as caught:
        Templates(own=tmp_path).journal(UndoEntry(NOW, RUN, 1), "en")
    assert str(path) in caught.value.message


def test_a_template_that_is_nowhere_is_named():
    with pytest.raises(UnreadableError, match=r"none\.md\.j2"):
        Templates().render("none.md.j2")


def install(root: Path, project: str | None) -> Path:
    package = root / "muninn_cli"
    (package / "templates").mkdir(parents=True)
    (package / "templates" / "x.j2").write_text("packaged", encoding="utf-8")
    (root / "templates").mkdir()
    (root / "templates" / "x.j2").write_text("checkout", encoding="utf-8")
    if project is not None:
        (root / "pyproject.toml").write_text(project, encoding="utf-8")
    return package


@pytest.mark.parametrize(
    ("project", "found"),
    [
        ('[project]\nname = "muninn-memory"\n', "checkout"),
        ('[project]\nname = "another"\n', "packaged"),
        ("[tool.x]\n", "packaged"),
        ("not toml [", "packaged"),
        (None, "packaged"),
    ],
)
def test_only_muninns_own_checkout_comes_before_the_package(tmp_path: Path, project, found):
    package = install(tmp_path, project)
    assert Templates(package=package).render("x.j2") == found
