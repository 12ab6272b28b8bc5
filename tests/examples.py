"""A furnished home for the command line, and the examples of every command's help."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click
from conftest import START, Clock, Muninn

from muninn_cli.cli.group import COMMANDS, muninn

MEMORIES = {
    "Release runbook": ("01JQXW9Z6N8F4T2MM7N2XY01", "procedural", "Tag it, then push the tag.\n"),
    "Old release runbook": ("01JQXW9Z6N8F4T2M5R7K3C02", "procedural", "Push by hand.\n"),
    "Why we chose SQLite": ("01JQXW9Z6N8F4T2M5R7K3C03", "semantic", "One file, no server.\n"),
    "API version 1": ("01JQXW9Z6N8F4T2M5R7K3C04", "semantic", "The API answers in XML.\n"),
    "API version 2": ("01JQXW9Z6N8F4T2M5R7K3C05", "semantic", "The API answers in JSON.\n"),
    "Door code": ("01JQXW9Z6N8F4T2M5R7K3C06", "semantic", "Ask at the desk.\n"),
    "Docker network timeouts": ("01JQXW9Z6N8F4T2M5R7K3C07", "episodic", "The bridge was full.\n"),
}


def commands(command: click.Command = muninn, path: str = "muninn"):
    """Every command with its whole name, groups before what is in them."""
    yield path, command
    if isinstance(command, click.Group):
        for name in COMMANDS if command is muninn else command.commands:
            child = command.get_command(click.Context(command), name)
            assert child is not None
            if not child.hidden:
                yield from commands(child, f"{path} {name}")


ALL = dict(commands())


def write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def git_on(base: Path) -> dict[str, str]:
    names = {f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return dict.fromkeys(names, "t@example.com") | {
        "MUNINN_GIT_AUTO": "true",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PATH": f"{base / 'bin'}:{os.environ['PATH']}",
        "EDITOR": "nano",
    }


def furnish(base: Path) -> None:
    """Fill a folder with a home, a few memories under git, and what the examples read."""
    here = Muninn(base / "home", Clock(), base)
    here("init", env=git_on(base))
    here("vault", "create", "work", "--kind", "work", "--no-git")
    for title, (memory_id, kind, body) in MEMORIES.items():
        name = title.lower().replace(" ", "-")
        fields = f'id: "{memory_id}"\ntitle: {title}\ntype: {kind}\ntags: [docker]'
        write(
            base / "home" / "vaults" / "personal" / f"{name}.md",
            f"---\n{fields}\ncreated: {START:%Y-%m-%dT%H:%M:%SZ}\n---\n{body}",
        )
    for tier in ("T1", "T2", "T1", "T2"):  # commits, for the history of one memory
        here("tier", "set", "Release runbook", tier, env=git_on(base))
    write(base / "notes" / "idea.md", "# An idea\n")
    write(base / "notes" / "docs" / "guide.md", "# A guide\n")
    write(base / "runbook.md", "Tag it, then push the tag, then wait.\n")
    write(base / "other-tool.jsonl", '{"text": "The office closes at six"}\n')
    write(base / "memories.jsonl", here("export").out)
    write(base / "bin" / "nano", '#!/bin/sh\necho more >> "$1"\n')
    (base / "bin" / "nano").chmod(0o755)


def run(here: Muninn, line: str):
    """Run a line as a shell would: variables before it, and redirections after."""
    words = shlex.split(line)
    env = git_on(here.cwd)
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        env[name] = str(here.cwd / value.lstrip("/")) if name == "MUNINN_HOME" else value
    stdin = "y\n"
    for sign in ("<", ">"):
        if sign in words:
            cut = words.index(sign)
            stdin = (here.cwd / words[cut + 1]).read_text() if sign == "<" else stdin
            words = words[:cut]
    assert words[0] == "muninn"
    words = [word.replace("~", str(here.cwd), 1) if word[0] == "~" else word for word in words]
    return here(*words[1:], stdin=stdin, env=env)
