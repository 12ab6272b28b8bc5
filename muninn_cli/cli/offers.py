"""Words that a shell may offer for a parameter, from index and state as they are now.

Nothing is synced, made or told, and nothing fails: where there is no index nothing is offered.
Bash takes a word as it is given, so what is more than one word is quoted for it.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from muninn_cli.config.settings import SETTINGS
from muninn_cli.core.ids import short_id
from muninn_cli.core.words import fold
from muninn_cli.store.index import offers
from muninn_cli.store.index.connection import open_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from muninn_cli.cli.call import Call

_ASKS = "_MUNINN_COMPLETE"
"""The environment variable by which a shell asks, with its name."""


def offer(what: str, call: Call, incomplete: str) -> list[CompletionItem]:
    """What begins with what was typed, of one of OFFERS."""
    try:
        found = [one for one in OFFERS[what](call, incomplete) if one.value.isprintable()]
    except Exception:  # a shell that completes has no place for a message
        return []
    if call.world.env.get(_ASKS, "").startswith("bash"):
        return [CompletionItem(shlex.quote(one.value), help=one.help) for one in found]
    return found


def _vaults(call: Call, incomplete: str) -> Iterable[CompletionItem]:
    with open_reader(call.app.home.index_db) as index:
        return _beginning(incomplete, dict.fromkeys(offers.vaults(index), ""))


def _tags(call: Call, incomplete: str) -> Iterable[CompletionItem]:
    with open_reader(call.app.home.index_db) as index:
        found = offers.tags(index, fold(incomplete.lstrip("#")))
        return [CompletionItem(tag, help=f"{count} memories") for tag, count in found]


def _memories(call: Call, incomplete: str) -> Iterable[CompletionItem]:
    return _named(call, incomplete, archived=False)


def _archived(call: Call, incomplete: str) -> Iterable[CompletionItem]:
    return _named(call, incomplete, archived=True)


def _named(call: Call, incomplete: str, *, archived: bool) -> Iterable[CompletionItem]:
    with open_reader(call.app.home.index_db) as index:
        found = offers.memories(index, incomplete, fold(incomplete), archived=archived)
        return [
            CompletionItem(short_id(one.id) if archived else one.path, help=one.title)
            for one in found
        ]


def _settings(_call: Call, incomplete: str) -> Iterable[CompletionItem]:
    return _beginning(incomplete, {key: setting.about for key, setting in SETTINGS.items()})


def _runs(call: Call, incomplete: str) -> Iterable[CompletionItem]:
    names = sorted((path.name for path in call.app.home.runs.iterdir()), reverse=True)
    return _beginning(incomplete, dict.fromkeys(names, ""))


def _beginning(incomplete: str, words: dict[str, str]) -> list[CompletionItem]:
    found = ((word, about) for word, about in words.items() if word.startswith(incomplete))
    return [CompletionItem(word, help=about or None) for word, about in found]


OFFERS: dict[str, Callable[[Call, str], Iterable[CompletionItem]]] = {
    "vaults": _vaults,
    "tags": _tags,
    "memories": _memories,
    "archived": _archived,
    "settings": _settings,
    "runs": _runs,
}
