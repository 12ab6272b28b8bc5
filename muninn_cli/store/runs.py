"""Runs: commands that touch more than one memory, as one transaction that can be undone.

`state/runs/<run>/` holds the plan, a before-image of every file that is edited, and, as the very
last thing, the receipt. A run without a receipt was killed and is rolled back by whoever opens a
run next; to undo a run is to take its receipt away and roll it back. One run at a time.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from muninn_cli.core.usage import Alias, AssociationChange, Event, StabilityChange, Undo
from muninn_cli.errors import BusyError, ConflictError, MuninnError, NotFoundError, UnreadableError
from muninn_cli.store import lock
from muninn_cli.store.drafts import Draft, is_about_one_file
from muninn_cli.store.run_folder import Left, Plan, Receipt, RunFolder, State
from muninn_cli.store.steps import Batch, Record, Reversal, Step, act
from muninn_cli.store.usage import UsageLog

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from datetime import datetime

    from muninn_cli.paths import Home
    from muninn_cli.store.vault import Vault

KEPT = timedelta(days=90)
"""How long a run can be undone."""
_WAIT = 10.0
"""Seconds to wait for another run: none takes long, since it is planned before."""


class Runs:
    """Opens, undoes and forgets runs over these vaults."""

    def __init__(self, home: Home, vaults: Sequence[Vault], host: str, pid: int) -> None:
        self._home = home
        self._vaults = {vault.id: vault for vault in vaults}
        self._host = host
        self._pid = pid

    def perform(
        self,
        command: str,
        batches: Sequence[Batch],
        now: datetime,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> Receipt:
        """Carry the batches out, in order; a batch whose files have changed is dropped and named.

        Any other failure rolls the whole run back and is raised. `progress` is told how many
        batches of how many are done.
        """
        with self._alone(now):
            folder = self._new_folder(now)
            draft = Draft(folder, self._vaults, now)
            for batch in batches:
                draft.add(batch)
            if not draft.ready:
                folder.discard()
                return Receipt("", State.DONE, dropped=tuple(draft.dropped))
            plan = Plan(folder.id, self._next_number(), command, now, draft.records, draft.usage)
            folder.save_plan(plan)
            try:
                return self._carry_out(folder, plan, draft, now, progress)
            except BaseException:
                self._roll_back(folder, State.ROLLED_BACK, now)
                raise

    def recover(self, now: datetime) -> tuple[Receipt, ...]:
        """Roll back what a crash left; nothing while another process is in the middle of a run.

        A run that cannot be rolled back yet (a vault that is not there, a full disk) stays
        unfinished, with the reason in `left`.
        """
        if all(folder.is_finished and folder.is_planned for folder in self._all_folders()):
            return ()
        try:
            with self._locked(now, wait=0.0):
                return self._recovered(now)
        except BusyError:
            return ()

    def undo(self, run: str | None, now: datetime) -> Receipt:
        """Bring back what a run (by default the last) changed; files changed since are left.

        Raises NotFoundError for a run that is not there, ConflictError for one that is undone
        already or whose files a later run has touched.
        """
        with self._alone(now):
            plan = self._find(run)
            self._require_undoable(plan)
            folder = self._folder(plan.run)
            folder.reopen()
            return self._roll_back(folder, State.UNDONE, now)

    def past(self) -> list[tuple[Plan, Receipt]]:
        """Every run that can be told about, oldest first."""
        told: list[tuple[Plan, Receipt]] = []
        for folder in self._folders():
            with suppress(UnreadableError):
                told.append((folder.plan(), folder.receipt()))
        return sorted(told, key=lambda each: each[0].number)

    def prune(self, now: datetime) -> None:
        """Forget runs older than 90 days."""
        with self._alone(now):
            for plan, receipt in self.past():
                if receipt.state is not State.UNFINISHED and now - plan.at > KEPT:
                    self._folder(plan.run).discard()

    def scrub(self, vault: str, ids: Collection[str], now: datetime) -> None:
        """Destroy every image of these memories (`purge`).

        Raises UnreadableError where a run's plan is damaged: its images may be theirs.
        """
        with self._alone(now):
            for folder in self._folders():
                folder.scrub(vault, ids)

    @contextmanager
    def _locked(self, now: datetime, wait: float) -> Iterator[None]:
        path = self._home.lock("runs")
        with lock.hold(path, now=now, host=self._host, pid=self._pid, wait=wait):
            yield

    @contextmanager
    def _alone(self, now: datetime) -> Iterator[None]:
        """No other run, and none that was killed, while this lasts."""
        with self._locked(now, _WAIT):
            self._recovered(now)
            yield

    def _folders(self) -> list[RunFolder]:
        """The runs that have a plan; what has none has touched nothing."""
        return [folder for folder in self._all_folders() if folder.is_planned]

    def _all_folders(self) -> list[RunFolder]:
        runs = self._home.runs
        found = sorted(runs.iterdir()) if runs.is_dir() else []
        return [RunFolder(path) for path in found if path.is_dir()]

    def _folder(self, run: str) -> RunFolder:
        return RunFolder(self._home.run(run))

    def _new_folder(self, now: datetime) -> RunFolder:
        base = now.strftime("%Y%m%d-%H%M%S")
        number, name = 1, base
        while self._home.run(name).exists():
            number += 1
            name = f"{base}-{number}"
        return self._folder(name)

    def _next_number(self) -> int:
        return max((plan.number for plan, _ in self.past()), default=0) + 1

    def _carry_out(
        self,
        folder: RunFolder,
        plan: Plan,
        draft: Draft,
        now: datetime,
        progress: Callable[[int, int], None],
    ) -> Receipt:
        done: list[Record] = []
        names: list[str] = []
        dropped = list(draft.dropped)
        for number, (batch, steps) in enumerate(draft.ready):
            progress(number, len(draft.ready))
            why = self._try(folder, steps, now)
            if why:
                dropped.append(Left(batch.name, why))
                continue
            for vault, event in batch.events:
                UsageLog(self._home.usage(vault)).append(_of_run(event, folder.id))
            done += [each for each, _ in steps]
            names.append(batch.name)
        plan = replace(plan, records=tuple(done))
        if len(done) < len(draft.records):
            folder.save_plan(plan)
        receipt = Receipt(folder.id, State.DONE, tuple(names), tuple(dropped), (), plan.paths)
        folder.finish(receipt, now)
        return receipt

    def _try(self, folder: RunFolder, steps: Sequence[tuple[Record, Step]], now: datetime) -> str:
        """Carry out the steps of one batch, or none; returns why not."""
        done: list[Record] = []
        try:
            for each, step in steps:
                done.append(each)
                act(step, self._vaults[each.vault])
        except MuninnError as error:
            if not is_about_one_file(error):
                raise
            if isinstance(error, ConflictError):  # the step was not done: what is there is not ours
                done.pop()
            for each in reversed(done):
                reversal = self._reversal(folder, each.vault, now)
                if reversal:
                    reversal.reverse(each)
            return error.message
        return ""

    def _roll_back(self, folder: RunFolder, state: State, now: datetime) -> Receipt:
        plan = folder.plan()
        vaults = {each.vault for each in plan.records}
        reversals = {vault: self._reversal(folder, vault, now) for vault in vaults}
        left = []
        for each in reversed(plan.records):
            reversal = reversals[each.vault]
            why = reversal.reverse(each) if reversal else "its vault is no longer on the list"
            if why:
                left.append(Left(each.path, why))
        for vault in plan.usage:
            UsageLog(self._home.usage(vault)).append(Undo(now, plan.run))
        receipt = Receipt(plan.run, state, left=tuple(left), paths=plan.paths)
        folder.finish(receipt, now)
        return receipt

    def _reversal(self, folder: RunFolder, vault_id: str, now: datetime) -> Reversal | None:
        """What reverses steps in a vault; None where the vault is no longer on the list."""
        vault = self._vaults.get(vault_id)
        if vault is None:
            return None
        self._require_there(vault)
        return Reversal(vault, folder.path, folder.id, now)

    def _recovered(self, now: datetime) -> tuple[Receipt, ...]:
        """Roll back what was killed, and clear away what was begun and never planned."""
        receipts = []
        for folder in self._all_folders():
            if not folder.is_planned:
                folder.discard()
                continue
            if folder.is_finished:
                continue
            try:
                receipts.append(self._roll_back(folder, State.ROLLED_BACK, now))
            except MuninnError as error:
                left = (Left(folder.id, error.message),)
                receipts.append(Receipt(folder.id, State.UNFINISHED, left=left))
        return tuple(receipts)

    def _find(self, run: str | None) -> Plan:
        """The run of this id or unique beginning of one; the last that stands for None."""
        past = self.past()
        if run is None:
            found = [plan for plan, receipt in past if receipt.state is State.DONE][-1:]
        else:
            exact = [plan for plan, _ in past if plan.run == run]
            found = exact or [plan for plan, _ in past if plan.run.startswith(run)]
        if not found:
            hint = "`muninn journal` names the runs of dreams"
            message = f"there is no run {run}" if run else "there is no run to undo"
            raise NotFoundError(message, hint)
        if len(found) > 1:
            names = ", ".join(plan.run for plan in found)
            raise ConflictError(f"{run} is the beginning of more than one run: {names}")
        return found[0]

    def _require_undoable(self, plan: Plan) -> None:
        state = self._folder(plan.run).receipt().state
        if state is not State.DONE:
            raise ConflictError(f"run {plan.run} cannot be undone: it is {state}")
        for vault in {each.vault for each in plan.records}:
            if vault not in self._vaults:
                message = f"run {plan.run} cannot be undone: its vault is no longer on the list"
                raise ConflictError(message, "muninn vault add FOLDER")
            self._require_there(self._vaults[vault])
        for other, receipt in reversed(self.past()):
            shared = _places(plan) & _places(other)
            if other.number > plan.number and receipt.state is State.DONE and shared:
                path = min(place[2] for place in shared)
                message = f"run {plan.run} cannot be undone: run {other.run} touched {path} since"
                raise ConflictError(message, f"muninn undo {other.run}")

    @staticmethod
    def _require_there(vault: Vault) -> None:
        if not vault.root.is_dir():
            raise NotFoundError(f"the vault {vault.name} is not there: {vault.root}")


def _places(plan: Plan) -> frozenset[tuple[str, str, str]]:
    return frozenset(place for each in plan.records for place in each.places)


def _of_run(event: Event, run: str) -> Event:
    match event:
        case StabilityChange() | AssociationChange() | Alias():
            return event._replace(run=run)
    return event
