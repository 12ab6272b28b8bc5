"""Memories on their way out."""

from __future__ import annotations

import pytest
from indexed import NOW, Indexed

from muninn_cli.core.words import Stems, stop_words
from muninn_cli.embedding import open_embedder
from muninn_cli.errors import ConflictError
from muninn_cli.recall.export import Missed, Outgoing, outgoing, write_files
from muninn_cli.recall.query import Tools
from muninn_cli.store.index.connection import open_reader
from muninn_cli.store.index.filters import Filters
from muninn_cli.store.index.rows import vault_numbers


def test_a_file_that_has_just_gone_is_missed_and_the_others_go_out(tmp_path):
    vaults = Indexed(tmp_path)
    vault = vaults.vault()
    gone = vaults.put("gone.md", "one")
    vaults.put("stays.md", "two")
    vaults.sync()
    gone.unlink()
    with open_reader(vaults.home.index_db) as connection:
        languages = ("en",)
        tools = Tools(
            connection,
            lambda: open_embedder("builtin", tmp_path),
            Stems(languages),
            stop_words(languages),
            NOW,
        )
        chosen = Filters(vault_numbers(connection, [vault.id]))
        found = list(outgoing(chosen, [vault], vaults.home, tools))
    missed = [piece.name for piece in found if isinstance(piece, Missed)]
    paths = [piece.record.path for piece in found if isinstance(piece, Outgoing)]
    assert (missed, paths) == (["notes/gone.md"], ["stays.md"])


def test_a_folder_that_holds_something_is_left_as_it_is(tmp_path):
    (tmp_path / "mine.md").write_text("mine")
    with pytest.raises(ConflictError):
        write_files([], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]
