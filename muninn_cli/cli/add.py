"""`muninn add`: remember a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Command
from muninn_cli.cli.options import offered, tier_option, type_option, vault_option
from muninn_cli.cli.shown import distance
from muninn_cli.cli.typed import typed
from muninn_cli.core.ids import short_id
from muninn_cli.core.likeness import Bounds
from muninn_cli.core.terms import MemoryType, Source, Tier
from muninn_cli.core.times import rfc3339
from muninn_cli.remember.add import Desk, add, refuse_secret
from muninn_cli.remember.addition import Addition, Operation
from muninn_cli.remember.duplicates import Shelf
from muninn_cli.store.index.neighbours import vault_number

if TYPE_CHECKING:
    from muninn_cli.app import App
    from muninn_cli.remember.addition import Added
    from muninn_cli.store.vault import Vault


@click.command("add", cls=Command)
@click.argument("text", required=False)
@click.option("--title", default="", help="Its title; else its first heading or line.")
@vault_option
@tier_option
@type_option
@click.option(
    "--tag",
    "tags",
    multiple=True,
    metavar="TAG",
    help="A tag; may be given again.",
    shell_complete=offered("tags"),
)
@click.option(
    "--source",
    type=click.Choice([Source.CLI.value, Source.AGENT.value]),
    default=Source.CLI.value,
    help="Who says so: a person at the command line, or an agent.",
)
@click.option("--category", default="", help="A foundational category, such as architecture: T0.")
@click.option("--importance", type=click.IntRange(1, 10), metavar="N", help="How much it matters.")
@click.option("--session", help="What it is part of; else MUNINN_SESSION.")
@click.option("--pin", is_flag=True, help="It never expires.")
@click.option("--force", is_flag=True, help="Store it even where it is known already.")
@click.option("--dry-run", is_flag=True, help="Say what would happen and write nothing.")
@click.pass_obj
def command(  # noqa: PLR0917
    call: Call,
    text: str | None,
    title: str,
    vault: str | None,
    tier: str | None,
    type: str | None,  # noqa: A002
    tags: tuple[str, ...],
    source: str,
    category: str,
    importance: int | None,
    session: str | None,
    pin: bool,
    force: bool,
    dry_run: bool,
) -> None:
    """Remember TEXT. `-` reads it from standard input; without it a pipe is read, or $EDITOR opens.

    What repeats a memory is merged into it; the answer says so.

    \b
    muninn add "The staging database is reset every Monday" --tag staging
    muninn add - --title "Release runbook" --type procedural < runbook.md
    """
    app = call.app
    target = app.vault(vault)
    with typed(call.world, text) as words:
        addition = Addition(
            text=words,
            title=" ".join(title.split()),
            tier=Tier(tier) if tier else None,
            type=MemoryType(type) if type else MemoryType.SEMANTIC,
            tags=_tags(tags),
            source=Source(source),
            category=category.strip(),
            importance=importance,
            session=call.world.env.get("MUNINN_SESSION", "") if session is None else session,
            pinned=pin,
        )
        added = _remember(app, addition, target, force=force, dry_run=dry_run)
    if added.notice:
        call.console.notice(added.notice)
    app.commit(target, added.written, f"Add {added.title}")
    call.console.result(_data(added, target, dry_run=dry_run), *_lines(call, added, target))


def _remember(app: App, addition: Addition, vault: Vault, *, force: bool, dry_run: bool) -> Added:
    if app.settings.remember.secrets == "refuse":
        refuse_secret(f"{addition.title}\n{addition.text}")
    with app.writing(vault):
        return add(addition, _desk(app, vault, force=force), dry_run=dry_run)


def _desk(app: App, vault: Vault, *, force: bool) -> Desk:
    """What adding to a vault works with; with `force` no duplicate is looked for."""
    number = None if force else vault_number(app.index, vault.id)
    shelf = None
    if number is not None:
        add = app.settings.add
        bounds = Bounds(add.duplicate_durable, add.duplicate_base, add.duplicate_ephemeral)
        shelf = Shelf(
            vault, number, app.index, lambda: app.embedder, bounds, add.similar_at, app.now
        )
    return Desk(
        vault,
        usage=app.home.usage(vault.id),
        seen=app.home.seen(vault.id),
        limits=app.limits,
        time=app.time,
        now=app.now,
        randomness=app.world.randomness(10),
        shelf=shelf,
    )


def _tags(given: tuple[str, ...]) -> tuple[str, ...]:
    """Tags as given once or in a list with commas, without `#`."""
    tags = (tag.strip().lstrip("#").strip() for item in given for tag in item.split(","))
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _data(added: Added, vault: Vault, *, dry_run: bool) -> dict[str, object]:
    match = added.match
    return {
        "operation": added.operation.value,
        "dry_run": dry_run,
        "id": added.id,
        "vault": vault.name,
        "path": added.path,
        "title": added.title,
        "file": str(vault.root / added.path),
        "tier": added.tier.value,
        "rule": added.rule,
        "expires": rfc3339(added.expires) if added.expires else None,
        "match": match and {"id": match.id, "cosine": match.cosine, "pass": match.by.value},
        "similar": [
            {"id": one.id, "path": one.path, "title": one.title, "cosine": one.cosine}
            | ({"differs": one.differs} if one.differs else {})
            for one in added.similar
        ],
    }


def _lines(call: Call, added: Added, vault: Vault) -> list[str | Styled]:
    """The answer for people: what became of the text, and what is near it."""
    verb = {
        Operation.ADDED: "Added",
        Operation.MERGED: "Known already, refreshed",
        Operation.EXISTS: "There already",
    }[added.operation]
    life = "never expires"
    if added.expires:
        life = f"unused, it expires {distance(added.expires, call.app.now)}"
    lines: list[str | Styled] = [
        f"{verb} ",
        Styled(short_id(added.id), "bold"),
        f"  {vault.name}/{added.path}\n",
        Styled(f"    {added.tier} ({added.rule}); {life}", "dim"),
    ]
    for one in added.similar:
        near = f"\n    similar ({one.cosine:.2f}): {one.title}  {short_id(one.id)}"
        lines.append(Styled(near, "dim"))
    return lines
