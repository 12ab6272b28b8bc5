"""Mending: each finding's own act, once; what cannot be mended is told and stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muninn_cli.errors import MuninnError

if TYPE_CHECKING:
    from collections.abc import Callable

    from muninn_cli.doctor.finding import Report


def mend(report: Report, notify: Callable[[str], None]) -> None:
    """Carry out what the findings propose, in their order; a failure does not stop the others."""
    done: set[Callable[[], None]] = set()
    for finding in report.findings:
        if finding.mend is None or finding.mend in done:
            continue
        done.add(finding.mend)
        try:
            finding.mend()
        except (MuninnError, OSError) as error:
            cause = error.message if isinstance(error, MuninnError) else error.strerror
            notify(f"{finding.place} could not be mended: {cause}")
