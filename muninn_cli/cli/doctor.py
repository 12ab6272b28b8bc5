"""`muninn doctor`: name what is wrong, and mend what is safe."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from muninn_cli.app import App
from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Command
from muninn_cli.cli.shown import counted
from muninn_cli.doctor import examine, mend

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from muninn_cli.cli.shown import Line
    from muninn_cli.doctor import Facts, Finding, Report

_MOST_SHOWN = 20
"""Findings of one kind in one vault that people are shown; a notebook may have thousands."""


@click.command("doctor", cls=Command)
@click.option("--fix", is_flag=True, help="Mend what can be mended safely.")
@click.pass_context
def command(ctx: click.Context, fix: bool) -> None:
    """Look at everything muninn keeps, and name what is wrong: where, why, and what to do.

    Nothing is written without --fix. That makes the index anew, rolls back what a crash left,
    clears stale locks, commits what waits, drops archived copies that are live with the same
    bytes, and the like; what needs judgement is left to you. The exit code is 1 while something
    is wrong.

    \b
    muninn doctor
    muninn doctor --fix
    """
    call: Call = ctx.obj
    report = examine(call.app)
    mended: tuple[Finding, ...] = ()
    if fix and any(finding.mend for finding in report.findings):
        before = report.findings
        mend(report, call.console.notice)
        report = examine(App(call.world, call.console.notice, call.console.progress))
        mended = tuple(finding for finding in before if finding not in report.findings)
    _tell(call, report, mended, fix=fix)
    ctx.exit(1 if report.findings else 0)


def _tell(call: Call, report: Report, mended: tuple[Finding, ...], *, fix: bool) -> None:
    facts = report.facts
    data = {
        "operation": "mended" if fix else "examined",
        "healthy": not report.findings,
        "findings": [_data(finding) for finding in report.findings],
        "mended": [_data(finding) for finding in mended],
        "facts": {
            "files": facts.files,
            "indexed": facts.indexed,
            "fulltext": facts.fulltext,
            "vectors": facts.vectors,
            "engine": facts.engine or None,
            "changed_since_sync": facts.changed,
        },
        "notices": list(report.notices),
    }
    if call.console.json:
        call.console.data(data)
        return
    for line in _lines(report, mended, fix=fix):
        call.console.print(*line)
    for notice in report.notices:
        call.console.notice(notice)


def _data(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "vault": finding.vault or None,
        "path": finding.path or None,
        "line": finding.line or None,
        "cause": finding.cause,
        "fix": finding.mend is not None,
        "hint": finding.hint or None,
    }


def _lines(report: Report, mended: Iterable[Finding], *, fix: bool) -> Iterator[Line]:
    for finding in mended:
        yield (Styled("mended  ", "green"), Styled(finding.place, "bold"), f"  {finding.cause}")
    hint, shown = "", Counter[tuple[str, str]]()
    for finding in report.findings:
        shown[finding.vault, finding.code] += 1
        if shown[finding.vault, finding.code] > _MOST_SHOWN:
            continue
        place, code = Styled(finding.place, "bold"), Styled(f"  [{finding.code}]", "dim")
        yield (place, f"  {finding.cause}", code)
        if finding.hint not in ("", hint):  # told once where it goes on to be the same
            hint = finding.hint
            yield (Styled(f"    {hint}", "dim"),)
    for (vault, kind), count in shown.items():
        if count > _MOST_SHOWN:
            more = f"and {count - _MOST_SHOWN} more; --json names them"
            yield (f"{vault}  {more}" if vault else more, Styled(f"  [{kind}]", "dim"))
    yield (_verdict(report.findings, fix=fix),)
    yield (Styled(_counts(report.facts), "dim"),)


def _verdict(findings: tuple[Finding, ...], *, fix: bool) -> str:
    if not findings:
        return "All is well"
    count = "1 thing is" if len(findings) == 1 else f"{len(findings)} things are"
    fixable = sum(finding.mend is not None for finding in findings)
    if fixable and not fix:
        return f"{count} wrong; `muninn doctor --fix` mends {fixable} of them"
    return f"{count} wrong, and for you to mend"


def _counts(facts: Facts) -> str:
    if not facts.engine:
        return f"{counted(facts.files, 'file')}; no index"
    changed = "; changed since the last sync" if facts.changed else ""
    files, texts = counted(facts.files, "file"), counted(facts.fulltext, "text")
    vectors = counted(facts.vectors, "vector")
    held = f"in the index {facts.indexed}, {texts}, {vectors}"
    return f"{files}; {held}; {facts.engine}{changed}"
