"""What a command loads: the start of a process is guarded by its imports, not by a stopwatch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPORT = """
import sys
before = set(sys.modules)
if {scouting}:
    from muninn_cli.store import scout
    scout.WORTH_IT = 0
from muninn_cli.cli import main
code = main({argv})
loaded = set(sys.modules) - before
sys.__stderr__.write("\\n" + " ".join(sorted(loaded)))
sys.exit(code)
"""

HELP = {
    "muninn_cli",
    *(f"muninn_cli.{name}" for name in ("cli", "core", "errors", "world")),
    *(f"muninn_cli.cli.{name}" for name in ("call", "console", "fitting", "group", "options")),
    *("muninn_cli.cli.run", "muninn_cli.core.suggestion"),
}
"""All of muninn that the overview needs: it knows every command by name and imports none."""

SLOW = {
    *("asyncio", "concurrent", "dataclasses", "decimal", "email", "hashlib", "http", "logging"),
    *("multiprocessing", "random", "shutil", "socket", "ssl", "subprocess", "tempfile"),
}
"""Modules of the standard library that take a millisecond or more and are needed for no search."""

WRITING = {
    f"muninn_cli.store.{name}" for name in ("lock", "sync.apply", "sync.vault", "index.lives")
}
"""What only a sync that finds something new may load."""

MEANING = {"muninn_cli.embedding.embedder", "muninn_cli.recall.rerank", "muninn_cli.core.dates"}
"""What a search by words alone does without."""

READING = {
    "full text": ("search", "zebra", "--mode", "fulltext"),
    "semantic": ("search", "zebra", "--mode", "semantic", "--no-recall"),
    "hybrid": ("search", "zebra", "--no-recall"),
    "list": ("list",),
    "show": ("show", "stripes", "--no-recall"),
}


@pytest.fixture
def loaded(muninn, personal):
    """Runs a command in a process of its own and gives the modules that it imported."""
    personal.put("stripes.md", "A zebra has stripes.", id="01HZEBRA", title="Stripes")

    def run(*argv: str, scouting: bool = False) -> set[str]:
        script = REPORT.format(argv=list(argv), scouting=scouting)
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | muninn.env,
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return set(done.stderr.rpartition("\n")[2].split())

    run("sync")  # by the clock of these processes: a long silence would be another start
    return run


def packages(modules: set[str]) -> set[str]:
    """The packages from outside that modules belong to; parts of their own with an underscore."""
    tops = {name.partition(".")[0] for name in modules}
    ours = {top for top in tops if top.startswith(("_", "muninn_cli", "cython"))}
    return tops - sys.stdlib_module_names - ours


def tops(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def own(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith("muninn_cli")}


def test_help_loads_click_and_a_handful_of_modules(loaded):
    modules = loaded("--help")
    assert packages(modules) == {"click"}
    assert own(modules) == HELP
    assert tops(modules) & (SLOW | {"json", "pathlib", "tomllib"}) == set()


@pytest.mark.parametrize("argv", READING.values(), ids=READING)
def test_reading_loads_no_heavy_library(loaded, argv):
    modules = loaded(*argv)
    allowed = {"yaml"} if argv[0] == "show" else set()  # the memory's own file is read
    assert packages(modules) == {"click", "apsw", "Stemmer"} | allowed
    if argv[0] != "show":
        assert tops(modules) & SLOW == set()


@pytest.mark.parametrize("argv", READING.values(), ids=READING)
def test_reading_with_nothing_changed_loads_nothing_that_writes_the_index(loaded, argv):
    assert loaded(*argv) & WRITING == set()


def test_full_text_loads_nothing_of_vectors_or_of_the_rerank(loaded):
    assert loaded(*READING["full text"]) & MEANING == set()


def test_a_use_noted_before_is_taken_in_without_the_libraries_that_read_files(loaded):
    loaded("search", "zebra", "--mode", "fulltext")
    modules = loaded("search", "zebra", "--mode", "fulltext")
    assert "muninn_cli.store.sync.apply" in modules
    assert packages(modules) == {"click", "apsw", "Stemmer"}
    assert tops(modules) & SLOW == set()


@pytest.mark.parametrize("argv", READING.values(), ids=READING)
def test_what_a_scout_has_walked_is_not_walked_again(loaded, personal, argv):
    assert "muninn_cli.store.walk" not in loaded(*argv, scouting=True)
    personal.put("new.md", "A zebra is new.")
    assert "muninn_cli.store.walk" in loaded(*argv, scouting=True)
    assert "new.md" in personal.listed()
