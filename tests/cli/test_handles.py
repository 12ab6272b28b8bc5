"""What a handle means while another process writes the index."""

from __future__ import annotations

import threading

from conftest import START

from muninn_cli.store.lock import hold


def test_an_archived_memory_keeps_the_name_of_its_file(personal) -> None:
    personal.put("deep/whales.md", "They sing.\n", title="Song", id="WHALES1")
    personal.muninn("archive", "Song")
    for handle in ("whales.md", "whales", "deep/whales.md"):
        assert personal.json("show", handle)["memory"]["id"] == "WHALES1"
    personal.put("other/whales.md", "Others.\n", id="WHALES2")
    assert personal.json("show", "whales.md")["memory"]["id"] == "WHALES2"


def test_an_ambiguous_name_of_archived_texts_lists_them_line_by_line(personal) -> None:
    for number in (1, 2):
        personal.put(f"{number}.md", "text\n", id=f"0000{number}", title="Twin")
        personal.muninn("archive", f"0000{number}")
    lines = personal.muninn("restore", "Twin").err.splitlines()
    assert lines[1:] == ["  use one of", "    00001  1.md", "    00002  2.md"]


def test_a_memory_that_is_not_indexed_yet_is_waited_for(muninn, personal, home) -> None:
    personal.add("Releases go out on Friday")
    personal.put("new.md", "written by another process", id="NEW")
    taken, release = threading.Event(), threading.Event()

    def write_the_index() -> None:
        with hold(home / "state" / "locks" / "index.lock", now=START, host="test", pid=1):
            taken.set()
            release.wait()

    writer = threading.Thread(target=write_the_index)
    writer.start()
    taken.wait()
    threading.Timer(0.6, release.set).start()  # longer than a read waits
    answer = muninn("pin", "NEW", "--json")
    writer.join()
    assert (answer.code, answer.json["operation"]) == (0, "pinned")
    assert "pinned: true" in (personal.root / "new.md").read_text()
