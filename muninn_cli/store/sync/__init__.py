"""Bringing the index in step with files and state. Writes no byte into a vault."""

from muninn_cli.store.sync.report import FileProblem, SyncReport, VaultFailure
from muninn_cli.store.sync.run import sync

__all__ = ["FileProblem", "SyncReport", "VaultFailure", "sync"]
