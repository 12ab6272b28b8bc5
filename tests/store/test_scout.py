"""The scout: it sees what a walk sees, or says nothing."""

import io
import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

from muninn_cli.core.listing import digest
from muninn_cli.store import scout
from muninn_cli.store.scout import Scout, heard, send_scout
from muninn_cli.store.walk import walk_vault

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for path in ("a.md", "deep/er/b.md", "deep/c.md", "empty/x.txt", ".muninn/archive/d.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    return root


def walked(root: Path) -> dict[str, bytes]:
    return {folder.path: digest(folder.files) for folder in walk_vault(root) if folder.files}


def test_it_finds_what_a_walk_finds(vault):
    assert Scout([vault]).digests() == {vault: walked(vault)}
    assert set(walked(vault)) == {"", "deep", "deep/er", ".muninn/archive"}


def test_a_change_after_its_walk_is_not_taken_for_seen(vault):
    before = Scout([vault]).digests()
    (vault / "deep" / "c.md").write_text("longer")
    assert before[vault]["deep"] != walked(vault)["deep"]


def test_it_answers_once(vault):
    sent = Scout([vault])
    assert sent.digests()
    assert sent.digests() == {}


def test_one_folder_that_cannot_be_listed_silences_it(vault, tmp_path):
    assert Scout([vault, tmp_path / "gone"]).digests() == {}


def test_a_report_that_was_cut_short_says_nothing(vault):
    entries = [(str(vault), path, known) for path, known in walked(vault).items()]
    report = b"".join(map(marshal.dumps, [*entries, None]))
    assert heard(io.BytesIO(report)) == {vault: walked(vault)}
    for length in range(len(report)):
        assert heard(io.BytesIO(report[:length])) == {}


def test_its_process_is_not_left_behind(vault):
    sent = Scout([vault])
    process = sent._process
    sent.digests()
    with pytest.raises(ChildProcessError):
        os.waitpid(process, 0)


def test_who_reads_the_output_does_not_wait_for_it(vault):
    """A scout that walks on must not hold the pipe of stdout open."""
    script = f"""
import os, time
from pathlib import Path
from muninn_cli.store import scout
scout._walk = lambda roots, report: time.sleep(60)
scout.Scout([Path({str(vault)!r})])
os._exit(0)"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_is_sent_only_where_there_is_much_to_walk(muninn, personal, monkeypatch):
    assert send_scout(muninn.world()) is None
    personal.put("a.md", "zebra")
    muninn("sync")
    assert send_scout(muninn.world()) is None
    monkeypatch.setattr(scout, "WORTH_IT", 0)
    assert send_scout(muninn.world()).digests() == {personal.root: walked(personal.root)}


def test_settings_that_cannot_be_read_are_left_to_the_command(muninn, personal, monkeypatch):
    monkeypatch.setattr(scout, "WORTH_IT", 0)
    muninn("list")
    (muninn.home / "config.toml").write_text("[vaults\n")
    assert send_scout(muninn.world()) is None
