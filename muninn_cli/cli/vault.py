"""`muninn vault`: make, register and look after vaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from muninn_cli.cli.call import Call
from muninn_cli.cli.console import Styled
from muninn_cli.cli.group import Group
from muninn_cli.cli.options import ndjson_option, offered
from muninn_cli.cli.permissions import readers
from muninn_cli.core.terms import Kind
from muninn_cli.core.trust import vault_trust

if TYPE_CHECKING:
    from muninn_cli.config import Settings
    from muninn_cli.store.registration import Listed
    from muninn_cli.store.vault import Vault

_KINDS = [kind.value for kind in Kind]
_vault_argument = click.argument("name", shell_complete=offered("vaults"))
_kind_option = click.option(
    "--kind",
    type=click.Choice(_KINDS),
    metavar="KIND",
    help=f"Decides which language models may see it: {', '.join(_KINDS)}.",
)


@click.group("vault", cls=Group, no_args_is_help=True)
def command() -> None:
    """Make, register and look after vaults.

    A vault that muninn makes is managed: memories expire, and dreams tidy it. A folder that you
    register is only read, until `muninn vault manage NAME`.

    \b
    muninn vault create work --kind work
    muninn vault add ~/notes
    muninn vault list
    """


@command.command("create")
@click.argument("name")
@_kind_option
@click.option("--no-git", is_flag=True, help="Keep it out of git.")
@click.pass_obj
def create(call: Call, name: str, kind: str | None, no_git: bool) -> None:
    """Make a vault below muninn's home folder.

    \b
    muninn vault create research
    muninn vault create contracts --kind legal --no-git
    """
    registrar = call.app.registrar
    git = call.app.settings.git.auto and not no_git
    listed = registrar.create(name, _kind(kind), git=git)
    _tell(call, "created", listed, "Created", kind)


@command.command("add")
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--name", help="Its name; by default that of the folder.")
@_kind_option
@click.option("--git", is_flag=True, help="Commit what muninn changes there.")
@click.pass_obj
def add(call: Call, folder: str, name: str | None, kind: str | None, git: bool) -> None:
    """Register a folder that you have; it is read, and no file changed.

    \b
    muninn vault add ~/notes
    muninn vault add ~/notes/docs --name docs --kind project
    """
    listed = call.app.registrar.register(folder, name, _kind(kind), git=git)
    if not listed.changed:
        _tell(call, "exists", listed, "There already:", kind)
        return
    _tell(call, "registered", listed, "Registered", kind)
    hint = f"`muninn vault manage {listed.vault.name}` lets dreams tidy it"
    call.console.notice(f"muninn reads it and changes nothing in it; {hint}")


@command.command("list")
@ndjson_option
@click.pass_obj
def list_vaults(call: Call, ndjson: bool) -> None:
    """List the vaults.

    \b
    muninn vault list
    muninn vault list --json
    """
    vaults = call.app.vaults
    rows = [_row(call.app.settings, vault) for vault in vaults]
    if ndjson:
        call.console.lines(rows)
    elif call.console.json:
        call.console.data({"vaults": rows})
    else:
        widest = max((len(vault.name) for vault in vaults), default=0)
        for vault in vaults:
            name = Styled(vault.name.ljust(widest), "bold")
            managed = "managed" if vault.managed else "registered"
            call.console.print(name, f"  {vault.kind:<8}  {managed:<10}  {vault.root}")


@command.command("show")
@_vault_argument
@click.pass_obj
def show(call: Call, name: str) -> None:
    """Show one vault: its place, kind, and who may see it.

    \b
    muninn vault show work
    muninn vault show ~/notes
    """
    vault = call.app.vault(name)
    row = _row(call.app.settings, vault)
    shown = row | {"providers": readers(call.app, vault)}
    width = max(map(len, shown))
    lines = [f"{key.ljust(width)}  {_shown(value)}" for key, value in shown.items()]
    call.console.result({"vault": row}, "\n".join(lines))
    if vault.problem:
        call.console.notice(f"no language model may see {vault.name}: {vault.problem}")


@command.command("manage")
@_vault_argument
@click.option("--off", is_flag=True, help="Leave the vault alone again.")
@click.pass_obj
def manage(call: Call, name: str, off: bool) -> None:
    """Let memories of a registered vault expire, and dreams tidy it.

    \b
    muninn vault manage notes
    muninn vault manage notes --off
    """
    listed = call.app.registrar.manage(name, on=not off)
    said = "Left alone from now on:" if off else "Managed from now on:"
    _tell(call, "unmanaged" if off else "managed", listed, said)


@command.command("git")
@_vault_argument
@click.argument("state", type=click.Choice(["on", "off"]))
@click.pass_obj
def git(call: Call, name: str, state: str) -> None:
    """Commit what muninn writes in a vault, or no longer.

    With `on`, a folder that is no repository becomes one; what lies there already is yours to
    commit. With `off`, the repository stays as it is.

    \b
    muninn vault git work on
    muninn vault git work off
    """
    listed = call.app.registrar.keep_in_git(name, on=state == "on")
    operation = "changed" if listed.changed else "unchanged"
    said = "Kept in git from now on:" if state == "on" else "No longer kept in git:"
    _tell(call, operation, listed, said if listed.changed else "Unchanged:")


@command.command("rename")
@_vault_argument
@click.argument("new_name")
@click.pass_obj
def rename(call: Call, name: str, new_name: str) -> None:
    """Give a vault another name; its folder and memories stay as they are.

    \b
    muninn vault rename work office
    muninn vault rename office "Old office"
    """
    _tell(call, "renamed", call.app.registrar.rename(name, new_name), "Renamed:")


@command.command("remove")
@_vault_argument
@click.pass_obj
def remove(call: Call, name: str) -> None:
    """Take a vault off the list; no file of it is touched.

    \b
    muninn vault remove notes
    muninn vault remove work --json
    """
    vault = call.app.registrar.remove(name)
    row = _row(call.app.settings, vault)
    text = f"Took {vault.name} off the list; its files stay in {vault.root}"
    call.console.result({"operation": "removed", "vault": row}, text)
    if call.app.settings.vault.default == vault.name:
        hint = "`muninn config set vault.default NAME`"
        call.console.notice(f"vault.default still names {vault.name}: {hint}")


def _tell(
    call: Call, operation: str, listed: Listed, said: str, asked_kind: str | None = None
) -> None:
    vault = listed.vault
    if listed.notice:
        call.console.notice(listed.notice)
    if asked_kind and vault.kind != asked_kind:
        call.console.notice(f"{vault.name} stays {vault.kind}, not {asked_kind}")
    text = f"{said} {vault.name} ({vault.kind}): {vault.root}"
    row = _row(call.app.settings, vault)
    call.console.result({"operation": operation, "vault": row}, text)


def _kind(name: str | None) -> Kind | None:
    return None if name is None else Kind(name)


def _row(settings: Settings, vault: Vault) -> dict[str, object]:
    trust = vault_trust(vault.name, vault.kind, settings.trust.of(vault.kind), vault.denied)
    return {
        "name": vault.name,
        "id": vault.id,
        "path": str(vault.root),
        "kind": vault.kind.value,
        "managed": vault.managed,
        "git": vault.git,
        "providers": sorted(trust.allowed),
    }


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
