"""The house rules that a machine can hold."""

from __future__ import annotations

import ast
from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

import muninn_cli

PACKAGE = Path(muninn_cli.__file__).parent
MODULES = {
    str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
TREES = {name: ast.parse(text) for name, text in MODULES.items()}

LONGEST_FILE = 300
LONGEST_FUNCTION = 45
"""Lines of a function, its docstring and a long signature included."""

OUTSIDE = {"os.environ", "datetime.now", "time.time", "sys.stdin", "sys.stdout"}
MAY_LOOK_OUTSIDE = {
    "world.py",
    "cli/__init__.py",  # flushes the streams before the process ends
    "cli/run.py",  # sets the streams of the world in the place of those of the process
    "store/git.py",  # hands the environment on to git
}


def test_imports_only_go_down_and_the_core_is_pure(monkeypatch):
    monkeypatch.chdir(PACKAGE.parent)
    assert lint_imports(cache_dir=None) == EXIT_STATUS_SUCCESS


def test_no_file_is_too_long():
    lengths = {name: len(text.splitlines()) for name, text in MODULES.items()}
    assert {name: n for name, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_function_is_too_long():
    lengths = {
        f"{name}: {node.name}": node.end_lineno - node.lineno + 1
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    assert {name: n for name, n in lengths.items() if n > LONGEST_FUNCTION} == {}


def test_every_module_says_what_it_is_for():
    assert [n for n, text in MODULES.items() if text and not ast.get_docstring(TREES[n])] == []


def test_environment_clock_and_streams_come_from_the_world():
    looking = {
        name: ast.unparse(node)
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in OUTSIDE
    }
    assert set(looking) <= MAY_LOOK_OUTSIDE, looking
