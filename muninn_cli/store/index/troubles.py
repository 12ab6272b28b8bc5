"""What is wrong in files, as the index noted it when it read them. Only reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.core.memory import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from muninn_cli.store.index.connection import Connection


class Trouble(NamedTuple):
    """A file of a vault and one cause; `line` is 0 where it is unknown."""

    vault: str
    path: str
    line: int
    cause: str


def troubles(connection: Connection) -> Iterator[Trouble]:
    """Everything that could not be read as meant, by vault and path.

    In a vault that is only registered, a known key may have another program's meaning.
    """
    query = """
        SELECT v.name, v.managed,
            iif(f.folder = '', f.name, f.folder || '/' || f.name) AS path, f.problems
        FROM file f JOIN vault v ON v.num = f.vault
        WHERE f.problems != '[]' ORDER BY v.name, path"""
    for vault, managed, path, problems in connection.execute(query):
        for problem in map(Problem._make, json.loads(problems)):
            if managed or not problem.is_foreign:
                yield Trouble(vault, path, *problem)
