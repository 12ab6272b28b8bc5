"""What is shipped: a wheel with all that the program needs, found from there and from a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import muninn_cli
from muninn_cli.rendering import Templates

ROOT = Path(muninn_cli.__file__).parent.parent
PLACES = """
import sys, site
site.addsitedir(sys.argv[1])
from pathlib import Path
from muninn_cli.rendering import Templates
from muninn_cli.cli.demo import SAMPLES
from muninn_cli.embedding import open_embedder
print(Templates().folders[-1])
print(SAMPLES)
print(open_embedder("builtin", Path("/nowhere")).dimension)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    builder = pytest.importorskip("hatchling.builders.wheel").WheelBuilder(str(ROOT))
    (path,) = builder.build(directory=str(tmp_path_factory.mktemp("wheel")))
    return zipfile.ZipFile(path)


def places(site: Path, tmp_path: Path) -> list[str]:
    """Where a program installed into `site` finds templates and samples; its model's dimension."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", PLACES, site],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def shipped(folder: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_code_model_samples_and_templates(wheel):
    names = set(wheel.namelist())
    assert shipped("muninn_cli") <= names
    assert {f"muninn_cli/{path}" for path in shipped("templates")} <= names
    assert any(name.startswith("muninn_cli/models/") for name in names)
    assert any(name.startswith("muninn_cli/samples/") for name in names)


def test_the_wheel_holds_the_manual_and_the_completions_where_systems_look(wheel):
    data = {name.partition(".data/data/")[2]: name for name in wheel.namelist() if ".data/" in name}
    sources = {
        "share/man/man1/muninn.1": "man/muninn.1",
        "share/man/man5/muninn-memory.5": "man/muninn-memory.5",
        "share/bash-completion/completions/muninn": "completions/muninn.bash",
        "share/zsh/site-functions/_muninn": "completions/_muninn",
        "share/fish/vendor_completions.d/muninn.fish": "completions/muninn.fish",
    }
    assert set(data) == set(sources)
    for place, source in sources.items():
        assert wheel.read(data[place]) == (ROOT / source).read_bytes()


def test_the_wheel_carries_its_licences_and_its_command(wheel):
    names = {Path(name).name for name in wheel.namelist() if ".dist-info/" in name}
    assert {"LICENSE", "NOTICE", "entry_points.txt"} <= names
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, function = project["scripts"]["muninn"].partition(":")
    assert callable(getattr(import_module(module), function))


def test_nothing_else_is_in_the_wheel(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top.partition("-")[0] for top in tops} == {"muninn_cli", "muninn_memory"}


def test_an_unpacked_wheel_finds_its_own(wheel, tmp_path):
    site = tmp_path / "site"
    wheel.extractall(site)
    (site / "muninn.pth").write_text(f"import sys; sys.path.insert(0, {str(site)!r})\n")
    templates, samples, dimension = places(site, tmp_path)
    assert templates == str(site / "muninn_cli" / "templates")
    assert samples == str(site / "muninn_cli" / "samples" / "vault")
    assert dimension == "256"


def test_an_unpacked_wheel_works_for_a_person_with_nothing(wheel, tmp_path):
    site, home = tmp_path / "site", tmp_path / "empty"
    wheel.extractall(site)
    home.mkdir()
    program = f"import sys; sys.path.insert(0, {str(site)!r}); from muninn_cli.cli import process"
    for words, said in (
        (["demo"], "Merged 2 near-duplicates"),
        (["add", "El ascensor se arregla los lunes."], "Added "),
        (["search", "when is the lift mended"], "ascensor"),
        (["dream", "--dry-run", "--force"], "[DRY RUN]"),
        (["journal"], "No dream yet"),
    ):
        done = subprocess.run(
            [sys.executable, "-P", "-c", f"{program}; process()", *words],
            cwd=tmp_path,
            env={"HOME": str(home), "PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
    assert (home / ".muninn" / "config.toml").is_file()


def test_an_editable_install_finds_the_templates_of_the_checkout(tmp_path):
    site = tmp_path / "site"
    stale = site / "muninn_cli" / "templates"
    stale.mkdir(parents=True)  # as pip leaves it: what the wheel includes by force is copied
    (site / "muninn_memory.pth").write_text(f"{ROOT}\n")
    assert places(site, tmp_path)[0] == str(ROOT / "templates")


def test_the_checkout_finds_its_templates():
    assert Templates().folders == (ROOT / "templates",)
