"""The dream: plan, rehearse, apply. A preview and a real dream are one path; only apply writes.

One dream at a time. Whatever fails before the apply has changed nothing, and moves no stamp.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING

from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import ProviderName
from muninn_cli.dream.applying import journal
from muninn_cli.dream.applying.apply import apply
from muninn_cli.dream.applying.entry import journal_entry
from muninn_cli.dream.applying.noting import note_dreamed, note_proposals
from muninn_cli.dream.applying.writing import write
from muninn_cli.dream.due import read_due, remove_due
from muninn_cli.dream.gates import Gates, gates
from muninn_cli.dream.judging.asked import AskedFor
from muninn_cli.dream.known import Known
from muninn_cli.dream.opening import open_models, opened, tools_for, trusts
from muninn_cli.dream.phases import ACTING, make_plan
from muninn_cli.dream.rehearsing.rehearsal import Stage, rehearse
from muninn_cli.dream.rehearsing.scratch import scratch_of
from muninn_cli.dream.saved_plan import permitted
from muninn_cli.dream.state import read_stamps
from muninn_cli.dream.surroundings import copied
from muninn_cli.errors import TimedOutError
from muninn_cli.providers.base import Deadline
from muninn_cli.rendering import Templates
from muninn_cli.store import files
from muninn_cli.store.lock import hold
from muninn_cli.store.unfinished import has_unfinished_run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from muninn_cli.core.journal import JournalEntry
    from muninn_cli.dream.opening import Opened
    from muninn_cli.dream.plan import Plan
    from muninn_cli.dream.snapshot import Snapshot
    from muninn_cli.dream.surroundings import Surroundings
    from muninn_cli.dream.tools import Tools
    from muninn_cli.paths import Home
    from muninn_cli.providers.base import Provider

LOCK = "dream"
MODEL_SHARE = 0.5
"""Of a dream's time limit, what the model phase may use at most."""
NO_LIMIT = float("inf")


