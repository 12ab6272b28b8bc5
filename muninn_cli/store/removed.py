"""Vaults that were taken off the list: their ids, kept so that a return loses nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store import files

if TYPE_CHECKING:
    from pathlib import Path

    from muninn_cli.store.vault import Vault


class Former(NamedTuple):
    """The identity of a vault that was on the list."""

    id: str
    id_name: str


def note(path: Path, vault: Vault) -> None:
    """Keep the identity of the vault at its place."""
    places = _places(path) | {str(vault.root): {"id": vault.id, "id_name": vault.id_name}}
    text = json.dumps({"v": 1, "vaults": places}, ensure_ascii=False, indent=1)
    files.write(path, f"{text}\n".encode())


def former(path: Path, root: Path) -> Former | None:
    """The identity that a vault at this place had."""
    place = _places(path).get(str(root))
    try:
        return Former(str(place["id"]), str(place["id_name"])) if place else None
    except (KeyError, TypeError):
        return None


def _places(path: Path) -> dict[str, dict[str, str]]:
    """Identities by real path; none where the file is missing or cannot be understood."""
    try:
        places = json.loads(path.read_bytes())["vaults"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return {}
    return places if isinstance(places, dict) else {}
