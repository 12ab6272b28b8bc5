"""Asking models to judge clusters: who may be asked, in which order, and what came of it.

A batch goes only where the trust of all its vaults lets it go: a provider that fails is followed
by the next one allowed, never by one that is not. Nothing here changes a memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from muninn_cli.core.changes import Member
from muninn_cli.core.endpoints import Endpoint, forbidden, refusal
from muninn_cli.core.plain import fence_for, one_line, plain
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import ProviderName, VaultTrust
from muninn_cli.dream.judging.advice import Advice
from muninn_cli.dream.judging.answer import ANSWER_SCHEMA, NoAnswerError, read_answer
from muninn_cli.dream.judging.batches import NO_BUDGET, Batch, Batches, Skipped, estimate
from muninn_cli.errors import ProviderError
from muninn_cli.providers.base import AnswerError, Deadline, Provider, Reply, Request
from muninn_cli.rendering import Templates

LANGUAGES = {"en": "English", "es": "Spanish"}
ANSWER_FRAME_TOKENS = 1_000
"""Allowed for an answer beside the texts it repeats."""
NO_TIME = "no time was left for it"
NOBODY = "no provider could be asked"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider was asked, and what it cost by its own count."""

    provider: ProviderName
    model: str
    requests: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider that was not used for some request, and why, in one line."""

    provider: ProviderName
    why: str


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What came of asking: advice, the keys of judged clusters, what it cost, what was skipped."""

    advice: Advice
    judged: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    usage: tuple[Usage, ...]
    failures: tuple[Failure, ...]


@dataclass(slots=True)
class _Judge:
    """A provider during one consolidation: where it leads, whether it is down, what it cost."""

    provider: Provider
    endpoint: Endpoint | None = None
    down: str = ""
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def refuses(self, trusts: Sequence[VaultTrust], deadline: Deadline) -> str:
        """Why it cannot be asked about these vaults, empty if it can. Sends no memory.

        One that they do not allow is not even looked for.
        """
        if why := forbidden(self.provider.name, trusts):
            return why
        self.down = self.down or self.provider.unready
        if not self.down and self.endpoint is None:
            try:
                self.endpoint = self.provider.endpoint(deadline)
            except ProviderError as error:
                self.down = error.message
        if self.endpoint is None or self.down:
            return self.down
        return refusal(self.endpoint, trusts)

    def ask(self, request: Request, deadline: Deadline) -> Reply:
        """Ask once; a provider that fails is not asked again in this consolidation."""
        self.requests += 1
        try:
            reply = self.provider.ask(request, deadline)
        except AnswerError:
            raise
        except ProviderError as error:
            self.down = error.message
            raise
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        return reply

    @property
    def usage(self) -> Usage:
        return Usage(
            self.provider.name, self.provider.model, self.requests, self.tokens_in, self.tokens_out
        )


@dataclass(frozen=True, slots=True)
class _Note:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Shown:
    reason: str
    notes: tuple[_Note, ...]


@dataclass(slots=True)
class _Consolidator:
    judges: list[_Judge]
    trust: Mapping[str, VaultTrust]
    templates: Templates
    deadline: Deadline
    budget: int
    language: str
    failures: dict[Failure, None] = field(default_factory=dict)

    def judge(self, batch: Batch, before: Advice) -> Advice | str:
        """The advice of the first provider that may and can, or why there is none."""
        if sum(judge.tokens_in + judge.tokens_out for judge in self.judges) >= self.budget:
            return NO_BUDGET
        trusts = [self._trust_of(vault) for vault in sorted(batch.vaults)]
        reasons: set[str] = set()
        for judge in self.judges:
            if self.deadline.left <= 0:
                return NO_TIME
            why = judge.refuses(trusts, self.deadline)
            if not why:
                try:
                    return self._ask(judge, batch, before)
                except NoAnswerError as error:
                    return f"{judge.provider.name}: {error}"
                except ProviderError as error:
                    why = error.message
            reasons.add(why)
            self.failures[Failure(judge.provider.name, why)] = None
        return reasons.pop() if len(reasons) == 1 else NOBODY

    def _trust_of(self, vault: str) -> VaultTrust:
        """A vault whose trust is not known lets nobody see it."""
        return self.trust.get(vault) or VaultTrust(vault, Kind.LEGAL, frozenset())

    def _ask(self, judge: _Judge, batch: Batch, before: Advice) -> Advice:
        """Ask, and once more where the answer is no answer. Raises ProviderError, NoAnswerError."""
        try:
            reply = judge.ask(self._request(batch), self.deadline)
            return read_answer(reply.text, batch.clusters, before)
        except NoAnswerError as error:
            reply = judge.ask(self._request(batch, problem=str(error)), self.deadline)
            return read_answer(reply.text, batch.clusters, before)

    def _request(self, batch: Batch, problem: str = "") -> Request:
        """Only ids, titles and texts go in: no front matter, no path, no name of a vault."""
        clusters = [
            _Shown(cluster.reason, tuple(map(_note, cluster.members))) for cluster in batch.clusters
        ]
        notes = [note for cluster in clusters for note in cluster.notes]
        fence = fence_for(text for note in notes for text in (note.title, note.text))
        return Request(
            system=self._render("system", language=LANGUAGES[self.language]),
            user=self._render("user", clusters=clusters, fence=fence, problem=problem),
            schema=ANSWER_SCHEMA,
            max_tokens=ANSWER_FRAME_TOKENS + sum(estimate(note.text) for note in notes),
        )

    def _render(self, role: str, **values: object) -> str:
        return self.templates.render(f"consolidate.{role}.md.j2", **values)


def _note(member: Member) -> _Note:
    title = one_line(member.title, 200)
    return _Note(member.ref.id, title, plain(member.text).strip("\n"))


def consolidate(
    batches: Batches,
    providers: Sequence[Provider],
    *,
    trust: Mapping[str, VaultTrust],
    templates: Templates,
    deadline: Deadline,
    budget: int,
    language: str = "en",
    progress: Callable[[int, int], None] | None = None,
) -> Consolidation:
    """Have each batch judged by the first provider that its vaults allow and that answers.

    `trust` is by vault id; `budget` are tokens by the providers' own count, after which no more
    is asked; `language` is that of the narrative; `progress` is told batches done and in all.
    Raises nothing for a provider that fails.
    """
    judges = [_Judge(provider) for provider in providers]
    consolidator = _Consolidator(judges, trust, templates, deadline, budget, language)
    advice, judged, skipped = Advice(), [], list(batches.skipped)
    for number, batch in enumerate(batches.batches):
        if progress:
            progress(number, len(batches.batches))
        outcome = consolidator.judge(batch, advice)
        if isinstance(outcome, str):
            skipped += [Skipped(cluster, outcome) for cluster in batch.clusters]
        else:
            advice += outcome
            judged += [cluster.key for cluster in batch.clusters]
    return Consolidation(
        advice=advice,
        judged=tuple(judged),
        skipped=tuple(skipped),
        usage=tuple(judge.usage for judge in judges if judge.requests),
        failures=tuple(consolidator.failures),
    )
