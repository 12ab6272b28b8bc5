"""Where the index and the vaults differ, found without opening a file or writing anything.

This is all that a sync does when nothing has changed, so it is kept lean: one look at the index,
one walk over each vault, and a digest of each folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muninn_cli.store.index.connection import has_vec0
from muninn_cli.store.sync.report import VaultFailure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from muninn_cli.config import Settings
    from muninn_cli.core.listing import Stamp
    from muninn_cli.paths import Home
    from muninn_cli.store.index.connection import Connection
    from muninn_cli.store.scout import Scout
    from muninn_cli.store.vault import Vault


class VaultRow(NamedTuple):
    """A vault as the index knows it."""

    num: int
    id: str
    name: str
    kind: str
    managed: bool
    ages: bool
    usage_size: int

    def describes(self, vault: Vault) -> bool:
        """Whether the row says what the vault is now."""
        known = (self.name, self.kind, self.managed, self.ages)
        return known == (vault.name, vault.kind, vault.managed, vault.ages)


class Survey:
    """How one vault differs from what the index holds of it; `row` is None for a new vault.

    `differing` are the listings of folders that have another digest, `vanished` the paths of
    folders that are gone, `failures` causes by the path of a folder that could not be listed:
    what the index holds of it, and of those below it, stays. `used`: its usage log has grown.
    """

    def __init__(self, vault: Vault, row: VaultRow | None, *, used: bool) -> None:
        self.vault = vault
        self.row = row
        self.used = used
        self.differing: dict[str, list[Stamp]] = {}
        self.vanished: set[str] = set()
        self.failures: dict[str, str] = {}

    @property
    def is_clean(self) -> bool:
        found = self.differing or self.vanished or self.used
        return not found and self.row is not None and self.row.describes(self.vault)


class Difference(NamedTuple):
    """All that a sync has to do.

    `removed` are vaults of the index that are on no list; `meta` is what the index says of itself
    and `wanted` what it should say; `filling`: vectors are missing. `version` is that of the data.
    """

    surveys: tuple[Survey, ...]
    removed: tuple[VaultRow, ...]
    meta: Mapping[str, str]
    wanted: Mapping[str, str]
    filling: bool
    version: int

    @property
    def is_clean(self) -> bool:
        if self.removed or self.filling or not self.wanted.items() <= self.meta.items():
            return False
        return all(survey.is_clean for survey in self.surveys)

    @property
    def is_usage_only(self) -> bool:
        """Whether nothing but usage logs has changed."""
        others = self._replace(surveys=())
        return others.is_clean and not any(s.differing or s.vanished for s in self.surveys)

    def has_changed(self, key: str) -> bool:
        """Whether a setting is another than the one the index was made with."""
        return self.meta.get(key) != self.wanted[key]

    @property
    def other_languages(self) -> bool:
        """Whether the words of the index are stemmed in other languages."""
        return "languages" in self.meta and self.has_changed("languages")


def look(
    connection: Connection,
    vaults: Sequence[Vault],
    home: Home,
    settings: Settings,
    scout: Scout | None = None,
) -> Difference:
    """Compare the index with the vaults, the usage logs and the settings.

    A vault that a scout has found as the index has it is not walked again.
    """
    version = data_version(connection)
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    rows = {row.id: row for row in map(_row, connection.execute(_VAULTS))}
    digests: dict[int, dict[str, bytes]] = {row.num: {} for row in rows.values()}
    for num, path, known in connection.execute("SELECT vault, path, digest FROM folder"):
        digests[num][path] = known
    listed = {vault.id for vault in vaults}
    seen = scout.digests() if scout else {}
    waiting = "SELECT 1 FROM chunk WHERE stage < 2 LIMIT 1"
    return Difference(
        surveys=tuple(
            _survey(vault, rows.get(vault.id), digests, home, seen.get(vault.root))
            for vault in vaults
        ),
        removed=tuple(row for row in rows.values() if row.id not in listed),
        meta=meta,
        wanted=_wanted(settings),
        filling=wants_engine(connection) or connection.value(waiting) is not None,
        version=version,
    )


def failures(difference: Difference) -> tuple[VaultFailure, ...]:
    """The folders that could not be listed."""
    return tuple(
        VaultFailure(survey.vault.name, f"{survey.vault.root / path} cannot be listed: {cause}")
        for survey in difference.surveys
        for path, cause in survey.failures.items()
    )


_VAULTS = "SELECT num, id, name, kind, managed, ages, usage_size FROM vault"


def data_version(connection: Connection) -> int:
    """A number that changes when another connection commits."""
    return int(connection.pragma("data_version"))


def _wanted(settings: Settings) -> dict[str, str]:
    """The settings that the content of the index depends on, as `meta` holds them."""
    tiers = settings.tiers
    limits = (tiers.t1_days, tiers.t2_days, tiers.t3_days, tiers.promote_after)
    return {
        "model": settings.embedding.model,
        "languages": " ".join(settings.search.languages),
        "limits": " ".join(map(str, limits)),
    }


def wants_engine(connection: Connection) -> bool:
    """Whether there are vectors, and vec0 can be loaded now to search them, but could not be."""
    if not connection.exact_scan:
        return False
    return connection.value("SELECT 1 FROM embedding LIMIT 1") is not None and has_vec0(connection)


def _row(row: tuple[int, str, str, str, int, int, int]) -> VaultRow:
    num, vault_id, name, kind, managed, ages, size = row
    return VaultRow(num, vault_id, name, kind, bool(managed), bool(ages), size)


def _survey(
    vault: Vault,
    row: VaultRow | None,
    digests: Mapping[int, Mapping[str, bytes]],
    home: Home,
    seen: Mapping[str, bytes] | None,
) -> Survey:
    known: Mapping[str, bytes] = digests[row.num] if row else {}
    survey = Survey(vault, row, used=_usage_size(home, vault) != (row.usage_size if row else 0))
    if seen != known:
        _walk(survey, known)
    return survey


def _walk(survey: Survey, known: Mapping[str, bytes]) -> None:
    """Compare every folder of a vault with its digest; what a scout does is not loaded twice."""
    from muninn_cli.core.listing import digest
    from muninn_cli.store.walk import walk_vault

    gone = set(known)
    for folder in walk_vault(survey.vault.root):
        gone.discard(folder.path)
        if folder.failure:
            survey.failures[folder.path] = folder.failure
            gone = {path for path in gone if not _is_below(path, folder.path)}
            continue
        if not folder.files and folder.path not in known:
            continue
        if known.get(folder.path) != digest(folder.files):
            survey.differing[folder.path] = folder.files
    survey.vanished = gone


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _usage_size(home: Home, vault: Vault) -> int:
    try:
        return home.usage(vault.id).stat().st_size
    except FileNotFoundError:
        return 0