@dataclass(frozen=True, slots=True)
class Options:
    """How to dream. `vault` is an id, None for all; `phases` None for all of them.

    `provider` is the only one to be asked, None for those of the settings; without `models` none
    is. `seconds` limit the whole dream. `plan` is a saved one, to be applied as it is; `save` is
    handed a new one before it is applied.
    """

    dry_run: bool = False
    force: bool = False
    vault: str | None = None
    phases: frozenset[int] | None = None
    models: bool = True
    provider: ProviderName | None = None
    seconds: float = NO_LIMIT
    plan: Plan | None = None
    save: Callable[[Plan], None] | None = None

    @property
    def is_gated(self) -> bool:
        """Whether the gates decide: not for a preview, a saved plan, or a part of the phases."""
        whole = self.phases is None or self.phases >= ACTING
        return not (self.force or self.dry_run or self.plan) and whole


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a dream; `plan` is None where the gates were shut.

    `plan` is what was carried out, or would be. `paths` are the files touched, by vault id;
    `text` is the journal entry.
    """

    gates: Gates
    plan: Plan | None = None
    entry: JournalEntry | None = None
    text: str = ""
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def dream(options: Options, around: Surroundings) -> Outcome:
    """Dream. Raises BusyError, naming the holder, where another dream is on its way.

    Raises TimedOutError or ProviderError as the options ask for; then nothing was changed.
    """
    deadline = Deadline.after(options.seconds)
    if options.dry_run:
        if has_unfinished_run(around.home.runs):
            around.notify("a run was killed: any command but a preview rolls it back first")
        with copied(around.home) as home:
            return _Dream(options, around, home, deadline).run()
    with hold(around.home.lock(LOCK), now=around.time, host=around.host, pid=around.pid) as taken:
        if taken.notice:
            around.notify(taken.notice)
        around.runs()
        return _Dream(options, around, around.home, deadline).run()


class _Dream:
    """One dream, over the index and state of `home`."""

    def __init__(
        self, options: Options, around: Surroundings, home: Home, deadline: Deadline
    ) -> None:
        self._options = options
        self._around = around
        self._home = home
        self._deadline = deadline
        self._began = monotonic()
        self._due = read_due(around.home.dream_due)

    def run(self) -> Outcome:
        chosen = None if self._options.plan else self._options.vault
        with opened(self._around, self._home, chosen) as found:
            shut = gates_of(found.snapshot, self._home, self._around, chosen)
            if self._options.is_gated and not shut.open:
                return Outcome(shut)
            saved = self._options.plan
            plan = permitted(saved, found.snapshot) if saved else self._planned(found)
            if self._options.save:
                self._options.save(plan)
            if self._options.dry_run:
                return self._told(plan, found, shut)
            return self._applied(plan, found, shut)

    def _planned(self, found: Opened) -> Plan:
        """What the phases propose, without what the rehearsal takes out."""
        asked = self._asked_for(found)
        with self._around.progress("Dreaming") as progress:
            tools = tools_for(
                found,
                self._around,
                self._home,
                providers=self._providers(asked, found),
                deadline=self._deadline,
                model_deadline=self._model_deadline(),
                progress=lambda _phase, done, total: progress(done, total),
            )
            plan = self._proposed(found, tools)
            if asked and asked.failure:
                raise asked.failure
            plan = self._rehearsed(plan, found, tools)
        if self._deadline.left <= 0:
            raise self._too_late()
        return plan

    def _proposed(self, found: Opened, tools: Tools) -> Plan:
        try:
            plan = make_plan(found.snapshot, tools, self._options.phases)
        except TimedOutError as error:
            raise self._too_late() from error
        if self._deadline.left <= 0:
            raise self._too_late()
        return plan

    def _model_deadline(self) -> Deadline:
        return self._deadline.within(self._options.seconds * MODEL_SHARE)

    def _too_late(self) -> TimedOutError:
        seconds = f"{self._options.seconds:g} seconds"
        return TimedOutError(
            f"the dream was not done after {seconds}: nothing was changed",
            "the next dream goes on where this one stopped",
        )

    def _asked_for(self, found: Opened) -> AskedFor | None:
        """The provider that a person named. Raises ProviderError where it cannot be asked."""
        if self._options.provider is None or not self._options.models:
            return None
        asked = AskedFor(self._options.provider, self._around)
        trust, chosen = trusts(self._around), self._options.vault
        about = found.snapshot.vaults or ((chosen,) if chosen else trust)  # none but legal ones
        asked.require([trust[vault] for vault in about], self._deadline)
        return asked

    def _providers(self, asked: AskedFor | None, found: Opened) -> Sequence[Provider]:
        if asked:
            return (asked,)
        return open_models(self._around, found.snapshot) if self._options.models else ()

    def _rehearsed(self, plan: Plan, found: Opened, tools: Tools) -> Plan:
        subjects = {subject.ref: subject for subject in plan.subjects}
        known = Known(found.connection)
        with scratch_of(self._home, found.vaults, self._around) as scratch:
            stage = Stage(
                scratch,
                tools.search,
                lambda changes: write(changes, subjects, found.vaults, known, plan.now),
                self._deadline,
            )
            return rehearse(plan, stage)

    def _applied(self, plan: Plan, found: Opened, shut: Gates) -> Outcome:
        around, home = self._around, self._home
        files.require_appendable(home.journal)  # nothing is done of which nothing could be told
        applied = apply(
            plan,
            vaults=found.vaults,
            known=Known(found.connection),
            runs=around.runs(),
            command="dream",
            now=around.now,
            time=around.time,
        )
        note_proposals(applied.plan, home, around.time)
        outcome = self._told(applied.plan, found, shut)
        journal.append(home.journal, outcome.text)
        of_all = self._is_of_all(plan)
        note_dreamed(applied, found.vaults, home, around.now, whole=of_all)
        if plan.whole and of_all and self._due:
            remove_due(home.dream_due, self._due)
        return replace(outcome, paths=applied.paths)

    def _is_of_all(self, plan: Plan) -> bool:
        """Whether this was a dream of all vaults, so that the common stamp moves."""
        if self._options.plan is None:
            return self._options.vault is None
        return {vault.id for vault in plan.vaults} >= {
            vault.id for vault in self._around.vaults if vault.kind is not Kind.LEGAL
        }

    def _told(self, plan: Plan, found: Opened, shut: Gates) -> Outcome:
        """The outcome, with its journal entry."""
        seconds = monotonic() - self._began
        entry = journal_entry(
            plan, found.snapshot, self._around.time, seconds, dry_run=self._options.dry_run
        )
        templates = Templates(self._around.home.templates)
        language = self._around.settings.journal.language
        text = templates.journal(entry, language, self._around.notify)
        return Outcome(shut, plan, entry, text)


def gates_of(
    snapshot: Snapshot, home: Home, around: Surroundings, vault: str | None = None
) -> Gates:
    """The gates before a dream of all vaults, or of one."""
    stamps = read_stamps(home.dream_stamp)
    settings = around.settings.dream
    return gates(
        stamps.last if vault is None else stamps.last_of(vault),
        around.time,
        new=len(snapshot.changed),
        min_hours=settings.min_hours,
        min_new=settings.min_new,
    )
