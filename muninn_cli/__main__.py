"""`python -m muninn_cli` is the command `muninn`."""

from muninn_cli.cli import process

process()
