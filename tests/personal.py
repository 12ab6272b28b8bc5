"""The vault `personal` of a test's home: files put there by hand, and commands run on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexed import memory_text

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Muninn

MODES = ("hybrid", "semantic", "fulltext")


@dataclass(frozen=True)
class Personal:
    """A vault that muninn manages, seen from the command line and from the disk."""

    muninn: Muninn

    @property
    def root(self) -> Path:
        return self.muninn.home / "vaults" / "personal"

    def put(self, path: str, body: str = "", **fields: object) -> Path:
        """Write a memory file as a person would; without fields it has no front matter."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        written = {key: str(value) for key, value in fields.items()}
        place.write_text(memory_text(body, **written), encoding="utf-8", newline="")
        return place

    def json(self, *args: object, **options):
        """The answer of a command that works, as JSON."""
        result = self.muninn("--json", *map(str, args), **options)
        assert result.code == 0, result.err
        return result.json

    def add(self, text: str, *options: object, **given):
        """The answer of `add`."""
        return self.json("add", text, *options, **given)

    def memory(self, handle: str):
        """One memory, looked at without using it."""
        return self.json("show", handle, "--no-recall")["memory"]

    def paths(self, *args: object) -> list[str]:
        """The paths that a listing command gives, in its order."""
        return [hit["path"] for hit in self.json(*args)["hits"]]

    def listed(self, *options: object) -> list[str]:
        return sorted(self.paths("list", *options))

    def names(self, *options: object) -> list[str]:
        """What is listed, without the ends of the file names."""
        return [path.removesuffix(".md") for path in self.listed(*options)]

    def put_one_of_each_tier(self) -> Personal:
        """Memories T0 to T3 with the ids IN-T0 to IN-T3, and one that is pinned; all seen now."""
        for tier in ("T0", "T1", "T2", "T3"):
            self.put(f"{tier}.md", f"Whales of tier {tier}.\n", id=f"IN-{tier}", tier=tier)
        self.put("pinned.md", "Whales, pinned.\n", id="PINNED", tier="T3", pinned="true")
        self.listed()
        return self

    def found(self, query: str, *options: object) -> list[str]:
        """What a search that is not noted gives."""
        return self.paths("search", "--no-recall", *options, "--", query)

    def files(self) -> dict[str, bytes]:
        """Every file below the vault, by path: what a command must not touch."""
        return contents(self.root)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
