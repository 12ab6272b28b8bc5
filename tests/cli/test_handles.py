"""What a handle means while another process writes the index."""

from __future__ import annotations

import threading

from conftest import START

from muninn_cli.store.lock import hold


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
